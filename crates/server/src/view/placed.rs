//! The response to a batch of new orders, deserialized again to distinguish orders in retired markets from orders in
//! markets
//! that never existed. Everything else in it stays unchanged.

use std::borrow::Cow;

use api::response::ItemError;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

/// Refusals of orders whose outcome, market or event is not in memory.
const MISSING: [&str; 3] = ["OUTCOME_NOT_FOUND", "MARKET_NOT_FOUND", "EVENT_NOT_FOUND"];

#[derive(Debug, Deserialize, Serialize)]
pub struct PlacedAnswer<'a> {
    #[serde(borrow)]
    engine: &'a RawValue,
    #[serde(borrow)]
    results: Vec<PlacedItem<'a>>,
    #[serde(borrow)]
    summary: &'a RawValue,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacedItem<'a> {
    index: u32,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    client_order_id: Option<&'a RawValue>,
    success: bool,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    order: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Reasoned<'a> {
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
}

impl PlacedItem<'_> {
    fn is_missing(&self) -> bool {
        let error =
            self.error.as_ref().and_then(|error| serde_json::from_str::<Reasoned<'_>>(error.get()).ok());
        error.and_then(|error| error.reason).is_some_and(|reason| MISSING.contains(&&*reason))
    }
}

impl<'a> PlacedAnswer<'a> {
    /// Whether the body may contain such a refusal.
    pub fn may_miss(body: &[u8]) -> bool {
        MISSING.iter().any(|reason| body.windows(reason.len()).any(|window| window == reason.as_bytes()))
    }

    pub fn read(body: &'a [u8]) -> serde_json::Result<PlacedAnswer<'a>> {
        serde_json::from_slice(body)
    }

    /// Replaces the errors of missing items by the given refusals.
    pub fn tell(mut self, refusals: Vec<Option<ItemError>>) -> serde_json::Result<Vec<u8>> {
        for (item, refusal) in self.results.iter_mut().zip(&refusals) {
            if let Some(refusal) = refusal.as_ref().filter(|_| item.is_missing()) {
                item.error = Some(to_raw_value(refusal)?);
            }
        }
        serde_json::to_vec(&self)
    }
}
