//! Events: a row of a list, a short form with ids for the next step, and all details.

use api::admin::response::{
    AnnouncedTerms, EventDetail, EventRow, EventState, ListingDetail, MarketDetail, MarketState,
};
use exchange::Exchange;
use exchange::catalogue::{Event, Market};
use exchange::id::{GameId, OutcomeId};
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::Currency;

use super::amounts;
use super::governance::proposal_state;
use crate::view;
use crate::view::words::ToApi;

pub fn event_row(event: &Event) -> EventRow {
    EventRow {
        event_id: event.id.to_api(),
        slug: event.slug.to_string(),
        title: event.details.title.to_string(),
        status: event.status.to_api(),
        event_type: event.kind.to_api(),
        engine: event.engine.to_api(),
        category: event.details.category.to_string(),
        markets: event.markets.len(),
        closing_date: event.details.closing_date.to_api(),
    }
}

/// The events of a game that are in memory, the oldest first.
pub fn event_states_of(exchange: &Exchange, game: GameId) -> Vec<EventState> {
    let catalogue = exchange.catalogue();
    let mut linked: Vec<EventIndex> = catalogue.events_of_game(game).collect();
    linked.sort_by_key(|event| catalogue.event(*event).serial);
    linked.into_iter().map(|event| event_state(exchange, event)).collect()
}

pub fn event_state(exchange: &Exchange, index: EventIndex) -> EventState {
    let event = exchange.catalogue().event(index);
    let currency = event.currencies.first().copied().unwrap_or(Currency::Usd);
    let market = |index: &MarketIndex| market_state(exchange, *index, currency);
    EventState {
        event_id: event.id.to_api(),
        slug: event.slug.to_string(),
        status: event.status.to_api(),
        markets: event.markets.iter().map(market).collect(),
    }
}

fn market_state(exchange: &Exchange, index: MarketIndex, currency: Currency) -> MarketState {
    let catalogue = exchange.catalogue();
    let market: &Market = catalogue.market(index);
    let listing = catalogue.listing(ListingIndex::new(index, currency));
    MarketState {
        market_id: market.id.to_api(),
        title: market.details.title.to_string(),
        status: market.status.to_api(),
        outcome1_id: OutcomeId::of(market.id, 0).to_api(),
        outcome2_id: OutcomeId::of(market.id, 1).to_api(),
        yes_price: listing.yes_price().to_api(),
    }
}

pub fn event_detail(exchange: &Exchange, index: EventIndex) -> EventDetail {
    let event = exchange.catalogue().event(index);
    let details = &event.details;
    EventDetail {
        event_id: event.id.to_api(),
        slug: event.slug.to_string(),
        title: details.title.to_string(),
        status: event.status.to_api(),
        event_type: event.kind.to_api(),
        engine: event.engine.to_api(),
        currencies: event.currencies.iter().map(|currency| currency.to_api()).collect(),
        category: details.category.to_string(),
        subcategory: details.subcategory.to_string(),
        description: details.description.to_string(),
        resolution_source: details.resolution_source.to_string(),
        additional_context: details.additional_context.to_string(),
        image_url: details.image_url.to_string(),
        hashtags: details.hashtags.iter().map(ToString::to_string).collect(),
        country_codes: details.country_codes.iter().map(ToString::to_string).collect(),
        created_at: event.created_at.to_api(),
        opening_date: details.opening_date.to_api(),
        closing_date: details.closing_date.to_api(),
        resolution_date: details.resolution_date.to_api(),
        markets: event.markets.iter().map(|market| market_detail(exchange, event, *market)).collect(),
        proposal: view::resolution::pending(exchange, event).map(|found| proposal_state(exchange, found)),
        resolution: view::resolution::resolution(exchange, index),
    }
}

fn market_detail(exchange: &Exchange, event: &Event, index: MarketIndex) -> MarketDetail {
    let market = exchange.catalogue().market(index);
    let details = &market.details;
    let listing = |currency: &Currency| listing_detail(exchange, ListingIndex::new(index, *currency));
    MarketDetail {
        market_id: market.id.to_api(),
        title: details.title.to_string(),
        status: market.status.to_api(),
        outcome1_id: OutcomeId::of(market.id, 0).to_api(),
        outcome2_id: OutcomeId::of(market.id, 1).to_api(),
        yes_label: details.yes_label.to_string(),
        no_label: details.no_label.to_string(),
        rules: details.rules.to_string(),
        image_url: details.image_url.to_string(),
        fee_percentage: details.fee_rate.to_api(),
        minimum_order_amount: amounts(&details.order_min),
        announced_terms: market.announced.map(|announced| AnnouncedTerms {
            fee_percentage: announced.terms.fee_rate.to_api(),
            minimum_order_amount: amounts(&announced.terms.order_min),
            from: announced.from.to_api(),
        }),
        listings: event.currencies.iter().map(listing).collect(),
    }
}

fn listing_detail(exchange: &Exchange, index: ListingIndex) -> ListingDetail {
    let listing = exchange.catalogue().listing(index);
    ListingDetail {
        currency: index.currency().to_api(),
        yes_price: listing.yes_price().to_api(),
        collateral: exchange.ledger().collateral(index).to_api(),
        volume: listing.volume.to_api(),
        pool_yes: listing.pool().map(|pool| pool.yes.to_api()),
        pool_no: listing.pool().map(|pool| pool.no.to_api()),
    }
}
