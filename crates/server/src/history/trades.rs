//! Trades: each has a serial, its index among all trades, and is in the lists of its engine, market, outcomes and users.
//! Trades of an order are found through `lookup.rs`. Books and pools share the serials, so one cursor covers both.

use std::ops::Range;

use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::change::Trade;
use exchange::codec;
use exchange::id::{MarketId, OrderId, TradeId, UserId};
use exchange::order::{OrderRecord, Outcome};
use exchange::time::Time;
use rusqlite::{Connection, params};

use super::lists::{self, ListKey, Tails};
use super::lookup::{self, LookupKind, Lookups};
use super::orders::{self, StoredOrder};
use super::pages::{Page, PageCollector, Window};
use super::{HistoryError, schema};

/// A trade with its serial and time: a fill on a book, or an `Execution` on either engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTrade<T = Trade> {
    pub serial: u64,
    pub at: Time,
    pub trade: T,
}

/// A match on a book, or an order against a pool, which always fills completely and at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    Book(Trade),
    Pool(OrderRecord),
}

impl Execution {
    pub fn id(&self) -> TradeId {
        match self {
            Execution::Book(trade) => trade.id(),
            Execution::Pool(order) => TradeId::of(order.terms.id, 0),
        }
    }

    pub const fn engine(&self) -> Engine {
        match self {
            Execution::Book(_) => Engine::Clob,
            Execution::Pool(_) => Engine::Amm,
        }
    }

    pub const fn market(&self) -> MarketId {
        match self {
            Execution::Book(trade) => trade.market,
            Execution::Pool(order) => order.market,
        }
    }

    /// Taker and maker. The maker of a pool trade is the house.
    pub const fn users(&self) -> [UserId; 2] {
        match self {
            Execution::Book(trade) => [trade.taker.user, trade.maker.user],
            Execution::Pool(order) => [order.user, Exchange::HOUSE],
        }
    }

    /// Whether an order is the taker's or the maker's. A pool has no maker order.
    fn has_order(&self, id: OrderId) -> bool {
        match self {
            Execution::Book(trade) => trade.taker.order == id || trade.maker.order == id,
            Execution::Pool(order) => order.terms.id == id,
        }
    }

    fn has_outcome(&self, outcome: Outcome) -> bool {
        match self {
            Execution::Book(trade) => trade.taker.outcome == outcome || trade.maker.outcome == outcome,
            Execution::Pool(order) => order.terms.outcome == outcome,
        }
    }
}

/// Selects trades that meet all of the given conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TradeFilter {
    /// None: both engines.
    pub engine: Option<Engine>,
    pub id: Option<TradeId>,
    pub market: Option<MarketId>,
    /// The taker's or the maker's, as for `outcome` and `user`.
    pub order: Option<OrderId>,
    pub outcome: Option<(MarketId, Outcome)>,
    pub user: Option<UserId>,
    pub from: Option<Time>,
    pub to: Option<Time>,
}

impl TradeFilter {
    pub fn admits(&self, stored: &StoredTrade<Execution>) -> bool {
        let trade = &stored.trade;
        self.engine.is_none_or(|engine| engine == trade.engine())
            && self.id.is_none_or(|id| id == trade.id())
            && self.market.is_none_or(|market| market == trade.market())
            && self.order.is_none_or(|order| trade.has_order(order))
            && self
                .outcome
                .is_none_or(|(market, outcome)| market == trade.market() && trade.has_outcome(outcome))
            && self.user.is_none_or(|user| trade.users().contains(&user))
            && self.from.is_none_or(|from| stored.at >= from)
            && self.to.is_none_or(|to| stored.at <= to)
    }

