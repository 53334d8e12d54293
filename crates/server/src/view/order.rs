//! Orders of both engines. The engine of an order follows from its instrument.

use std::borrow::Cow;

use api::decimal;
use api::response::{AmmOrder, ClobOrder, Order};
use api::terms::StpMode;
use exchange::Exchange;
use exchange::catalogue::{Engine, Event, Instrument, Market};
use exchange::id::{MarketId, OrderId, OutcomeId};
use exchange::index::UserIndex;
use exchange::numbers::Price;
use exchange::order::{OrderRecord, Outcome};

use super::words::ToApi;

/// An order of either engine, open or closed.
pub fn record<'a>(instrument: &'a Instrument, record: &'a OrderRecord) -> Order<'a> {
    either(instrument, record, Cow::Borrowed)
}

/// Like `record`, with texts that outlive the state.
pub fn owned_record(instrument: &Instrument, record: &OrderRecord) -> Order<'static> {
    either(instrument, record, owned)
}

/// Borrows or copies the texts of an order.
type TextOf<'a, 'order> = fn(&'a str) -> Cow<'order, str>;

fn owned(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.to_owned())
}

fn either<'a, 'order>(
    instrument: &'a Instrument,
    record: &'a OrderRecord,
    text: TextOf<'a, 'order>,
) -> Order<'order> {
    match instrument.engine {
        Engine::Clob => Order::Clob(clob_with(instrument, record, text)),
        Engine::Amm => Order::Amm(amm(instrument, record, text)),
    }
}

/// The reference data of an order's market. Panics if the market is not in this exchange.
pub fn instrument<'a>(exchange: &'a Exchange, record: &OrderRecord) -> &'a Instrument {
    let market = exchange.catalogue().find_market(record.market);
    exchange.catalogue().instrument(market.expect("the caller passes the exchange that has the market"))
}

/// A resting order.
pub fn open(exchange: &Exchange, order: &exchange::order::Order) -> ClobOrder<'static> {
    let instrument = exchange.catalogue().instrument(order.listing.market());
    clob_with(instrument, &record_of(exchange, order), owned)
}

/// One of the user's open orders. None for an order of another user, as if it did not exist.
pub fn find_open(exchange: &Exchange, user: UserIndex, id: OrderId) -> Option<ClobOrder<'static>> {
    exchange.order(id).filter(|order| order.user == user).map(|order| open(exchange, order))
}

/// An order on a book.
pub fn clob<'a>(instrument: &'a Instrument, record: &'a OrderRecord) -> ClobOrder<'a> {
    clob_with(instrument, record, Cow::Borrowed)
}

fn clob_with<'a, 'order>(
    instrument: &'a Instrument,
    record: &'a OrderRecord,
    text: TextOf<'a, 'order>,
) -> ClobOrder<'order> {
    let terms = &record.terms;
    ClobOrder {
        id: terms.id.to_api(),
        market_id: instrument.market.to_api(),
        user_id: record.user.to_api(),
        outcome: terms.outcome.to_api(),
        side: terms.side.to_api(),
        order_type: terms.kind.to_api(),
        applied_time_in_force: terms.time_in_force.to_api(),
        status: record.status.to_api(),
        amount: terms.amount.to_api(),
        price: terms.price.map_or(decimal::Price::NONE, Price::to_api),
        size: terms.size.to_api(),
        filled_size: terms.filled.to_api(),
        remaining_size: record.remaining().to_api(),
        avg_fill_price: record.average_price().to_api(),
        fee: terms.fee.to_api(),
        post_only: terms.post_only,
        stp_mode: terms.self_trade.to_api(),
        quantity: terms.filled.to_api(),
        created_at: terms.created_at.to_api(),
        updated_at: terms.updated_at.to_api(),
        event_id: instrument.event.to_api(),
        outcome_id: instrument.outcome(terms.outcome).to_api(),
        outcome_label: text(instrument.label(terms.outcome)),
        currency: record.currency.to_api(),
        time_in_force: terms.time_in_force.to_api(),
        expires_at: terms.expires_at.to_api(),
        client_order_id: terms.client_order_id.as_deref().map(text),
    }
}

/// An order filled by a pool, at once: `amount` is the change of the wallet and `price` is the average. Terms that a pool
/// ignores are shown as applied, not as requested.
fn amm<'a, 'order>(
    instrument: &'a Instrument,
    record: &'a OrderRecord,
    text: TextOf<'a, 'order>,
) -> AmmOrder<'order> {
    let terms = &record.terms;
    AmmOrder {
        id: terms.id.to_api(),
        outcome: terms.outcome.to_api(),
        side: terms.side.to_api(),
        applied_order_type: terms.kind.to_api(),
        status: record.status.to_api(),
        amount: terms.amount.to_api(),
        price: record.average_price().to_api(),
        quantity: terms.filled.to_api(),
        currency: record.currency.to_api(),
        created_at: terms.created_at.to_api(),
        updated_at: terms.updated_at.to_api(),
        event_id: instrument.event.to_api(),
        market_id: instrument.market.to_api(),
        user_id: record.user.to_api(),
        outcome_id: instrument.outcome(terms.outcome).to_api(),
        outcome_label: text(instrument.label(terms.outcome)),
        order_type: terms.kind.to_api(),
        size: terms.size.to_api(),
        filled_size: terms.filled.to_api(),
        remaining_size: decimal::Shares::ZERO,
        avg_fill_price: record.average_price().to_api(),
        fee: terms.fee.to_api(),
        post_only: false,
        stp_mode: StpMode::Skip,
        time_in_force: terms.time_in_force.to_api(),
        expires_at: terms.expires_at.to_api(),
        client_order_id: terms.client_order_id.as_deref().map(text),
    }
}

/// The record of an open order as of now.
pub(crate) fn record_of(exchange: &Exchange, order: &exchange::order::Order) -> OrderRecord {
    OrderRecord {
        user: exchange.directory().user(order.user).id,
        market: exchange.catalogue().market(order.listing.market()).id,
        currency: order.listing.currency(),
        status: order.terms.open_status(),
        terms: order.terms.to_state(),
    }
}

/// A market and its event. Panics if the market is not in this exchange.
pub(crate) fn event_and_market_of(exchange: &Exchange, market: MarketId) -> (&Event, &Market) {
    find_event_and_market(exchange, market).expect("the caller passes the exchange that has the market")
}

/// None if the market has been retired or never existed.
pub fn find_event_and_market(exchange: &Exchange, market: MarketId) -> Option<(&Event, &Market)> {
    let catalogue = exchange.catalogue();
    let market = catalogue.market(catalogue.find_market(market)?);
    Some((catalogue.event(market.event), market))
}

pub(super) fn outcome_id(market: &Market, outcome: Outcome) -> OutcomeId {
    OutcomeId::of(market.id, outcome as u64)
}

pub(super) fn label(market: &Market, outcome: Outcome) -> &str {
    match outcome {
        Outcome::Yes => &market.details.yes_label,
        Outcome::No => &market.details.no_label,
    }
}
