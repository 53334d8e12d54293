//! Orders that a batch did not find: history distinguishes the caller's closed orders from those that never existed.
//!
//! The response body is deserialized again for this. That way the first response and the one stored for replays take the
//! same
//! path and are identical to the byte. Orders in it are copied unchanged.

use std::borrow::Cow;

use api::error::ItemErrorCode;
use api::{Word, identifier};
use exchange::id::OrderId;
use exchange::order::OrderRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::refusal::of_closed_item;
use crate::known::Known;

/// The response to a batch of cancels or amends.
#[derive(Debug, Deserialize, Serialize)]
pub struct BatchAnswer<'a> {
    #[serde(borrow)]
    engine: &'a RawValue,
    #[serde(borrow)]
    results: Vec<ItemAnswer<'a>>,
    #[serde(borrow)]
    summary: &'a RawValue,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemAnswer<'a> {
    /// Only in amends.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    #[serde(borrow)]
    order_id: Cow<'a, str>,
    success: bool,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    order: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Coded<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
}

impl<'a> BatchAnswer<'a> {
    /// Whether the body may contain missing orders. Most do not, and deserializing costs as much as serializing.
    pub fn may_miss(body: &[u8]) -> bool {
        let code = ItemErrorCode::OrderNotFound.as_str().as_bytes();
        body.windows(code.len()).any(|window| window == code)
    }

    pub fn read(body: &'a [u8]) -> serde_json::Result<BatchAnswer<'a>> {
        serde_json::from_slice(body)
    }

    /// The orders that were not found.
    pub fn missing(&self) -> Vec<OrderId> {
        self.results.iter().filter_map(ItemAnswer::missing).collect()
    }

    /// Replaces the errors of closed orders by the reason why they cannot be cancelled or amended.
    pub fn tell(&mut self, known: &Known<'_>, closed: &[OrderRecord]) -> serde_json::Result<Vec<u8>> {
        for result in &mut self.results {
            let missing = result.missing();
            if let Some(record) = closed.iter().find(|record| Some(record.terms.id) == missing) {
                result.error = Some(to_raw_value(&of_closed_item(known.home(record.market), record))?);
            }
        }
        serde_json::to_vec(self)
    }
}

impl ItemAnswer<'_> {
    fn missing(&self) -> Option<OrderId> {
        let coded: Coded<'_> = serde_json::from_str(self.error.as_ref()?.get()).ok()?;
        let is_missing = coded.code == ItemErrorCode::OrderNotFound.as_str();
        let id = identifier::parse(&self.order_id).ok()?;
        is_missing.then(|| OrderId::new(id.as_u128()))
    }
}
