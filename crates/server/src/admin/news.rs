//! Notes about news on events: listed, attached and removed.

use std::sync::Arc;

use api::admin::request::AddNews;
use api::error::ErrorBody;
use axum::extract::{Path, State};
use exchange::command::{Command, NewsNote, RecordNews};
use exchange::id::{EventId, NewsId};
use exchange::text::Text;
use http::StatusCode;

use super::finding;
use super::operator_request::OperatorRequest;
use crate::app::App;
use crate::history::StoredNews;
use crate::http::{Answered, Failure, json, ok};
use crate::reading::history_failure;
use crate::respond::Shown;
use crate::view;
use crate::view::words::ToExchange;

pub(super) async fn list_news(State(app): State<Arc<App>>, Path(event): Path<String>) -> Answered {
    let found = {
        let known = app.reading().with_retired(finding::event_names(&event)).await?;
        let found = known.first(|exchange| finding::event_id(exchange, &event).ok());
        found.map(|(_, event)| event)
    };
    let event = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
    let now = app.reading().read_state().seq();
    ok(&view::news::news_list(&stored(&app, event, now).await?))
}

pub(super) async fn add_news(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let AddNews { title, link, published_at } = request.read()?;
    let event = finding::event_in_memory(&request.app, &event).await;
    let at = published_at.map_or_else(|| request.app.now(), ToExchange::to_exchange);
    let note = Some(NewsNote { at, title: Text::from(title), link: Text::from(link) });
    let news = NewsId::new(request.new_id().as_u128());
    let command = event.map(|event| Command::RecordNews(RecordNews { event, news, note }));
    let Shown::News(news) = request.operate(command).await? else {
        return Err(ErrorBody::internal().into());
    };
    Ok(json(StatusCode::CREATED, &news))
}

/// Responds with the notes that remain.
pub(super) async fn remove_news(
    Path((event, news)): Path<(String, String)>,
    request: OperatorRequest,
) -> Answered {
    let event = finding::event_in_memory(&request.app, &event).await;
    let command = match event {
        Ok(event) => removal(&request.app, event, &news).await,
        Err(failure) => Err(failure),
    };
    let Shown::NewsRemoved { event, at } = request.operate(command).await? else {
        return Err(ErrorBody::internal().into());
    };
    // The notes are in history alone, which has each with its sequence: later ones are not shown.
    ok(&view::news::news_list(&stored(&request.app, event.to_exchange(), at).await?))
}

/// History is read before the command too: if it cannot be read, nothing has happened yet.
async fn removal(app: &App, event: EventId, news: &str) -> Result<Command, Failure> {
    let missing = || Failure::from(ErrorBody::not_found("News not found"));
    let news = NewsId::new(api::identifier::parse(news).map_err(|_| missing())?.as_u128());
    let now = app.reading().read_state().seq();
    let known = stored(app, event, now).await?;
    known.iter().find(|stored| stored.news == news).ok_or_else(missing)?;
    Ok(Command::RecordNews(RecordNews { event, news, note: None }))
}

/// The notes of an event up to a sequence.
async fn stored(app: &App, event: EventId, up_to: u64) -> Result<Vec<StoredNews>, Failure> {
    let history = app.reading().history();
    history.wait_for(up_to).await.map_err(history_failure)?;
    history.news(event, up_to).await.map_err(history_failure)
}
