//! Orders: each has a row from the moment it is placed, and a record once it has closed.
//!
//! Open orders are in memory. A row without a record names an open order: the caller reads it from memory, and reads
//! history again if the order has closed in between.

use std::collections::{BTreeMap, HashMap};

use exchange::change::OrderCause;
use exchange::codec;
use exchange::id::{EventId, MarketId, OrderId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::HistoryError;
use super::ended::{Counts, EndedOrders};
use super::lists::{self, ListKey, Tails};
use super::lookup::{self, LookupKind, Lookups};
use super::pages::{Page, PageCollector, Window};

/// An order as stored in history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredOrder {
    Closed(OrderRecord),
    /// The order was open at the last stored sequence.
    Open {
        id: OrderId,
        serial: u64,
    },
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

    /// Whether each row must be checked against the filter, because no single list covers it.
    pub fn is_compound(&self) -> bool {
        self.client_order_id.is_some() || self.lists(UserId::new(0)).len() > 1
    }

    fn lists(&self, user: UserId) -> Vec<ListKey> {
        [
            self.outcome.map(|(market, outcome)| ListKey::orders_in_outcome(user, market, outcome)),
            self.market.map(|market| ListKey::orders_in_market(user, market)),
            self.event.as_ref().map(|event| ListKey::orders_in_event(user, event.id)),
            self.currency.map(|currency| ListKey::orders_in_currency(user, currency)),
            self.side.map(|side| ListKey::orders_of_side(user, side)),
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
    /// The user's open orders by serial, needed to check a compound filter.
    pub open: HashMap<u64, OrderRecord>,
    pub window: Window,
}

/// The event of a filter, with its markets, because an order record names only its market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMarkets {
    pub id: EventId,
    pub markets: Vec<MarketId>,
}

/// The writing side.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Positions of open orders in their users' lists.
    positions: HashMap<u64, u64>,
    /// Orders placed in this transaction, by serial. Many close before it ends, and are then written once.
    placed: BTreeMap<u64, Placed>,
    ended: EndedOrders,
}

#[derive(Debug)]
struct Placed {
    id: OrderId,
    position: u64,
    record: Option<Vec<u8>>,
}

impl Orders {
    /// Stores an order that was placed or has closed.
    pub(super) fn store(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        lookups: &mut Lookups,
        record: &OrderRecord,
        cause: OrderCause,
        event: EventId,
    ) -> rusqlite::Result<()> {
        let serial = record.terms.serial;
        let closed = (!record.status.is_open()).then(|| codec::encode_record(record));
        let position = match (cause, &closed) {
            (OrderCause::Placed, _) => {
                let position = push(connection, tails, record, event)?;
                lookups.add(LookupKind::OrderById, record.terms.id.as_u128(), serial);
                if let Some(name) = &record.terms.client_order_id {
                    lookups.add(LookupKind::OrdersByName, name_key(record.user, name), serial);
                }
                if closed.is_none() {
                    self.positions.insert(serial, position);
                }
                self.placed.insert(serial, Placed { id: record.terms.id, position, record: closed.clone() });
                position
            }
            (_, None) => return Ok(()),
            (_, Some(bytes)) => {
                match self.placed.get_mut(&serial) {
                    Some(placed) => placed.record = Some(bytes.clone()),
                    None => {
                        let row = params![serial.cast_signed(), bytes];
                        let update = "UPDATE orders SET record = ?2 WHERE serial = ?1";
                        connection.prepare_cached(update)?.execute(row)?;
                    }
                }
                match self.positions.remove(&serial) {
                    Some(position) => position,
                    None => position_of(connection, serial)?,
                }
            }
        };
        match closed {
            Some(_) => self.ended.set(connection, record.user, record.status, position),
            None => Ok(()),
        }
    }

    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut order = connection.prepare_cached("INSERT INTO orders VALUES (?1, ?2, ?3, ?4)")?;
        for (serial, placed) in std::mem::take(&mut self.placed) {
            // The record contains the id.
            let id = placed.record.is_none().then(|| placed.id.as_u128().to_be_bytes());
            order.execute(params![serial.cast_signed(), id, placed.position.cast_signed(), placed.record])?;
        }
        self.ended.flush(connection)
    }
}

