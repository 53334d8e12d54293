//! The changes that the exchange reports: history, streams and audit follow them without further lookups.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::catalogue::{AssetPrice, RetiredEvent, Status};
use crate::command::{FeesTo, NewsNote};
use crate::id::{EventId, MarketId, NewsId, OperationId, OrderId, ProposalId, SeriesId, TradeId, UserId};
use crate::numbers::{Cents, Currency, FeeRate, Money, Ppm, Price, Shares};
use crate::order::{Outcome, ReportedOrder, Side};
use crate::text::Text;
use crate::time::Time;

#[allow(clippy::large_enum_variant, reason = "orders and trades are nearly all there is; they stay inline")]
#[rustfmt::skip]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// An order was placed, filled, amended or closed; `record` is its new state, with the names of its market.
    Order { record: ReportedOrder, cause: OrderCause },
    Trade(Trade),
    /// The price of a pool after the order reported just before. `cost` is the cost basis of the shares sold to the
    /// pool.
    PoolMoved { market: MarketId, currency: Currency, yes_price: Ppm, cost: Money },
    Sets(SetsChange),
    Funds { user: UserId, currency: Currency, amount: Money, reference: Text },
    /// Fees moved to the house's wallet or out of the exchange.
    FeesMoved { currency: Currency, amount: Money, to: FeesTo, reference: Text },
    PoolSeeded { market: MarketId, currency: Currency, sets: Shares, yes_price: Ppm },

    EventCreated { event: EventId },
    EventEdited { event: EventId },
    EventStatus { event: EventId, status: Status },
    /// A note about news was attached to an event or changed; without the note it was removed.
    EventNews { event: EventId, news: NewsId, note: Option<NewsNote> },
    MarketStatus { market: MarketId, status: Status },
    Settled(Settled),
    /// An event left memory; this is everything that was visible of it.
    EventRetired(Arc<RetiredEvent>),

    SeriesCreated { series: SeriesId },
    /// A series' interval ended or began at this price of its asset.
    SeriesBoundary { series: SeriesId, at: Time, value: Option<AssetPrice> },
    /// A series event was not created, or has no close value.
    SeriesAlert { series: SeriesId, at: Time, reason: SeriesAlert },
    PriceRecorded { symbol: Text, value: AssetPrice, source_time: Time },
    SportsImported,

    UserCreated { user: UserId },
    UserErased { user: UserId },
    AccessChanged { user: UserId },
    WatchlistChanged { user: UserId, event: EventId, watched: bool },
    RulesUpgraded { version: u32 },
    /// A request that no build can decide was skipped.
    RequestSkipped { seq: u64 },
    Proposal { proposal: ProposalId, step: ProposalStep },
    CancelOnly { on: bool },
}

/// A step in the life of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalStep {
    Proposed,
    Finalised,
    Withdrawn,
    /// Another outcome made it obsolete.
    Overtaken,
}

/// The reason an order is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderCause {
    Placed,
    /// It was resting and another order traded with it.
    Filled,
    Amended,
    /// By its owner.
    Cancelled,
    /// By an operator: individually, or because its owner was suspended or frozen.
    Operator,
    /// By self-trade prevention, or by an amend of the same owner.
    SelfTrade,
    /// Its market closed.
    MarketClosed,
    Expired,
    /// Its owner did not renew the dead man's switch in time.
    Switch,
    /// A connection that its owner had armed was lost.
    Disconnected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum MatchType {
    /// Shares change hands.
    #[n(0)]
    Direct,
    /// Two buyers create a set.
    #[n(1)]
    Mint,
    /// Two sellers give up a set.
    #[n(2)]
    Merge,
}

/// One party of a trade, in terms of its own outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Party {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub order: OrderId,
    #[n(2)]
    pub outcome: Outcome,
    #[n(3)]
    pub side: Side,
    #[n(4)]
    pub price: Price,
    /// The cost basis of the sold shares; zero for a buyer.
    #[n(5)]
    pub cost: Money,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Trade {
    /// Index among the trades of the taker's order.
    #[n(0)]
    pub index: u64,
    #[n(1)]
    pub market: MarketId,
    #[n(2)]
    pub currency: Currency,
    #[n(3)]
    pub match_type: MatchType,
    #[n(4)]
    pub size: Shares,
    #[n(5)]
    pub taker: Party,
    #[n(6)]
    pub maker: Party,
    #[n(7)]
    pub taker_fee: Money,
    #[n(8)]
    pub fee_rate: FeeRate,
}

impl Trade {
    pub fn id(&self) -> TradeId {
        TradeId::of(self.taker.order, self.index)
    }
}

/// A mint (sets are created) or a burn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SetsChange {
    #[n(0)]
    pub id: OperationId,
    #[n(1)]
    pub user: UserId,
    #[n(2)]
    pub market: MarketId,
    #[n(3)]
    pub currency: Currency,
    /// BUY for a mint, SELL for a burn.
    #[n(4)]
    pub side: Side,
    #[n(5)]
    pub sets: Shares,
    #[n(6)]
    pub cash: Money,
    /// The cost basis of burned sets; zero for a mint.
    #[n(7)]
    pub cost: Money,
}

/// A position was paid out and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Settled {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub market: MarketId,
    #[n(2)]
    pub currency: Currency,
    #[n(3)]
    pub yes: Shares,
    #[n(4)]
    pub no: Shares,
    /// The payout of one YES share.
    #[n(5)]
    pub yes_pays: Cents,
    #[n(6)]
    pub payout: Money,
    #[n(7)]
    pub yes_cost: Money,
    #[n(8)]
    pub no_cost: Money,
    /// Realised result of earlier sales and burns.
    #[n(9)]
    pub trade_result: Money,
    /// The market was cancelled, not resolved.
    #[n(10)]
    pub is_refund: bool,
}

impl Settled {
    /// The cost basis of both outcomes.
    pub fn cost(&self) -> Money {
        self.yes_cost.saturating_add(self.no_cost)
    }

    pub const fn shares(&self, outcome: Outcome) -> Shares {
        match outcome {
            Outcome::Yes => self.yes,
            Outcome::No => self.no,
        }
    }

    /// The payout of the shares of one outcome.
    pub fn pays(&self, outcome: Outcome) -> Money {
        let cents = match outcome {
            Outcome::Yes => self.yes_pays,
            Outcome::No => self.yes_pays.complement(),
        };
        self.shares(outcome).value_at(cents, self.currency)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum SeriesAlert {
    /// No fresh price at the boundary, or not from each source that the series names.
    #[n(0)]
    StalePrice,
    /// The house could not fund the pool's seed.
    #[n(1)]
    HouseShort,
    /// Its start passed while no node was running.
    #[n(2)]
    Missed,
    /// Another event already has its slug or id.
    #[n(3)]
    NameTaken,
    /// Two sources were fresh but further apart than the series allows.
    #[n(4)]
    SourcesDisagree,
    /// The seed is more than the operator who created the series alone may still move today.
    #[n(5)]
    OverCap,
}
