//! Renders the response to a decided command: status and body.
//!
//! `content` holds everything that a response to a user shows, `shown` the part of the state in a response to an operator.
//! `stored` is the compact form of both in history. A response that is rendered from its stored form is identical to the
//! original byte for byte.

pub mod content;
pub mod shown;
pub mod stored;

use api::error::ErrorBody;
use api::json::{self, Decimals, WriteJson, Writer};
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
    pub fn render(&self, decimals: Decimals) -> (u16, Vec<u8>) {
        let body = match self {
            Content::PlaceOrder(order) => {
                let order = view::order::record(&order.instrument, order);
                bytes(&PlaceOrderResponse::from(order), 1, decimals)
            }
            Content::CancelOrder(order) => bytes(&CancelOrderResponse::from(clob(order)), 1, decimals),
            Content::CancelAllOrders(orders) => {
                let shown: Vec<_> = orders.iter().map(clob).collect();
                bytes(&CancelAllResponse::from(shown), orders.len(), decimals)
            }
            Content::CancelAfter(at) => bytes(&CancelAfterResponse { cancel_at: at.to_api() }, 1, decimals),
            Content::PlaceOrders(items) => bytes(&view::batch::placed(items), items.len(), decimals),
            Content::AmendOrders(items) => bytes(&view::batch::amended(items), items.len(), decimals),
            Content::CancelOrders(items) => bytes(&view::batch::cancelled(items), 1, decimals),
            Content::MintSets(market, sets) => bytes(&view::sets::minted(*market, sets), 1, decimals),
            Content::BurnSets(market, sets) => bytes(&view::sets::burned(*market, sets), 1, decimals),
            Content::SetWatchlist(event, watched) => {
                bytes(&Watched { event_id: event.to_api(), user_watchlisted: *watched }, 1, decimals)
            }
            Content::Refusal(status, body) => return (*status, body.to_vec()),
        };
        (200, body)
    }
}

fn clob(order: &ReportedOrder) -> api::response::ClobOrder<'_> {
    view::order::clob(&order.instrument, order)
}

/// Status and body of a refusal, which has no decimals.
pub(crate) fn encode_refusal(body: &ErrorBody) -> (u16, Vec<u8>) {
    (body.status_code, json::to_vec(body))
}

/// Encodes a body, with capacity for `orders` orders to avoid reallocation.
fn bytes(body: &impl WriteJson, orders: usize, decimals: Decimals) -> Vec<u8> {
    let mut out = Writer::new(Vec::with_capacity(orders.max(1) * ORDER_BYTES), decimals);
    body.write_json(&mut out);
    out.into_bytes()
}
