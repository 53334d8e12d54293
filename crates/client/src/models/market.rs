//! Events, markets and series.

use api::Timestamp;
use api::terms::{Currency, Engine, EventType, IntervalType, OutcomeSide, SeriesCategory, Status};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::number;
use crate::term::{Term, date, option};

/// A question with two outcomes. Prices are of one share, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MarketData {
    /// The market's id.
    pub id: Uuid,
    /// The question.
    pub title: String,
    /// Whether it is open, closed, resolved…
    pub status: Term<Status>,
    /// The id of the first outcome.
    pub outcome1_id: Uuid,
    /// The id of the second outcome.
    pub outcome2_id: Uuid,
    /// The label of the first outcome, such as YES or Up.
    pub outcome1_label: String,
    /// The label of the second outcome.
    pub outcome2_label: String,
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
    /// In the currency that the market was read in.
    #[serde(with = "number")]
    pub minimum_order_amount: Decimal,
    /// The taker's fee: 2 means 2 %.
    #[serde(with = "number")]
    pub fee_percentage: Decimal,
    /// The fee and the minimum that will apply to orders to come; none unless they are announced.
    #[serde(default)]
    pub announced_terms: Option<AnnouncedTerms>,
    /// Orders ever placed.
    pub total_orders: u64,
    /// How the market is decided.
    #[serde(default)]
    pub rules: String,
    /// The outcome that won; none until resolved.
    #[serde(default, with = "option")]
    pub resolved_outcome: Option<Term<OutcomeSide>>,
    /// The id of the outcome that won.
    #[serde(default)]
    pub resolved_outcome_id: Option<Uuid>,
    /// The payout of a YES share; 0 until resolved.
    #[serde(default, with = "number::option")]
    pub resolution_price: Option<Decimal>,
    /// The asset's price that the market asks about.
    #[serde(default, with = "number::option")]
    pub market_threshold: Option<Decimal>,
    /// The asset's price when the market closed.
    #[serde(default, with = "number::option")]
    pub market_close_value: Option<Decimal>,
}

/// Terms that will apply to orders to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnnouncedTerms {
    /// The taker's fee: 2 means 2 %.
    #[serde(with = "number")]
    pub fee_percentage: Decimal,
    /// In the currency of the market or the book that has them.
    #[serde(with = "number")]
    pub minimum_order_amount: Decimal,
    /// When they apply.
    pub from: Timestamp,
}

/// The terms of orders to come in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketTerms {
    /// The taker's fee: 2 means 2 %.
    #[serde(with = "number")]
    pub fee_percentage: Decimal,
    /// The least order.
    #[serde(with = "number")]
    pub minimum_order_amount: Decimal,
    /// Those that will apply; none unless they are announced.
    #[serde(default)]
    pub announced_terms: Option<AnnouncedTerms>,
}

/// A subject with one or more markets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EventData {
    /// The event's id.
    pub id: Uuid,
    /// The event's name in addresses.
    pub slug: String,
    /// The event's title.
    pub title: String,
    /// What it is about.
    #[serde(default)]
    pub description: String,
    /// Such as sports.
    pub category: String,
    /// Empty if there is none.
    #[serde(default)]
    pub subcategory: String,
    /// How its markets hang together.
    #[serde(rename = "type")]
    pub event_type: Term<EventType>,
    /// Whether it trades in a book or against a pool.
    pub engine: Term<Engine>,
    /// Whether it is open, closed, resolved…
    pub status: Term<Status>,
    /// Money in its books or pools.
    #[serde(with = "number")]
    pub liquidity: Decimal,
    /// Money that was traded.
    #[serde(with = "number")]
    pub total_volume: Decimal,
    /// Orders ever placed.
    pub total_orders: u64,
    /// The currencies that it trades in.
    pub supported_currencies: Vec<Term<Currency>>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When trading opens by itself.
    #[serde(default, with = "date")]
    pub opening_date: Option<Timestamp>,
    /// When trading closes.
    #[serde(default, with = "date")]
    pub closing_date: Option<Timestamp>,
    /// When the outcome is determined.
    #[serde(default, with = "date")]
    pub resolution_date: Option<Timestamp>,
    /// When it was resolved.
    #[serde(default, with = "date")]
    pub resolved_at: Option<Timestamp>,
    /// Where the result is read.
    #[serde(default)]
    pub resolution_source: String,
    /// Words to find it by.
    #[serde(default)]
    pub hashtags: Vec<String>,
    /// Whether you watch it.
    #[serde(default)]
    pub user_watchlisted: bool,
    /// The series that it belongs to.
    #[serde(default)]
    pub series_slug: Option<String>,
    /// The asset of its series, such as BTCUSDT.
    #[serde(default)]
    pub asset_symbol_pair: Option<String>,
    /// The asset's price when it opened.
    #[serde(default, with = "number::option")]
    pub event_threshold: Option<Decimal>,
    /// The asset's price when it closed.
    #[serde(default, with = "number::option")]
    pub event_close_value: Option<Decimal>,
    /// The game that it belongs to.
    #[serde(default)]
    pub sport_game_slug: Option<String>,
    /// The subject of its markets, if it belongs to a game.
    #[serde(default)]
    pub sport_market_type: Option<String>,
}

/// A series of events, one for each interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Series {
    /// The series' id.
    pub id: Uuid,
    /// The series' name in addresses, such as `crypto-btc-1h`.
    pub slug: String,
    /// The series' name for people.
    pub display_name: String,
    /// Empty if there is none.
    #[serde(default)]
    pub description: String,
    /// Such as CRYPTO.
    pub category: Term<SeriesCategory>,
    /// How often it makes an event.
    pub interval_type: Term<IntervalType>,
    /// Such as BTC.
    pub asset_symbol: String,
}

/// An event of a series, without its markets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LeanEvent {
    /// The event's id.
    pub id: Uuid,
    /// The event's title.
    pub title: String,
    /// When trading opens by itself.
    #[serde(default, with = "date")]
    pub opening_date: Option<Timestamp>,
    /// When trading closes.
    #[serde(default, with = "date")]
    pub closing_date: Option<Timestamp>,
    /// When the outcome is determined.
    #[serde(default, with = "date")]
    pub resolution_date: Option<Timestamp>,
}
