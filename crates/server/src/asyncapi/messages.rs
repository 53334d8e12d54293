//! Every message of the three endpoints, one row each. To add one, derive `ToSchema` for its data and write
//! `data::<…>`. If the message has another shape, derive it for the whole message and write `whole::<…>`.

use api::Word;
use api::response::{ChangeMessage, ChangedThing};
use api::stream::{
    AssetPriceData, CancelOnDisconnect, Connected, DataType, ErrorMessage, GameUpdateData, Heartbeat,
    OrderUpdatedData, OrderbookUpdateData, Pong, PriceUpdateData, Subscribed, TradeOrderData, Unsubscribed,
    data_schema,
};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::Body;

pub const MARKETS: &str = "markets";
pub const USER: &str = "user";
pub const REALTIME: &str = "realtime";
pub const EVERYWHERE: &[&str] = &[MARKETS, USER, REALTIME];

/// A message that the server sends.
#[derive(Clone, Copy, Debug)]
pub struct SentMessage {
    /// Its `type`.
    pub name: &'static str,
    pub endpoints: &'static [&'static str],
    pub summary: &'static str,
    pub payload: Payload,
    /// The schemas that its payload refers to, by name.
    pub parts: Body,
}

/// The payload of a message.
#[derive(Clone, Copy, Debug)]
pub enum Payload {
    /// Type, data, sequence and time.
    Data(fn(DataType) -> RefOr<Schema>, DataType),
    Whole(fn() -> RefOr<Schema>),
}

impl Payload {
    pub fn schema(self) -> RefOr<Schema> {
        match self {
            Payload::Data(schema, data_type) => schema(data_type),
            Payload::Whole(schema) => schema(),
        }
    }

    /// Whether the payload's own schema is inline, not listed by name.
    pub const fn is_whole(self) -> bool {
        matches!(self, Payload::Whole(_))
    }
}

/// A message with data of a channel.
fn data<T: ToSchema>(
    data_type: DataType,
    endpoints: &'static [&'static str],
    summary: &'static str,
) -> SentMessage {
    let payload = Payload::Data(data_schema::<T>, data_type);
    SentMessage { name: data_type.as_str(), endpoints, summary, payload, parts: Body::of::<T>() }
}

/// A message with its own shape.
fn whole<T: ToSchema>(
    name: &'static str,
    endpoints: &'static [&'static str],
    summary: &'static str,
) -> SentMessage {
    let payload = Payload::Whole(<T as PartialSchema>::schema);
    SentMessage { name, endpoints, summary, payload, parts: Body::of::<T>() }
}

/// The messages that the server sends.
#[rustfmt::skip]
pub fn sent() -> Vec<SentMessage> {
    vec![
        whole::<Connected>("connected", EVERYWHERE, "The greeting"),
        whole::<Subscribed<'_>>("subscribed", EVERYWHERE, "A room was entered"),
        whole::<Unsubscribed<'_>>("unsubscribed", EVERYWHERE, "A room was left"),
        whole::<Pong>("pong", EVERYWHERE, "The answer to a ping"),
        whole::<ErrorMessage<'_>>("error", EVERYWHERE, "What was wrong with a message of yours"),
        whole::<CancelOnDisconnect>("cancelOnDisconnect", &[USER], "What the end of this connection does"),
        data::<TradeOrderData>(DataType::BuyOrder, &[MARKETS], "A fill of a buyer"),
        data::<TradeOrderData>(DataType::SellOrder, &[MARKETS], "A fill of a seller"),
        data::<PriceUpdateData>(DataType::PriceUpdate, &[MARKETS], "The prices of an event"),
        data::<OrderbookUpdateData>(DataType::OrderbookUpdate, &[MARKETS], "A whole book of one outcome"),
        data::<GameUpdateData>(DataType::GameUpdate, &[MARKETS], "Score, clock and status of a game"),
        data::<OrderUpdatedData>(DataType::OrderUpdated, &[USER], "How one of your orders stands now"),
        whole::<ChangeMessage<ChangedThing>>("snapshot", &[MARKETS, USER], "A market or your account as a whole"),
        whole::<ChangeMessage<ChangedThing>>("delta", &[MARKETS, USER], "What one request changed of it"),
        whole::<Heartbeat<'_>>("heartbeat", &[MARKETS, USER], "How far a silent room is"),
        data::<AssetPriceData>(DataType::AssetPrice, &[REALTIME], "A price of an asset"),
    ]
}

/// A message that a client sends: its `type`, its required and its optional keys. Any message may also have an `id`. The
/// schemas of keys come from the type that deserializes them.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedMessage {
    pub name: &'static str,
    pub endpoint: &'static str,
    pub summary: &'static str,
    pub required: &'static [&'static str],
    pub optional: &'static [&'static str],
}

#[rustfmt::skip]
pub const RECEIVED: &[ReceivedMessage] = &[
    ReceivedMessage { name: "subscribe", endpoint: MARKETS, summary: "Enters rooms", required: &["channel"], optional: &["eventId", "eventIds", "marketId", "marketIds", "currency", "userId", "gameIds", "resumeFrom"] },
    ReceivedMessage { name: "unsubscribe", endpoint: MARKETS, summary: "Leaves a room", required: &["room"], optional: &[] },
    ReceivedMessage { name: "ping", endpoint: MARKETS, summary: "Asks for a pong", required: &[], optional: &[] },
    ReceivedMessage { name: "subscribe", endpoint: USER, summary: "Enters rooms of your own", required: &["channel", "auth"], optional: &["marketId", "marketIds", "userId", "resumeFrom"] },
    ReceivedMessage { name: "unsubscribe", endpoint: USER, summary: "Leaves a room", required: &["room", "auth"], optional: &[] },
    ReceivedMessage { name: "cancelOnDisconnect", endpoint: USER, summary: "Has everything that rests cancelled when this connection ends, or no longer; needs a session or a signature in auth", required: &["enabled", "auth"], optional: &[] },
    ReceivedMessage { name: "ping", endpoint: USER, summary: "Asks for a pong", required: &["auth"], optional: &[] },
    ReceivedMessage { name: "subscribe", endpoint: REALTIME, summary: "Enters rooms", required: &["channel", "symbols"], optional: &[] },
    ReceivedMessage { name: "unsubscribe", endpoint: REALTIME, summary: "Leaves a room", required: &["room"], optional: &[] },
    ReceivedMessage { name: "ping", endpoint: REALTIME, summary: "Asks for a pong", required: &[], optional: &[] },
];
