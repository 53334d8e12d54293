//! Keys of lists: owner, kind and an optional subject. For the lists themselves see `lists.rs`.

use exchange::catalogue::Engine;
use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::order::{Outcome, Side};

use super::activities::ActivityFilter;

/// Length of owner and kind.
const OWNED: usize = 17;
/// Length with a subject.
const LONGEST: usize = OWNED + 16;

/// The key of a list. The owner comes first, so that a user's lists are adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ListKey {
    bytes: [u8; LONGEST],
    length: u8,
}

impl ListKey {
    fn of(owner: u128, kind: u8, subject: Option<u128>) -> ListKey {
        let mut bytes = [0; LONGEST];
        bytes[..16].copy_from_slice(&owner.to_be_bytes());
        bytes[16] = kind;
        if let Some(subject) = subject {
            bytes[OWNED..].copy_from_slice(&subject.to_be_bytes());
        }
        ListKey { bytes, length: if subject.is_some() { LONGEST } else { OWNED } as u8 }
    }

    pub(super) fn trades_of_market(market: MarketId) -> ListKey {
        ListKey::of(market.as_u128(), 1, None)
    }

    pub(super) fn trades_of_outcome(market: MarketId, outcome: Outcome) -> ListKey {
        let kind = match outcome {
            Outcome::Yes => 2,
            Outcome::No => 3,
        };
        ListKey::of(market.as_u128(), kind, None)
    }

    /// On one engine, or on both if none is given.
    pub(super) fn trades_of_user(user: UserId, engine: Option<Engine>) -> ListKey {
        let kind = match engine {
            Some(Engine::Clob) => 4,
            Some(Engine::Amm) => 5,
            None => 15,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    /// Of all users, so the list has no owner.
    pub(super) fn trades_of_engine(engine: Engine) -> ListKey {
        let kind = match engine {
            Engine::Clob => 16,
            Engine::Amm => 17,
        };
        ListKey::of(0, kind, None)
    }

    pub(super) fn orders_of_user(user: UserId) -> ListKey {
        ListKey::of(user.as_u128(), 6, None)
    }

    pub(super) fn orders_of_side(user: UserId, side: Side) -> ListKey {
        let kind = match side {
            Side::Buy => 7,
            Side::Sell => 8,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    pub(super) fn orders_in_currency(user: UserId, currency: Currency) -> ListKey {
        let kind = match currency {
            Currency::Usd => 9,
            Currency::Ngn => 10,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    pub(super) fn orders_in_event(user: UserId, event: EventId) -> ListKey {
        ListKey::of(user.as_u128(), 11, Some(event.as_u128()))
    }

    pub(super) fn orders_in_market(user: UserId, market: MarketId) -> ListKey {
        ListKey::of(user.as_u128(), 12, Some(market.as_u128()))
    }

    pub(super) fn orders_in_outcome(user: UserId, market: MarketId, outcome: Outcome) -> ListKey {
        let kind = match outcome {
            Outcome::Yes => 13,
            Outcome::No => 14,
        };
        ListKey::of(user.as_u128(), kind, Some(market.as_u128()))
    }

    /// The activities of a group, or all except single fills.
    pub(super) fn activities(user: UserId, group: Option<ActivityFilter>) -> ListKey {
        let kind = match group {
            None => 20,
            Some(ActivityFilter::Buys) => 21,
            Some(ActivityFilter::Sells) => 22,
            Some(ActivityFilter::Limits) => 23,
            Some(ActivityFilter::Payout) => 24,
            Some(ActivityFilter::Sets) => 25,
        };
        ListKey::of(user.as_u128(), kind, None)
    }

    /// Over all events, or in one event.
    pub(super) fn results(user: UserId, currency: Currency, event: Option<EventId>) -> ListKey {
        let kind = match currency {
            Currency::Usd => 30,
            Currency::Ngn => 31,
        };
        ListKey::of(user.as_u128(), kind, event.map(EventId::as_u128))
    }

    /// The subject of another key, if that has the same owner and kind.
    pub(super) fn subject_of(&self, other: &[u8]) -> Option<u128> {
        let subject = other.strip_prefix(&self.bytes[..OWNED])?;
        subject.try_into().ok().map(u128::from_be_bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}