/// Adds an order to all of its lists and returns its position in the list of its user.
fn push(
    connection: &Connection,
    tails: &mut Tails,
    record: &OrderRecord,
    event: EventId,
) -> rusqlite::Result<u64> {
    let (user, terms) = (record.user, &record.terms);
    let keys = [
        ListKey::orders_of_side(user, terms.side),
        ListKey::orders_in_currency(user, record.currency),
        ListKey::orders_in_event(user, event),
        ListKey::orders_in_market(user, record.market),
        ListKey::orders_in_outcome(user, record.market, terms.outcome),
    ];
    for key in keys {
        tails.push(connection, key, terms.serial)?;
    }
    tails.push(connection, ListKey::orders_of_user(user), terms.serial)
}

/// The lookup key of a user's client order id. Ids that differ only in a counter at the end get adjacent keys in the same
/// order. Keys are not unique: results must be compared with the id.
fn name_key(user: UserId, name: &str) -> u128 {
    let bytes = name.as_bytes();
    let (head, tail) = bytes.split_at(bytes.len().saturating_sub(8));
    let hash = Sha256::new().chain_update(user.as_u128().to_be_bytes()).chain_update(head).finalize();
    hash[..8].iter().chain(tail).fold(0, |key, byte| key << 8 | u128::from(*byte))
}

fn position_of(connection: &Connection, serial: u64) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT position FROM orders WHERE serial = ?1")?;
    let position: i64 = statement.query_row([serial.cast_signed()], |row| row.get(0))?;
    Ok(position.unsigned_abs())
}

/// A page of a user's orders, newest first. The cursor is an order's serial.
pub(super) fn page(
    connection: &Connection,
    query: &StoredOrdersQuery,
) -> Result<Page<StoredOrder>, HistoryError> {
    let (user, filter) = (query.user, &query.filter);
    if let Some(name) = &filter.client_order_id {
        return named(connection, query, name);
    }
    match (filter.status, filter.lists(user).as_slice()) {
        (None, []) => of_list(connection, query, &ListKey::orders_of_user(user)),
        (None, [list]) if !filter.is_compound() => of_list(connection, query, list),
        (Some(status), []) => of_status(connection, query, status),
        (_, several) => scan(connection, query, several),
    }
}

fn of_list(
    connection: &Connection,
    query: &StoredOrdersQuery,
    list: &ListKey,
) -> Result<Page<StoredOrder>, HistoryError> {
    let span = 0..lists::below(connection, list, query.placed_before)?;
    let (found, next) = lists::window(connection, list, &span, query.window)?;
    Ok(Page { rows: rows(connection, &found)?, total: span.end, next })
}

/// The orders that ended with a status.
fn of_status(
    connection: &Connection,
    query: &StoredOrdersQuery,
    status: OrderStatus,
) -> Result<Page<StoredOrder>, HistoryError> {
    let (user, list) = (query.user, ListKey::orders_of_user(query.user));
    let counts = Counts::read(connection, user, status)?;
    // Orders placed since the query began are left out.
    let limit = lists::below(connection, &list, query.placed_before)?;
    let newer = counts.count_from(connection, user, status, limit)?;
    let total = counts.total() - newer;
    let (skip, size) = match query.window {
        Window::Page { page, size } => (page.saturating_sub(1).saturating_mul(size), size),
        Window::After { cursor, size } => {
            let position = lists::below(connection, &list, cursor)?;
            let passed = counts.count_from(connection, user, status, position)?;
            (passed.saturating_sub(newer), size)
        }
    };
    let wanted = newer.saturating_add(skip)..newer.saturating_add(skip).saturating_add(size);
    let positions = counts.positions(connection, user, status, wanted)?;
    let mut serials = Vec::with_capacity(positions.len());
    for position in positions {
        serials.extend(lists::slice(connection, &list, position, position + 1)?);
    }
    let has_more = skip.saturating_add(serials.len() as u64) < total;
    let next = serials.last().copied().filter(|_| has_more);
    Ok(Page { rows: rows(connection, &serials)?, total, next })
}

