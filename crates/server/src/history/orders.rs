//! Orders: each is in its lists from the moment it is placed, and has a record once it has closed.
//!
//! Orders close in another order than they are placed. Records are in the order of closing; an index has the place of each
//! order's record. Open orders are in memory: history has only their serials, in the lists. The caller reads them from
//! memory, and reads history again if an order has closed in between.

use exchange::change::OrderCause;
use exchange::codec;
use exchange::id::{EventId, MarketId, OrderId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use exchange::time::Time;
use segments::{Key, Store, Version};

use super::families::{Index, Log};
use super::lookups::{self, LookupKind};
use super::pages::{Page, PageCollector, Window};
use super::{HistoryError, list_key, lists};

/// An order as stored in history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredOrder {
    Closed(OrderRecord),
    /// The serial of an order that was open at the last stored sequence.
    Open(u64),
}

impl StoredOrder {
    pub const fn serial(&self) -> u64 {
        match self {
            StoredOrder::Closed(record) => record.terms.serial,
            StoredOrder::Open(serial) => *serial,
        }
    }

    pub const fn is_open(&self) -> bool {
        matches!(self, StoredOrder::Open(_))
    }
}

/// Selects those of a user's orders that meet all of the given conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderFilter {
    pub side: Option<Side>,
    pub status: Option<OrderStatus>,
    pub event: Option<EventMarkets>,
    pub market: Option<MarketId>,
    pub outcome: Option<(MarketId, Outcome)>,
    pub currency: Option<Currency>,
    pub client_order_id: Option<String>,
}

impl OrderFilter {
    pub fn admits(&self, record: &OrderRecord) -> bool {
        let terms = &record.terms;
        self.side.is_none_or(|side| side == terms.side)
            && self.status.is_none_or(|status| status == record.status)
            && self.event.as_ref().is_none_or(|event| event.markets.contains(&record.market))
            && self.market.is_none_or(|market| market == record.market)
            && self.outcome.is_none_or(|asked| asked == (record.market, terms.outcome))
            && self.currency.is_none_or(|currency| currency == record.currency)
            && self.client_order_id.as_ref().is_none_or(|id| terms.client_order_id.as_deref() == Some(id))
    }

