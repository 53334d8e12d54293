//! Pending proposals, their payouts, the policy and cancel-only mode.

use api::admin::Sum;
use api::admin::response::{CancelOnly, Payout, PayoutPreview, PolicyState, ProposalState};
use api::terms;
use exchange::Exchange;
use exchange::command::Command;
use exchange::governance::{Author, MarketPayout, Policy, Preview, Proposal, Subject};
use exchange::id::OperatorId;
use exchange::numbers::Currency;

use super::amounts;
use crate::audit_trail::summary;
use crate::view::resolution::{evidence, final_from, subject_verdict};
use crate::view::words::ToApi;

pub fn policy_state(policy: &Policy) -> PolicyState {
    PolicyState {
        two_required: policy.two_required,
        resolution_delay_seconds: policy.resolution_delay_seconds,
        entry_max: amounts(&policy.entry_max),
        day_max: amounts(&policy.day_max),
        retire_after_seconds: policy.retire_after_seconds,
    }
}

/// Pending proposals, the oldest first.
pub fn proposals(exchange: &Exchange) -> Vec<ProposalState> {
    let mut pending: Vec<&Proposal> = exchange.governance().proposals().collect();
    pending.sort_by_key(|proposal| (proposal.at, proposal.id));
    pending.into_iter().map(|proposal| proposal_state(exchange, proposal)).collect()
}

pub fn proposal_state(exchange: &Exchange, proposal: &Proposal) -> ProposalState {
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
        Some(Command::SetPolicy(policy)) => Some(policy_state(policy)),
        Some(Command::ChangePolicy(change)) => {
            Some(policy_state(&change.over(&exchange.governance().policy)))
        }
        _ => None,
    };
    let name = |operator: &OperatorId| operator_name(exchange, *operator);
    let series = proposal.series.and_then(|series| exchange.catalogue().find_series(series));
    ProposalState {
        proposal_id: proposal.id.to_api(),
        proposal_type: proposal_type(&proposal.subject),
        action: command.map(|command| command.name().to_owned()),
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

pub fn payout_preview(exchange: &Exchange, preview: &Preview) -> PayoutPreview {
    let total =
        |currency: Currency| Sum { currency: currency.to_api(), amount: preview.total(currency).to_api() };
    PayoutPreview {
        totals: Currency::ALL.map(total).to_vec(),
        payouts: preview.payouts.iter().map(|payout| market_payout(exchange, payout)).collect(),
    }
}

fn market_payout(exchange: &Exchange, payout: &MarketPayout) -> Payout {
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

pub fn cancel_only(exchange: &Exchange) -> CancelOnly {
    let governance = exchange.governance();
    CancelOnly {
        on: governance.is_cancel_only(),
        causes: governance.cancel_only_causes().map(ToApi::to_api).collect(),
    }
}
