//! Results of the three batches, in item order.
//!
//! `respond/batch_answer.rs` distinguishes closed orders from unknown ones. An order that was placed and then
//! `rejected` or `cancelled` by its own terms is a success: its status says so.

use api::response::{
    BatchAmendResponse, BatchAmendResult, BatchCancelResponse, BatchCancelResult, BatchPlaceResponse,
    BatchPlaceResult, ClobOrder, ItemError,
};
use exchange::Exchange;
use exchange::id::OrderId;
use exchange::reply::ItemResult;
use uuid::Uuid;

use super::order::clob;
use super::refusal::of_item;
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
        let sent = || result.order_as_sent.as_ref().map_or_else(String::new, ToString::to_string);
        let id = result.order.map_or_else(sent, |id| id.to_string());
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

fn order(exchange: &Exchange, result: &ItemResult) -> Result<ClobOrder, ItemError> {
    result.outcome.as_ref().map(|record| clob(exchange, record)).map_err(of_item)
}
