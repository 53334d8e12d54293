//! Trades: each under its serial, which is its place among all of them, and in the lists of its market, outcomes, users
//! and orders.

use std::ops::Range;

use exchange::change::Trade;
use exchange::codec;
use exchange::id::{MarketId, OrderId, TradeId, UserId};
use exchange::order::Outcome;
use exchange::time::Time;
use rusqlite::{Connection, params};

use super::lists::{self, ListKey, Tails};
use super::lookup::{self, Kind, Lookups};
use super::pages::{Page, Picked, Window};
use super::{HistoryError, schema};

/// A trade with its place and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTrade {
    pub serial: u64,
    pub at: Time,
    pub trade: Trade,
}

/// Which trades are asked for: all that is given must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TradeFilter {
    pub id: Option<TradeId>,
    pub market: Option<MarketId>,
    /// Taker's or maker's, as the others below.
    pub order: Option<OrderId>,
    pub outcome: Option<(MarketId, Outcome)>,
    pub user: Option<UserId>,
    pub from: Option<Time>,
    pub to: Option<Time>,
}

impl TradeFilter {
    pub fn admits(&self, stored: &StoredTrade) -> bool {
        let trade = &stored.trade;
        let parties = [&trade.taker, &trade.maker];
        self.id.is_none_or(|id| id == trade.id())
            && self.market.is_none_or(|market| market == trade.market)
            && self.order.is_none_or(|order| parties.iter().any(|party| party.order == order))
            && self.outcome.is_none_or(|(market, outcome)| {
                market == trade.market && parties.iter().any(|party| party.outcome == outcome)
            })
            && self.user.is_none_or(|user| parties.iter().any(|party| party.user == user))
            && self.from.is_none_or(|from| stored.at >= from)
            && self.to.is_none_or(|to| stored.at <= to)
    }

