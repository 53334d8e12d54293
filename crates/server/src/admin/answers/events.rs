//! Events: a row of a list, a short form with ids for the next step, and all details.

use api::Timestamp;
use api::decimal::{Money, Percent, Shares, UnitPrice};
use api::response::{EventResolution, Pagination};
use api::terms;
use api::timestamp::OptionalDate;
use exchange::Exchange;
use exchange::catalogue::{Event, Market};
use exchange::id::{EventId, OutcomeId};
use exchange::index::{EventIndex, ListingIndex, MarketIndex};
use exchange::numbers::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::governance::{ProposalState, proposal_of};
use crate::admin::requests::Amounts;
use crate::view;
use crate::view::words::ToApi;

/// A page of events, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventList {
    pub events: Vec<EventRow>,
    pub pagination: Pagination,
}

/// An event in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventRow {
    event_id: Uuid,
    slug: String,
    title: String,
    status: terms::Status,
    #[serde(rename = "type")]
    event_type: terms::EventType,
    engine: terms::Engine,
    category: String,
    markets: usize,
    closing_date: OptionalDate,
}

impl EventRow {
    pub fn of(event: &Event) -> EventRow {
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
}

/// An event with what is needed to go on with it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventState {
    event_id: Uuid,
    slug: String,
    status: terms::Status,
    markets: Vec<MarketState>,
}

/// Several events at once.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventStates {
    pub events: Vec<EventState>,
}

/// A market with what is needed to go on with it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketState {
    market_id: Uuid,
    title: String,
    status: terms::Status,
    outcome1_id: Uuid,
    outcome2_id: Uuid,
    /// Of YES; the first currency of the event.
    yes_price: UnitPrice,
}

impl EventState {
    pub fn find(exchange: &Exchange, event: EventId) -> Option<EventState> {
        exchange.catalogue().find_event(event).map(|index| EventState::of(exchange, index))
    }

    pub fn of(exchange: &Exchange, index: EventIndex) -> EventState {
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

/// All there is to know of an event, a draft included.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventDetail {
    event_id: Uuid,
    slug: String,
    title: String,
    status: terms::Status,
    #[serde(rename = "type")]
    event_type: terms::EventType,
    engine: terms::Engine,
    currencies: Vec<terms::Currency>,
    category: String,
    subcategory: String,
    description: String,
    resolution_source: String,
    additional_context: String,
    image_url: String,
    hashtags: Vec<String>,
    country_codes: Vec<String>,
    created_at: Timestamp,
    opening_date: OptionalDate,
    closing_date: OptionalDate,
    resolution_date: OptionalDate,
    markets: Vec<MarketDetail>,
    /// The proposal that waits to be finalised or withdrawn, with names.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<ProposalState>,
    /// As the public sees it.
    resolution: EventResolution,
}

/// All there is to know of a market.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MarketDetail {
    market_id: Uuid,
    title: String,
    status: terms::Status,
    outcome1_id: Uuid,
    outcome2_id: Uuid,
    yes_label: String,
    no_label: String,
    rules: String,
    fee_percentage: Percent,
    minimum_order_amount: Amounts,
    listings: Vec<ListingDetail>,
}

/// A market in one currency.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListingDetail {
    currency: terms::Currency,
    yes_price: UnitPrice,
    collateral: Money,
    volume: Money,
    /// The pool's shares; a book has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pool_yes: Option<Shares>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pool_no: Option<Shares>,
}

impl EventDetail {
    pub fn of(exchange: &Exchange, index: EventIndex) -> EventDetail {
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
            proposal: view::resolution::pending(exchange, event).map(|found| proposal_of(exchange, found)),
            resolution: view::resolution::resolution(exchange, index),
        }
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
        fee_percentage: details.fee_rate.to_api(),
        minimum_order_amount: Amounts::of(&details.order_min),
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
