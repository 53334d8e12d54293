//! Verdicts and the policy.

use api::admin::request::{CancelMarkets, SetPolicy};
use api::decimal::Money;
use api::error::BadRequest;
use api::response::{Evidence, Ruling};
use exchange::governance::{self, Policy, Verdict};
use exchange::numbers::Cents;
use exchange::text::Text;

use super::change_amounts;
use crate::view::words::ToExchange;

/// The payout of a YES share when markets are cancelled.
pub fn yes_price(given: &CancelMarkets) -> Result<Cents, BadRequest> {
    given.yes_price.map_or(Ok(Cents::HALF), whole_cents)
}

/// A policy with the given changes.
pub fn policy_over(given: SetPolicy, policy: &Policy) -> Policy {
    let mut policy = *policy;
    policy.two_required = given.two_required.unwrap_or(policy.two_required);
    policy.resolution_delay_seconds =
        given.resolution_delay_seconds.unwrap_or(policy.resolution_delay_seconds);
    policy.retire_after_seconds = given.retire_after_seconds.unwrap_or(policy.retire_after_seconds);
    if let Some(amounts) = given.entry_max {
        change_amounts(amounts, &mut policy.entry_max);
    }
    if let Some(amounts) = given.day_max {
        change_amounts(amounts, &mut policy.day_max);
    }
    policy
}

/// Requires either outcomes or a price.
pub fn verdict(outcomes: Option<&[Ruling]>, yes_price: Option<Money>) -> Result<Verdict, BadRequest> {
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

pub fn evidence(given: Evidence) -> governance::Evidence {
    governance::Evidence { text: Text::from(given.text), link: Text::from(given.link) }
}

fn whole_cents(price: Money) -> Result<Cents, BadRequest> {
    let millionths = price.units();
    let cents = (millionths % 10_000 == 0).then(|| u8::try_from(millionths / 10_000).ok()).flatten();
    cents.and_then(Cents::new).ok_or_else(|| BadRequest::at("yesPrice", "must be 0 to 1 in whole cents"))
}
