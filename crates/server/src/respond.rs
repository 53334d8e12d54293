//! From a decided command to its answer: status and body, as a function of the command, its result and the state.
//!
//! Handlers answer with it, and the apply thread keeps what it gives for requests with an idempotency key, so a
//! replay is the original answer byte for byte.

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

use crate::view;
use crate::view::words::ToApi;

/// About the size of an order as JSON, with its client's name for it.
const ORDER_BYTES: usize = 800;

/// Which shape an answer has.
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
    /// Answered by its own handler.
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

/// Status and body.
pub fn respond(exchange: &Exchange, shape: Shape, result: &Result<Reply, Reject>) -> (u16, Vec<u8>) {
    match result {
        Ok(reply) => reply_body(exchange, shape, reply),
        Err(reject) => {
            let body = view::refusal(reject, exchange.now().micros());
            (body.status_code, bytes(&body, 1).1)
        }
    }
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
            tracing::error!(?shape, "a reply does not fit its command");
            let body = ErrorBody::internal();
            (body.status_code, bytes(&body, 1).1)
        }
    }
}

/// A body with room for so many orders from the beginning: growing means copying.
fn bytes(body: &impl Serialize, orders: usize) -> (u16, Vec<u8>) {
    let mut bytes = Vec::with_capacity(orders.max(1) * ORDER_BYTES);
    match serde_json::to_writer(&mut bytes, body) {
        Ok(()) => (200, bytes),
        Err(error) => {
            tracing::error!(%error, "an answer could not be written as JSON");
            (
                500,
                br#"{"error":"internal_server_error","message":"Internal server error","statusCode":500}"#
                    .to_vec(),
            )
        }
    }
}
