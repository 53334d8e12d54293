//! Changes in a market or an account: the messages of the channel `changes`, also available as a read.
//!
//! Both kinds have one shape: a snapshot has the full state, a delta the changes of one request. Quantities and
//! balances are absolute, and zero means removed (docs/streams.md describes how to apply them).

use crate::schema::ToSchema;
use uuid::Uuid;

use super::market::MarketTerms;
use super::order::Order;
use super::resolution::{PastVerdict, ProposedVerdict};
use super::trade::Trade;
use crate::decimal::{Money, Price, Shares, UnitPrice};
use crate::json::WriteJson;
use crate::stream::StreamOrderCause;
use crate::terms::{Currency, Engine, MatchType, OutcomeSide, Side, Status};
use crate::timestamp::OptionalDate;
use crate::words::words;

words! {
    /// Whether a message has everything or what has changed.
    ChangeKind {
        Snapshot = "snapshot",
        Delta = "delta",
    }

    /// Whose order was there first.
    FillRole {
        Maker = "MAKER",
        Taker = "TAKER",
    }
}

/// One message about a market or an account.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeMessage<T> {
    #[serde(rename = "type")]
    pub kind: ChangeKind,
    #[schema(example = "changes:01a1dd94-0000-7000-8000-000000000000:USD")]
    pub room: String,
    pub data: T,
    /// The request that made the change; of a snapshot the last one that is in it.
    pub sequence: u64,
    /// The sequence of the message before; a snapshot has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous_sequence: Option<u64>,
    /// Unix milliseconds.
    pub timestamp: i64,
}

/// The market or the account of a message of `changes`.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(untagged)]
pub enum ChangedThing {
    Market(Box<MarketChanges>),
    Account(AccountChanges),
}

/// The response to a read of a market's changes.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct MarketChangeList {
    pub room: String,
    /// Ask with this as `after` next.
    pub sequence: u64,
    /// Up to here nothing else has changed.
    pub head: u64,
    /// A snapshot alone, or deltas.
    pub changes: Vec<ChangeMessage<MarketChanges>>,
}

/// The response to a read of an account's changes.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct AccountChangeList {
    pub room: String,
    /// Ask with this as `after` next.
    pub sequence: u64,
    /// Up to here nothing else has changed.
    pub head: u64,
    /// A snapshot alone, or deltas.
    pub changes: Vec<ChangeMessage<AccountChanges>>,
}

/// A market in one currency, as outcome 1 sees it. What is left out is not there, or has not changed.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketChanges {
    pub market_id: Uuid,
    pub event_id: Uuid,
    pub currency: Currency,
    pub engine: Engine,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub prices: Option<MarketPrices>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub terms: Option<MarketTerms>,
    /// The highest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub bids: Vec<ChangedLevel>,
    /// The lowest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub asks: Vec<ChangedLevel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_trade: Option<LastTrade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolution: Option<ChangedResolution>,
    /// Trades in the book that the request made, in order. A snapshot has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub trades: Vec<Trade>,
}

/// The prices of the market's outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MarketPrices {
    pub outcome1_price: UnitPrice,
    pub outcome2_price: UnitPrice,
    pub yes_buy_price: UnitPrice,
    pub no_buy_price: UnitPrice,
}

/// All that rests at one price; nothing any more if the quantity is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[schema(example = json!({"price": 0.7, "quantity": 200}))]
pub struct ChangedLevel {
    pub price: Price,
    pub quantity: Shares,
}

/// The last trade in the book: its price, and what its taker did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct LastTrade {
    pub price: Price,
    pub side: Side,
}

/// How a market ends or ended. Always whole: what is left out is not there.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedResolution {
    /// The event's proposed verdict, until it is finalised or withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub proposal: Option<ProposedVerdict>,
    /// The last verdict on the event that was carried out or withdrawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_verdict: Option<PastVerdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved_outcome: Option<OutcomeSide>,
    /// The payout of a YES share, as a part of the most that a share can pay; NO was paid the rest. Once settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub yes_payout: Option<UnitPrice>,
    pub settled_at: OptionalDate,
}

/// One account. What is left out is not there, or has not changed.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountChanges {
    pub user_id: Uuid,
    /// Of a snapshot the open ones, the oldest first. Of a delta every state that an order got into, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub orders: Vec<ChangedOrder>,
    /// Trades in books, as this account saw them. A snapshot has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub fills: Vec<AccountFill>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub wallets: Vec<ChangedWallet>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub positions: Vec<ChangedPosition>,
}

/// How an order stands, and in a delta why.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ChangedOrder {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub cause: Option<StreamOrderCause>,
    pub order: Order<'static>,
}

/// A trade in the terms of the account's own order.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountFill {
    pub trade_id: Uuid,
    pub order_id: Uuid,
    pub market_id: Uuid,
    pub outcome_id: Uuid,
    pub outcome: OutcomeSide,
    pub side: Side,
    pub price: Price,
    pub quantity: Shares,
    /// Price × quantity in money.
    pub amount: Money,
    pub fee: Money,
    pub role: FillRole,
    pub match_type: MatchType,
    pub currency: Currency,
}

/// The money of one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedWallet {
    pub currency: Currency,
    pub available_balance: Money,
    /// Held for resting orders.
    pub pending_balance: Money,
}

/// Shares of one outcome in one currency; none any more if the balance is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedPosition {
    pub market_id: Uuid,
    pub outcome_id: Uuid,
    pub outcome: OutcomeSide,
    pub currency: Currency,
    pub balance: Shares,
    /// Without what resting sell orders hold.
    pub available_balance: Shares,
    pub cost: Money,
}