    /// The lists that its parts name.
    fn lists(&self) -> Vec<ListKey> {
        // An outcome's market is known, so a market beside it says nothing new, or nothing can be found.
        let market = self.market.filter(|_| self.outcome.is_none());
        [
            self.user.map(ListKey::trades_of_user),
            self.outcome.map(|(market, outcome)| ListKey::trades_of_outcome(market, outcome)),
            market.map(ListKey::trades_of_market),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Trades {
    next: u64,
}

impl Trades {
    pub(super) fn new(connection: &Connection) -> rusqlite::Result<Trades> {
        Ok(Trades { next: schema::next_serial(connection, "trades")? })
    }

    /// Stores a trade and gives its serial.
    pub(super) fn store(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        lookups: &mut Lookups,
        at: Time,
        trade: &Trade,
    ) -> rusqlite::Result<u64> {
        let serial = self.next;
        self.next += 1;
        let row = params![serial.cast_signed(), at.micros(), codec::encode_trade(trade)];
        connection.prepare_cached("INSERT INTO trades VALUES (?1, ?2, ?3)")?.execute(row)?;
        lookups.add(Kind::TradeById, trade.id().as_u128(), serial);
        tails.push(connection, ListKey::trades_of_market(trade.market), serial)?;
        let (taker, maker) = (&trade.taker, &trade.maker);
        for party in [taker, maker] {
            tails.push(connection, ListKey::trades_of_user(party.user), serial)?;
            lookups.add(Kind::TradesOfOrder, party.order.as_u128(), serial);
        }
        tails.push(connection, ListKey::trades_of_outcome(trade.market, taker.outcome), serial)?;
        if maker.outcome != taker.outcome {
            tails.push(connection, ListKey::trades_of_outcome(trade.market, maker.outcome), serial)?;
        }
        Ok(serial)
    }
}

/// A page of trades, newest first. The cursor is a trade's serial.
pub(super) fn page(
    connection: &Connection,
    filter: &TradeFilter,
    window: Window,
) -> Result<Page<StoredTrade>, HistoryError> {
    if filter.market.zip(filter.outcome).is_some_and(|(market, (of_outcome, _))| market != of_outcome) {
        return Ok(Page::empty());
    }
    if let Some(id) = filter.id {
        let mut picked = Picked::new(window);
        if let Some(found) = find(connection, id)?.filter(|found| filter.admits(found)) {
            picked.offer(found.serial, found);
        }
        return Ok(picked.into_page());
    }
    let serials = between(connection, filter)?;
    if let Some(order) = filter.order {
        return of_order(connection, order, filter, &serials, window);
    }
    match filter.lists().as_slice() {
        [] => {
            let positions = window.positions::<HistoryError>(&serials, Ok)?;
            let next = Some(positions.start).filter(|start| *start > serials.start && !positions.is_empty());
            Ok(Page { rows: rows(connection, positions.rev())?, total: serials.end - serials.start, next })
        }
        [list] => {
            let span = span(connection, list, &serials)?;
            let (found, next) = lists::window(connection, list, &span, window)?;
            Ok(Page { rows: rows(connection, found)?, total: span.end - span.start, next })
        }
        several => scan(connection, filter, several, &serials, window),
    }
}

/// The trades of one order are few as a rule, so they are gone through.
fn of_order(
    connection: &Connection,
    order: OrderId,
    filter: &TradeFilter,
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade>, HistoryError> {
    let found = lookup::find(connection, Kind::TradesOfOrder, order.as_u128(), serials.clone())?;
    let mut picked = Picked::new(window);
    offer(connection, filter, found.into_iter().rev(), &mut picked)?;
    Ok(picked.into_page())
}

/// Offers those trades that pass the filter.
fn offer(
    connection: &Connection,
    filter: &TradeFilter,
    serials: impl IntoIterator<Item = u64>,
    picked: &mut Picked<StoredTrade>,
) -> Result<(), HistoryError> {
    for stored in rows(connection, serials)? {
        if filter.admits(&stored) {
            picked.offer(stored.serial, stored);
        }
    }
    Ok(())
}

/// Several filters at once: the shortest list is gone through.
fn scan(
    connection: &Connection,
    filter: &TradeFilter,
    lists: &[ListKey],
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade>, HistoryError> {
    let mut parts = Vec::with_capacity(lists.len());
    for list in lists {
        parts.push((*list, span(connection, list, serials)?));
    }
    let mut picked = Picked::new(window);
    lists::walk_shortest(connection, &parts, |found| {
        offer(connection, filter, found.iter().copied(), &mut picked)
    })?;
    Ok(picked.into_page())
}

fn span(connection: &Connection, list: &ListKey, serials: &Range<u64>) -> Result<Range<u64>, HistoryError> {
    let start = if serials.start == 0 { 0 } else { lists::below(connection, list, serials.start)? };
    Ok(start..lists::below(connection, list, serials.end)?)
}

/// The serials of the time that the filter names: times never go back, so they are neighbours.
fn between(connection: &Connection, filter: &TradeFilter) -> Result<Range<u64>, HistoryError> {
    let count = schema::next_serial(connection, "trades")?;
    let start = match filter.from {
        Some(from) => first_at(connection, count, |at| at >= from.micros())?,
        None => 0,
    };
    let end = match filter.to {
        Some(to) => first_at(connection, count, |at| at > to.micros())?,
        None => count,
    };
    Ok(start..end.max(start))
}

/// The first serial whose time is late enough.
fn first_at(connection: &Connection, count: u64, is_late: impl Fn(i64) -> bool) -> Result<u64, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT at FROM trades WHERE serial = ?1")?;
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = u64::midpoint(low, high);
        let at: i64 = statement.query_row([middle.cast_signed()], |row| row.get(0))?;
        if is_late(at) { high = middle } else { low = middle + 1 }
    }
    Ok(low)
}

fn find(connection: &Connection, id: TradeId) -> Result<Option<StoredTrade>, HistoryError> {
    let found = lookup::find(connection, Kind::TradeById, id.as_u128(), 0..u64::MAX)?;
    Ok(rows(connection, found.last().copied())?.pop())
}

/// The trades with these serials, in the same order.
pub(super) fn rows(
    connection: &Connection,
    serials: impl IntoIterator<Item = u64>,
) -> Result<Vec<StoredTrade>, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT at, record FROM trades WHERE serial = ?1")?;
    let mut found = Vec::new();
    for serial in serials {
        let mut rows = statement.query([serial.cast_signed()])?;
        if let Some(row) = rows.next()? {
            let trade = codec::decode_trade(row.get_ref(1)?.as_blob()?)?;
            found.push(StoredTrade { serial, at: Time::from_micros(row.get(0)?), trade });
        }
    }
    Ok(found)
}
