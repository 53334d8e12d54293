//! Events with their markets: one, by id or by slug, and the list with its filters. The public does not know of
//! drafts.

use std::cmp::Reverse;

use api::query::EventsQuery;
use api::response::{Event, Events, Market};
use exchange::Exchange;
use exchange::activity::Activity;
use exchange::catalogue::{AssetPrice, EventLink, Game, Listing, Series, SportMarketType, Status};
use exchange::id::{EventId, MarketId};
use exchange::index::{EventIndex, ListingIndex, UserIndex};
use exchange::numbers::{Currency, Money};
use exchange::text::Text;
use exchange::time::Time;

use super::market::{liquidity, market};
use super::pages::page;
use super::words::{ToApi, ToExchange};

/// An event that is not a draft.
pub fn find(exchange: &Exchange, id: EventId) -> Option<EventIndex> {
    exchange.catalogue().find_event(id).filter(|index| is_public(exchange, *index))
}

pub fn find_by_slug(exchange: &Exchange, slug: &str) -> Option<EventIndex> {
    exchange.catalogue().find_event_by_slug(slug).filter(|index| is_public(exchange, *index))
}

/// Whether there is such a market, in an event that is not a draft.
pub fn is_public_market(exchange: &Exchange, id: MarketId) -> bool {
    let catalogue = exchange.catalogue();
    let event = catalogue.find_market(id).map(|market| catalogue.market(market).event);
    event.is_some_and(|event| is_public(exchange, event))
}

fn is_public(exchange: &Exchange, index: EventIndex) -> bool {
    exchange.catalogue().event(index).status != Status::Draft
}

/// What a clock beside the event counts down to: its closing date while it trades, its resolution while it waits for it.
fn countdown(event: &exchange::catalogue::Event) -> Option<&'static str> {
    match event.status {
        Status::Open | Status::Paused => event.details.closing_date.map(|_| "closing"),
        Status::Closed => event.details.resolution_date.map(|_| "resolution"),
        Status::Draft | Status::Resolved | Status::Cancelled => None,
    }
}

/// One event as `viewer` sees it. An event that does not trade in `currency` is shown in the one that it has.
pub fn event(exchange: &Exchange, index: EventIndex, currency: Currency, viewer: Option<UserIndex>) -> Event {
    let event = exchange.catalogue().event(index);
    let currency = shown_currency(event, currency);
    let details = &event.details;
    let totals = Totals::of(exchange, event, currency);
    let series = series_of(exchange, event);
    let game = game_of(exchange, event);
    let watchlist = viewer.map(|viewer| &exchange.directory().user(viewer).watchlist);
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

/// A page of events, of those that trade in a currency if the query names one: the newest first, or with `trending`
/// the liveliest of the last 24 hours first. Without a viewer nothing is on a watchlist.
pub fn list(exchange: &Exchange, query: &EventsQuery, viewer: Option<UserIndex>, now: Time) -> Events {
    let currency = query.currency.map_or(Currency::Usd, ToExchange::to_exchange);
    let filter = Filter::new(exchange, query, viewer);
    let events = exchange.catalogue().events().filter(|(_, event)| filter.admits(event));
    let mut found: Vec<EventIndex> = events.map(|(index, _)| index).collect();
    // Indexes are handed out in order of creation.
    found.reverse();
    if query.trending {
        found = liveliest_first(exchange, found, query, now.max(exchange.now()));
    }
    let (shown, pagination) = page(&found, query.pages());
    let events = shown.iter().map(|index| event(exchange, *index, currency, viewer)).collect();
    Events { events, pagination }
}

/// What is equally lively stays as it was. Most of a long list was not lively at all, and need not be sorted.
fn liveliest_first(
    exchange: &Exchange,
    found: Vec<EventIndex>,
    query: &EventsQuery,
    now: Time,
) -> Vec<EventIndex> {
    let (mut lively, mut still) = (Vec::new(), Vec::new());
    for index in found {
        match liveliness(exchange, index, query, now) {
            (0, 0) => still.push(index),
            measured => lively.push((measured, index)),
        }
    }
    lively.sort_by_key(|(measured, _)| Reverse(*measured));
    lively.into_iter().map(|(_, index)| index).chain(still).collect()
}

/// How lively an event was in the last 24 hours: what was traded, then how many orders came. Money is counted by what
/// a share pays, 1 USD or 100 NGN, so that currencies compare; a query that names one looks at that one alone.
fn liveliness(exchange: &Exchange, index: EventIndex, query: &EventsQuery, now: Time) -> (i128, u64) {
    let catalogue = exchange.catalogue();
    let event = catalogue.event(index);
    // Nothing is traded after the end. A venue with series has thousands of events that are over for each that is open,
    // and a look at their listings would take longer than all the rest of the answer, while the writer waits.
    if event.resolved_at.is_some_and(|ended| !Activity::is_recent(ended, now)) {
        return (0, 0);
    }
    let asked = query.currency.map(ToExchange::to_exchange);
    let (mut hundredths, mut orders) = (0, 0);
    for market in &event.markets {
        for currency in
            Currency::ALL.into_iter().filter(|currency| asked.is_none_or(|asked| asked == *currency))
        {
            let recent = catalogue.listing(ListingIndex::new(*market, currency)).activity.recent(now);
            hundredths += i128::from(recent.volume.units()) * i128::from(100 / currency.base());
            orders += recent.orders;
        }
    }
    (hundredths, orders)
}

/// The query with its links looked up once.
struct Filter<'a> {
    query: &'a EventsQuery,
    keyword: Option<String>,
    currency: Option<Currency>,
    /// Outer: whether it is asked for. Inner: none if there is no such series.
    series: Option<Option<&'a Series>>,
    game: Option<Option<&'a Game>>,
    watchlist: Option<&'a std::collections::BTreeSet<EventId>>,
}

