//! Trades: each has a serial, its index among all trades, and is in the lists of its engine, market, outcomes and users.
//! Trades of an order are found through `lookups.rs`. Books and pools share the serials, so one cursor covers both.

use std::ops::Range;

use exchange::Exchange;
use exchange::catalogue::Engine;
use exchange::change::Trade;
use exchange::codec;
use exchange::id::{MarketId, OrderId, TradeId, UserId};
use exchange::order::{OrderRecord, Outcome};
use exchange::time::Time;
use segments::{Key, List, Store, Version};

use super::families::{Index, Log};
use super::lookups::{self, LookupKind};
use super::orders::{self, StoredOrder};
use super::pages::{Page, PageCollector, Window};
use super::{HistoryError, list_key, lists};

/// The first byte of a record: a trade follows, or the serial of an order that a pool filled.
const ON_BOOK: u8 = 0;
const ON_POOL: u8 = 1;

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
    fn lists(&self) -> Vec<Key> {
        // An outcome implies its market; `page` has already checked that a given market agrees.
        let market = self.market.filter(|_| self.outcome.is_none());
        let is_everywhere = self.user.is_none() && self.outcome.is_none() && market.is_none();
        [
            self.user.map(|user| list_key::trades_of_user(user, self.engine)),
            self.outcome.map(|(market, outcome)| list_key::trades_of_outcome(market, outcome)),
            market.map(list_key::trades_of_market),
            self.engine.filter(|_| is_everywhere).map(list_key::trades_of_engine),
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
    pub(super) fn new(version: &Version) -> Trades {
        Trades { next: count(version) }
    }

    /// Stores a book trade and returns its serial.
    pub(super) fn store(&mut self, store: &mut Store, at: Time, trade: &Trade) -> u64 {
        let serial = self.append(store, at, ON_BOOK, &codec::encode_trade(trade));
        let (taker, maker) = (&trade.taker, &trade.maker);
        add_ids(store, serial, trade.id(), [taker.order, maker.order]);
        add_lists(store, serial, Engine::Clob, trade.market, [taker.user, maker.user]);
        store.add(Index::Lists as usize, list_key::trades_of_outcome(trade.market, taker.outcome), serial);
        if maker.outcome != taker.outcome {
            store.add(
                Index::Lists as usize,
                list_key::trades_of_outcome(trade.market, maker.outcome),
                serial,
            );
        }
        serial
    }

    /// Stores an order filled by a pool and returns the trade's serial.
    pub(super) fn store_on_pool(&mut self, store: &mut Store, at: Time, order: &OrderRecord) -> u64 {
        let terms = &order.terms;
        let serial = self.append(store, at, ON_POOL, &terms.serial.to_be_bytes());
        add_ids(store, serial, TradeId::of(terms.id, 0), [terms.id]);
        add_lists(store, serial, Engine::Amm, order.market, [order.user, Exchange::HOUSE]);
        store.add(Index::Lists as usize, list_key::trades_of_outcome(order.market, terms.outcome), serial);
        serial
    }

    fn append(&mut self, store: &mut Store, at: Time, kind: u8, content: &[u8]) -> u64 {
        let serial = self.next;
        self.next += 1;
        let mut record = Vec::with_capacity(1 + content.len());
        record.push(kind);
        record.extend_from_slice(content);
        store.append(Log::Trades as usize, serial, at.micros(), &record);
        serial
    }
}

fn add_ids<const ORDERS: usize>(store: &mut Store, serial: u64, trade: TradeId, orders: [OrderId; ORDERS]) {
    let of_orders = orders.map(|order| lookups::by_id(LookupKind::TradesOfOrder, order.as_u128()));
    let of_trade = lookups::by_id(LookupKind::TradeById, trade.as_u128());
    for (place, key) in [of_trade].into_iter().chain(of_orders).enumerate() {
        // Two orders may share a key, and a list has each serial once.
        if place < 2 || key != of_orders[0] {
            store.add(Index::Lookups as usize, key, serial);
        }
    }
}

/// Adds a trade to the lists of its engine, its market and its users.
fn add_lists(store: &mut Store, serial: u64, engine: Engine, market: MarketId, [taker, maker]: [UserId; 2]) {
    let index = Index::Lists as usize;
    store.add(index, list_key::trades_of_engine(engine), serial);
    store.add(index, list_key::trades_of_market(market), serial);
    for user in [Some(taker), Some(maker).filter(|maker| *maker != taker)].into_iter().flatten() {
        for engine in [Some(engine), None] {
            store.add(index, list_key::trades_of_user(user, engine), serial);
        }
    }
}

/// The number of trades.
fn count(version: &Version) -> u64 {
    version.last(Log::Trades as usize).map_or(0, |last| last + 1)
}

/// A page of trades, newest first. The cursor is a trade's serial.
pub(super) fn page(
    version: &Version,
    filter: &TradeFilter,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    if filter.market.zip(filter.outcome).is_some_and(|(market, (of_outcome, _))| market != of_outcome) {
        return Ok(Page::empty());
    }
    if let Some(id) = filter.id {
        let mut picked = PageCollector::new(window);
        if let Some(found) = find(version, id)?.filter(|found| filter.admits(found)) {
            picked.offer(found.serial, found);
        }
        return Ok(picked.into_page());
    }
    let serials = between(version, filter)?;
    if let Some(order) = filter.order {
        return of_order(version, order, filter, &serials, window);
    }
    match filter.lists().as_slice() {
        [] => {
            let positions = window.positions::<HistoryError>(&serials, Ok)?;
            let next = Some(positions.start).filter(|start| *start > serials.start && !positions.is_empty());
            Ok(Page { rows: rows(version, positions.rev())?, total: serials.end - serials.start, next })
        }
        [list] => {
            if !is_on_engine(version, filter, *list)? {
                return Ok(Page::empty());
            }
            let (list, span) = span(version, *list, &serials)?;
            let (found, next) = lists::window(&list, &span, window)?;
            Ok(Page { rows: rows(version, found)?, total: span.end - span.start, next })
        }
        several => scan(version, filter, several, &serials, window),
    }
}

/// Whether a list has trades on the requested engine. A market has one engine, so its first trade decides.
fn is_on_engine(version: &Version, filter: &TradeFilter, list: Key) -> Result<bool, HistoryError> {
    let (Some(engine), None) = (filter.engine, filter.user) else { return Ok(true) };
    let first = rows(version, lists::list(version, list)?.value(0)?)?.pop();
    Ok(first.is_none_or(|first| first.trade.engine() == engine))
}

/// An order usually has few trades, so all of them are scanned.
fn of_order(
    version: &Version,
    order: OrderId,
    filter: &TradeFilter,
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    let mut found = lists::found(version, lookups::by_id(LookupKind::TradesOfOrder, order.as_u128()))?;
    found.retain(|serial| serials.contains(serial));
    let mut picked = PageCollector::new(window);
    offer(version, filter, found.into_iter().rev(), &mut picked)?;
    Ok(picked.into_page())
}

/// Offers the trades that pass the filter.
fn offer(
    version: &Version,
    filter: &TradeFilter,
    serials: impl IntoIterator<Item = u64>,
    picked: &mut PageCollector<StoredTrade<Execution>>,
) -> Result<(), HistoryError> {
    for stored in rows(version, serials)? {
        if filter.admits(&stored) {
            picked.offer(stored.serial, stored);
        }
    }
    Ok(())
}

/// Several conditions at once: scans the shortest list.
fn scan(
    version: &Version,
    filter: &TradeFilter,
    keys: &[Key],
    serials: &Range<u64>,
    window: Window,
) -> Result<Page<StoredTrade<Execution>>, HistoryError> {
    let mut parts = Vec::with_capacity(keys.len());
    for key in keys {
        parts.push(span(version, *key, serials)?);
    }
    let mut picked = PageCollector::new(window);
    lists::walk_shortest(&parts, |found| offer(version, filter, found.iter().copied(), &mut picked))?;
    Ok(picked.into_page())
}

/// A list, and the positions of its trades with these serials.
fn span(version: &Version, key: Key, serials: &Range<u64>) -> Result<(List, Range<u64>), HistoryError> {
    let list = lists::list(version, key)?;
    let start = if serials.start == 0 { 0 } else { list.below(serials.start)? };
    let end = list.below(serials.end)?;
    Ok((list, start..end))
}

/// The range of serials within the filter's times. Times ascend with serials.
fn between(version: &Version, filter: &TradeFilter) -> Result<Range<u64>, HistoryError> {
    let count = count(version);
    let first_at = |at: i64| {
        let first = version.first_at(Log::Trades as usize, at)?;
        Ok::<_, HistoryError>(first.map_or(count, |record| record.number))
    };
    let start = filter.from.map_or(Ok(0), |from| first_at(from.micros()))?;
    let end = filter.to.map_or(Ok(count), |to| first_at(to.micros().saturating_add(1)))?;
    Ok(start..end.max(start))
}

fn find(version: &Version, id: TradeId) -> Result<Option<StoredTrade<Execution>>, HistoryError> {
    let found = lists::found(version, lookups::by_id(LookupKind::TradeById, id.as_u128()))?;
    // Other ids may have the same key.
    Ok(rows(version, found)?.into_iter().rfind(|stored| stored.trade.id() == id))
}

/// The trades with these serials, in the given order.
fn rows(
    version: &Version,
    serials: impl IntoIterator<Item = u64>,
) -> Result<Vec<StoredTrade<Execution>>, HistoryError> {
    let mut found = Vec::new();
    for serial in serials {
        let Some(record) = version.record(Log::Trades as usize, serial)? else { continue };
        let trade = match record.bytes.split_first() {
            Some((&ON_BOOK, trade)) => Execution::Book(codec::decode_trade(trade)?),
            Some((&ON_POOL, order)) => Execution::Pool(pool_order(version, order)?),
            _ => return Err(HistoryError::Missing("the kind of a trade")),
        };
        found.push(StoredTrade { serial, at: Time::from_micros(record.at), trade });
    }
    Ok(found)
}

fn pool_order(version: &Version, serial: &[u8]) -> Result<OrderRecord, HistoryError> {
    let missing = HistoryError::Missing("the order of a pool trade");
    let Ok(serial) = serial.try_into().map(u64::from_be_bytes) else { return Err(missing) };
    match orders::rows(version, &[serial])?.pop() {
        Some(StoredOrder::Closed(record)) => Ok(record),
        _ => Err(missing),
    }
}

/// The trade with this serial, on either engine.
pub(super) fn execution(version: &Version, serial: u64) -> Result<Option<Execution>, HistoryError> {
    Ok(rows(version, [serial])?.pop().map(|stored| stored.trade))
}

/// The book fill with this serial; none for a pool trade.
pub(super) fn fill(version: &Version, serial: u64) -> Result<Option<StoredTrade>, HistoryError> {
    let found = rows(version, [serial])?.pop();
    Ok(found.and_then(|StoredTrade { serial, at, trade }| match trade {
        Execution::Book(trade) => Some(StoredTrade { serial, at, trade }),
        Execution::Pool(_) => None,
    }))
}
