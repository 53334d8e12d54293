//! Liabilities and their backing, for everyone; and for each user a proof that their account is included.

use std::sync::Arc;

use api::error::ErrorBody;
use axum::extract::{Request, State};

use crate::app::App;
use crate::http::caching::{Freshness, ok_tagged};
use crate::http::{Answered, ok};
use crate::pipeline::proofs::{NoProof, Published};
use crate::view::words::ToApi;

pub(crate) async fn solvency(State(app): State<Arc<App>>, request: Request) -> Answered {
    let published = latest(&app).await?;
    app.charge_rows(published.solvency.markets.len())?;
    ok_tagged(request.headers(), Freshness::Live, &published.solvency)
}

pub(super) async fn my_solvency(State(app): State<Arc<App>>, request: Request) -> Answered {
    let reader = app.reader(request.headers())?;
    let user = app.reading().state().directory().user(reader.user).id.to_api();
    let mut proof = latest(&app).await?.tree.prove(user);
    // The account may be newer than the tree. A renewal that is already running may have started before the account was
    // created; the one after it has not.
    for _ in 0..2 {
        if proof.is_none() {
            proof = app.reading().proofs().wait_for_next().await.map_err(unavailable)?.tree.prove(user);
        }
    }
    ok(&proof.ok_or(NoProof).map_err(unavailable)?)
}

async fn latest(app: &App) -> Result<Arc<Published>, ErrorBody> {
    let sequence = app.reading().state().seq();
    app.reading().proofs().latest(sequence).await.map_err(unavailable)
}

fn unavailable(_: NoProof) -> ErrorBody {
    ErrorBody::unavailable("No proof could be made right now", 1)
}
