//! A user's orders, open and closed, newest first.
//!
//! Open orders are in memory, closed ones in history. A query for an open status is answered from memory; any other becomes
//! a `StoredOrdersQuery` for history.

use std::collections::HashMap;

use api::BadRequest;
use api::query::OrdersQuery;
use api::response::{Orders, Pagination};
use api::terms;
use exchange::Exchange;
use exchange::index::UserIndex;
use exchange::order::{Order, OrderRecord, OrderStatus};

use super::order::{instrument, owned_record, record_of};
use super::pages::{cursor, window};
use super::words::ToExchange;
use crate::history::{EventMarkets, OrderFilter, Page, StoredOrdersQuery, Window};
use crate::view::live_and_retired::LiveAndRetired;

/// Where to read the result of a query.
#[derive(Debug)]
pub enum OrdersSource {
    /// The complete result, from memory.
    Memory(Page<OrderRecord>),
    History(StoredOrdersQuery),
}

/// Splits a query between memory and history.
pub fn seek(
    known: &LiveAndRetired<'_>,
    user: UserIndex,
    query: &OrdersQuery,
) -> Result<OrdersSource, BadRequest> {
    let exchange: &Exchange = &known.live;
    let window = window(query.pages(), query.after.as_deref())?;
    let Some(filter) = filter(known, query) else {
        return Ok(OrdersSource::Memory(Page::empty()));
    };
    if filter.status.is_some_and(OrderStatus::is_open) {
        return Ok(OrdersSource::Memory(open_page(exchange, user, &filter, window)));
    }
    // Compound filters need the open orders: history does not have their current state.
    let open = match filter.status {
        None if filter.is_compound() => admitted(exchange, user, &filter).collect(),
        _ => HashMap::new(),
    };
    let (user, placed_before) = (exchange.directory().user(user).id, exchange.next_order_serial());
    Ok(OrdersSource::History(StoredOrdersQuery { user, filter, placed_before, open, window }))
}

/// None if the query names an unknown event, market or outcome, or a status that no order can have.
fn filter(known: &LiveAndRetired<'_>, query: &OrdersQuery) -> Option<OrderFilter> {
    let event = match query.event_id {
        None => None,
        Some(id) => {
            let (exchange, index) = known.event(id.to_exchange())?;
            let catalogue = exchange.catalogue();
            let event = catalogue.event(index);
            let markets = event.markets.iter().map(|market| catalogue.market(*market).id).collect();
            Some(EventMarkets { id: event.id, markets })
        }
    };
    let outcome = match query.outcome_id {
        None => None,
        Some(id) => {
            let (exchange, (market, outcome)) = known.outcome(id.to_exchange())?;
            Some((exchange.catalogue().market(market).id, outcome))
        }
    };
    let status = match query.status {
        None => None,
        Some(terms::OrderStatus::Pending) => return None,
        Some(terms::OrderStatus::Open) => Some(OrderStatus::Open),
        Some(terms::OrderStatus::PartialFilled) => Some(OrderStatus::PartialFilled),
        Some(terms::OrderStatus::Filled) => Some(OrderStatus::Filled),
        Some(terms::OrderStatus::Cancelled) => Some(OrderStatus::Cancelled),
        Some(terms::OrderStatus::Rejected) => Some(OrderStatus::Rejected),
        Some(terms::OrderStatus::Expired) => Some(OrderStatus::Expired),
    };
    Some(OrderFilter {
        side: query.side.map(ToExchange::to_exchange),
        status,
        event,
        market: query.market_id.map(ToExchange::to_exchange),
        outcome,
        currency: query.currency.map(ToExchange::to_exchange),
        client_order_id: query.client_order_id.clone(),
    })
}

fn open_page(
    exchange: &Exchange,
    user: UserIndex,
    filter: &OrderFilter,
    window: Window,
) -> Page<OrderRecord> {
    let mut rows: Vec<_> = admitted(exchange, user, filter).collect();
    rows.sort_by_key(|(serial, _)| std::cmp::Reverse(*serial));
    Page::of(rows, window)
}

/// Open orders of a user that pass a filter, by serial.
fn admitted<'a>(
    exchange: &'a Exchange,
    user: UserIndex,
    filter: &'a OrderFilter,
) -> impl Iterator<Item = (u64, OrderRecord)> + 'a {
    open_orders(exchange, user)
        .map(|order| record_of(exchange, order))
        .filter(|record| filter.admits(record))
        .map(|record| (record.terms.serial, record))
}

/// All open orders of a user, grouped by listing.
pub fn open_orders(exchange: &Exchange, user: UserIndex) -> impl Iterator<Item = &Order> {
    let listings = exchange.positions_of(user).filter(|position| position.open_orders() > 0);
    listings
        .flat_map(move |position| exchange.open_orders_of(user, position.listing))
        .map(|slot| &exchange.orders()[slot])
}

/// Converts a page of records.
pub fn orders(known: &LiveAndRetired<'_>, page: &Page<OrderRecord>, query: &OrdersQuery) -> Orders<'static> {
    Orders {
        orders: page
            .rows
            .iter()
            .map(|shown| owned_record(instrument(known.exchange_of(shown.market), shown), shown))
            .collect(),
        pagination: Pagination::new(query.pages(), page.total),
        next_cursor: cursor(page.next),
    }
}
