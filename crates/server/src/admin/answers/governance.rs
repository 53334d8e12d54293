//! Pending proposals, their payouts, and the policy.

use api::Timestamp;
use api::decimal::{Money, Shares, UnitPrice};
use api::response::{Evidence, Verdict};
use api::terms;
use exchange::Exchange;
use exchange::command::Command;
use exchange::governance::{Author, MarketPayout, Policy, Preview, Proposal, Subject};
use exchange::id::OperatorId;
use exchange::numbers::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Sum;
use crate::admin::requests::Amounts;
use crate::audit_trail::summary;
use crate::view::resolution::{evidence, final_from, subject_verdict};
use crate::view::words::ToApi;

/// The venue's policy.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyState {
    pub two_required: bool,
    pub resolution_delay_seconds: u32,
    pub entry_max: Amounts,
    pub day_max: Amounts,
    /// How long a resolved or cancelled event stays in memory; history answers for it afterwards.
    pub retire_after_seconds: u32,
}

impl PolicyState {
    pub fn of(policy: &Policy) -> PolicyState {
        PolicyState {
            two_required: policy.two_required,
            resolution_delay_seconds: policy.resolution_delay_seconds,
            entry_max: Amounts::of(&policy.entry_max),
            day_max: Amounts::of(&policy.day_max),
            retire_after_seconds: policy.retire_after_seconds,
        }
    }
}

/// Something was proposed: another person may have to say yes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposed {
    pub proposal_id: Uuid,
    /// It can be finalised from then on.
    pub final_from: Timestamp,
    pub message: &'static str,
}

/// The proposals that wait to be finalised or withdrawn.
#[derive(Debug, Serialize, ToSchema)]
pub struct Proposals {
    pub proposals: Vec<ProposalState>,
}

/// Something that waits, and who wants it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalState {
    proposal_id: Uuid,
    #[serde(rename = "type")]
    proposal_type: terms::ProposalType,
    /// The command that would be given, by its name in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    /// The slug of an event or game, or what the command would do.
    about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<PolicyState>,
    evidence: Evidence,
    /// A name; `node` for the exchange itself.
    proposed_by: String,
    /// Names of operators who proposed it too, by a price that they pushed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also_by: Vec<String>,
    /// The series whose results can be finalised together.
    #[serde(skip_serializing_if = "Option::is_none")]
    series_slug: Option<String>,
    role: terms::Author,
    proposed_at: Timestamp,
    /// It can be finalised from then on.
    final_from: Timestamp,
}

pub fn proposal_of(exchange: &Exchange, proposal: &Proposal) -> ProposalState {
    let (event_id, game_id) = match &proposal.subject {
        Subject::Resolution { event, .. } => (Some(event.to_api()), None),
        Subject::GameResult { game, .. } => (None, Some(game.to_api())),
        Subject::Command(_) => (None, None),
    };
    let command = match &proposal.subject {
        Subject::Command(command) => Some(command.as_ref()),
        _ => None,
    };
    let policy = match command {
        Some(Command::SetPolicy(policy)) => Some(PolicyState::of(policy)),
        _ => None,
    };
    let name = |operator: &OperatorId| operator_name(exchange, *operator);
    let series = proposal.series.and_then(|series| exchange.catalogue().find_series(series));
    ProposalState {
        proposal_id: proposal.id.to_api(),
        proposal_type: proposal_type(&proposal.subject),
        action: command.map(Command::name),
        about: about(exchange, &proposal.subject),
        event_id,
        game_id,
        verdict: subject_verdict(&proposal.subject),
        policy,
        evidence: evidence(&proposal.evidence),
        proposed_by: author_name(exchange, proposal.by),
        also_by: proposal.also_by.iter().map(name).collect(),
        series_slug: series.map(|series| series.terms.slug.to_string()),
        role: proposal.by.to_api(),
        proposed_at: proposal.at.to_api(),
        final_from: final_from(exchange, proposal).to_api(),
    }
}

