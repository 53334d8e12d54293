//! An applied request, as the pipeline passes it to history, the streams and replays.
//!
//! The types are below all layers that use them: `pipeline` creates them, `history` and `audit_trail` read them.

use exchange::change::Change;
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::OrderRecord;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Exchange, Request};

/// A request right after it was decided.
#[derive(Debug)]
pub struct Applied<'a> {
    pub seq: u64,
    pub at: Time,
    pub request: &'a Request,
    pub result: &'a Result<Reply, Reject>,
    pub changes: &'a [Change],
    /// The state right after this request.
    pub exchange: &'a Exchange,
}

/// The business of a trade on a book or with a pool: its value at the taker's price, the fee and the parties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turnover {
    pub currency: Currency,
    pub value: Money,
    pub fee: Money,
    pub taker: UserId,
    /// `None` if a pool was the other side.
    pub maker: Option<UserId>,
}

impl Turnover {
    /// The business that a change reports, if any. `placed` is the order of the change just before it
    /// ([`placed_order`]): a pool fills that order without a `Change::Trade`.
    pub fn of(change: &Change, placed: Option<&OrderRecord>) -> Option<Turnover> {
        match change {
            Change::Trade(trade) => Some(Turnover {
                currency: trade.currency,
                value: trade.size.value_at(trade.taker.price.into(), trade.currency),
                fee: trade.taker_fee,
                taker: trade.taker.user,
                maker: Some(trade.maker.user),
            }),
            Change::PoolMoved { currency, .. } => placed.map(|order| Turnover {
                currency: *currency,
                value: order.terms.value,
                fee: order.terms.fee,
                taker: order.user,
                maker: None,
            }),
            _ => None,
        }
    }

    /// The users who traded.
    pub fn parties(&self) -> impl Iterator<Item = UserId> + use<> {
        [Some(self.taker), self.maker].into_iter().flatten()
    }
}

/// A price of YES, with the shares that were traded at it, or none after a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedPrice {
    pub market: MarketId,
    pub currency: Currency,
    pub yes_price: Ppm,
    pub volume: Shares,
}

impl ReportedPrice {
    /// The price that a change reports, if any: a trade's on a book, a pool's own after an order or a seed. `placed` is
    /// the order of the change just before it ([`placed_order`]).
    pub fn of(change: &Change, placed: Option<&OrderRecord>) -> Option<ReportedPrice> {
        let (market, currency, yes_price, volume) = match change {
            Change::Trade(trade) => {
                let yes_price = trade.taker.outcome.yes_price(trade.taker.price).into();
                (trade.market, trade.currency, yes_price, trade.size)
            }
            Change::PoolMoved { market, currency, yes_price, .. } => {
                (*market, *currency, *yes_price, placed.map_or(Shares::ZERO, |order| order.terms.filled))
            }
            Change::PoolSeeded { market, currency, yes_price, .. } => {
                (*market, *currency, *yes_price, Shares::ZERO)
            }
            _ => return None,
        };
        Some(ReportedPrice { market, currency, yes_price, volume })
    }
}

/// The order that a change reports, if any.
pub fn placed_order(change: &Change) -> Option<&OrderRecord> {
    match change {
        Change::Order { record, .. } => Some(record),
        _ => None,
    }
}

/// Receives every applied request in order, before its caller is answered. It runs on the apply thread, so it must be
/// fast.
pub trait Observer: Send {
    /// The last sequence that the observer stored before this start. A start replays everything after it, even where a
    /// snapshot would make that unnecessary.
    fn stored_until(&self) -> u64 {
        u64::MAX
    }

    fn applied(&mut self, applied: &Applied<'_>);
    /// Stores the response at a sequence for retries with its idempotency key, encoded by the function. It runs without the
    /// state's lock, so readers are not blocked.
    fn store_answer(&mut self, _: u64, _: Time, _: &dyn Fn() -> Vec<u8>) {}

    /// Called after each group; observed changes may be passed on now.
    fn group_ended(&mut self) {}
}

/// An observer that does nothing.
#[derive(Debug)]
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn applied(&mut self, _: &Applied<'_>) {}
}
