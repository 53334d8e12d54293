//! The checks, a file per area, in the order in which they run: reads first, then refusals, then writes. Rules about all
//! answers come last.

mod account;
mod answers;
mod batches;
mod events;
mod fill;
mod idempotency;
mod limits;
mod market_data;
mod orders;
mod quote;
mod self_trade;
mod series;
mod session;
mod sets;
mod signing;
mod sports;
mod streams;
mod system;
mod untried;
mod user_stream;

use crate::check::Check;

/// All checks, in their order.
pub fn all() -> Vec<Check> {
    [
        system::CHECKS,
        events::CHECKS,
        series::CHECKS,
        market_data::CHECKS,
        sports::CHECKS,
        quote::CHECKS,
        account::CHECKS,
        signing::CHECKS,
        orders::CHECKS,
        batches::CHECKS,
        idempotency::CHECKS,
        sets::CHECKS,
        self_trade::CHECKS,
        fill::CHECKS,
        streams::CHECKS,
        user_stream::CHECKS,
        session::CHECKS,
        limits::CHECKS,
        answers::CHECKS,
        untried::CHECKS,
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::all;

    #[test]
    fn ids_are_unique_and_have_an_area() {
        let ids: Vec<&str> = all().iter().map(|check| check.id).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len());
        assert!(ids.iter().all(|id| id.split('.').count() == 2), "{ids:?}");
    }

    #[test]
    fn a_title_is_a_sentence_and_a_section_is_named() {
        for check in all() {
            assert!(check.title.ends_with('.') && !check.section.is_empty(), "{}", check.id);
        }
    }
}
