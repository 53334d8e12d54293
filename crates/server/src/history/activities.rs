//! Activities of a user: orders placed, filled, cancelled, expired; sets minted and burned; positions paid out.
//!
//! An activity stores no data of its own: its list entry holds a kind and the serial of an order, trade, mint or burn, or
//! settlement. The order is read in its current state, so an entry never goes stale.

use exchange::change::{OrderCause, SetsChange, Settled, Trade};
use exchange::codec;
use exchange::id::UserId;
use exchange::numbers::Shares;
use exchange::order::{OrderKind, OrderRecord, OrderStatus, Outcome, Side};
use exchange::time::Time;
use rusqlite::{Connection, params};

use super::lists::{self, ListKey, Tails};
use super::orders::StoredOrder;
use super::pages::{Page, Window};
use super::trades::StoredTrade;
use super::{HistoryError, orders, schema, trades};

/// Filters activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActivityFilter {
    Buys,
    Sells,
    Limits,
    Payout,
    Sets,
}

/// One activity. `O` is an order: as history stores it, or its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredActivity<O = StoredOrder> {
    Created(O),
    Cancelled(O),
    Expired(O),
    Took(StoredTrade),
    Made(StoredTrade),
    Sets(StoredSets),
    PaidOut { settlement: StoredSettlement, outcome: Outcome },
}

/// A settled position, with its serial and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSettlement {
    pub serial: u64,
    pub at: Time,
    pub settled: Settled,
}

/// A mint or a burn, with its serial and time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSets {
    pub serial: u64,
    pub at: Time,
    pub sets: SetsChange,
}

/// The kinds of entries. An entry holds the kind above `KIND_SHIFT` and a serial below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryKind {
    Created = 1,
    Cancelled = 2,
    Expired = 3,
    Took = 4,
    Made = 5,
    PaidYes = 6,
    PaidNo = 7,
    Sets = 8,
}

const KINDS: [EntryKind; 8] = [
    EntryKind::Created,
    EntryKind::Cancelled,
    EntryKind::Expired,
    EntryKind::Took,
    EntryKind::Made,
    EntryKind::PaidYes,
    EntryKind::PaidNo,
    EntryKind::Sets,
];
const KIND_SHIFT: u32 = 60;

impl EntryKind {
    const fn entry(self, serial: u64) -> u64 {
        (self as u64) << KIND_SHIFT | serial
    }

    fn of(entry: u64) -> Option<(EntryKind, u64)> {
        let kind = KINDS.into_iter().find(|kind| *kind as u64 == entry >> KIND_SHIFT)?;
        Some((kind, entry & ((1 << KIND_SHIFT) - 1)))
    }
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Activities {
    next_settlement: u64,
    next_sets: u64,
}

impl Activities {
    pub(super) fn new(connection: &Connection) -> rusqlite::Result<Activities> {
        Ok(Activities {
            next_settlement: schema::next_serial(connection, "settlements")?,
            next_sets: schema::next_serial(connection, "sets")?,
        })
    }

    /// Records that an order was placed, or that a resting one was cancelled or expired.
    pub(super) fn order(
        &self,
        connection: &Connection,
        tails: &mut Tails,
        record: &OrderRecord,
        cause: OrderCause,
    ) -> rusqlite::Result<()> {
        let kind = match (cause, record.status) {
            (OrderCause::Placed, _) => EntryKind::Created,
            (_, OrderStatus::Cancelled) => EntryKind::Cancelled,
            (_, OrderStatus::Expired) => EntryKind::Expired,
            _ => return Ok(()),
        };
        let group = match (record.terms.kind, record.terms.side) {
            (OrderKind::Limit, _) => ActivityFilter::Limits,
            (OrderKind::Market, Side::Buy) => ActivityFilter::Buys,
            (OrderKind::Market, Side::Sell) => ActivityFilter::Sells,
        };
        let entry = kind.entry(record.terms.serial);
        for key in [None, Some(group)].map(|group| ListKey::activities(record.user, group)) {
            tails.push(connection, key, entry)?;
        }
        Ok(())
    }

    /// Records a fill, which is listed in its group only.
    pub(super) fn trade(
        &self,
        connection: &Connection,
        tails: &mut Tails,
        trade: &Trade,
        serial: u64,
    ) -> rusqlite::Result<()> {
        for (party, kind) in [(&trade.taker, EntryKind::Took), (&trade.maker, EntryKind::Made)] {
            let group = match party.side {
                Side::Buy => ActivityFilter::Buys,
                Side::Sell => ActivityFilter::Sells,
            };
            tails.push(connection, ListKey::activities(party.user, Some(group)), kind.entry(serial))?;
        }
        Ok(())
    }

