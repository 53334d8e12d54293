//! Batches: place, cancel, amend. Each item costs one token, from the bucket for cancels or from the one for other writes.

use std::sync::Arc;

use api::error::{BadRequest, ErrorBody};
use api::request::{BatchAmend, BatchCancel, BatchPlace};
use axum::extract::{Request, State};

use super::orders::new_order_id;
use crate::app::App;
use crate::http::charging::OwnerBucket;
use crate::http::{Answered, Failure};
use crate::view;

pub(super) async fn place_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let batch = BatchPlace::read(&signed.body).map_err(bad_batch)?;
    app.write(&signed, batch.items.len() as u32, view::command::place_orders(&batch, new_order_id)).await
}

pub(super) async fn cancel_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Cancel).await?;
    let batch = BatchCancel::read(&signed.body).map_err(bad_batch)?;
    app.write(&signed, batch.order_ids.len() as u32, view::command::cancel_orders(&batch)).await
}

pub(super) async fn amend_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let batch = BatchAmend::read(&signed.body).map_err(bad_batch)?;
    app.write(&signed, batch.items.len() as u32, view::command::amend_orders(&batch)).await
}

/// The refusal of a whole batch.
fn bad_batch(bad: BadRequest) -> Failure {
    ErrorBody::bad_batch(bad.message).into()
}
