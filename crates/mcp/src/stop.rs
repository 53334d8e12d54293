//! The ends of a tool without its answer: a name with several meanings, or a refusal.
//!
//! The words of a refusal are constants of this crate, with numbers of ours at most. A message of the exchange is never
//! passed on: it may contain text of the venue.

use std::borrow::Cow;

use api::decimal::Money;
use serde_json::{Value, json};

use crate::budget::OverCap;
use crate::previews::TokenFault;
use crate::venue::Failure;

/// A tool that ended early.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// A name that several things have; a structured answer with all of them.
    Candidates(Value),
    Refused(Refusal),
}

/// An error for the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// For programs.
    pub(crate) code: &'static str,
    pub(crate) message: Cow<'static, str>,
}

impl Refusal {
    pub(crate) fn to_json(&self) -> Value {
        json!({"error": self.code, "message": self.message})
    }
}

/// A refusal of this crate.
pub(crate) fn refused(code: &'static str, message: impl Into<Cow<'static, str>>) -> Stop {
    Stop::Refused(Refusal { code, message: message.into() })
}

/// The agent's arguments are wrong.
pub(crate) fn bad_argument(message: impl Into<Cow<'static, str>>) -> Stop {
    refused("bad_argument", message)
}

/// Nothing has the name.
pub(crate) fn not_found(message: &'static str) -> Stop {
    refused("not_found", message)
}

/// A write that may have been executed.
pub(crate) fn outcome_unknown() -> Stop {
    refused(
        "outcome_unknown",
        "No answer came: it may have been executed. A BUY or a mint stays counted against the cap. Look at list_orders and \
         get_portfolio before anything else; do not simply try again.",
    )
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        match failure {
            Failure::Refused { code: Some(code), .. } => refused(code, explain(code)),
            Failure::Refused { status, .. } => refused("refused", explain_status(status)),
            Failure::Unavailable => refused(
                "unavailable",
                "The exchange cannot be reached or cannot answer now. Nothing was written.",
            ),
            Failure::Unknown => outcome_unknown(),
            Failure::Unreadable => {
                refused("unreadable", "The exchange answered in a form that cannot be read.")
            }
        }
    }
}

impl From<TokenFault> for Stop {
    fn from(fault: TokenFault) -> Stop {
        match fault {
            TokenFault::Unknown => {
                refused("token_unknown", "No such token, or it was used. Each order needs its own preview.")
            }
            TokenFault::Expired => {
                refused("token_expired", "The preview is older than 60 seconds. Preview the order again.")
            }
            TokenFault::Mismatch => refused(
                "token_mismatch",
                "The order differs from its preview. The token is used up: preview the order that you mean.",
            ),
        }
    }
}

/// A refusal by a cap. `cost` is the most that the order can cost.
pub(crate) fn over_cap(over: OverCap, cost: Money) -> Stop {
    match over {
        OverCap::Unrecorded => refused(
            "unrecorded",
            "What is spent cannot be recorded, so nothing is sent. The owner must look at the file.",
        ),
        OverCap::Order { max } => refused(
            "over_max_order",
            format!("It can cost {cost}; the owner of the account permits {max} for one order or mint."),
        ),
        OverCap::Spend { left } => refused(
            "over_max_spend",
            format!("It can cost {cost}; {left} is left of what the owner of the account permits in total."),
        ),
    }
}

/// The words for a rule of the exchange.
fn explain(code: &str) -> &'static str {
    match code {
        "INSUFFICIENT_BALANCE" => "The wallet has too little free money.",
        "INSUFFICIENT_SHARES" => "The account has too few free shares.",
        "MARKET_NOT_OPEN" => "The market does not trade now.",
        "UNSUPPORTED_CURRENCY" => "The question does not trade in this currency.",
        "UNSUPPORTED_ENGINE" => {
            "An order on a pool executes at once and cannot be cancelled. Exit by selling."
        }
        "OVER_MAX_LIABILITY" | "POOL_OUTSIDE_BAND" => "The pool refuses so large a trade.",
        "SLIPPAGE" => "The price would move further than max_slippage allows.",
        "PRICE_LIMIT" => "The average price would be worse than the limit.",
        "TOO_MANY_OPEN_ORDERS" => "The account has too many open orders.",
        "ORDER_NOT_OPEN" => "The order has ended.",
        "CANCEL_ONLY" => "The exchange only cancels orders and burns sets at the moment.",
        _ => "A rule of the exchange refused it; the code names the rule.",
    }
}

fn explain_status(status: u16) -> &'static str {
    match status {
        400 => "The exchange cannot use these values; check the minimum order, the price and the amount.",
        401 => "The exchange does not accept the API key.",
        403 => "The account may not do this.",
        404 => "It does not exist.",
        429 => "Too many requests. Wait a few seconds.",
        _ => "The exchange refused.",
    }
}

#[cfg(test)]
mod tests {
    use api::decimal::Money;

    use super::{Refusal, Stop, over_cap};
    use crate::budget::OverCap;
    use crate::venue::Failure;

    fn refusal(stop: Stop) -> Refusal {
        match stop {
            Stop::Refused(refusal) => refusal,
            Stop::Candidates(_) => panic!("a refusal is expected"),
        }
    }

    #[test]
    fn every_failure_has_words_and_a_code() {
        let failures = [
            Failure::Refused { status: 422, code: Some("INSUFFICIENT_BALANCE") },
            Failure::Refused { status: 422, code: Some("WATCHLIST_FULL") },
            Failure::Refused { status: 400, code: None },
            Failure::Unavailable,
            Failure::Unknown,
            Failure::Unreadable,
        ];
        let codes: Vec<_> = failures.into_iter().map(|failure| refusal(failure.into()).code).collect();
        let expected = [
            "INSUFFICIENT_BALANCE",
            "WATCHLIST_FULL",
            "refused",
            "unavailable",
            "outcome_unknown",
            "unreadable",
        ];
        assert_eq!(codes, expected);
    }

    #[test]
    fn a_cap_is_named_with_its_numbers() {
        let cost = Money::from_units(60_000_001);
        let over = OverCap::Order { max: Money::from_units(60_000_000) };
        let message = refusal(over_cap(over, cost)).message;
        assert!(message.contains("60.000001") && message.contains(" 60 "), "{message}");
    }
}
