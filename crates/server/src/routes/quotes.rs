//! Quotes: the result that a trade would have now.

use std::sync::Arc;

use api::request::Quote;
use axum::extract::{Path, Request, State};
use exchange::index::UserIndex;
use exchange::reject::Reject;

use super::paths::order_path;
use crate::app::App;
use crate::history::RetiredName;
use crate::http::writing::read_body;
use crate::http::{Answered, Failure, ok};
use crate::view;

pub(super) async fn quote(
    State(app): State<Arc<App>>,
    Path((event, market)): Path<(String, String)>,
    request: Request,
) -> Answered {
    let viewer = app.viewer(request.headers())?;
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.headers, body).await?;
    ok(&find_quote(&app, viewer, (&event, &market), &body).await?)
}

/// `path`: the event and the market.
pub(super) async fn find_quote(
    app: &App,
    viewer: Option<UserIndex>,
    path: (&str, &str),
    body: &[u8],
) -> Result<api::response::Quote, Failure> {
    let path = order_path(path.0, path.1)?;
    let asked = view::command::quote(viewer, path, &Quote::read(body)?);
    // The rules refuse it themselves where they stopped orders; they know nothing of a clock.
    if asked.terms.is_some() && app.writing().is_cancel_only() {
        return Err(app.writing().refuse(&Reject::CancelOnly));
    }
    let quoted = view::quote(&app.reading().read_state(), &asked);
    let quoted = match quoted {
        Err(Reject::OutcomeNotFound | Reject::EventNotFound | Reject::MarketNotFound) => {
            let names = vec![RetiredName::Outcome(asked.outcome), RetiredName::Event(path.event)];
            let known = app.reading().with_retired(names).await?;
            match known.outcome(asked.outcome) {
                Some((exchange, _)) => view::quote(exchange, &asked),
                None => quoted,
            }
        }
        _ => quoted,
    };
    quoted.map_err(|reject| app.writing().refuse(&reject))
}
