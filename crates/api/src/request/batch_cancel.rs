//! Cancelling several orders at once: one malformed id refuses the whole batch.

use std::borrow::Cow;

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::BATCH_CANCEL_IDS_MAX;
use super::schema_of::schema_of;
use crate::error::BadRequest;
use crate::identifier;
use crate::json::{PlainReader, put};
use crate::read::read;

/// Orders to cancel, in order. An id may come twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchCancel {
    pub order_ids: Vec<Uuid>,
}

/// Orders to cancel, each on its own.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BatchCancelBody<'a> {
    #[serde(borrow)]
    #[schema(value_type = Vec<Uuid>, min_items = 1, max_items = 100)]
    order_ids: Vec<Cow<'a, str>>,
}

schema_of! { BatchCancel, BatchCancelBody<'_>, "BatchCancel"; }

impl BatchCancel {
    pub fn read(body: &[u8]) -> Result<BatchCancel, BadRequest> {
        PlainReader::body(body, BatchCancel::read_plain).map_or_else(|| BatchCancel::read_any(body), Ok)
    }

    /// Reads a batch in its plain form; `None` if it has another form or is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<BatchCancel> {
        let mut order_ids = None;
        reader.object(|reader, key| match key {
            "orderIds" => put(&mut order_ids, reader.list(BATCH_CANCEL_IDS_MAX, PlainReader::identifier)),
            _ => None,
        })?;
        Some(BatchCancel { order_ids: order_ids? })
    }

    pub(super) fn read_any(body: &[u8]) -> Result<BatchCancel, BadRequest> {
        let body: BatchCancelBody<'_> = read(body)?;
        let count = body.order_ids.len();
        if !(1..=BATCH_CANCEL_IDS_MAX).contains(&count) {
            let what = format_args!("must have 1 to {BATCH_CANCEL_IDS_MAX} ids, not {count}");
            return Err(BadRequest::at("orderIds", what));
        }
        let read_id = |(index, text): (usize, &Cow<'_, str>)| {
            identifier::parse(text).map_err(|fault| BadRequest::at(format_args!("orderIds[{index}]"), fault))
        };
        let order_ids = body.order_ids.iter().enumerate().map(read_id).collect::<Result<_, _>>()?;
        Ok(BatchCancel { order_ids })
    }
}
