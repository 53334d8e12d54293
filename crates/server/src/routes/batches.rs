//! Batches: place, cancel, amend. Each item costs one token, from the bucket for cancels or from the one for other writes.

use std::sync::Arc;

use api::error::{BadRequest, ErrorBody};
use api::request::{BatchAmend, BatchCancel, BatchPlace};
use axum::extract::{Request, State};
use exchange::Command;

use super::orders::new_order_id;
use crate::app::App;
use crate::http::charging::OwnerBucket;
use crate::http::{Answered, Failure};
use crate::view;

/// A command and its price in tokens.
pub(super) type Priced = (u32, Command);

pub(super) async fn place_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let (cost, command) = place_orders_command(&signed.body)?;
    app.write(&signed, cost, command).await
}

pub(super) fn place_orders_command(body: &[u8]) -> Result<Priced, Failure> {
    let batch = BatchPlace::read(body).map_err(bad_batch)?;
    Ok((batch.items.len() as u32, view::command::place_orders(&batch, new_order_id)))
}

pub(super) async fn cancel_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Cancel).await?;
    let (cost, command) = cancel_orders_command(&signed.body)?;
    app.write(&signed, cost, command).await
}

pub(super) fn cancel_orders_command(body: &[u8]) -> Result<Priced, Failure> {
    let batch = BatchCancel::read(body).map_err(bad_batch)?;
    Ok((batch.order_ids.len() as u32, view::command::cancel_orders(&batch)))
}

pub(super) async fn amend_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let (cost, command) = amend_orders_command(&signed.body)?;
    app.write(&signed, cost, command).await
}

pub(super) fn amend_orders_command(body: &[u8]) -> Result<Priced, Failure> {
    let batch = BatchAmend::read(body).map_err(bad_batch)?;
    Ok((batch.items.len() as u32, view::command::amend_orders(&batch)))
}

/// The refusal of a whole batch.
fn bad_batch(bad: BadRequest) -> Failure {
    ErrorBody::bad_batch(bad.message).into()
}
