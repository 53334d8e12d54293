//! The events of a feed: a page of the list of events in a given order, with the list's filters and the list's price.

use api::error::ErrorBody;
use api::query::{EventsQuery, RawQuery};

use crate::app::App;
use crate::edge::meter;
use crate::event_lists::{ListOrder, ListQuery};
use crate::http::Failure;
use crate::view;
use crate::view::shared_event::{SharedEvent, shared};

/// Events of a feed, unless its address has a `size`.
const EVENTS_USUAL: u32 = 100;

/// The query of a feed: filters and pages of `GET /v1/pm/events`.
pub(super) fn query(raw: Option<&str>) -> Result<EventsQuery, Failure> {
    let raw = raw.unwrap_or_default();
    let mut query = EventsQuery::parse(raw)?;
    if RawQuery::parse(raw)?.text("size")?.is_none() {
        query.size = EVENTS_USUAL;
    }
    Ok(query)
}

/// Reads the events. The rows are charged before they are read.
pub(super) async fn events(
    app: &App,
    query: &EventsQuery,
    order: ListOrder,
) -> Result<Vec<SharedEvent>, Failure> {
    let most = query.pages().size as usize;
    let meter = meter::current().ok_or_else(ErrorBody::internal)?;
    meter.charge_rows(most)?;
    let wanted = view::event::list_query(&app.reading().read_state(), query, None, app.now());
    let Some(wanted) = wanted else { return Ok(Vec::new()) };
    let wanted = ListQuery { order, ..wanted };
    let found = app.reading().find_events(&wanted, |events| meter.charge_comparisons(events)).await?;
    meter.settle_rows(most, found.ids.len());
    let (events, _) = app.reading().show_events(&found, None, shared).await?;
    Ok(events)
}
