//! A raise of a fee or a minimum on a market that has opened is announced an hour before.

use std::collections::BTreeMap;

use exchange::catalogue::{AnnouncedTerms, MarketTerms, Status};
use exchange::id::MarketId;
use exchange::numbers::Currency;
use exchange::time::{Span, Time};

use super::Step;
use crate::failure::{Failure, ensure};

pub const FEE_NOTICE: &str =
    "terms of an open market rise an hour after they were announced, and as announced";
const NOTICE: Span = Span::hours(1);

/// Announced terms, and when they appeared.
#[derive(Clone, Debug, Default)]
pub(super) struct Notices {
    seen: BTreeMap<MarketId, (AnnouncedTerms, Time)>,
}

impl Notices {
    pub(super) fn follow(&mut self, step: Step<'_>) -> Result<(), Failure> {
        let now = step.exchange.now();
        let mut raised = Ok(());
        for (before, after) in step.after.known_markets(step.before) {
            if before.terms != after.terms
                && before.status != Status::Draft
                && raises(&before.terms, &after.terms)
            {
                let seen = self.seen.get(&before.id);
                let is_due = |(announced, at): &(AnnouncedTerms, Time)| {
                    announced.terms == after.terms && *at + NOTICE <= now
                };
                raised = ensure(seen.is_some_and(is_due), FEE_NOTICE, || {
                    format!("{before:?} became {after:?}: {}", step.describe())
                });
            }
            if before.announced != after.announced {
                match after.announced {
                    Some(announced) => self.seen.insert(after.id, (announced, now)),
                    None => self.seen.remove(&after.id),
                };
            }
        }
        raised
    }
}

fn raises(before: &MarketTerms, after: &MarketTerms) -> bool {
    let minimum = |currency| after.order_min.get(currency) > before.order_min.get(currency);
    after.fee_rate > before.fee_rate || Currency::ALL.into_iter().any(minimum)
}
