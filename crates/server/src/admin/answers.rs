//! What operators are told.

use api::decimal::Money;
use api::terms;
use exchange::Exchange;
use exchange::catalogue::{Event, Market};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::index::{MarketIndex, UserIndex};
use exchange::numbers::Currency;
use serde::Serialize;
use uuid::Uuid;

use crate::view::words::ToApi;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreatedUser {
    pub(super) user_id: Uuid,
}

/// A wallet after money came or went.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wallet {
    user_id: Uuid,
    currency: terms::Currency,
    available_balance: Money,
    pending_balance: Money,
}

impl Wallet {
    pub(super) fn of(exchange: &Exchange, user: UserIndex, currency: Currency) -> Wallet {
        let wallet = exchange.ledger().wallet(user, currency);
        Wallet {
            user_id: exchange.directory().user(user).id.to_api(),
            currency: currency.to_api(),
            available_balance: wallet.free.to_api(),
            pending_balance: wallet.held.to_api(),
        }
    }
}

/// An event with what is needed to go on with it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EventState {
    event_id: Uuid,
    slug: String,
    status: terms::Status,
    markets: Vec<MarketState>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MarketState {
    market_id: Uuid,
    title: String,
    status: terms::Status,
    outcome1_id: Uuid,
    outcome2_id: Uuid,
    /// Of YES; the first currency of the event.
    yes_price: api::decimal::UnitPrice,
}

impl EventState {
    pub(super) fn find(exchange: &Exchange, event: EventId) -> Option<EventState> {
        let catalogue = exchange.catalogue();
        catalogue.find_event(event).map(|index| EventState::of(exchange, catalogue.event(index)))
    }

    /// The event that a market belongs to.
    pub(super) fn find_by_market(exchange: &Exchange, market: MarketId) -> Option<EventState> {
        let catalogue = exchange.catalogue();
        let market = catalogue.market(catalogue.find_market(market)?);
        Some(EventState::of(exchange, catalogue.event(market.event)))
    }

    fn of(exchange: &Exchange, event: &Event) -> EventState {
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
    let listing = catalogue.listing(exchange::index::ListingIndex::new(index, currency));
    MarketState {
        market_id: market.id.to_api(),
        title: market.details.title.to_string(),
        status: market.status.to_api(),
        outcome1_id: OutcomeId::of(market.id, 0).to_api(),
        outcome2_id: OutcomeId::of(market.id, 1).to_api(),
        yes_price: listing.yes_price().to_api(),
    }
}

/// How the venue is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VenueStatus {
    pub(super) version: &'static str,
    pub(super) can_write: bool,
    /// The last sequence that was applied.
    pub(super) sequence: u64,
    /// Requests that wait for the writer.
    pub(super) waiting: usize,
    pub(super) history_lag: u64,
    pub(super) users: usize,
    pub(super) events: usize,
    pub(super) open_orders: usize,
    pub(super) house: Vec<Wallet>,
    pub(super) deposited: Vec<Deposited>,
}

/// All money that came in and has not gone out.
#[derive(Debug, Serialize)]
pub(super) struct Deposited {
    pub(super) currency: terms::Currency,
    pub(super) amount: Money,
}
