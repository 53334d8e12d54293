//! Events with their markets: one by id or by slug, and filtered lists. What never opened is not public.

use std::collections::BTreeSet;

use api::query::EventsQuery;
use api::response::{Event, Events, Market, Pagination};
use api::terms::EventsOrder;
use exchange::Exchange;
use exchange::catalogue::{AssetPrice, EventLink, Game, Listing, Series, SportMarketType, Status};
use exchange::id::{EventId, MarketId};
use exchange::index::{EventIndex, ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::Time;

use super::market::{liquidity, market};
use super::words::{ToApi, ToExchange};
use crate::event_lists::{EventFilter, ListOrder, ListQuery, Substring, find_in_memory};

/// A public event.
pub fn find(exchange: &Exchange, id: EventId) -> Option<EventIndex> {
    exchange.catalogue().find_event(id).filter(|index| is_public(exchange, *index))
}

pub fn find_by_slug(exchange: &Exchange, slug: &str) -> Option<EventIndex> {
    exchange.catalogue().find_event_by_slug(slug).filter(|index| is_public(exchange, *index))
}

/// Whether a market exists in a public event.
pub fn is_public_market(exchange: &Exchange, id: MarketId) -> bool {
    let catalogue = exchange.catalogue();
    let event = catalogue.find_market(id).map(|market| catalogue.market(market).event);
    event.is_some_and(|event| is_public(exchange, event))
}

fn is_public(exchange: &Exchange, index: EventIndex) -> bool {
    exchange.catalogue().event(index).is_public()
}

/// The kind of the event's countdown: to its closing date while it trades, to its resolution date while it is closed.
fn countdown(event: &exchange::catalogue::Event) -> Option<&'static str> {
    match event.status {
        Status::Open | Status::Paused => event.details.closing_date.map(|_| "closing"),
        Status::Closed => event.details.resolution_date.map(|_| "resolution"),
        Status::Draft | Status::Resolved | Status::Cancelled => None,
    }
}

/// One event for `viewer`. An event that does not trade in `currency` is shown in its own currency.
pub fn event(exchange: &Exchange, index: EventIndex, currency: Currency, viewer: Option<UserIndex>) -> Event {
    shown(exchange, index, currency, viewer.map(|viewer| &*exchange.directory().user(viewer).watchlist))
}

/// One event, with `userWatchlisted` from the given watchlist.
pub fn shown(
    exchange: &Exchange,
    index: EventIndex,
    currency: Currency,
    watchlist: Option<&BTreeSet<EventId>>,
) -> Event {
    let event = exchange.catalogue().event(index);
    let currency = shown_currency(event, currency);
    let details = &event.details;
    let totals = EventTotals::of(exchange, event, currency);
    let series = series_of(exchange, event);
    let game = game_of(exchange, event);
    Event {
        id: event.id.to_api(),
        slug: event.slug.to_string(),
        title: details.title.to_string(),
        category: details.category.to_string(),
        event_type: event.kind.to_api(),
        engine: event.engine.to_api(),
        status: event.status.to_api(),
        resolution_date: details.resolution_date.to_api(),
        closing_date: details.closing_date.to_api(),
        liquidity: totals.liquidity.to_api(),
        total_volume: totals.volume.to_api(),
        total_orders: totals.orders,
        supported_currencies: event.currencies.iter().map(|currency| currency.to_api()).collect(),
        user_watchlisted: watchlist.is_some_and(|watchlist| watchlist.contains(&event.id)),
        markets: markets(exchange, event, currency),
        sport_game_slug: game.map(|(game, _)| game.slug.to_string()),
        sport_market_type: game.map(|(_, market_type)| market_type.to_api()),
        description: details.description.to_string(),
        subcategory: details.subcategory.to_string(),
        created_at: event.created_at.to_api(),
        opening_date: details.opening_date.to_api(),
        resolved_at: event.resolved_at.to_api(),
        resolution_source: details.resolution_source.to_string(),
        additional_context: details.additional_context.to_string(),
        countdown_type: countdown(event).unwrap_or_default().to_owned(),
        display_countdown: countdown(event).is_some(),
        image_url: details.image_url.to_string(),
        image128_url: details.image_128_url.to_string(),
        hashtags: strings(&details.hashtags),
        country_codes: strings(&details.country_codes),
        series_slug: series.map(|series| series.terms.slug.to_string()),
        asset_symbol_pair: series.map(|series| series.terms.asset_symbol.to_string()),
        event_threshold: event.threshold.map(AssetPrice::to_api),
        event_threshold_range: None,
        event_close_value: event.close_value.map(AssetPrice::to_api),
        sport_game_id: game.map(|(game, _)| game.id.to_api()),
    }
}

