//! Verdicts, results of games, proposals, the policy, cancel-only mode and upgrades of the rules.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::admin::Amounts;
use crate::decimal::Money;
use crate::json::WriteJson;
use crate::response::{Evidence, Ruling, Score};
use crate::terms;

/// The winning outcome.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct ResolveMarket {
    pub outcome: terms::OutcomeSide,
}

/// Everything is called off.
#[derive(Clone, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelMarkets {
    /// The payout of a YES share, 0 to 1 in whole cents; without it 0.50. NO pays the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price: Option<Money>,
}

/// How an event is to end: `outcomes`, or `yesPrice` to call it off.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenVerdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<Ruling>>,
    /// The payout of a YES share, 0 to 1 in whole cents. NO pays the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price: Option<Money>,
}

/// How an event is to end, and why.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposeVerdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<Vec<Ruling>>,
    /// The payout of a YES share, 0 to 1 in whole cents. NO pays the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yes_price: Option<Money>,
    pub evidence: Evidence,
}

/// How a game ended, and why we think so.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct ProposeResult {
    pub score: Score,
    pub evidence: Evidence,
}

/// Why a proposal is taken back.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Withdraw {
    #[schema(min_length = 1)]
    pub reason: String,
}

/// A new policy; fields that are left out stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetPolicy {
    /// A proposal must be finalised by an approver who did not propose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two_required: Option<bool>,
    /// How long a proposed end stands in public before it can be finalised.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 2592000)]
    pub resolution_delay_seconds: Option<u32>,
    /// The largest single credit or debit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_max: Option<Amounts>,
    /// The most that one operator credits and debits in a day (UTC).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day_max: Option<Amounts>,
    /// How long a resolved or cancelled event stays in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 60, maximum = 315360000)]
    pub retire_after_seconds: Option<u32>,
}

/// Whether nothing can be placed, amended or minted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct SetCancelOnly {
    pub on: bool,
}

/// The rules that the log moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct UpgradeRules {
    pub version: u32,
}