    /// The lists to read.
    fn lists(&self) -> Vec<ListKey> {
        // An outcome implies its market; `page` has already checked that a given market agrees.
        let market = self.market.filter(|_| self.outcome.is_none());
        let is_everywhere = self.user.is_none() && self.outcome.is_none() && market.is_none();
        [
            self.user.map(|user| ListKey::trades_of_user(user, self.engine)),
            self.outcome.map(|(market, outcome)| ListKey::trades_of_outcome(market, outcome)),
            market.map(ListKey::trades_of_market),
            self.engine.filter(|_| is_everywhere).map(ListKey::trades_of_engine),
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

    /// Stores a book trade and returns its serial.
    pub(super) fn store(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        lookups: &mut Lookups,
        at: Time,
        trade: &Trade,
    ) -> rusqlite::Result<u64> {
        let serial = self.insert(connection, at, Some(codec::encode_trade(trade)), None)?;
        lookups.add(LookupKind::TradeById, trade.id().as_u128(), serial);
        let (taker, maker) = (&trade.taker, &trade.maker);
        for order in [taker.order, maker.order] {
            lookups.add(LookupKind::TradesOfOrder, order.as_u128(), serial);
        }
        let users = [taker.user, maker.user];
        list(connection, tails, serial, Engine::Clob, trade.market, users)?;
        tails.push(connection, ListKey::trades_of_outcome(trade.market, taker.outcome), serial)?;
        if maker.outcome != taker.outcome {
            tails.push(connection, ListKey::trades_of_outcome(trade.market, maker.outcome), serial)?;
        }
        Ok(serial)
    }

    /// Stores an order filled by a pool.
    pub(super) fn store_on_pool(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        lookups: &mut Lookups,
        at: Time,
        order: &OrderRecord,
    ) -> rusqlite::Result<()> {
        let terms = &order.terms;
        let serial = self.insert(connection, at, None, Some(terms.serial))?;
        lookups.add(LookupKind::TradeById, TradeId::of(terms.id, 0).as_u128(), serial);
        lookups.add(LookupKind::TradesOfOrder, terms.id.as_u128(), serial);
        list(connection, tails, serial, Engine::Amm, order.market, [order.user, Exchange::HOUSE])?;
        tails.push(connection, ListKey::trades_of_outcome(order.market, terms.outcome), serial).map(drop)
    }

    fn insert(
        &mut self,
        connection: &Connection,
        at: Time,
        record: Option<Vec<u8>>,
        pool_order: Option<u64>,
    ) -> rusqlite::Result<u64> {
        let serial = self.next;
        self.next += 1;
        let row = params![serial.cast_signed(), at.micros(), record, pool_order.map(u64::cast_signed)];
        connection.prepare_cached("INSERT INTO trades VALUES (?1, ?2, ?3, ?4)")?.execute(row)?;
        Ok(serial)
    }
}

/// Adds a trade to the lists of its engine, its market and its users.
fn list(
    connection: &Connection,
    tails: &mut Tails,
    serial: u64,
    engine: Engine,
    market: MarketId,
    users: [UserId; 2],
) -> rusqlite::Result<()> {
    tails.push(connection, ListKey::trades_of_engine(engine), serial)?;
    tails.push(connection, ListKey::trades_of_market(market), serial)?;
    for user in users {
        for engine in [Some(engine), None] {
            tails.push(connection, ListKey::trades_of_user(user, engine), serial)?;
        }
    }
    Ok(())
}

/// A page of trades, newest first. The cursor is a trade's serial.
pub(super) fn page(
    connection: &Connection,
    filter: &TradeFilter,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    if filter.market.zip(filter.outcome).is_some_and(|(market, (of_outcome, _))| market != of_outcome) {
        return Ok(Page::empty());
    }
    if let Some(id) = filter.id {
        let mut picked = PageCollector::new(window);
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
            if !is_on_engine(connection, filter, list)? {
                return Ok(Page::empty());
            }
            let span = span(connection, list, &serials)?;
            let (found, next) = lists::window(connection, list, &span, window)?;
            Ok(Page { rows: rows(connection, found)?, total: span.end - span.start, next })
        }
        several => scan(connection, filter, several, &serials, window),
    }
}

/// Whether a list has trades on the requested engine. A market has one engine, so its first trade decides.
fn is_on_engine(connection: &Connection, filter: &TradeFilter, list: &ListKey) -> Result<bool, HistoryError> {
    let (Some(engine), None) = (filter.engine, filter.user) else { return Ok(true) };
    let first = rows(connection, lists::slice(connection, list, 0, 1)?)?.pop();
    Ok(first.is_none_or(|first| first.trade.engine() == engine))
}

/// An order usually has few trades, so all of them are scanned.
fn of_order(
    connection: &Connection,
    order: OrderId,
    filter: &TradeFilter,
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    let found = lookup::find(connection, LookupKind::TradesOfOrder, order.as_u128(), serials.clone())?;
    let mut picked = PageCollector::new(window);
    offer(connection, filter, found.into_iter().rev(), &mut picked)?;
    Ok(picked.into_page())
}

/// Offers the trades that pass the filter.
fn offer(
    connection: &Connection,
    filter: &TradeFilter,
    serials: impl IntoIterator<Item = u64>,
    picked: &mut PageCollector<StoredTrade<Execution>>,
) -> Result<(), HistoryError> {
    for stored in rows(connection, serials)? {
        if filter.admits(&stored) {
            picked.offer(stored.serial, stored);
        }
    }
    Ok(())
}

/// Several conditions at once: scans the shortest list.
fn scan(
    connection: &Connection,
    filter: &TradeFilter,
    lists: &[ListKey],
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    let mut parts = Vec::with_capacity(lists.len());
    for list in lists {
        parts.push((*list, span(connection, list, serials)?));
    }
    let mut picked = PageCollector::new(window);
    lists::walk_shortest(connection, &parts, |found| {
        offer(connection, filter, found.iter().copied(), &mut picked)
    })?;
    Ok(picked.into_page())
}

fn span(connection: &Connection, list: &ListKey, serials: &Range<u64>) -> Result<Range<u64>, HistoryError> {
    let start = if serials.start == 0 { 0 } else { lists::below(connection, list, serials.start)? };
    Ok(start..lists::below(connection, list, serials.end)?)
}

/// The range of serials within the filter's times. Times ascend with serials.
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

/// The first serial whose time satisfies `is_late`.
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

fn find(connection: &Connection, id: TradeId) -> Result<Option<StoredTrade<Execution>>, HistoryError> {
    let found = lookup::find(connection, LookupKind::TradeById, id.as_u128(), 0..u64::MAX)?;
    Ok(rows(connection, found.last().copied())?.pop())
}

/// The trades with these serials, in the given order.
fn rows(
    connection: &Connection,
    serials: impl IntoIterator<Item = u64>,
) -> Result<Vec<StoredTrade<Execution>>, HistoryError> {
    let query = "SELECT at, record, pool_order FROM trades WHERE serial = ?1";
    let mut statement = connection.prepare_cached(query)?;
    let mut found = Vec::new();
    for serial in serials {
        let mut rows = statement.query([serial.cast_signed()])?;
        if let Some(row) = rows.next()? {
            let trade = match row.get_ref(1)?.as_blob_or_null()? {
                Some(record) => Execution::Book(codec::decode_trade(record)?),
                None => Execution::Pool(pool_order(connection, row.get(2)?)?),
            };
            found.push(StoredTrade { serial, at: Time::from_micros(row.get(0)?), trade });
        }
    }
    Ok(found)
}

fn pool_order(connection: &Connection, serial: i64) -> Result<OrderRecord, HistoryError> {
    match orders::rows(connection, &[serial.unsigned_abs()])?.pop() {
        Some(StoredOrder::Closed(record)) => Ok(record),
        _ => Err(HistoryError::Missing("the order of a pool trade")),
    }
}

/// The book fill with this serial; none for a pool trade.
pub(super) fn fill(connection: &Connection, serial: u64) -> Result<Option<StoredTrade>, HistoryError> {
    let found = rows(connection, [serial])?.pop();
    Ok(found.and_then(|StoredTrade { serial, at, trade }| match trade {
        Execution::Book(trade) => Some(StoredTrade { serial, at, trade }),
        Execution::Pool(_) => None,
    }))
}
