//! Keys of lists: owner, kind and an optional subject. For the lists themselves see `lists.rs`.

use exchange::catalogue::Engine;
use exchange::change::Party;
use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderStatus, Outcome, Side};
use segments::Key;

use super::activities::ActivityFilter;
use super::audit::EntrySubject;
use super::candles::Interval;

/// The kind is in the lowest bits of the last word, below the subject: the lists of a subject are adjacent.
const KIND_BITS: u32 = 8;

/// The key of a list. The owner comes first, so that a user's lists are adjacent.
fn key(owner: u128, kind: u8, subject: Option<u128>) -> Key {
    let subject = subject.map_or(0, |subject| mixed(subject) << KIND_BITS);
    Key([(owner >> 64) as u64, owner as u64, subject | u64::from(kind)])
}

/// A hash of an id, never 0. 56 bits are enough to tell the markets and events of one user apart.
pub(super) fn mixed(id: u128) -> u64 {
    let mix = |word: u64| {
        let word = (word ^ (word >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let word = (word ^ (word >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        word ^ (word >> 33)
    };
    let hash = mix((id as u64).wrapping_add(mix((id >> 64) as u64 ^ 0x9e37_79b9_7f4a_7c15)));
    (hash >> KIND_BITS).max(1)
}

pub(super) fn trades_of_market(market: MarketId) -> Key {
    key(market.as_u128(), 1, None)
}

pub(super) fn trades_of_outcome(market: MarketId, outcome: Outcome) -> Key {
    let kind = match outcome {
        Outcome::Yes => 2,
        Outcome::No => 3,
    };
    key(market.as_u128(), kind, None)
}

/// On one engine, or on both if none is given.
pub(super) fn trades_of_user(user: UserId, engine: Option<Engine>) -> Key {
    let kind = match engine {
        Some(Engine::Clob) => 4,
        Some(Engine::Amm) => 5,
        None => 15,
    };
    key(user.as_u128(), kind, None)
}

/// Of all users, so the list has no owner.
pub(super) fn trades_of_engine(engine: Engine) -> Key {
    let kind = match engine {
        Engine::Clob => 16,
        Engine::Amm => 17,
    };
    key(0, kind, None)
}

pub(super) fn orders_of_user(user: UserId) -> Key {
    key(user.as_u128(), 6, None)
}

pub(super) fn orders_of_side(user: UserId, side: Side) -> Key {
    let kind = match side {
        Side::Buy => 7,
        Side::Sell => 8,
    };
    key(user.as_u128(), kind, None)
}

pub(super) fn orders_in_currency(user: UserId, currency: Currency) -> Key {
    let kind = match currency {
        Currency::Usd => 9,
        Currency::Ngn => 10,
    };
    key(user.as_u128(), kind, None)
}

pub(super) fn orders_in_event(user: UserId, event: EventId) -> Key {
    key(user.as_u128(), 11, Some(event.as_u128()))
}

pub(super) fn orders_in_market(user: UserId, market: MarketId) -> Key {
    key(user.as_u128(), 12, Some(market.as_u128()))
}

pub(super) fn orders_in_outcome(user: UserId, market: MarketId, outcome: Outcome) -> Key {
    let kind = match outcome {
        Outcome::Yes => 13,
        Outcome::No => 14,
    };
    key(user.as_u128(), kind, Some(market.as_u128()))
}

/// The orders that ended with a status.
pub(super) fn ended_orders(user: UserId, status: OrderStatus) -> Key {
    key(user.as_u128(), 50 + status as u8, None)
}

/// The activities of a group, or all except single fills.
pub(super) fn activities(user: UserId, group: Option<ActivityFilter>) -> Key {
    let kind = match group {
        None => 20,
        Some(ActivityFilter::Buys) => 21,
        Some(ActivityFilter::Sells) => 22,
        Some(ActivityFilter::Limits) => 23,
        Some(ActivityFilter::Payout) => 24,
        Some(ActivityFilter::Sets) => 25,
    };
    key(user.as_u128(), kind, None)
}

/// The movements of a user's money.
pub(super) fn statement(user: UserId, currency: Currency) -> Key {
    let kind = match currency {
        Currency::Usd => 26,
        Currency::Ngn => 27,
    };
    key(user.as_u128(), kind, None)
}

pub(super) fn notices(user: UserId) -> Key {
    key(user.as_u128(), 28, None)
}

/// The first notices about fills of a user's resting orders on one side of an outcome.
pub(super) fn notices_of_fills(maker: &Party, market: MarketId, currency: Currency) -> Key {
    let kind = match (currency, maker.outcome, maker.side) {
        (Currency::Usd, Outcome::Yes, Side::Buy) => 70,
        (Currency::Usd, Outcome::Yes, Side::Sell) => 71,
        (Currency::Usd, Outcome::No, Side::Buy) => 72,
        (Currency::Usd, Outcome::No, Side::Sell) => 73,
        (Currency::Ngn, Outcome::Yes, Side::Buy) => 74,
        (Currency::Ngn, Outcome::Yes, Side::Sell) => 75,
        (Currency::Ngn, Outcome::No, Side::Buy) => 76,
        (Currency::Ngn, Outcome::No, Side::Sell) => 77,
    };
    key(maker.user.as_u128(), kind, Some(market.as_u128()))
}

/// The fills that are gathered in the notice with this number.
pub(super) fn more_fills(notice: u64) -> Key {
    key(u128::from(notice), 29, None)
}

/// Over all events, or in one event.
pub(super) fn results(user: UserId, currency: Currency, event: Option<EventId>) -> Key {
    let kind = match currency {
        Currency::Usd => 30,
        Currency::Ngn => 31,
    };
    key(user.as_u128(), kind, event.map(EventId::as_u128))
}

/// The first result of each event.
pub(super) fn events_with_results(user: UserId, currency: Currency) -> Key {
    let kind = match currency {
        Currency::Usd => 32,
        Currency::Ngn => 33,
    };
    key(user.as_u128(), kind, None)
}

/// The hours in which a user traded, counted from 1970.
pub(super) fn trading_hours(user: UserId, currency: Currency) -> Key {
    let kind = match currency {
        Currency::Usd => 34,
        Currency::Ngn => 35,
    };
    key(user.as_u128(), kind, None)
}

/// The records of a pool.
pub(super) fn pool_results(market: MarketId, currency: Currency) -> Key {
    let kind = match currency {
        Currency::Usd => 42,
        Currency::Ngn => 43,
    };
    key(market.as_u128(), kind, None)
}

/// The notes about news on an event.
pub(super) fn news(event: EventId) -> Key {
    key(event.as_u128(), 45, None)
}

/// The prices of an asset.
pub(super) fn asset_prices(asset: u128) -> Key {
    key(asset, 44, None)
}

/// The completed candles of a listing.
pub(super) fn candles(market: MarketId, currency: Currency, interval: Interval) -> Key {
    let kind = match currency {
        Currency::Usd => 40,
        Currency::Ngn => 41,
    };
    key(market.as_u128(), kind, Some(interval as u128))
}

/// The entries of the audit log that name a subject.
pub(super) fn audit(subject: EntrySubject) -> Key {
    let (kind, id) = subject.parts();
    key(id, 60 + kind, None)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn subjects_have_distinct_keys() {
        let time = |ms: u128| 0x0191_0000_0000_u128.wrapping_add(ms) << 80;
        let small = (0..50_000).chain((0..50_000).map(|high| high << 64));
        let ids = small.chain((0..50_000).map(|ms| time(ms) | 7)).chain((0..50_000).map(|low| time(3) | low));
        let ids: HashSet<u128> = ids.collect();
        let keys: HashSet<Key> =
            ids.iter().map(|id| orders_in_market(UserId::new(1), MarketId::new(*id))).collect();
        assert_eq!(keys.len(), ids.len());
        let Key([_, _, last]) = orders_in_market(UserId::new(1), MarketId::new(9));
        let Key([_, _, next]) = orders_in_outcome(UserId::new(1), MarketId::new(9), Outcome::Yes);
        assert_eq!(next - last, 1, "the lists of a market are neighbours");
    }
}
