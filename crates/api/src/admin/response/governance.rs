//! Pending proposals, their payouts, the policy, cancel-only mode and the rules of the log.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::admin::{Amounts, Sum};
use crate::decimal::{Money, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::response::{Evidence, Verdict};
use crate::terms;

/// The venue's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PolicyState {
    pub two_required: bool,
    pub resolution_delay_seconds: u32,
    pub entry_max: Amounts,
    pub day_max: Amounts,
    /// How long a resolved or cancelled event stays in memory; history answers for it afterwards.
    pub retire_after_seconds: u32,
}

/// Something was proposed: another person may have to say yes.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposed {
    pub proposal_id: Uuid,
    /// It can be finalised from then on.
    pub final_from: Timestamp,
    pub message: String,
}

/// The proposals that wait to be finalised or withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Proposals {
    pub proposals: Vec<ProposalState>,
}

/// Something that waits, and who wants it.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalState {
    pub proposal_id: Uuid,
    #[serde(rename = "type")]
    pub proposal_type: terms::ProposalType,
    /// The command that would be given, by its name in the audit log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The slug of an event or game, or what the command would do.
    pub about: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyState>,
    pub evidence: Evidence,
    /// A name; `node` for the exchange itself.
    pub proposed_by: String,
    /// Names of operators who proposed it too, by a price that they pushed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_by: Vec<String>,
    /// The series whose results can be finalised together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series_slug: Option<String>,
    pub role: terms::Author,
    pub proposed_at: Timestamp,
    /// It can be finalised from then on.
    pub final_from: Timestamp,
}

/// Results of a series that were finalised together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct FinalisedSeries {
    pub finalised: usize,
}

/// The payouts that a verdict would cause. Nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct PayoutPreview {
    /// All that is paid, the house's part included.
    pub totals: Vec<Sum>,
    pub payouts: Vec<Payout>,
}

/// The payout of one market in one currency. Those with nothing in them are left out.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    pub event_slug: String,
    pub market_id: Uuid,
    pub market: String,
    pub currency: terms::Currency,
    /// The payout of a YES share, as a part of the most that a share can pay; NO pays the rest.
    pub yes_price: UnitPrice,
    /// Pairs of shares.
    pub sets: Shares,
    pub winners: u64,
    pub to_users: Money,
    pub to_house: Money,
    /// Orders that are cancelled and refunded first.
    pub resting_orders: u64,
}

/// The rules that the log is decided by.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeRules {
    pub node: String,
    pub build: String,
    /// The newest rules that the node knows.
    pub known: u32,
}

/// Whether nothing can be placed, and why.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelOnly {
    pub on: bool,
    pub causes: Vec<terms::CancelOnlyCause>,
}
