//! Market data: books, tickers, quotes, trades, candles, prices over time.

use api::Timestamp;
use api::terms::{Currency, Engine, MatchType, OrderStatus, OutcomeSide, Side};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::number;
use crate::term::Term;

/// All resting shares at one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// From 0.01 to 0.99.
    #[serde(with = "number")]
    pub price: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub quantity: Decimal,
    /// Price × quantity in money.
    #[serde(with = "number")]
    pub total: Decimal,
}

/// The book of one outcome, the best levels first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Book {
    /// The market of the outcome.
    pub market_id: Uuid,
    /// The outcome.
    pub outcome_id: Uuid,
    /// When it last changed.
    pub timestamp: Timestamp,
    /// The highest first.
    pub bids: Vec<Level>,
    /// The lowest first.
    pub asks: Vec<Level>,
    /// The price of the last trade.
    #[serde(default, with = "number::option")]
    pub last_traded_price: Option<Decimal>,
    /// The taker's side in the last trade.
    #[serde(default)]
    pub last_traded_side: Option<Term<Side>>,
    /// The sequence of the exchange's state that the book is of.
    #[serde(skip)]
    pub as_of: Option<u64>,
}

impl Book {
    /// The highest bid.
    pub fn best_bid(&self) -> Option<&Level> {
        self.bids.first()
    }

    /// The lowest ask.
    pub fn best_ask(&self) -> Option<&Level> {
        self.asks.first()
    }
}

/// The state of an outcome now and over the last 24 hours. A number is 0 where there is nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ticker {
    /// The market of the outcome.
    pub market_id: Uuid,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The currency of the numbers.
    pub currency: Term<Currency>,
    /// The price of the last trade.
    #[serde(with = "number")]
    pub last_price: Decimal,
    /// The highest bid.
    #[serde(with = "number")]
    pub best_bid: Decimal,
    /// The lowest ask.
    #[serde(with = "number")]
    pub best_ask: Decimal,
    /// The middle of both.
    #[serde(with = "number")]
    pub mid_price: Decimal,
    /// The distance of both.
    #[serde(with = "number")]
    pub spread: Decimal,
    /// In shares.
    #[serde(with = "number")]
    pub volume24h: Decimal,
    /// The highest price.
    #[serde(with = "number")]
    pub high24h: Decimal,
    /// The lowest price.
    #[serde(with = "number")]
    pub low24h: Decimal,
    /// The last price less the first.
    #[serde(with = "number")]
    pub price_change24h: Decimal,
    /// How many trades.
    pub trade_count24h: u64,
    /// When it was read.
    pub timestamp: Timestamp,
}

/// Why the exchange would refuse an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedRefusal {
    /// The rule.
    pub code: String,
    /// In words.
    pub message: String,
}

/// The state of a quoted order right after its placement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct QuotedOrder {
    /// None if the order would be refused.
    #[serde(default)]
    pub status: Option<Term<OrderStatus>>,
    /// Shares that would rest in the book.
    #[serde(with = "number")]
    pub resting_size: Decimal,
    /// Shares that would neither fill nor rest.
    #[serde(with = "number")]
    pub cancelled_size: Decimal,
    /// Your own orders that it would cancel.
    pub cancelled_orders: u32,
    /// Money that a BUY would hold for its resting shares, in addition to `Quote::amount`.
    #[serde(with = "number")]
    pub hold: Decimal,
    /// Why it would be refused.
    #[serde(default)]
    pub refusal: Option<QuotedRefusal>,
}

/// The effect that an order would have now. Not binding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Quote {
    /// The average, without the fee.
    #[serde(with = "number")]
    pub price: Decimal,
    /// The price before the trade.
    #[serde(with = "number")]
    pub current_market_price: Decimal,
    /// Shares bought or sold.
    #[serde(with = "number")]
    pub quantity: Decimal,
    /// The amount by which the wallet would change, including the fee.
    #[serde(with = "number")]
    pub amount: Decimal,
    /// Before the fee.
    #[serde(with = "number")]
    pub cost_of_shares: Decimal,
    /// The taker's fee.
    #[serde(with = "number")]
    pub fee: Decimal,
    /// How far the trade would move the price.
    #[serde(with = "number")]
    pub price_impact_absolute: Decimal,
    /// If the outcome wins.
    #[serde(with = "number")]
    pub profit_percentage: Decimal,
    /// The payout of one share: 1 for USD, 100 for NGN.
    pub currency_base_multiplier: u16,
    /// Whether all that was asked for would fill.
    pub complete_fill: bool,
    /// Whether the pool would refuse so large a trade.
    pub trade_goes_over_max_liability: bool,
    /// Only from `Outcome::quote_order`.
    #[serde(default)]
    pub order: Option<QuotedOrder>,
}

/// A trade between two orders, or with a pool. `outcome` and `price` are the taker's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Trade {
    /// The trade's id.
    pub id: Uuid,
    /// The market.
    pub market_id: Uuid,
    /// The taker's outcome.
    pub outcome: Term<OutcomeSide>,
    /// The taker's price.
    #[serde(with = "number")]
    pub price: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub size: Decimal,
    /// The currency of the prices.
    pub currency: Term<Currency>,
    /// Book or pool.
    pub engine: Term<Engine>,
    /// How the shares came about.
    pub match_type: Term<MatchType>,
    /// Whether the taker bought or sold.
    pub taker_side: Term<Side>,
    /// The taker's price again.
    #[serde(with = "number")]
    pub taker_price: Decimal,
    /// The maker's price, in the maker's outcome.
    #[serde(with = "number")]
    pub maker_price: Decimal,
    /// The fee that the taker paid.
    #[serde(with = "number")]
    pub taker_fee: Decimal,
    /// The taker's order.
    pub taker_order_id: Uuid,
    /// The maker's order; the nil UUID for a pool.
    pub maker_order_id: Uuid,
    /// The taker's outcome.
    pub taker_outcome_id: Uuid,
    /// The maker's outcome.
    pub maker_outcome_id: Uuid,
    /// The taker.
    pub taker_user_id: Uuid,
    /// The maker.
    pub maker_user_id: Uuid,
    /// When it happened.
    pub created_at: Timestamp,
}

/// Prices and volume of one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Candle {
    /// When the interval begins.
    pub start: Timestamp,
    /// The first price.
    #[serde(with = "number")]
    pub open: Decimal,
    /// The highest price.
    #[serde(with = "number")]
    pub high: Decimal,
    /// The lowest price.
    #[serde(with = "number")]
    pub low: Decimal,
    /// The last price.
    #[serde(with = "number")]
    pub close: Decimal,
    /// In shares.
    #[serde(with = "number")]
    pub volume: Decimal,
    /// Trades.
    pub count: u64,
}

/// The price of a market's first outcome at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PricePoint {
    /// Milliseconds since 1970.
    #[serde(rename = "e")]
    pub milliseconds: i64,
    /// From 0 to 1.
    #[serde(rename = "p", with = "number")]
    pub price: Decimal,
}
