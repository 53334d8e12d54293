//! Encoded answers to batches, decoded again to correct items that the exchange did not find.
//!
//! The exchange keeps only open orders and events in memory and reports all others as not found. History has the closed
//! orders and the retired events, so their items get another error afterwards. The first response and the one stored
//! for replays take this same path and stay identical to the byte. Everything else in an answer is copied unchanged.

use std::borrow::Cow;

use api::error::ItemErrorCode;
use api::response::ItemError;
use api::{Word, identifier};
use exchange::id::OrderId;
use exchange::order::OrderRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::view::live_and_retired::LiveAndRetired;
use crate::view::refusal::of_closed_item;

/// Reasons of orders whose outcome, market or event is not in memory.
const MISSING: [&str; 3] = ["OUTCOME_NOT_FOUND", "MARKET_NOT_FOUND", "EVENT_NOT_FOUND"];

/// The answer to a batch of orders, cancels or amends.
#[derive(Debug, Deserialize, Serialize)]
pub struct BatchAnswer<'a> {
    #[serde(borrow)]
    engine: &'a RawValue,
    #[serde(borrow)]
    results: Vec<ItemAnswer<'a>>,
    #[serde(borrow)]
    summary: &'a RawValue,
}

/// The fields of all three kinds, in the order in which each kind has them.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemAnswer<'a> {
    /// Absent in cancels.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    /// Absent in new orders.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    order_id: Option<Cow<'a, str>>,
    /// Only in new orders.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    client_order_id: Option<&'a RawValue>,
    success: bool,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    order: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
}

/// The fields of an item's error that identify its cause.
#[derive(Deserialize)]
struct Cause<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
}

impl<'a> BatchAnswer<'a> {
    /// Whether the body may contain orders that were not found. Most do not, and decoding costs as much as encoding.
    pub fn may_miss_orders(body: &[u8]) -> bool {
        contains(body, ItemErrorCode::OrderNotFound.as_str())
    }

    /// Whether the body may contain outcomes, markets or events that were not found.
    pub fn may_miss_markets(body: &[u8]) -> bool {
        MISSING.iter().any(|reason| contains(body, reason))
    }

    pub fn decode(body: &'a [u8]) -> serde_json::Result<BatchAnswer<'a>> {
        serde_json::from_slice(body)
    }

    pub fn encode(&self) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(self)
    }

    /// The orders that were not found.
    pub fn missing_orders(&self) -> Vec<OrderId> {
        self.results.iter().filter_map(ItemAnswer::missing_order).collect()
    }

    /// Replaces the errors of closed orders by the reason why they cannot be cancelled or amended.
    pub fn correct_closed(
        &mut self,
        known: &LiveAndRetired<'_>,
        closed: &[OrderRecord],
    ) -> serde_json::Result<()> {
        for item in &mut self.results {
            let missing = item.missing_order();
            if let Some(record) = closed.iter().find(|record| Some(record.terms.id) == missing) {
                item.refuse(&of_closed_item(known.exchange_of(record.market), record))?;
            }
        }
        Ok(())
    }

    /// Replaces the errors of new orders whose market was not found by the given refusals, in item order.
    pub fn correct_retired(&mut self, refusals: Vec<Option<ItemError>>) -> serde_json::Result<()> {
        for (item, refusal) in self.results.iter_mut().zip(&refusals) {
            if let Some(refusal) = refusal.as_ref().filter(|_| item.misses_market()) {
                item.refuse(refusal)?;
            }
        }
        Ok(())
    }
}

impl ItemAnswer<'_> {
    fn cause(&self) -> Option<Cause<'_>> {
        serde_json::from_str(self.error.as_ref()?.get()).ok()
    }

    fn missing_order(&self) -> Option<OrderId> {
        let is_missing = self.cause()?.code == ItemErrorCode::OrderNotFound.as_str();
        let id = identifier::parse(self.order_id.as_ref()?).ok()?;
        is_missing.then(|| OrderId::new(id.as_u128()))
    }

    fn misses_market(&self) -> bool {
        let reason = self.cause().and_then(|cause| cause.reason.map(Cow::into_owned));
        reason.is_some_and(|reason| MISSING.contains(&reason.as_str()))
    }

    fn refuse(&mut self, error: &ItemError) -> serde_json::Result<()> {
        self.error = Some(to_raw_value(error)?);
        Ok(())
    }
}

fn contains(body: &[u8], word: &str) -> bool {
    body.windows(word.len()).any(|window| window == word.as_bytes())
}
