//! Events: a page of them, one by id or by slug, its resolution and its news.

use std::sync::Arc;

use api::error::ErrorBody;
use api::query::{EventQuery, EventsQuery};
use api::response::{Event, EventResolution, Events, NewsList};
use exchange::Exchange;
use exchange::index::EventIndex;

use super::paths::event_id;
use crate::edge::{Call, Next};
use crate::event_lists::EventPage;
use crate::failure::Failure;
use crate::history::{NEWS_MAX, RetiredName};
use crate::reading::{Reading, history_failure};
use crate::view;
use crate::view::resolution::ResolutionSource;
use crate::view::words::ToExchange;

pub(super) struct EventEndpoints {
    pub(super) reading: Arc<Reading>,
}

impl EventEndpoints {
    pub(super) fn list_events(&self, call: &Call<'_>, query: EventsQuery) -> Result<Next<Events>, Failure> {
        call.meter.charge_rows(query.pages().size as usize)?;
        let viewer = call.viewer()?;
        let (reading, meter, now) = (self.reading.clone(), call.meter.clone(), call.now);
        Ok(Next::later(async move {
            let wanted = view::event::list_query(&reading.read_state(), &query, viewer, now);
            let found = match wanted {
                Some(wanted) => {
                    reading.find_events(&wanted, |events| meter.charge_comparisons(events)).await?
                }
                None => EventPage::default(),
            };
            let currency = view::event::list_currency(&query);
            let show =
                |exchange: &Exchange, index: EventIndex| view::event::shown(exchange, index, currency, None);
            let (events, watched) = reading.show_events(&found, viewer, show).await?;
            Ok(view::event::page(events, &watched, found.total, &query))
        }))
    }

    pub(super) fn get_event(&self, call: &Call<'_>, query: EventQuery) -> Result<Next<Event>, Failure> {
        let id = event_id(call.path(0))?;
        self.show(call, query, RetiredName::Event(id), move |exchange| view::event::find(exchange, id))
    }

    pub(super) fn get_event_by_slug(
        &self,
        call: &Call<'_>,
        query: EventQuery,
    ) -> Result<Next<Event>, Failure> {
        let slug = call.path(0).to_owned();
        let name = RetiredName::Slug(slug.clone());
        self.show(call, query, name, move |exchange| view::event::find_by_slug(exchange, &slug))
    }

    /// A wrong viewer is refused only if the name and the query are valid.
    fn show(
        &self,
        call: &Call<'_>,
        query: EventQuery,
        name: RetiredName,
        find: impl Fn(&Exchange) -> Option<EventIndex> + Send + Sync + 'static,
    ) -> Result<Next<Event>, Failure> {
        let (viewer, reading, meter) = (call.viewer()?, self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let known = reading.with_retired(vec![name]).await?;
            let watchlist = viewer.map(|viewer| &*known.live.directory().user(viewer).watchlist);
            let (exchange, index) = known.first(find).ok_or_else(event_not_found)?;
            meter.charge_rows(exchange.catalogue().event(index).markets.len())?;
            Ok(view::event::shown(exchange, index, query.currency.to_exchange(), watchlist))
        }))
    }

    pub(super) fn get_resolution(&self, call: &Call<'_>) -> Result<Next<EventResolution>, Failure> {
        let id = event_id(call.path(0))?;
        let (reading, meter) = (self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let known = reading.with_retired(vec![RetiredName::Event(id)]).await?;
            let (exchange, _) = known.event(id).ok_or_else(event_not_found)?;
            let index = view::event::find(exchange, id).ok_or_else(event_not_found)?;
            meter.charge_rows(exchange.catalogue().event(index).markets.len())?;
            let resolution = ResolutionSource::of(exchange, index);
            drop(known);
            Ok(resolution.into_resolution())
        }))
    }

    pub(super) fn list_news(&self, call: &Call<'_>) -> Result<Next<NewsList>, Failure> {
        let id = event_id(call.path(0))?;
        call.meter.charge_rows(NEWS_MAX)?;
        let (reading, meter) = (self.reading.clone(), call.meter.clone());
        Ok(Next::later(async move {
            let is_public = {
                let known = reading.with_retired(vec![RetiredName::Event(id)]).await?;
                let found = known.first(|exchange| view::event::find(exchange, id));
                found.is_some()
            };
            if !is_public {
                return Err(event_not_found());
            }
            let stored = reading.history_now().await?.news(id, u64::MAX).await.map_err(history_failure)?;
            meter.settle_rows(NEWS_MAX, stored.len());
            Ok(view::news::news_list(&stored))
        }))
    }
}

fn event_not_found() -> Failure {
    ErrorBody::not_found("Event not found").into()
}
