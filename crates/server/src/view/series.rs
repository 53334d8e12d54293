//! Series, and the recent events of one.

use api::query::{PageQuery, SeriesQuery};
use api::response::{LeanEvent, Series, SeriesList};
use exchange::Exchange;
use exchange::catalogue::{self, Automation, EventLink, Interval, SeriesCategory};
use exchange::id::EventId;

use super::pages::page;
use super::words::ToApi;
use crate::event_lists::{EventFilter, EventPage, ListOrder, ListQuery};
use crate::view::live_and_retired::LiveAndRetired;

/// Spec, Limits: lean events of a series.
const LEAN_EVENTS_MAX: u32 = 20;

/// A page of all series, in creation order.
pub fn series_list(exchange: &Exchange, query: &SeriesQuery) -> SeriesList {
    let mut found: Vec<&catalogue::Series> = exchange.catalogue().series().collect();
    found.sort_by_key(|series| (series.created_at, series.terms.id));
    let (shown, pagination) = page(&found, query.pages());
    SeriesList { series: shown.iter().map(|series| one(series)).collect(), pagination }
}

fn one(series: &catalogue::Series) -> Series {
    let terms = &series.terms;
    Series {
        id: terms.id.to_api(),
        slug: terms.slug.to_string(),
        display_name: terms.display_name.to_string(),
        description: terms.description.to_string(),
        category: terms.category.to_api(),
        interval_type: terms.interval.to_api(),
        asset_symbol: terms.asset_symbol.to_string(),
        automation_type: automation_type(terms.category, terms.automation, terms.interval),
        icon_url: terms.icon_url.to_string(),
    }
}

/// `CRYPTO_PRICE_UP_DOWN_HOURLY` and the like.
fn automation_type(category: SeriesCategory, automation: Automation, interval: Interval) -> String {
    let how = match automation {
        Automation::PriceUpDown => "PRICE_UP_DOWN",
    };
    format!("{}_{how}_{}", category.to_api(), interval.to_api())
}

/// A query for the last events of a series. None if the series does not exist.
pub fn recent_events(exchange: &Exchange, slug: &str) -> Option<ListQuery> {
    let series = exchange.catalogue().find_series_by_slug(slug)?.terms.id;
    let filter = EventFilter { series: Some(series), ..EventFilter::default() };
    let pages = PageQuery { page: 1, size: LEAN_EVENTS_MAX };
    Some(ListQuery { filter, order: ListOrder::Newest, pages })
}

/// Events of a series, oldest first.
pub fn lean_events(known: &LiveAndRetired<'_>, found: &EventPage) -> Vec<LeanEvent> {
    let event = |id: &EventId| {
        let (exchange, index) = known.event(*id)?;
        Some(exchange.catalogue().event(index))
    };
    let mut events: Vec<&catalogue::Event> = found.ids.iter().filter_map(event).collect();
    let start_of = |event: &catalogue::Event| match event.link {
        EventLink::Series { start, .. } => Some(start),
        EventLink::Game { .. } | EventLink::None => None,
    };
    events.sort_by_key(|event| (start_of(event), event.id));
    events.into_iter().map(lean).collect()
}

fn lean(event: &catalogue::Event) -> LeanEvent {
    LeanEvent {
        id: event.id.to_api(),
        title: event.details.title.to_string(),
        opening_date: event.details.opening_date.to_api(),
        closing_date: event.details.closing_date.to_api(),
        resolution_date: event.details.resolution_date.to_api(),
    }
}
