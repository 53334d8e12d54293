//! Results of the three batches, in the order of their items.
//!
//! An order that was placed and then `rejected` or `cancelled` by its own terms is a success: the order says
//! what became of it.

use api::error::ItemErrorCode;
use api::response::{
    BatchAmendResponse, BatchAmendResult, BatchCancelResponse, BatchCancelResult, BatchPlaceResponse,
    BatchPlaceResult, ClobOrder, ItemError,
};
use exchange::Exchange;
use exchange::id::OrderId;
use exchange::order::OrderRecord;
use exchange::reply::ItemResult;
use uuid::Uuid;

use super::order::clob;
use super::refusal::{of_closed_item, of_item};
use super::words::ToApi;

pub fn placed(exchange: &Exchange, results: &[ItemResult]) -> BatchPlaceResponse {
    let results = results.iter().zip(0..).map(|(result, index)| {
        let client_order_id = result.client_order_id.as_ref().map(ToString::to_string);
        BatchPlaceResult::new(index, client_order_id, order(exchange, result))
    });
    BatchPlaceResponse::from(results.collect::<Vec<_>>())
}

pub fn amended(exchange: &Exchange, results: &[ItemResult]) -> BatchAmendResponse {
    let results = results.iter().zip(0..).map(|(result, index)| {
        let id = result.order.map_or_else(String::new, |id| id.to_string());
        BatchAmendResult::new(index, id, order(exchange, result))
    });
    BatchAmendResponse::from(results.collect::<Vec<_>>())
}

pub fn cancelled(results: &[ItemResult]) -> BatchCancelResponse {
    let results = results.iter().map(|result| {
        let id = result.order.map_or(Uuid::nil(), OrderId::to_api);
        BatchCancelResult::new(id, result.outcome.as_ref().map(drop).map_err(of_item))
    });
    BatchCancelResponse::from(results.collect::<Vec<_>>())
}

/// Tells orders that were not found from the caller's own that are closed, or that never were on a book.
/// `closed` is what history has of the caller's orders among those that the batch named.
pub fn correct_cancelled(exchange: &Exchange, response: &mut BatchCancelResponse, closed: &[OrderRecord]) {
    let named = response.results.iter_mut().map(|result| (result.order_id.to_string(), &mut result.error));
    correct(exchange, named, closed);
}

/// As `correct_cancelled`.
pub fn correct_amended(exchange: &Exchange, response: &mut BatchAmendResponse, closed: &[OrderRecord]) {
    let named = response.results.iter_mut().map(|result| (result.order_id.clone(), &mut result.error));
    correct(exchange, named, closed);
}

fn correct<'a>(
    exchange: &Exchange,
    named: impl Iterator<Item = (String, &'a mut Option<ItemError>)>,
    closed: &[OrderRecord],
) {
    for (id, error) in named {
        let Some(error) = error.as_mut().filter(|error| error.code == ItemErrorCode::OrderNotFound) else {
            continue;
        };
        if let Some(record) = closed.iter().find(|record| record.terms.id.to_string() == id) {
            *error = of_closed_item(exchange, record);
        }
    }
}

fn order(exchange: &Exchange, result: &ItemResult) -> Result<ClobOrder, ItemError> {
    result.outcome.as_ref().map(|record| clob(exchange, record)).map_err(of_item)
}
