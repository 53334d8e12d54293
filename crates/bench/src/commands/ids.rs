//! The ids of the world: each kind has its own numbers, so that a form can name what the world contains.

use exchange::id::{
    Derived, EventId, GameId, Hash32, KeyId, LeagueId, MarketId, OperatorId, OrderId, OutcomeId, ProposalId,
    SeriesId, SessionId, TeamId, UserId, derive,
};
use exchange::identity::Actor;
use exchange::order::Outcome;

/// The low half stays small, so that no id looks derived.
const fn id(kind: u32, number: u32) -> u128 {
    (kind as u128) << 96 | number as u128
}

/// The owner of 5,000 positions and 5,000 open orders.
pub const TRADER: u32 = 0;
/// The owner of enough money for the whole book, without an order.
pub const WHALE: u32 = 1;
/// The owner of 100 USD.
pub const POOR: u32 = 2;
/// The owner of 5,000 empty positions.
pub const IDLER: u32 = 3;
/// The owner of as many sessions and password resets as are kept.
pub const GUARDED: u32 = 4;
/// The owner of one order behind the whole book, and of enough money for it.
pub const LAST_IN_LINE: u32 = 5;
/// Users before the makers.
pub const SPECIAL: u32 = 10;

pub const fn user(number: u32) -> UserId {
    UserId::new(id(1, number))
}

/// Each user has the sessions of its number, and further ones.
pub const fn session(number: u32, place: u32) -> SessionId {
    SessionId::new(id(2 + (place << 8), number))
}

pub const fn key(number: u32) -> KeyId {
    KeyId::new(id(3, number))
}

pub const fn by_key(number: u32) -> Actor {
    Actor::Key { key: key(number), generation: 0 }
}

pub const fn by_session(number: u32) -> Actor {
    Actor::Session { session: session(number, 0) }
}

pub const fn operator(number: u32) -> OperatorId {
    OperatorId::new(id(4, number))
}

pub const fn by_operator(number: u32) -> Actor {
    Actor::Operator { operator: operator(number) }
}

/// The operators before it are approvers; those from it on are operators, in the first half of all.
pub const FIRST_OPERATOR: u32 = 5;
/// An operator who is suspended.
pub const SUSPENDED: u32 = 18;

/// A hash of something with a number.
pub fn hash(what: &str, number: u32) -> Hash32 {
    Hash32::of(&format!("{what} {number}"))
}

/// A kind of events with their markets.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Kind {
    /// One market with the large book.
    Deep = 40,
    /// One market with the many holders.
    Held,
    /// Single markets with a position of the trader each.
    Shelf,
    /// One combined event of 100 open markets with holders and orders.
    Cup,
    /// Combined events of 100 closed markets whose outcomes are proposed.
    Election,
    /// Single markets with a pool.
    Pool,
    /// An event of 100 markets that has not opened.
    Draft,
    /// An event that only a form creates.
    Fresh,
}

pub const fn event(kind: Kind, number: u32) -> EventId {
    EventId::new(id(kind as u32, number))
}

pub const fn market(kind: Kind, number: u32, place: u32) -> MarketId {
    MarketId::new(id(kind as u32 + 100, number * 100 + place))
}

pub fn outcome(kind: Kind, number: u32, side: Outcome) -> OutcomeId {
    OutcomeId::of(market(kind, number, 0), side as u64)
}

/// A kind of orders.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Rest {
    Deep = 60,
    OfTrader,
    OfTraderDeep,
    Shelf,
    Cup,
    Game,
    Idle,
    Fresh,
}

pub const fn order(kind: Rest, number: u32) -> OrderId {
    OrderId::new(id(kind as u32, number))
}

pub const fn league(number: u32) -> LeagueId {
    LeagueId::new(id(20, number))
}

pub const fn team(number: u32) -> TeamId {
    TeamId::new(id(21, number))
}

pub const fn game(number: u32) -> GameId {
    GameId::new(id(22, number))
}

/// One of the three events of a game.
pub fn game_event(number: u32, place: u64) -> EventId {
    EventId::new(derive(Derived::SoccerEvent, game(number).as_u128(), place))
}

pub fn game_market(number: u32, place: u64) -> MarketId {
    MarketId::new(derive(Derived::SoccerMarket, game(number).as_u128(), place))
}

pub const fn series(number: u32) -> SeriesId {
    SeriesId::new(id(23, number))
}

pub const fn proposal(number: u32) -> ProposalId {
    ProposalId::new(id(24, number))
}

/// The proposal of the outcomes of an election.
pub const fn verdict_proposal(number: u32) -> ProposalId {
    ProposalId::new(id(25, number))
}