/// The query's filter and order; none if it names an unknown series or game.
pub fn list_query(
    exchange: &Exchange,
    query: &EventsQuery,
    viewer: Option<UserIndex>,
    now: Time,
) -> Option<ListQuery> {
    let catalogue = exchange.catalogue();
    let currency = query.currency.map(ToExchange::to_exchange);
    let series = match &query.series_slug {
        None => None,
        Some(slug) => Some(catalogue.find_series_by_slug(slug)?.terms.id),
    };
    let game = match &query.sport_game_slug {
        None => None,
        Some(slug) => {
            let game = catalogue.sports().find_game(slug).map(|game| game.id);
            Some(game.or_else(|| catalogue.find_retired_game(slug))?)
        }
    };
    let watchlist = |viewer| exchange.directory().user(viewer).watchlist.iter().copied().collect();
    let filter = EventFilter {
        shows_private: false,
        status: query.status.map(ToExchange::to_exchange),
        kind: query.event_type.map(ToExchange::to_exchange),
        engine: query.engine.map(ToExchange::to_exchange),
        currency,
        // Case-insensitive, because clients disagree on the case.
        category: query.category.as_ref().map(|word| word.to_lowercase()),
        subcategory: query.subcategory.as_ref().map(|word| word.to_lowercase()),
        series,
        game,
        substring: query.keyword.as_deref().map(Substring::of_title),
        words: query.q.clone(),
        // Without a viewer the watchlist is empty.
        events: query.watchlist.then(|| viewer.map_or_else(Vec::new, watchlist)),
    };
    let order = match query.order {
        None if query.trending => ListOrder::Liveliest { currency, now },
        None => ListOrder::Tradable,
        Some(EventsOrder::Closing) => ListOrder::NextToClose,
        Some(EventsOrder::Volume) => ListOrder::MostTraded { currency },
    };
    Some(ListQuery { filter, order, pages: query.pages() })
}

/// The currency in which a list is shown.
pub fn list_currency(query: &EventsQuery) -> Currency {
    query.currency.map_or(Currency::Usd, ToExchange::to_exchange)
}

/// A page of the events in memory, filtered by currency if the query names one. Newest first, or with `trending` the most
/// active in the last 24 hours first.
pub fn list(exchange: &Exchange, query: &EventsQuery, viewer: Option<UserIndex>, now: Time) -> Events {
    let (found, total) = match list_query(exchange, query, viewer, now) {
        Some(wanted) => find_in_memory(exchange, &wanted),
        None => (Vec::new(), 0),
    };
    let currency = list_currency(query);
    let events = found.iter().map(|index| event(exchange, *index, currency, viewer)).collect();
    Events { events, pagination: Pagination::new(query.pages(), total) }
}

/// A page of events, with `userWatchlisted` from the watched ones among them.
pub fn page(mut events: Vec<Event>, watched: &BTreeSet<EventId>, total: u64, query: &EventsQuery) -> Events {
    for event in &mut events {
        event.user_watchlisted = watched.contains(&event.id.to_exchange());
    }
    Events { events, pagination: Pagination::new(query.pages(), total) }
}

/// Sums over the markets of an event, in one currency.
struct EventTotals {
    liquidity: Money,
    volume: Money,
    orders: u64,
}

impl EventTotals {
    fn of(exchange: &Exchange, event: &exchange::catalogue::Event, currency: Currency) -> EventTotals {
        let listing = |market: &_| exchange.catalogue().listing(ListingIndex::new(*market, currency));
        let listings: Vec<&Listing> = event.markets.iter().map(listing).collect();
        EventTotals {
            liquidity: listings.iter().map(|listing| liquidity(listing, currency)).sum(),
            volume: listings.iter().fold(Money::ZERO, |total, listing| total.saturating_add(listing.volume)),
            orders: listings.iter().map(|listing| listing.orders).sum(),
        }
    }
}

fn markets(exchange: &Exchange, event: &exchange::catalogue::Event, currency: Currency) -> Vec<Market> {
    event.markets.iter().map(|index| market(exchange, *index, currency)).collect()
}

/// The currency in which an event is shown: the requested one if the event trades in it.
pub(super) fn shown_currency(event: &exchange::catalogue::Event, asked: Currency) -> Currency {
    if event.supports(asked) { asked } else { event.currencies.first().copied().unwrap_or(asked) }
}

fn series_of<'a>(exchange: &'a Exchange, event: &exchange::catalogue::Event) -> Option<&'a Series> {
    match event.link {
        EventLink::Series { series, .. } => exchange.catalogue().find_series(series),
        EventLink::Game { .. } | EventLink::None => None,
    }
}

fn game_of<'a>(
    exchange: &'a Exchange,
    event: &exchange::catalogue::Event,
) -> Option<(&'a Game, SportMarketType)> {
    match event.link {
        EventLink::Game { game, market_type } => {
            exchange.catalogue().sports().games.get(&game).map(|game| (game, market_type))
        }
        EventLink::Series { .. } | EventLink::None => None,
    }
}

fn strings(texts: &[Text]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}
