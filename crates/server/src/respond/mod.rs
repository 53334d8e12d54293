//! Encodes the response to a decided command: status and body, from the command, its result and the state.
//!
//! This is the one place that turns replies into JSON. `batch_answer` corrects encoded answers to batches. Handlers use
//! `respond` directly. For requests with an idempotency key the apply thread stores its output, so a replayed
//! response is identical to the original byte for byte.

pub mod batch_answer;

use api::error::ErrorBody;
use api::response::{
    CancelAfterResponse, CancelAllResponse, CancelOrderResponse, PlaceOrderResponse, Watched,
};
use exchange::Exchange;
use exchange::command::{BurnSets, Command, MintSets, SetWatchlist};
use exchange::id::{EventId, MarketId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use serde::Serialize;

use crate::failure::Failure;
use crate::view;
use crate::view::words::ToApi;

/// The approximate size of an order as JSON, with a client order id.
const ORDER_BYTES: usize = 800;

/// The shape of a response body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    PlaceOrder,
    PlaceOrders,
    CancelOrder,
    CancelOrders,
    CancelAllOrders,
    CancelAfter,
    AmendOrders,
    MintSets(MarketId),
    BurnSets(MarketId),
    SetWatchlist(EventId, bool),
    /// Encoded by its own handler.
    Other,
}

impl Shape {
    pub const fn of(command: &Command) -> Shape {
        match command {
            Command::PlaceOrder(_) => Shape::PlaceOrder,
            Command::PlaceOrders(_) => Shape::PlaceOrders,
            Command::CancelOrder(_) => Shape::CancelOrder,
            Command::CancelOrders(_) => Shape::CancelOrders,
            Command::CancelAllOrders(_) => Shape::CancelAllOrders,
            Command::CancelAfter(_) => Shape::CancelAfter,
            Command::AmendOrders(_) => Shape::AmendOrders,
            Command::MintSets(MintSets { market, .. }) => Shape::MintSets(*market),
            Command::BurnSets(BurnSets { market, .. }) => Shape::BurnSets(*market),
            Command::SetWatchlist(SetWatchlist { event, watched, .. }) => {
                Shape::SetWatchlist(*event, *watched)
            }
            _ => Shape::Other,
        }
    }
}

/// Returns status and body.
pub fn respond(exchange: &Exchange, shape: Shape, result: &Result<Reply, Reject>) -> (u16, Vec<u8>) {
    match result {
        Ok(reply) => reply_body(exchange, shape, reply),
        Err(reject) => encode_refusal(&view::refusal(reject, exchange.now().micros())),
    }
}

/// Status and body of a refusal.
pub(crate) fn encode_refusal(body: &ErrorBody) -> (u16, Vec<u8>) {
    (body.status_code, bytes(body, 1).1)
}

/// The response when a stored or corrected answer cannot be decoded or encoded.
pub(crate) fn json_failure(error: serde_json::Error) -> Failure {
    tracing::error!(%error, "cannot decode or encode a response as JSON");
    ErrorBody::internal().into()
}

fn reply_body(exchange: &Exchange, shape: Shape, reply: &Reply) -> (u16, Vec<u8>) {
    match (shape, reply) {
        (Shape::PlaceOrder, Reply::Order(record)) => {
            bytes(&PlaceOrderResponse::from(view::order::record(exchange, record)), 1)
        }
        (Shape::CancelOrder, Reply::Order(record)) => {
            bytes(&CancelOrderResponse::from(view::order::clob(exchange, record)), 1)
        }
        (Shape::CancelAllOrders, Reply::Orders(records)) => {
            let orders: Vec<_> = records.iter().map(|record| view::order::clob(exchange, record)).collect();
            bytes(&CancelAllResponse::from(orders), records.len())
        }
        (Shape::CancelAfter, Reply::CancelAt(at)) => {
            bytes(&CancelAfterResponse { cancel_at: at.to_api() }, 1)
        }
        (Shape::PlaceOrders, Reply::Results(results)) => {
            bytes(&view::batch::placed(exchange, results), results.len())
        }
        (Shape::AmendOrders, Reply::Results(results)) => {
            bytes(&view::batch::amended(exchange, results), results.len())
        }
        (Shape::CancelOrders, Reply::Results(results)) => bytes(&view::batch::cancelled(results), 1),
        (Shape::MintSets(market), Reply::Sets(sets)) => bytes(&view::sets::minted(market, sets), 1),
        (Shape::BurnSets(market), Reply::Sets(sets)) => bytes(&view::sets::burned(market, sets), 1),
        (Shape::SetWatchlist(event, watched), Reply::Done) => {
            bytes(&Watched { event_id: event.to_api(), user_watchlisted: watched }, 1)
        }
        _ => {
            tracing::error!(?shape, "the reply does not match its command");
            encode_refusal(&ErrorBody::internal())
        }
    }
}

/// Encodes a body, with capacity for `orders` orders to avoid reallocation.
fn bytes(body: &impl Serialize, orders: usize) -> (u16, Vec<u8>) {
    let mut bytes = Vec::with_capacity(orders.max(1) * ORDER_BYTES);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => (200, bytes),
        Err(error) => {
            tracing::error!(%error, "cannot encode a response as JSON");
            (
                500,
                br#"{"error":"internal_server_error","message":"Internal server error","statusCode":500}"#
                    .to_vec(),
            )
        }
    }
}