/// The orders with this client order id, which are few, checked against the rest of the filter.
fn named(
    connection: &Connection,
    query: &StoredOrdersQuery,
    name: &str,
) -> Result<Page<StoredOrder>, HistoryError> {
    let key = name_key(query.user, name);
    let mut found = lookup::find(connection, LookupKind::OrdersByName, key, 0..query.placed_before)?;
    found.reverse();
    let mut picked = PageCollector::new(query.window);
    query.offer(connection, &found, &mut picked)?;
    Ok(picked.into_page())
}

/// Several conditions at once: scans the shortest list.
fn scan(
    connection: &Connection,
    query: &StoredOrdersQuery,
    lists: &[ListKey],
) -> Result<Page<StoredOrder>, HistoryError> {
    let mut parts = Vec::with_capacity(lists.len());
    for list in lists {
        parts.push((*list, 0..lists::below(connection, list, query.placed_before)?));
    }
    let mut picked = PageCollector::new(query.window);
    lists::walk_shortest(connection, &parts, |found| query.offer(connection, found, &mut picked))?;
    Ok(picked.into_page())
}

impl StoredOrdersQuery {
    /// Offers the orders that pass the filter. Open orders are checked in the state they had when the query began.
    fn offer(
        &self,
        connection: &Connection,
        serials: &[u64],
        picked: &mut PageCollector<StoredOrder>,
    ) -> Result<(), HistoryError> {
        for (serial, stored) in serials.iter().zip(rows(connection, serials)?) {
            let record = match &stored {
                StoredOrder::Closed(record) => Some(record),
                StoredOrder::Open { serial, .. } => self.open.get(serial),
            };
            // A name key may collide with one of another user.
            if record.is_some_and(|record| record.user == self.user && self.filter.admits(record)) {
                picked.offer(*serial, record.cloned().map_or(stored, StoredOrder::Closed));
            }
        }
        Ok(())
    }
}

/// The orders with these serials, in the given order.
pub(super) fn rows(connection: &Connection, serials: &[u64]) -> Result<Vec<StoredOrder>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT id, record FROM orders WHERE serial = ?1")?;
    let mut found = Vec::with_capacity(serials.len());
    for serial in serials {
        let mut rows = statement.query([serial.cast_signed()])?;
        let Some(row) = rows.next()? else { return Err(HistoryError::Missing("an order")) };
        found.push(match row.get_ref(1)?.as_blob_or_null()? {
            Some(record) => StoredOrder::Closed(codec::decode_record(record)?),
            None => {
                let id = u128::from_be_bytes(row.get(0)?);
                StoredOrder::Open { id: OrderId::new(id), serial: *serial }
            }
        });
    }
    Ok(found)
}

/// The closed orders with these ids that belong to the user.
pub(super) fn closed(
    connection: &Connection,
    user: UserId,
    ids: &[OrderId],
) -> Result<Vec<OrderRecord>, HistoryError> {
    let mut serials = Vec::new();
    for id in ids {
        serials.extend(lookup::find(connection, LookupKind::OrderById, id.as_u128(), 0..u64::MAX)?.pop());
    }
    let stored = rows(connection, &serials)?.into_iter().filter_map(|stored| match stored {
        StoredOrder::Closed(record) => Some(record),
        StoredOrder::Open { .. } => None,
    });
    Ok(stored.filter(|record| record.user == user).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_count_up_are_neighbours_and_keep_their_order() {
        let key = |user: u128, number: u32| name_key(UserId::new(user), &format!("maker-{number:06}"));
        let keys: Vec<u128> = (0..1_000).map(|number| key(1, number)).collect();
        assert!(keys.is_sorted_by(|one, next| one < next));
        assert!(keys.iter().all(|key| key >> 64 == keys[0] >> 64), "only the end differs");
        assert_ne!(keys[7] >> 64, key(2, 7) >> 64, "another user's keys have another prefix");
        let short = ["", "a", "ab", "b", "0000000a", "00000000a"].map(|name| name_key(UserId::new(1), name));
        let distinct: std::collections::HashSet<u128> = short.into_iter().collect();
        assert_eq!(distinct.len(), short.len(), "short names have distinct keys");
    }
}