impl<'a> Filter<'a> {
    fn new(exchange: &'a Exchange, query: &'a EventsQuery, viewer: Option<UserIndex>) -> Filter<'a> {
        let catalogue = exchange.catalogue();
        let series = |slug: &String| catalogue.find_series_by_slug(slug);
        let game = |slug: &String| catalogue.sports().games.values().find(|game| *game.slug == **slug);
        Filter {
            query,
            keyword: query.keyword.as_ref().map(|keyword| keyword.to_lowercase()),
            currency: query.currency.map(ToExchange::to_exchange),
            series: query.series_slug.as_ref().map(series),
            game: query.sport_game_slug.as_ref().map(game),
            watchlist: viewer.map(|viewer| &exchange.directory().user(viewer).watchlist),
        }
    }

    fn admits(&self, event: &exchange::catalogue::Event) -> bool {
        let (query, details) = (self.query, &event.details);
        event.status != Status::Draft
            && self.currency.is_none_or(|currency| event.supports(currency))
            && query.status.is_none_or(|status| status == event.status.to_api())
            && query.event_type.is_none_or(|kind| kind == event.kind.to_api())
            && query.engine.is_none_or(|engine| engine == event.engine.to_api())
            && is_same_word(query.category.as_deref(), &details.category)
            && is_same_word(query.subcategory.as_deref(), &details.subcategory)
            && (!query.watchlist || self.watchlist.is_some_and(|watchlist| watchlist.contains(&event.id)))
            && self.is_linked(event)
            && self.keyword.as_ref().is_none_or(|keyword| details.title.to_lowercase().contains(keyword))
    }

    fn is_linked(&self, event: &exchange::catalogue::Event) -> bool {
        let of_series = |series: Option<&Series>| match (series, event.link) {
            (Some(wanted), EventLink::Series { series, .. }) => wanted.terms.id == series,
            _ => false,
        };
        let of_game = |game: Option<&Game>| match (game, event.link) {
            (Some(wanted), EventLink::Game { game, .. }) => wanted.id == game,
            _ => false,
        };
        self.series.is_none_or(of_series) && self.game.is_none_or(of_game)
    }
}

/// Sums over the markets of an event, in one currency.
struct Totals {
    liquidity: Money,
    volume: Money,
    orders: u64,
}

impl Totals {
    fn of(exchange: &Exchange, event: &exchange::catalogue::Event, currency: Currency) -> Totals {
        let listing = |market: &_| exchange.catalogue().listing(ListingIndex::new(*market, currency));
        let listings: Vec<&Listing> = event.markets.iter().map(listing).collect();
        Totals {
            liquidity: listings.iter().map(|listing| liquidity(listing, currency)).sum(),
            volume: listings.iter().fold(Money::ZERO, |total, listing| total.saturating_add(listing.volume)),
            orders: listings.iter().map(|listing| listing.orders).sum(),
        }
    }
}

fn markets(exchange: &Exchange, event: &exchange::catalogue::Event, currency: Currency) -> Vec<Market> {
    event.markets.iter().map(|index| market(exchange, *index, currency)).collect()
}

/// What an event is shown in: what is asked for if it trades in that.
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

/// Categories are the same whatever their case, since clients disagree.
fn is_same_word(wanted: Option<&str>, word: &str) -> bool {
    wanted.is_none_or(|wanted| wanted.to_lowercase() == word.to_lowercase())
}

fn strings(texts: &[Text]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}
