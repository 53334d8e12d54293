//! Ids in paths. A malformed id gets "not found" rather than "bad request".

use api::error::ErrorBody;
use api::identifier;
use exchange::id::{EventId, KeyId, MarketId, OrderId, RowId};
use exchange::order::OrderPath;

use crate::http::Failure;

pub(super) fn event_id(text: &str) -> Result<EventId, Failure> {
    id(text, "Event not found").map(EventId::new)
}

pub(super) fn market_id(text: &str) -> Result<MarketId, Failure> {
    id(text, "Market not found").map(MarketId::new)
}

pub(super) fn order_id(text: &str) -> Result<OrderId, Failure> {
    id(text, "Order not found").map(OrderId::new)
}

pub(super) fn key_id(text: &str) -> Result<KeyId, Failure> {
    id(text, "API key not found").map(KeyId::new)
}

pub(super) fn entry_id(text: &str, missing: &str) -> Result<RowId, Failure> {
    id(text, missing).map(RowId::new)
}

pub(super) fn order_path(event: &str, market: &str) -> Result<OrderPath, Failure> {
    Ok(OrderPath { event: event_id(event)?, market: market_id(market)? })
}

fn id(text: &str, missing: &str) -> Result<u128, Failure> {
    match identifier::parse(text) {
        Ok(id) => Ok(id.as_u128()),
        Err(_) => Err(ErrorBody::not_found(missing).into()),
    }
}
