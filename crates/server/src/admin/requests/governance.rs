//! Verdicts and the policy.

use api::admin::request::{CancelMarkets, SetPolicy};
use api::decimal::Money;
use api::error::BadRequest;
use api::response::{Evidence, Ruling};
use exchange::command::PolicyChange;
use exchange::governance::{self, Verdict};
use exchange::numbers::Cents;
use exchange::text::Text;

use super::given_amounts;
use crate::view::words::ToExchange;

/// The payout of a YES share when markets are cancelled.
pub fn yes_price(given: &CancelMarkets) -> Result<Cents, BadRequest> {
    given.yes_price.map_or(Ok(Cents::HALF), whole_cents)
}

/// The given changes.
pub fn policy_change(given: &SetPolicy) -> PolicyChange {
    PolicyChange {
        two_required: given.two_required,
        resolution_delay_seconds: given.resolution_delay_seconds,
        entry_max: given.entry_max.map(given_amounts).unwrap_or_default(),
        day_max: given.day_max.map(given_amounts).unwrap_or_default(),
        retire_after_seconds: given.retire_after_seconds,
    }
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
