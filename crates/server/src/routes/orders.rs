//! Orders, one at a time: place, read, cancel; and all at once: list, cancel.

use std::sync::Arc;

use api::query::OrdersQuery;
use api::read::read;
use api::request::{CancelAfter, CancelAll, PlaceOrder};
use api::response::Order;
use axum::extract::{Path, Request, State};
use exchange::command::{self, CancelOrder, Command};
use exchange::id::OrderId;
use exchange::index::UserIndex;

use super::paths::{order_id, order_path};
use crate::app::App;
use crate::http::charged::note_command;
use crate::http::charging::OwnerBucket;
use crate::http::{Answered, Failure, ok};
use crate::identifiers::new_id;
use crate::view;
use crate::view::words::ToApi;

pub(super) fn new_order_id() -> OrderId {
    OrderId::new(new_id().as_u128())
}

pub(super) async fn place_order(
    State(app): State<Arc<App>>,
    Path((event, market)): Path<(String, String)>,
    request: Request,
) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    app.write(&signed, 1, place_order_command(&event, &market, &signed.body)?).await
}

pub(super) fn place_order_command(event: &str, market: &str, body: &[u8]) -> Result<Command, Failure> {
    let place = PlaceOrder::read(body)?;
    let path = order_path(event, market)?;
    Ok(view::command::place_order(new_order_id(), path, &place))
}

pub(super) async fn cancel_order(
    State(app): State<Arc<App>>,
    Path(order): Path<String>,
    request: Request,
) -> Answered {
    let signed = app.signed(request, OwnerBucket::Cancel).await?;
    app.write(&signed, 1, cancel_order_command(&order)?).await
}

pub(super) fn cancel_order_command(order: &str) -> Result<Command, Failure> {
    Ok(Command::CancelOrder(CancelOrder { order: order_id(order)? }))
}

pub(super) async fn cancel_all_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Cancel).await?;
    let cancel = CancelAll::read(&signed.body)?;
    app.write(&signed, 1, view::command::cancel_all_orders(&cancel)).await
}

pub(super) async fn cancel_after(State(app): State<Arc<App>>, request: Request) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let CancelAfter { seconds } = read(&signed.body)?;
    app.write(&signed, 1, Command::CancelAfter(command::CancelAfter { seconds })).await
}

pub(super) async fn get_order(
    State(app): State<Arc<App>>,
    Path(order): Path<String>,
    request: Request,
) -> Answered {
    let reader = app.reader(request.headers())?;
    ok(&find_order(&app, reader.user, &order).await?)
}

pub(super) async fn find_order(app: &App, user: UserIndex, order: &str) -> Result<Order<'static>, Failure> {
    let order = order_id(order)?;
    note_command(Some(order.to_api()));
    app.reading().find_order(user, order).await
}

pub(super) async fn list_orders(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let query = OrdersQuery::parse(request.uri().query().unwrap_or_default())?;
    ok(&app.reading().find_orders(reader.user, &query).await?)
}
