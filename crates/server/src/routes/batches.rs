//! Batches: place, cancel, amend. Each item costs one token, from the bucket for cancels or from the one for other writes.

use api::request::{BatchAmend, BatchCancel, BatchPlace};
use api::response::{BatchAmendResponse, BatchCancelResponse, BatchPlaceResponse};

use super::orders::new_order_id;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::view;

pub(super) struct BatchEndpoints;

impl BatchEndpoints {
    pub(super) fn place_orders(
        &self,
        _: &Call<'_>,
        batch: BatchPlace,
    ) -> Result<Next<BatchPlaceResponse<'static>>, Failure> {
        Ok(Next::Write(batch.items.len() as u32, view::command::place_orders(&batch, new_order_id)))
    }

    pub(super) fn cancel_orders(
        &self,
        _: &Call<'_>,
        batch: BatchCancel,
    ) -> Result<Next<BatchCancelResponse>, Failure> {
        Ok(Next::Write(batch.order_ids.len() as u32, view::command::cancel_orders(&batch)))
    }

    pub(super) fn amend_orders(
        &self,
        _: &Call<'_>,
        batch: BatchAmend,
    ) -> Result<Next<BatchAmendResponse<'static>>, Failure> {
        Ok(Next::Write(batch.items.len() as u32, view::command::amend_orders(&batch)))
    }
}
