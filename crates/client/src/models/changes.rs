//! The data of snapshots and deltas, in the stream and in the read. Absent fields have not changed.

use api::terms::{Currency, Engine, OutcomeSide, Side, Status};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::data::Trade;
use super::market::MarketTerms;
use super::order::OrderData;
use crate::number;
use crate::term::Term;

/// A market in one currency, from the side of its first outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MarketChanges {
    /// The market.
    pub market_id: Uuid,
    /// The event.
    pub event_id: Uuid,
    /// The currency.
    pub currency: Term<Currency>,
    /// Book or pool.
    pub engine: Term<Engine>,
    /// The market's status.
    #[serde(default)]
    pub status: Option<Term<Status>>,
    /// All four prices.
    #[serde(default)]
    pub prices: Option<MarketPrices>,
    /// The terms of orders to come, whole.
    #[serde(default)]
    pub terms: Option<MarketTerms>,
    /// Levels that changed; quantity 0 removes a level.
    #[serde(default)]
    pub bids: Vec<BookLevel>,
    /// Levels that changed.
    #[serde(default)]
    pub asks: Vec<BookLevel>,
    /// The last trade in the book.
    #[serde(default)]
    pub last_trade: Option<LastTrade>,
    /// The proposal, the last verdict and the result, as docs/streams.md describes them.
    #[serde(default)]
    pub resolution: Option<Value>,
    /// Trades of the request. A snapshot has none.
    #[serde(default)]
    pub trades: Vec<Trade>,
}

/// The four prices of a market.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketPrices {
    /// The price of the first outcome.
    #[serde(with = "number")]
    pub outcome1_price: Decimal,
    /// The price of the second outcome.
    #[serde(with = "number")]
    pub outcome2_price: Decimal,
    /// The price of one YES share now; 0 if none is offered.
    #[serde(with = "number")]
    pub yes_buy_price: Decimal,
    /// The price of one NO share now; 0 if none is offered.
    #[serde(with = "number")]
    pub no_buy_price: Decimal,
}

/// All resting shares at one price; none any more if the quantity is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookLevel {
    /// From 0.01 to 0.99.
    #[serde(with = "number")]
    pub price: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub quantity: Decimal,
}

/// The last trade in a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastTrade {
    /// From the side of the first outcome.
    #[serde(with = "number")]
    pub price: Decimal,
    /// The taker's side, from the side of the first outcome.
    pub side: Term<Side>,
}

/// One account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AccountChanges {
    /// The account's user.
    pub user_id: Uuid,
    /// In a snapshot the open orders; in a delta every state that an order reached, in order.
    #[serde(default)]
    pub orders: Vec<ChangedOrder>,
    /// Your side of each trade in a book. A snapshot has none.
    #[serde(default)]
    pub fills: Vec<Fill>,
    /// Wallets that changed.
    #[serde(default)]
    pub wallets: Vec<ChangedWallet>,
    /// Positions that changed; balance 0 removes a position.
    #[serde(default)]
    pub positions: Vec<SharePosition>,
}

/// How an order stands, and in a delta why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChangedOrder {
    /// Such as PLACED or FILLED; none in a snapshot.
    #[serde(default)]
    pub cause: Option<String>,
    /// The order.
    pub order: OrderData,
}

/// Your side of a trade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Fill {
    /// The trade.
    pub trade_id: Uuid,
    /// Your order.
    pub order_id: Uuid,
    /// The market.
    pub market_id: Uuid,
    /// The outcome of your order.
    pub outcome: Term<OutcomeSide>,
    /// Your side.
    pub side: Term<Side>,
    /// The price in the outcome of your order.
    #[serde(with = "number")]
    pub price: Decimal,
    /// Shares.
    #[serde(with = "number")]
    pub quantity: Decimal,
    /// The fee that you paid.
    #[serde(with = "number")]
    pub fee: Decimal,
    /// The currency.
    pub currency: Term<Currency>,
    /// MAKER or TAKER.
    pub role: String,
}

/// The money of one currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangedWallet {
    /// The currency.
    pub currency: Term<Currency>,
    /// Free money.
    #[serde(with = "number")]
    pub available_balance: Decimal,
    /// Held by open orders.
    #[serde(with = "number")]
    pub pending_balance: Decimal,
}

/// Shares of one outcome in one currency; none any more if the balance is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SharePosition {
    /// The market.
    pub market_id: Uuid,
    /// The outcome's id.
    pub outcome_id: Uuid,
    /// YES or NO.
    pub outcome: Term<OutcomeSide>,
    /// The currency.
    pub currency: Term<Currency>,
    /// Shares.
    #[serde(with = "number")]
    pub balance: Decimal,
    /// Without the shares that resting sell orders hold.
    #[serde(with = "number")]
    pub available_balance: Decimal,
    /// The money paid for the shares.
    #[serde(with = "number")]
    pub cost: Decimal,
}
