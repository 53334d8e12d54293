//! Orders: each under its serial from the moment it is placed, with its record once it has closed.
//!
//! What is still open is memory's. A row without a record names such an order; whoever asked looks it up there, and asks
//! again when it has closed in between.

use std::collections::{BTreeMap, HashMap};

use exchange::change::OrderCause;
use exchange::codec;
use exchange::id::{EventId, MarketId, OrderId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::HistoryError;
use super::ended::{Counts, Ended};
use super::lists::{self, ListKey, Tails};
use super::lookup::{self, Kind, Lookups};
use super::pages::{Page, Picked, Window};

/// An order as history knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredOrder {
    Closed(OrderRecord),
    /// It was open when history last heard of it.
    Open {
        id: OrderId,
        serial: u64,
    },
}

/// Which of a user's orders are asked for: all that is given must hold.
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

    /// Whether rows must be held against the filter one by one, because no list is made for it.
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

/// A question about a user's orders, with what only memory knows.
#[derive(Clone, Debug)]
pub struct OrdersQuestion {
    pub user: UserId,
    pub filter: OrderFilter,
    /// Orders with this serial or a later one had not been placed when the question was asked.
    pub placed_before: u64,
    /// The user's open orders by serial, where several filters must be held against them.
    pub open: HashMap<u64, OrderRecord>,
    pub window: Window,
}

/// The event that a filter names: a record knows its market only.
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
    /// Placed in this transaction, by serial: many close before it ends.
    placed: BTreeMap<u64, Placed>,
    ended: Ended,
}

#[derive(Debug)]
struct Placed {
    id: OrderId,
    position: u64,
    record: Option<Vec<u8>>,
}

impl Orders {
    /// Stores what has been placed or has closed.
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
                lookups.add(Kind::OrderById, record.terms.id.as_u128(), serial);
                if let Some(name) = &record.terms.client_order_id {
                    lookups.add(Kind::OrdersByName, name_key(record.user, name), serial);
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
            // A record has the id in it.
            let id = placed.record.is_none().then(|| placed.id.as_u128().to_be_bytes());
            order.execute(params![serial.cast_signed(), id, placed.position.cast_signed(), placed.record])?;
        }
        self.ended.flush(connection)
    }
}

/// Into every list that it belongs to. Gives its position in its user's.
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

/// Under which a user's orders of a name are found. Names that differ in a counter at their end keep its order, so that
/// they lie together. Others may have the same key: what is found is held against the name.
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
    question: &OrdersQuestion,
) -> Result<Page<StoredOrder>, HistoryError> {
    let (user, filter) = (question.user, &question.filter);
    if let Some(name) = &filter.client_order_id {
        return named(connection, question, name);
    }
    match (filter.status, filter.lists(user).as_slice()) {
        (None, []) => of_list(connection, question, &ListKey::orders_of_user(user)),
        (None, [list]) if !filter.is_compound() => of_list(connection, question, list),
        (Some(status), []) => of_status(connection, question, status),
        (_, several) => scan(connection, question, several),
    }
}

fn of_list(
    connection: &Connection,
    question: &OrdersQuestion,
    list: &ListKey,
) -> Result<Page<StoredOrder>, HistoryError> {
    let span = 0..lists::below(connection, list, question.placed_before)?;
    let (found, next) = lists::window(connection, list, &span, question.window)?;
    Ok(Page { rows: rows(connection, &found)?, total: span.end, next })
}

/// All that came to one end.
fn of_status(
    connection: &Connection,
    question: &OrdersQuestion,
    status: OrderStatus,
) -> Result<Page<StoredOrder>, HistoryError> {
    let (user, list) = (question.user, ListKey::orders_of_user(question.user));
    let counts = Counts::read(connection, user, status)?;
    // Orders that were placed since are no part of the answer.
    let limit = lists::below(connection, &list, question.placed_before)?;
    let newer = counts.count_from(connection, user, status, limit)?;
    let total = counts.total() - newer;
    let (skip, size) = match question.window {
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

/// Those that were given this name, which are few, held against the rest of the filter.
fn named(
    connection: &Connection,
    question: &OrdersQuestion,
    name: &str,
) -> Result<Page<StoredOrder>, HistoryError> {
    let key = name_key(question.user, name);
    let mut found = lookup::find(connection, Kind::OrdersByName, key, 0..question.placed_before)?;
    found.reverse();
    let mut picked = Picked::new(question.window);
    question.offer(connection, &found, &mut picked)?;
    Ok(picked.into_page())
}

/// Several filters at once: the shortest list is gone through.
fn scan(
    connection: &Connection,
    question: &OrdersQuestion,
    lists: &[ListKey],
) -> Result<Page<StoredOrder>, HistoryError> {
    let mut parts = Vec::with_capacity(lists.len());
    for list in lists {
        parts.push((*list, 0..lists::below(connection, list, question.placed_before)?));
    }
    let mut picked = Picked::new(question.window);
    lists::walk_shortest(connection, &parts, |found| question.offer(connection, found, &mut picked))?;
    Ok(picked.into_page())
}

impl OrdersQuestion {
    /// Offers those orders that pass the filter, open ones as they stood when the question was asked.
    fn offer(
        &self,
        connection: &Connection,
        serials: &[u64],
        picked: &mut Picked<StoredOrder>,
    ) -> Result<(), HistoryError> {
        for (serial, stored) in serials.iter().zip(rows(connection, serials)?) {
            let record = match &stored {
                StoredOrder::Closed(record) => Some(record),
                StoredOrder::Open { serial, .. } => self.open.get(serial),
            };
            // The key of a name may stand for one of another user's too.
            if record.is_some_and(|record| record.user == self.user && self.filter.admits(record)) {
                picked.offer(*serial, record.cloned().map_or(stored, StoredOrder::Closed));
            }
        }
        Ok(())
    }
}

/// The orders with these serials, in the same order.
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

/// Those of the named orders that are the user's and closed.
pub(super) fn closed(
    connection: &Connection,
    user: UserId,
    ids: &[OrderId],
) -> Result<Vec<OrderRecord>, HistoryError> {
    let mut serials = Vec::new();
    for id in ids {
        serials.extend(lookup::find(connection, Kind::OrderById, id.as_u128(), 0..u64::MAX)?.pop());
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
        assert_ne!(keys[7] >> 64, key(2, 7) >> 64, "another user's lie elsewhere");
        let short = ["", "a", "ab", "b", "0000000a", "00000000a"].map(|name| name_key(UserId::new(1), name));
        let distinct: std::collections::HashSet<u128> = short.into_iter().collect();
        assert_eq!(distinct.len(), short.len(), "short names are told apart");
    }
}