    pub(super) fn sets(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        at: Time,
        sets: &SetsChange,
    ) -> rusqlite::Result<()> {
        let serial = self.next_sets;
        self.next_sets += 1;
        let row = params![serial.cast_signed(), at.micros(), codec::encode_sets(sets)];
        connection.prepare_cached("INSERT INTO sets VALUES (?1, ?2, ?3)")?.execute(row)?;
        for group in [None, Some(ActivityFilter::Sets)] {
            tails.push(connection, ListKey::activities(sets.user, group), EntryKind::Sets.entry(serial))?;
        }
        Ok(())
    }

    pub(super) fn settled(
        &mut self,
        connection: &Connection,
        tails: &mut Tails,
        at: Time,
        settled: &Settled,
    ) -> rusqlite::Result<()> {
        let serial = self.next_settlement;
        self.next_settlement += 1;
        let row = params![serial.cast_signed(), at.micros(), codec::encode_settled(settled)];
        connection.prepare_cached("INSERT INTO settlements VALUES (?1, ?2, ?3)")?.execute(row)?;
        for (kind, shares) in [(EntryKind::PaidYes, settled.yes), (EntryKind::PaidNo, settled.no)] {
            if shares > Shares::ZERO {
                let entry = kind.entry(serial);
                // A refund is neither a win nor a loss and is in no group.
                let payout = Some(Some(ActivityFilter::Payout)).filter(|_| !settled.is_refund);
                for group in [None].into_iter().chain(payout) {
                    tails.push(connection, ListKey::activities(settled.user, group), entry)?;
                }
            }
        }
        Ok(())
    }
}

/// A page of activities, newest first. The cursor is a position in the list, to which entries are only appended.
pub(super) fn page(
    connection: &Connection,
    user: UserId,
    group: Option<ActivityFilter>,
    window: Window,
) -> Result<Page<StoredActivity>, HistoryError> {
    let key = ListKey::activities(user, group);
    let span = 0..lists::count(connection, &key)?;
    let positions = window.positions::<HistoryError>(&span, Ok)?;
    let entries = lists::slice(connection, &key, positions.start, positions.end)?;
    let mut rows = Vec::with_capacity(entries.len());
    for entry in entries.into_iter().rev() {
        rows.push(read_activity(connection, entry)?);
    }
    let next = Some(positions.start).filter(|start| *start > 0 && !rows.is_empty());
    Ok(Page { rows, total: span.end, next })
}

fn read_activity(connection: &Connection, entry: u64) -> Result<StoredActivity, HistoryError> {
    let (kind, serial) = EntryKind::of(entry).ok_or(HistoryError::Missing("the kind of an activity"))?;
    let order = || Ok::<_, HistoryError>(orders::rows(connection, &[serial])?.pop());
    let trade = || trades::fill(connection, serial);
    let paid = |outcome| {
        Ok::<_, HistoryError>(Some(StoredActivity::PaidOut {
            settlement: settlement(connection, serial)?,
            outcome,
        }))
    };
    let found = match kind {
        EntryKind::Created => order()?.map(StoredActivity::Created),
        EntryKind::Cancelled => order()?.map(StoredActivity::Cancelled),
        EntryKind::Expired => order()?.map(StoredActivity::Expired),
        EntryKind::Took => trade()?.map(StoredActivity::Took),
        EntryKind::Made => trade()?.map(StoredActivity::Made),
        EntryKind::PaidYes => paid(Outcome::Yes)?,
        EntryKind::PaidNo => paid(Outcome::No)?,
        EntryKind::Sets => Some(StoredActivity::Sets(sets(connection, serial)?)),
    };
    found.ok_or(HistoryError::Missing("the subject of an activity"))
}

fn settlement(connection: &Connection, serial: u64) -> Result<StoredSettlement, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT at, record FROM settlements WHERE serial = ?1")?;
    let mut rows = statement.query([serial.cast_signed()])?;
    let row = rows.next()?.ok_or(HistoryError::Missing("a settlement"))?;
    let settled = codec::decode_settled(row.get_ref(1)?.as_blob()?)?;
    Ok(StoredSettlement { serial, at: Time::from_micros(row.get(0)?), settled })
}

fn sets(connection: &Connection, serial: u64) -> Result<StoredSets, HistoryError> {
    let mut statement = connection.prepare_cached("SELECT at, record FROM sets WHERE serial = ?1")?;
    let mut rows = statement.query([serial.cast_signed()])?;
    let row = rows.next()?.ok_or(HistoryError::Missing("a mint or a burn"))?;
    let sets = codec::decode_sets(row.get_ref(1)?.as_blob()?)?;
    Ok(StoredSets { serial, at: Time::from_micros(row.get(0)?), sets })
}
