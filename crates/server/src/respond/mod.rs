//! Renders the response to a decided command: status and body.
//!
//! `content` holds everything that a response to a user shows, `shown` the part of the state in a response to an operator.
//! `stored` is the compact form of both in history. A response that is rendered from its stored form is identical to the
//! original byte for byte.

pub mod content;
pub mod shown;
pub mod stored;

use api::error::ErrorBody;
use api::json::WriteJson;
use api::response::{
    CancelAfterResponse, CancelAllResponse, CancelOrderResponse, PlaceOrderResponse, Watched,
};
use exchange::order::ReportedOrder;

pub use content::{Content, Shape};
pub use shown::Shown;

use crate::view;
use crate::view::words::ToApi;

/// The approximate size of an order as JSON, with a client order id.
const ORDER_BYTES: usize = 800;

impl Content {
    /// Status and body.
    pub fn render(&self) -> (u16, Vec<u8>) {
        match self {
            Content::PlaceOrder(order) => {
                bytes(&PlaceOrderResponse::from(view::order::record(&order.instrument, order)), 1)
            }
            Content::CancelOrder(order) => bytes(&CancelOrderResponse::from(clob(order)), 1),
            Content::CancelAllOrders(orders) => {
                bytes(&CancelAllResponse::from(orders.iter().map(clob).collect::<Vec<_>>()), orders.len())
            }
            Content::CancelAfter(at) => bytes(&CancelAfterResponse { cancel_at: at.to_api() }, 1),
            Content::PlaceOrders(items) => bytes(&view::batch::placed(items), items.len()),
            Content::AmendOrders(items) => bytes(&view::batch::amended(items), items.len()),
            Content::CancelOrders(items) => bytes(&view::batch::cancelled(items), 1),
            Content::MintSets(market, sets) => bytes(&view::sets::minted(*market, sets), 1),
            Content::BurnSets(market, sets) => bytes(&view::sets::burned(*market, sets), 1),
            Content::SetWatchlist(event, watched) => {
                bytes(&Watched { event_id: event.to_api(), user_watchlisted: *watched }, 1)
            }
            Content::Refusal(status, body) => (*status, body.to_vec()),
        }
    }
}

fn clob(order: &ReportedOrder) -> api::response::ClobOrder<'_> {
    view::order::clob(&order.instrument, order)
}

/// Status and body of a refusal.
pub(crate) fn encode_refusal(body: &ErrorBody) -> (u16, Vec<u8>) {
    (body.status_code, bytes(body, 1).1)
}

/// Encodes a body, with capacity for `orders` orders to avoid reallocation.
fn bytes(body: &impl WriteJson, orders: usize) -> (u16, Vec<u8>) {
    let mut bytes = Vec::with_capacity(orders.max(1) * ORDER_BYTES);
    body.write_json(&mut bytes);
    (200, bytes)
}
