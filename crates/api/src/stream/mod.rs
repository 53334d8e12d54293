//! The messages of the three WebSocket endpoints: client messages (`client`), messages about the connection
//! (`control`), and the data of each channel, one file per kind of message.
//!
//! Keys are those that public clients read. Extensions, first of all `sequence`, add keys but never a `type`, except in
//! the channels `changes` and `games`, which no public client subscribes to. The messages of `changes` are in `response`:
//! a read returns them too.

mod asset_price;
mod client;
mod control;
#[cfg(feature = "schemas")]
mod control_schema;
#[cfg(feature = "schemas")]
mod data_schema;
mod game_update;
mod order_updated;
mod orderbook_update;
mod price_update;
mod trade_order;
mod words;

use crate::json::WriteJson;

pub use asset_price::AssetPriceData;
pub use client::{Auth, ClientMessage, TextOrNumber};
pub use control::{
    Answer, CancelOnDisconnect, Connected, ErrorMessage, Heartbeat, Pong, Subscribed, Unsubscribed,
};
#[cfg(feature = "schemas")]
pub use data_schema::data_schema;
pub use game_update::GameUpdateData;
pub use order_updated::{OrderUpdatedData, UserOrder};
pub use orderbook_update::OrderbookUpdateData;
pub use price_update::{ListingPrices, OutcomePrices, PriceUpdateData, PriceUpdateMarket};
pub use trade_order::{TradeEvent, TradeMarket, TradeOrder, TradeOrderData, TradeUser};
pub use words::{Channel, DataType, StreamEventType, StreamOrderCause, StreamOrderStatus};

/// A message that carries data of a channel.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
pub struct DataMessage<T> {
    #[serde(rename = "type")]
    pub data_type: DataType,
    pub data: T,
    /// Of the request that led to it, or that a snapshot is up to. It never falls.
    pub sequence: u64,
    /// Unix milliseconds.
    pub timestamp: i64,
}
