//! Results of the three batches, in item order.
//!
//! An order that was placed and then `rejected` or `cancelled` by its own terms is a success: its status says so.

use std::borrow::Cow;

use api::response::{
    BatchAmendResponse, BatchAmendResult, BatchCancelResponse, BatchCancelResult, BatchPlaceResponse,
    BatchPlaceResult, ClobOrder, ItemError, SentId,
};

use super::order::clob;
use super::words::ToApi;
use crate::respond::content::{CancelledItem, ItemContent};

pub fn placed(items: &[ItemContent]) -> BatchPlaceResponse<'_> {
    let results = items.iter().zip(0..).map(|(item, index)| {
        let client_order_id = item.client_order_id.as_deref().map(Cow::Borrowed);
        BatchPlaceResult::new(index, client_order_id, order(item))
    });
    BatchPlaceResponse::from(results.collect::<Vec<_>>())
}

pub fn amended(items: &[ItemContent]) -> BatchAmendResponse<'_> {
    let results = items.iter().zip(0..).map(|(item, index)| {
        let sent = || SentId::Text(Cow::Borrowed(item.order_as_sent.as_deref().unwrap_or_default()));
        let id = item.order.map_or_else(sent, |id| SentId::Id(id.to_api()));
        BatchAmendResult::new(index, id, order(item))
    });
    BatchAmendResponse::from(results.collect::<Vec<_>>())
}

pub fn cancelled(items: &[CancelledItem]) -> BatchCancelResponse {
    let results = items.iter().map(|item| BatchCancelResult::new(item.order.to_api(), item.outcome.clone()));
    BatchCancelResponse::from(results.collect::<Vec<_>>())
}

fn order(item: &ItemContent) -> Result<ClobOrder<'_>, ItemError> {
    let outcome = item.outcome.as_ref();
    outcome.map(|order| clob(&order.instrument, order)).map_err(Clone::clone)
}
