//! From a decided command to its answer: status and body, as a function of the command, its result and the state.
//!
//! Handlers answer with it, and the apply thread keeps what it gives for requests with an idempotency key, so a
//! replay is the original answer byte for byte.

use api::error::ErrorBody;
use api::response::{CancelAllResponse, CancelOrderResponse, PlaceOrderResponse, Watched};
use exchange::Exchange;
use exchange::command::Command;
use exchange::id::{EventId, MarketId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use serde::Serialize;

use crate::view;
use crate::view::words::ToApi;

/// Which shape an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    PlaceOrder,
    PlaceOrders,
    CancelOrder,
    CancelOrders,
    CancelAllOrders,
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
            Command::PlaceOrders { .. } => Shape::PlaceOrders,
            Command::CancelOrder { .. } => Shape::CancelOrder,
            Command::CancelOrders { .. } => Shape::CancelOrders,
            Command::CancelAllOrders { .. } => Shape::CancelAllOrders,
            Command::AmendOrders { .. } => Shape::AmendOrders,
            Command::MintSets { market, .. } => Shape::MintSets(*market),
            Command::BurnSets { market, .. } => Shape::BurnSets(*market),
            Command::SetWatchlist { event, watched } => Shape::SetWatchlist(*event, *watched),
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
            (body.status_code, bytes(&body).1)
        }
    }
}

fn reply_body(exchange: &Exchange, shape: Shape, reply: &Reply) -> (u16, Vec<u8>) {
    match (shape, reply) {
        (Shape::PlaceOrder, Reply::Order(record)) => {
            bytes(&PlaceOrderResponse::from(view::order::record(exchange, record)))
        }
        (Shape::CancelOrder, Reply::Order(record)) => {
            bytes(&CancelOrderResponse::from(view::order::clob(exchange, record)))
        }
        (Shape::CancelAllOrders, Reply::Orders(records)) => {
            let orders: Vec<_> = records.iter().map(|record| view::order::clob(exchange, record)).collect();
            bytes(&CancelAllResponse::from(orders))
        }
        (Shape::PlaceOrders, Reply::Results(results)) => bytes(&view::batch::placed(exchange, results)),
        (Shape::AmendOrders, Reply::Results(results)) => bytes(&view::batch::amended(exchange, results)),
        (Shape::CancelOrders, Reply::Results(results)) => bytes(&view::batch::cancelled(results)),
        (Shape::MintSets(market), Reply::Sets(sets)) => bytes(&view::sets::minted(market, sets)),
        (Shape::BurnSets(market), Reply::Sets(sets)) => bytes(&view::sets::burned(market, sets)),
        (Shape::SetWatchlist(event, watched), Reply::Done) => {
            bytes(&Watched { event_id: event.to_api(), user_watchlisted: watched })
        }
        _ => {
            tracing::error!(?shape, "a reply does not fit its command");
            let body = ErrorBody::internal();
            (body.status_code, bytes(&body).1)
        }
    }
}

fn bytes(body: &impl Serialize) -> (u16, Vec<u8>) {
    match serde_json::to_vec(body) {
        Ok(bytes) => (200, bytes),
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
