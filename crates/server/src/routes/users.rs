//! Finding another user.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::UserLookupQuery;
use axum::extract::{Request, State};

use crate::app::App;
use crate::http::{Answered, ok};
use crate::view;

pub(super) async fn lookup_user(State(app): State<Arc<App>>, request: Request) -> Answered {
    app.reader(request.headers())?;
    let query = UserLookupQuery::parse(request.uri().query().unwrap_or_default())?;
    let profile = view::user::profile(&app.reading().read_state(), &query);
    ok(&profile.ok_or_else(|| ErrorBody::not_found("User not found"))?)
}