    fn lists(&self, user: UserId) -> Vec<Key> {
        [
            self.outcome.map(|(market, outcome)| list_key::orders_in_outcome(user, market, outcome)),
            self.market.map(|market| list_key::orders_in_market(user, market)),
            self.event.as_ref().map(|event| list_key::orders_in_event(user, event.id)),
            self.currency.map(|currency| list_key::orders_in_currency(user, currency)),
            self.side.map(|side| list_key::orders_of_side(user, side)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// A query for a user's orders, with the parts of the answer that only memory has.
#[derive(Clone, Debug)]
pub struct StoredOrdersQuery {
    pub user: UserId,
    pub filter: OrderFilter,
    /// Orders with this serial or a later one were placed after the query began and are left out.
    pub placed_before: u64,
    /// The serials of the user's open orders that pass the filter, ascending.
    pub open: Vec<u64>,
    pub window: Window,
}

/// The event of a filter, with its markets, because an order record names only its market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMarkets {
    pub id: EventId,
    pub markets: Vec<MarketId>,
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Orders {
    /// The number of the next record of a closed order.
    next: u64,
}

impl Orders {
    pub(super) fn new(version: &Version) -> Orders {
        let last = version.last(Log::Closed as usize);
        Orders { next: last.map_or(0, |last| last + 1) }
    }

    /// Stores an order that was placed or has closed.
    pub(super) fn store(
        &mut self,
        store: &mut Store,
        at: Time,
        record: &OrderRecord,
        cause: OrderCause,
        event: EventId,
    ) {
        let (user, terms) = (record.user, &record.terms);
        let serial = terms.serial;
        if cause == OrderCause::Placed {
            push(store, record, event);
            store.add(
                Index::Lookups as usize,
                lookups::by_id(LookupKind::OrderById, terms.id.as_u128()),
                serial,
            );
            if let Some(name) = &terms.client_order_id {
                store.add(Index::Lookups as usize, lookups::by_name(user, name), serial);
            }
        }
        if record.status.is_open() {
            return;
        }
        store.append(Log::Closed as usize, self.next, at.micros(), &codec::encode_record(record));
        store.add(Index::Closings as usize, closing_key(serial), self.next);
        store.add(Index::Lists as usize, list_key::ended_orders(user, record.status), serial);
        self.next += 1;
    }
}

const fn closing_key(serial: u64) -> Key {
    Key([serial, 0, 0])
}

/// Adds an order to all of its lists.
fn push(store: &mut Store, record: &OrderRecord, event: EventId) {
    let (user, terms) = (record.user, &record.terms);
    let keys = [
        list_key::orders_of_user(user),
        list_key::orders_of_side(user, terms.side),
        list_key::orders_in_currency(user, record.currency),
        list_key::orders_in_event(user, event),
        list_key::orders_in_market(user, record.market),
        list_key::orders_in_outcome(user, record.market, terms.outcome),
    ];
    for key in keys {
        store.add(Index::Lists as usize, key, terms.serial);
    }
}

/// A page of a user's orders, newest first. The cursor is an order's serial.
pub(super) fn page(version: &Version, query: &StoredOrdersQuery) -> Result<Page<StoredOrder>, HistoryError> {
    let (user, filter) = (query.user, &query.filter);
    if let Some(name) = &filter.client_order_id {
        return named(version, query, name);
    }
    match (filter.status, filter.lists(user).as_slice()) {
        (None, []) => of_list(version, query, list_key::orders_of_user(user)),
        (None, [list]) => of_list(version, query, *list),
        (Some(status), []) => of_list(version, query, list_key::ended_orders(user, status)),
        (_, several) => scan(version, query, several),
    }
}

fn of_list(
    version: &Version,
    query: &StoredOrdersQuery,
    key: Key,
) -> Result<Page<StoredOrder>, HistoryError> {
    let list = lists::list(version, key)?;
    // Orders placed since the query began are left out.
    let span = 0..list.below(query.placed_before)?;
    let (found, next) = lists::window(&list, &span, query.window)?;
    Ok(Page { rows: rows(version, &found)?, total: span.end, next })
}

/// The orders with this client order id, which are few, checked against the rest of the filter.
fn named(
    version: &Version,
    query: &StoredOrdersQuery,
    name: &str,
) -> Result<Page<StoredOrder>, HistoryError> {
    let mut found = lists::found(version, lookups::by_name(query.user, name))?;
    found.retain(|serial| *serial < query.placed_before);
    found.reverse();
    let mut picked = PageCollector::new(query.window);
    query.offer(version, &found, &mut picked)?;
    Ok(picked.into_page())
}

/// Several conditions at once: scans the shortest list.
fn scan(
    version: &Version,
    query: &StoredOrdersQuery,
    keys: &[Key],
) -> Result<Page<StoredOrder>, HistoryError> {
    let mut parts = Vec::with_capacity(keys.len());
    for key in keys {
        let list = lists::list(version, *key)?;
        let span = 0..list.below(query.placed_before)?;
        parts.push((list, span));
    }
    let mut picked = PageCollector::new(query.window);
    lists::walk_shortest(&parts, |found| query.offer(version, found, &mut picked))?;
    Ok(picked.into_page())
}

impl StoredOrdersQuery {
    /// Offers the orders that pass the filter. Memory has checked the open ones; no filter of an order changes while it
    /// is open, apart from its status, by which memory alone answers.
    fn offer(
        &self,
        version: &Version,
        serials: &[u64],
        picked: &mut PageCollector<StoredOrder>,
    ) -> Result<(), HistoryError> {
        for (serial, stored) in serials.iter().zip(rows(version, serials)?) {
            let is_admitted = match &stored {
                // A name's key may be that of another user.
                StoredOrder::Closed(record) => record.user == self.user && self.filter.admits(record),
                StoredOrder::Open(serial) => self.open.binary_search(serial).is_ok(),
            };
            if is_admitted {
                picked.offer(*serial, stored);
            }
        }
        Ok(())
    }
}

/// The orders with these serials, in the given order.
pub(super) fn rows(version: &Version, serials: &[u64]) -> Result<Vec<StoredOrder>, HistoryError> {
    serials.iter().map(|serial| row(version, *serial)).collect()
}

fn row(version: &Version, serial: u64) -> Result<StoredOrder, HistoryError> {
    let Some(number) = version.list(Index::Closings as usize, closing_key(serial))?.value(0)? else {
        return Ok(StoredOrder::Open(serial));
    };
    let record = version.record(Log::Closed as usize, number)?;
    let record = record.ok_or(HistoryError::Missing("the record of an order"))?;
    Ok(StoredOrder::Closed(codec::decode_record(&record.bytes)?))
}

/// The closed orders with these ids that belong to the user.
pub(super) fn closed(
    version: &Version,
    user: UserId,
    ids: &[OrderId],
) -> Result<Vec<OrderRecord>, HistoryError> {
    let mut records = Vec::new();
    for id in ids {
        let serials = lists::found(version, lookups::by_id(LookupKind::OrderById, id.as_u128()))?;
        // Other ids may have the same key.
        let record = rows(version, &serials)?.into_iter().find_map(|stored| match stored {
            StoredOrder::Closed(record) if record.terms.id == *id => Some(record),
            _ => None,
        });
        records.extend(record.filter(|record| record.user == user));
    }
    Ok(records)
}
