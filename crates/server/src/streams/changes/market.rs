//! The state of a market that its room keeps: encoded whole for a snapshot, and compared for a delta.

use api::response::{ChangedLevel, MarketChanges, Trade};
use std::cmp::Ordering;

use crate::view::changes::FullMarketState;

/// The whole state, for a snapshot.
pub(super) fn whole(now: &FullMarketState) -> MarketChanges {
    MarketChanges {
        status: Some(now.status),
        prices: Some(now.prices),
        terms: Some(now.terms),
        bids: now.bids.clone(),
        asks: now.asks.clone(),
        last_trade: now.last_trade,
        resolution: Some(now.resolution.clone()),
        ..now.named.clone()
    }
}

/// The differences, with the trades in between; `None` if there are none.
pub(super) fn since(
    before: &FullMarketState,
    now: &FullMarketState,
    trades: Vec<Trade>,
) -> Option<MarketChanges> {
    let changes = MarketChanges {
        status: (now.status != before.status).then_some(now.status),
        prices: (now.prices != before.prices).then_some(now.prices),
        terms: (now.terms != before.terms).then_some(now.terms),
        bids: levels_since(&before.bids, &now.bids, |one, other| other.price.cmp(&one.price)),
        asks: levels_since(&before.asks, &now.asks, |one, other| one.price.cmp(&other.price)),
        last_trade: now.last_trade.filter(|_| now.last_trade != before.last_trade),
        resolution: (now.resolution != before.resolution).then(|| now.resolution.clone()),
        trades,
        ..now.named.clone()
    };
    (changes != now.named).then_some(changes)
}

/// Levels whose quantity changed, with 0 for removed ones. All three lists have the same order.
fn levels_since(
    before: &[ChangedLevel],
    now: &[ChangedLevel],
    order: impl Fn(&ChangedLevel, &ChangedLevel) -> Ordering,
) -> Vec<ChangedLevel> {
    let gone = |level: &ChangedLevel| ChangedLevel { quantity: api::decimal::Shares::ZERO, ..*level };
    let (mut before, mut now) = (before.iter().peekable(), now.iter().peekable());
    let mut changed = Vec::new();
    loop {
        let place = match (before.peek(), now.peek()) {
            (Some(old), Some(new)) => order(old, new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return changed,
        };
        match place {
            Ordering::Less => changed.extend(before.next().map(gone)),
            Ordering::Greater => changed.extend(now.next()),
            Ordering::Equal => {
                let old = before.next();
                changed.extend(now.next().filter(|new| Some(*new) != old));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use api::decimal::{Price, Shares};

    use super::*;

    fn levels(levels: &[(u8, i64)]) -> Vec<ChangedLevel> {
        let level = |&(cents, units): &(u8, i64)| ChangedLevel {
            price: Price::from_cents(cents),
            quantity: Shares::from_units(units),
        };
        levels.iter().map(level).collect()
    }

    #[test]
    fn a_delta_of_levels_has_what_came_what_changed_and_what_went_and_nothing_else() {
        let before = levels(&[(10, 5), (20, 5), (30, 5), (40, 5)]);
        let now = levels(&[(5, 1), (10, 5), (20, 6), (35, 2), (40, 5), (50, 1)]);
        let ascending = |one: &ChangedLevel, other: &ChangedLevel| one.price.cmp(&other.price);
        let expected = levels(&[(5, 1), (20, 6), (30, 0), (35, 2), (50, 1)]);
        assert_eq!(levels_since(&before, &now, ascending), expected);
        assert!(levels_since(&now, &now, ascending).is_empty());
        assert_eq!(levels_since(&[], &now, ascending), now);
    }
}
