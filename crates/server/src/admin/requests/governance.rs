//! Verdicts, the policy, cancel-only mode and upgrades of the rules.

use api::decimal::Money;
use api::error::BadRequest;
use api::response::{Evidence, Ruling, Score};
use api::terms;
use exchange::governance::{self, Policy, Verdict};
use exchange::numbers::Cents;
use exchange::text::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Amounts;
use crate::view::words::ToExchange;

/// The winning outcome.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ResolveMarket {
    pub outcome: terms::OutcomeSide,
}

/// Everything is called off.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelMarkets {
    /// The payout of a YES share, 0 to 1 in whole cents; without it 0.50. NO pays the rest.
    yes_price: Option<Money>,
}

impl CancelMarkets {
    pub fn yes(&self) -> Result<Cents, BadRequest> {
        self.yes_price.map_or(Ok(Cents::HALF), whole_cents)
    }
}

/// How an event is to end: `outcomes`, or `yesPrice` to call it off.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenVerdict {
    outcomes: Option<Vec<Ruling>>,
    /// The payout of a YES share, 0 to 1 in whole cents. NO pays the rest.
    yes_price: Option<Money>,
}

impl GivenVerdict {
    pub fn verdict(&self) -> Result<Verdict, BadRequest> {
        verdict(self.outcomes.as_deref(), self.yes_price)
    }
}

/// How an event is to end, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposeVerdict {
    outcomes: Option<Vec<Ruling>>,
    /// The payout of a YES share, 0 to 1 in whole cents. NO pays the rest.
    yes_price: Option<Money>,
    evidence: Evidence,
}

impl ProposeVerdict {
    pub fn verdict(&self) -> Result<Verdict, BadRequest> {
        verdict(self.outcomes.as_deref(), self.yes_price)
    }

    pub fn evidence(self) -> governance::Evidence {
        evidence(self.evidence)
    }
}

/// How a game ended, and why we think so.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ProposeResult {
    pub score: Score,
    evidence: Evidence,
}

impl ProposeResult {
    pub fn evidence(self) -> governance::Evidence {
        evidence(self.evidence)
    }
}

/// Why a proposal is taken back.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Withdraw {
    #[schema(min_length = 1)]
    pub reason: String,
}

/// A new policy; fields that are left out stay.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetPolicy {
    /// A proposal must be finalised by an approver who did not propose it.
    two_required: Option<bool>,
    /// How long a proposed end stands in public before it can be finalised.
    #[schema(maximum = 2592000)]
    resolution_delay_seconds: Option<u32>,
    /// The largest single credit or debit.
    entry_max: Option<Amounts>,
    /// The most that one operator credits and debits in a day (UTC).
    day_max: Option<Amounts>,
    /// How long a resolved or cancelled event stays in memory.
    #[schema(minimum = 60, maximum = 315360000)]
    retire_after_seconds: Option<u32>,
}

impl SetPolicy {
    pub fn over(self, policy: &Policy) -> Policy {
        let mut policy = *policy;
        policy.two_required = self.two_required.unwrap_or(policy.two_required);
        policy.resolution_delay_seconds =
            self.resolution_delay_seconds.unwrap_or(policy.resolution_delay_seconds);
        policy.retire_after_seconds = self.retire_after_seconds.unwrap_or(policy.retire_after_seconds);
        if let Some(given) = self.entry_max {
            given.change(&mut policy.entry_max);
        }
        if let Some(given) = self.day_max {
            given.change(&mut policy.day_max);
        }
        policy
    }
}

/// Whether nothing can be placed, amended or minted.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct SetCancelOnly {
    pub on: bool,
}

/// The rules that the log moves to.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct UpgradeRules {
    pub version: u32,
}

fn verdict(outcomes: Option<&[Ruling]>, yes_price: Option<Money>) -> Result<Verdict, BadRequest> {
    match (outcomes, yes_price) {
        (Some(outcomes), None) => {
            let ruling = |ruling: &Ruling| governance::Ruling {
                market: ruling.market_id.to_exchange(),
                outcome: ruling.outcome.to_exchange(),
            };
            Ok(Verdict::Outcomes(outcomes.iter().map(ruling).collect()))
        }
        (None, Some(price)) => Ok(Verdict::Cancelled { yes: whole_cents(price)? }),
        _ => Err(BadRequest::new("outcomes or yesPrice: exactly one of them is required")),
    }
}

fn evidence(given: Evidence) -> governance::Evidence {
    governance::Evidence { text: Text::from(given.text), link: Text::from(given.link) }
}

fn whole_cents(price: Money) -> Result<Cents, BadRequest> {
    let millionths = price.units();
    let cents = (millionths % 10_000 == 0).then(|| u8::try_from(millionths / 10_000).ok()).flatten();
    cents.and_then(Cents::new).ok_or_else(|| BadRequest::at("yesPrice", "must be 0 to 1 in whole cents"))
}
