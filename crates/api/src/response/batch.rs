//! Results of batches: one per item, in the order of the request.

use std::borrow::Cow;

use crate::schema::ToSchema;
use uuid::Uuid;

use super::order::ClobOrder;
use crate::error::ItemErrorCode;
use crate::json::WriteJson;
use crate::terms::Engine;

/// Why an item failed.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ItemError {
    pub code: ItemErrorCode,
    #[schema(example = "Order not found")]
    pub message: String,
    /// A finer word for the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, example = "MARKET_NOT_OPEN")]
    pub reason: Option<Cow<'static, str>>,
}

/// How many items there were and how they went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct Summary {
    pub total: u32,
    pub succeeded: u32,
    pub failed: u32,
}

impl Summary {
    /// Counts the successful items.
    pub fn of(successes: impl Iterator<Item = bool>) -> Summary {
        let (mut succeeded, mut failed) = (0, 0);
        successes.for_each(|success| if success { succeeded += 1 } else { failed += 1 });
        Summary { total: succeeded + failed, succeeded, failed }
    }
}

/// The result of one placement.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchPlaceResult<'a> {
    pub index: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub client_order_id: Option<Cow<'a, str>>,
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<ClobOrder<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<ItemError>,
}

impl<'a> BatchPlaceResult<'a> {
    pub fn new(
        index: u32,
        client_order_id: Option<Cow<'a, str>>,
        result: Result<ClobOrder<'a>, ItemError>,
    ) -> Self {
        let (order, error) = split(result);
        BatchPlaceResult { index, client_order_id, success: order.is_some(), order, error }
    }
}

/// The id of an amended order, or the text that was sent as its id.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson)]
#[serde(untagged)]
pub enum SentId<'a> {
    Id(Uuid),
    Text(Cow<'a, str>),
}

/// The result of one amendment.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchAmendResult<'a> {
    pub index: u32,
    /// As it was sent.
    #[schema(value_type = String)]
    pub order_id: SentId<'a>,
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<ClobOrder<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<ItemError>,
}

impl<'a> BatchAmendResult<'a> {
    pub fn new(index: u32, order_id: SentId<'a>, result: Result<ClobOrder<'a>, ItemError>) -> Self {
        let (order, error) = split(result);
        BatchAmendResult { index, order_id, success: order.is_some(), order, error }
    }
}

/// The result of one cancellation.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchCancelResult {
    pub order_id: Uuid,
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<ItemError>,
}

impl BatchCancelResult {
    pub fn new(order_id: Uuid, result: Result<(), ItemError>) -> Self {
        let (done, error) = split(result);
        BatchCancelResult { order_id, success: done.is_some(), error }
    }
}

fn split<T>(result: Result<T, ItemError>) -> (Option<T>, Option<ItemError>) {
    match result {
        Ok(done) => (Some(done), None),
        Err(error) => (None, Some(error)),
    }
}

/// The answer to a batch.
macro_rules! batch_responses {
    ($($(#[doc = $description:literal])+ $name:ident $(<$lifetime:lifetime>)?, $result:ident;)*) => {$(
        $(#[doc = $description])+
        #[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
        pub struct $name $(<$lifetime>)? {
            /// Always CLOB.
            pub engine: Engine,
            pub results: Vec<$result $(<$lifetime>)?>,
            pub summary: Summary,
        }

        impl $(<$lifetime>)? From<Vec<$result $(<$lifetime>)?>> for $name $(<$lifetime>)? {
            fn from(results: Vec<$result $(<$lifetime>)?>) -> Self {
                let summary = Summary::of(results.iter().map(|result| result.success));
                $name { engine: Engine::Clob, results, summary }
            }
        }
    )*};
}

batch_responses! {
    /// The results of a batch of placements.
    BatchPlaceResponse<'a>, BatchPlaceResult;
    /// The results of a batch of amendments.
    BatchAmendResponse<'a>, BatchAmendResult;
    /// The results of a batch of cancellations.
    BatchCancelResponse, BatchCancelResult;
}
