//! Watching events.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use exchange::command::{Command, SetWatchlist};

use super::paths::event_id;
use crate::app::App;
use crate::history::RetiredName;
use crate::http::Answered;
use crate::http::charging::OwnerBucket;

pub(super) async fn watch_event(
    State(app): State<Arc<App>>,
    Path(event): Path<String>,
    request: Request,
) -> Answered {
    set_watchlist(&app, &event, request, true).await
}

pub(super) async fn unwatch_event(
    State(app): State<Arc<App>>,
    Path(event): Path<String>,
    request: Request,
) -> Answered {
    set_watchlist(&app, &event, request, false).await
}

async fn set_watchlist(app: &App, event: &str, request: Request, watched: bool) -> Answered {
    let signed = app.signed(request, OwnerBucket::Write).await?;
    let event = event_id(event)?;
    let ended = {
        let exchange = app.reading().state();
        let catalogue = exchange.catalogue();
        catalogue.find_event(event).map(|index| catalogue.event(index).status.is_final())
    };
    let is_retired = match ended {
        // An ended event may leave memory before the command applies.
        Some(ended) => ended,
        None => {
            let shelf = app.reading().shelf_of(vec![RetiredName::Event(event)]).await?;
            shelf.catalogue().find_event(event).is_some()
        }
    };
    app.write(&signed, 1, Command::SetWatchlist(SetWatchlist { event, watched, is_retired })).await
}
