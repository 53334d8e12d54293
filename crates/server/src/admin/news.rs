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
use crate::view;
use crate::view::words::ToExchange;

pub(super) async fn list_news(State(app): State<Arc<App>>, Path(event): Path<String>) -> Answered {
    let found = {
        let known = app.reading().with_retired(finding::event_names(&event)).await?;
        let found = known.first(|exchange| finding::event_id(exchange, &event).ok());
        found.map(|(_, event)| event)
    };
    let event = found.ok_or_else(|| ErrorBody::not_found("Event not found"))?;
    ok(&view::news::news_list(&stored(&app, event).await?))
}

pub(super) async fn add_news(Path(event): Path<String>, request: OperatorRequest) -> Answered {
    let AddNews { title, link, published_at } = request.read()?;
    finding::require_event_in_memory(&request.app, &event).await?;
    let event = finding::event_id(&request.app.reading().state(), &event)?;
    let at = published_at.map_or_else(|| request.app.now(), ToExchange::to_exchange);
    let note = NewsNote { at, title: Text::from(title), link: Text::from(link) };
    let news = NewsId::new(request.new_id().as_u128());
    // A repetition shows the note of the first request, with its time. It is read before the command, like everything here.
    let first = match request.may_repeat() {
        true => stored(&request.app, event).await?.into_iter().find(|stored| stored.news == news),
        false => None,
    };
    let note = first.map_or(note, |stored| stored.note);
    let command = RecordNews { event, news, note: Some(note.clone()) };
    request.operate(Command::RecordNews(command)).await?;
    Ok(json(StatusCode::CREATED, &view::news::news(&StoredNews { news, note })))
}

/// Responds with the notes that remain. They are read before the command: a failed read must not follow a removal.
pub(super) async fn remove_news(
    Path((event, news)): Path<(String, String)>,
    request: OperatorRequest,
) -> Answered {
    finding::require_event_in_memory(&request.app, &event).await?;
    let event = finding::event_id(&request.app.reading().state(), &event)?;
    let missing = || Failure::from(ErrorBody::not_found("News not found"));
    let news = NewsId::new(api::identifier::parse(&news).map_err(|_| missing())?.as_u128());
    let mut left = stored(&request.app, event).await?;
    let place = left.iter().position(|stored| stored.news == news).ok_or_else(missing)?;
    left.remove(place);
    request.operate(Command::RecordNews(RecordNews { event, news, note: None })).await?;
    ok(&view::news::news_list(&left))
}

async fn stored(app: &App, event: EventId) -> Result<Vec<StoredNews>, Failure> {
    app.reading().history_now().await?.news(event).await.map_err(history_failure)
}
