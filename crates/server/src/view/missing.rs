//! Orders that a batch did not find, told apart by what history has: closed ones of the caller, and those that never were.
//!
//! An answer is read back for it, so that a first answer and the one that history keeps for replays take the same way and
//! come out as the same bytes. Orders in it stay as they were written.

use std::borrow::Cow;

use api::error::ItemErrorCode;
use api::{Word, identifier};
use exchange::id::OrderId;
use exchange::order::OrderRecord;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::refusal::of_closed_item;
use crate::known::Known;

/// The answer to a batch of cancels or amends.
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
    /// Amends have one.
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
    /// Whether it is worth reading: most answers miss nothing, and reading one costs as much as writing it.
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

    /// Says of those that are closed why they cannot be cancelled or amended.
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
