//! Complete sets: mint and burn.

use std::sync::Arc;

use api::read::read;
use api::request::{BurnSets, MintSets};
use axum::extract::{Path, Request, State};
use exchange::id::OperationId;

use super::paths::market_id;
use crate::app::App;
use crate::http::Answered;
use crate::http::charging::OwnerBucket;
use crate::identifiers::new_id;
use crate::view;

fn new_operation_id() -> OperationId {
    OperationId::new(new_id().as_u128())
}

pub(super) async fn mint_sets(
    State(app): State<Arc<App>>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let mint: MintSets = read(&signed.body)?;
    let market = market_id(&market)?;
    app.write(&signed, 1, view::command::mint_sets(new_operation_id(), market, &mint)).await
}

pub(super) async fn burn_sets(
    State(app): State<Arc<App>>,
    Path(market): Path<String>,
    request: Request,
) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let burn: BurnSets = read(&signed.body)?;
    let market = market_id(&market)?;
    app.write(&signed, 1, view::command::burn_sets(new_operation_id(), market, &burn)).await
}
