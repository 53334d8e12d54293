//! A user's orders, open and closed, newest first.
//!
//! Open orders are in memory, closed ones in history. A query for an open status is answered from memory; any other becomes
//! a `StoredOrdersQuery` for history.

use api::BadRequest;
use api::query::OrdersQuery;
use api::response::{Orders, Pagination};
use api::terms;
use exchange::Exchange;
use exchange::id::UserId;
use exchange::index::{MarketIndex, UserIndex};
use exchange::numbers::Currency;
use exchange::order::{OpenEntry, Order, OrderRecord, OrderStatus, Outcome, ReportedOrder, Side};
use exchange::text::Text;

use super::order::{owned_record, record_of};
use super::pages::{cursor, window};
use super::words::ToExchange;
use crate::history::{EventMarkets, OrderFilter, Page, StoredOrder, StoredOrdersQuery, Window};
use crate::view::live_and_retired::LiveAndRetired;

/// Where to read the result of a query.
#[derive(Debug)]
pub enum OrdersSource {
    /// The complete result, from memory.
    Memory(Page<ReportedOrder>),
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
        let page = open_page(exchange, user, &filter, window, |order| report(exchange, order));
        return Ok(OrdersSource::Memory(page));
    }
    let mut open: Vec<u64> = admitted(exchange, user, &filter).map(|entry| entry.serial()).collect();
    open.reverse();
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

/// A page of a user's open orders. `convert` is called for the orders of the page only.
fn open_page<T>(
    exchange: &Exchange,
    user: UserIndex,
    filter: &OrderFilter,
    window: Window,
    convert: impl FnMut(&Order) -> T,
) -> Page<T> {
    let page = Page::of(admitted(exchange, user, filter).map(|entry| (entry.serial(), entry)), window);
    let rows = page.rows.iter().map(|entry| &exchange.orders()[entry.slot]).map(convert).collect();
    page.with(rows)
}

/// The open orders of a user that pass a filter, newest first.
fn admitted(exchange: &Exchange, user: UserIndex, filter: &OrderFilter) -> impl Iterator<Item = OpenEntry> {
    let open = exchange.directory().user(user).open_order_list();
    let named = filter.client_order_id.as_deref().map(Text::from);
    let named = named.map(|name| exchange.orders().find_by_client_id(user, &name));
    let filter = EntryFilter::of(exchange, filter);
    let admitted = filter
        .into_iter()
        .flat_map(move |filter| open.iter().rev().copied().filter(move |entry| filter.admits(entry)));
    admitted.filter(move |entry| named.is_none_or(|named| named == Some(entry.slot)))
}

/// An `OrderFilter` by the indexes of this state. The client order id is not part of it.
struct EntryFilter {
    side: Option<Side>,
    status: Option<OrderStatus>,
    /// The markets of an event.
    event: Option<Vec<MarketIndex>>,
    market: Option<MarketIndex>,
    outcome: Option<(MarketIndex, Outcome)>,
    currency: Option<Currency>,
}

impl EntryFilter {
    /// None if the filter names a market that is not in memory: no order is open there.
    fn of(exchange: &Exchange, filter: &OrderFilter) -> Option<EntryFilter> {
        let find = |market| exchange.catalogue().find_market(market);
        let market = match filter.market {
            None => None,
            Some(market) => Some(find(market)?),
        };
        let outcome = match filter.outcome {
            None => None,
            Some((market, outcome)) => Some((find(market)?, outcome)),
        };
        let markets =
            |event: &EventMarkets| event.markets.iter().filter_map(|market| find(*market)).collect();
        let event = filter.event.as_ref().map(markets);
        let (side, status, currency) = (filter.side, filter.status, filter.currency);
        Some(EntryFilter { side, status, event, market, outcome, currency })
    }

    fn admits(&self, entry: &OpenEntry) -> bool {
        let market = entry.listing.market();
        self.side.is_none_or(|side| side == entry.side())
            && self.status.is_none_or(|status| status == entry.status())
            && self.market.is_none_or(|only| only == market)
            && self.outcome.is_none_or(|asked| asked == (market, entry.outcome()))
            && self.currency.is_none_or(|currency| currency == entry.listing.currency())
            && self.event.as_ref().is_none_or(|markets| markets.contains(&market))
    }
}

/// An open order as of now, with the reference data of its market.
pub(crate) fn report(exchange: &Exchange, order: &Order) -> ReportedOrder {
    let instrument = exchange.catalogue().instrument(order.listing.market()).clone();
    ReportedOrder { record: record_of(exchange, order), instrument }
}

/// All open orders of a user, oldest first.
pub fn open_orders(exchange: &Exchange, user: UserIndex) -> impl Iterator<Item = &Order> {
    let open = exchange.directory().user(user).open_order_list();
    open.iter().map(|entry| &exchange.orders()[entry.slot])
}

/// The records of stored orders of a user, open ones as they are in memory. `None` if one of those has closed.
pub fn records(exchange: &Exchange, user: UserId, stored: &[StoredOrder]) -> Option<Vec<OrderRecord>> {
    let user = exchange.directory().find(user);
    let open = user.map(|user| exchange.directory().user(user).open_order_list());
    let record = |order: &StoredOrder| match order {
        StoredOrder::Closed(record) => Some(record.clone()),
        StoredOrder::Open(serial) => {
            let entry =
                open?.after(serial.checked_sub(1)).next().filter(|entry| entry.serial() == *serial)?;
            Some(record_of(exchange, &exchange.orders()[entry.slot]))
        }
    };
    stored.iter().map(record).collect()
}

/// Adds the reference data of their markets to the records of a page.
pub fn reported(known: &LiveAndRetired<'_>, mut page: Page<OrderRecord>) -> Page<ReportedOrder> {
    let instrument = |record: &OrderRecord| {
        let (exchange, market) = known.market(record.market).expect("the caller has found the markets");
        exchange.catalogue().instrument(market).clone()
    };
    let rows = std::mem::take(&mut page.rows).into_iter();
    let rows = rows.map(|record| ReportedOrder { instrument: instrument(&record), record }).collect();
    page.with(rows)
}

/// Converts a page of orders, without the state.
pub fn orders(page: &Page<ReportedOrder>, query: &OrdersQuery) -> Orders<'static> {
    Orders {
        orders: page.rows.iter().map(|shown| owned_record(&shown.instrument, &shown.record)).collect(),
        pagination: Pagination::new(query.pages(), page.total),
        next_cursor: cursor(page.next),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::view::stage::{BUSY_ORDERS, busy_exchange};

    #[test]
    fn a_page_of_open_orders_converts_only_its_rows() {
        let (exchange, user) = busy_exchange();
        for (window, rows) in [
            (Window::Page { page: 1, size: 10 }, 10),
            (Window::Page { page: 7, size: 10 }, 10),
            (Window::After { cursor: 5, size: 100 }, 5),
            (Window::Page { page: 1_000, size: 10 }, 0),
        ] {
            let converted = Cell::new(0);
            let filter = OrderFilter { status: Some(OrderStatus::Open), ..OrderFilter::default() };
            let page = open_page(&exchange, user, &filter, window, |order| {
                converted.set(converted.get() + 1);
                order.terms.serial
            });
            assert_eq!((page.rows.len(), page.total), (rows, BUSY_ORDERS), "{window:?}");
            assert_eq!(converted.get(), rows, "{window:?}");
        }
    }
}