const fn proposal_type(subject: &Subject) -> terms::ProposalType {
    match subject {
        Subject::Resolution { .. } => terms::ProposalType::Resolution,
        Subject::GameResult { .. } => terms::ProposalType::GameResult,
        Subject::Command(_) => terms::ProposalType::Command,
    }
}

fn about(exchange: &Exchange, subject: &Subject) -> String {
    let catalogue = exchange.catalogue();
    match subject {
        Subject::Resolution { event, .. } => catalogue
            .find_event(*event)
            .map_or_else(String::new, |index| catalogue.event(index).slug.to_string()),
        Subject::GameResult { game, .. } => {
            catalogue.sports().games.get(game).map_or_else(String::new, |game| game.slug.to_string())
        }
        Subject::Command(command) => summary(exchange, command),
    }
}

fn author_name(exchange: &Exchange, author: Author) -> String {
    match author {
        Author::Operator { operator, .. } => operator_name(exchange, operator),
        Author::Node => "node".to_owned(),
    }
}

fn operator_name(exchange: &Exchange, operator: OperatorId) -> String {
    exchange.directory().operator(operator).map_or_else(String::new, |known| known.name.to_string())
}

/// Results of a series that were finalised together.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct FinalisedSeries {
    pub finalised: usize,
}

/// The payouts that a verdict would cause. Nothing has happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct PayoutPreview {
    /// All that is paid, the house's part included.
    totals: Vec<Sum>,
    payouts: Vec<Payout>,
}

/// The payout of one market in one currency. Those with nothing in them are left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Payout {
    event_slug: String,
    market_id: Uuid,
    market: String,
    currency: terms::Currency,
    /// The payout of a YES share, as a part of the most that a share can pay; NO pays the rest.
    yes_price: UnitPrice,
    /// Pairs of shares.
    sets: Shares,
    winners: u64,
    to_users: Money,
    to_house: Money,
    /// Orders that are cancelled and refunded first.
    resting_orders: u64,
}

impl PayoutPreview {
    pub fn of(exchange: &Exchange, preview: &Preview) -> PayoutPreview {
        let total = |currency: Currency| Sum {
            currency: currency.to_api(),
            amount: preview.total(currency).to_api(),
        };
        PayoutPreview {
            totals: Currency::ALL.map(total).to_vec(),
            payouts: preview.payouts.iter().map(|payout| payout_of(exchange, payout)).collect(),
        }
    }
}

fn payout_of(exchange: &Exchange, payout: &MarketPayout) -> Payout {
    let catalogue = exchange.catalogue();
    let market = catalogue.find_market(payout.market).map(|index| catalogue.market(index));
    let slug = market.map(|market| catalogue.event(market.event).slug.to_string());
    Payout {
        event_slug: slug.unwrap_or_default(),
        market_id: payout.market.to_api(),
        market: market.map_or_else(String::new, |market| market.details.title.to_string()),
        currency: payout.currency.to_api(),
        yes_price: payout.yes_pays.to_api(),
        sets: payout.sets.to_api(),
        winners: payout.winners,
        to_users: payout.to_users.to_api(),
        to_house: payout.to_house.to_api(),
        resting_orders: payout.resting_orders,
    }
}

/// The rules that the log is decided by.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesState {
    /// The rules of the log.
    pub version: u32,
    /// The newest rules that this node knows.
    pub known: u32,
    /// The version of the state's digest under the rules of the log.
    pub digest_version: u32,
    /// The live nodes of a shared log; empty where the node has a journal of its own.
    pub nodes: Vec<NodeRules>,
}

/// A live node of a shared log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeRules {
    pub node: String,
    pub build: String,
    /// The newest rules that the node knows.
    pub known: u32,
}

/// Whether nothing can be placed, and why.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelOnly {
    pub on: bool,
    pub causes: Vec<terms::CancelOnlyCause>,
}

impl CancelOnly {
    pub fn of(exchange: &Exchange) -> CancelOnly {
        let governance = exchange.governance();
        CancelOnly {
            on: governance.is_cancel_only(),
            causes: governance.cancel_only_causes().map(ToApi::to_api).collect(),
        }
    }
}
