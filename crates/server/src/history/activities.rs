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
use segments::{Store, Version};

use super::families::{Index, Log};
use super::orders::StoredOrder;
use super::pages::{Page, Window};
use super::trades::StoredTrade;
use super::{HistoryError, list_key, orders, trades};

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

/// The kinds of entries. An entry holds a serial and, in its lowest bits, the kind.
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
const KIND_BITS: u32 = 4;

impl EntryKind {
    const fn entry(self, serial: u64) -> u64 {
        serial << KIND_BITS | self as u64
    }

    fn of(entry: u64) -> Option<(EntryKind, u64)> {
        let number = entry & ((1 << KIND_BITS) - 1);
        let kind = KINDS.into_iter().find(|kind| *kind as u64 == number)?;
        Some((kind, entry >> KIND_BITS))
    }
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Activities {
    next_settlement: u64,
    next_sets: u64,
}

impl Activities {
    pub(super) fn new(version: &Version) -> Activities {
        let next = |log: Log| version.last(log as usize).map_or(0, |last| last + 1);
        Activities { next_settlement: next(Log::Settlements), next_sets: next(Log::Sets) }
    }

    /// Records that an order was placed, or that a resting one was cancelled or expired.
    pub(super) fn order(&self, store: &mut Store, record: &OrderRecord, cause: OrderCause) {
        let kind = match (cause, record.status) {
            (OrderCause::Placed, _) => EntryKind::Created,
            (_, OrderStatus::Cancelled) => EntryKind::Cancelled,
            (_, OrderStatus::Expired) => EntryKind::Expired,
            _ => return,
        };
        let group = match (record.terms.kind, record.terms.side) {
            (OrderKind::Limit, _) => ActivityFilter::Limits,
            (OrderKind::Market, Side::Buy) => ActivityFilter::Buys,
            (OrderKind::Market, Side::Sell) => ActivityFilter::Sells,
        };
        let entry = kind.entry(record.terms.serial);
        [None, Some(group)].into_iter().for_each(|group| add(store, record.user, group, entry));
    }

    /// Records a fill, which is listed in its group only.
    pub(super) fn trade(&self, store: &mut Store, trade: &Trade, serial: u64) {
        for (party, kind) in [(&trade.taker, EntryKind::Took), (&trade.maker, EntryKind::Made)] {
            let group = match party.side {
                Side::Buy => ActivityFilter::Buys,
                Side::Sell => ActivityFilter::Sells,
            };
            add(store, party.user, Some(group), kind.entry(serial));
        }
    }

    /// Stores a mint or a burn and returns its serial.
    pub(super) fn sets(&mut self, store: &mut Store, at: Time, sets: &SetsChange) -> u64 {
        let serial = self.next_sets;
        self.next_sets += 1;
        store.append(Log::Sets as usize, serial, at.micros(), &codec::encode_sets(sets));
        for group in [None, Some(ActivityFilter::Sets)] {
            add(store, sets.user, group, EntryKind::Sets.entry(serial));
        }
        serial
    }

    /// Stores a settled position and returns its serial.
    pub(super) fn settled(&mut self, store: &mut Store, at: Time, settled: &Settled) -> u64 {
        let serial = self.next_settlement;
        self.next_settlement += 1;
        store.append(Log::Settlements as usize, serial, at.micros(), &codec::encode_settled(settled));
        for (kind, shares) in [(EntryKind::PaidYes, settled.yes), (EntryKind::PaidNo, settled.no)] {
            if shares > Shares::ZERO {
                // A refund is neither a win nor a loss and is in no group.
                let payout = Some(Some(ActivityFilter::Payout)).filter(|_| !settled.is_refund);
                for group in [None].into_iter().chain(payout) {
                    add(store, settled.user, group, kind.entry(serial));
                }
            }
        }
        serial
    }
}

fn add(store: &mut Store, user: UserId, group: Option<ActivityFilter>, entry: u64) {
    store.add(Index::Activities as usize, list_key::activities(user, group), entry);
}

/// A page of activities, newest first. The cursor is a position in the list, to which entries are only appended.
pub(super) fn page(
    version: &Version,
    user: UserId,
    group: Option<ActivityFilter>,
    window: Window,
) -> Result<Page<StoredActivity>, HistoryError> {
    let list = version.list(Index::Activities as usize, list_key::activities(user, group))?;
    let positions = window.positions::<HistoryError>(&(0..list.len()), Ok)?;
    let entries = list.values(positions.clone())?;
    let mut rows = Vec::with_capacity(entries.len());
    for entry in entries.into_iter().rev() {
        rows.push(read_activity(version, entry)?);
    }
    let next = Some(positions.start).filter(|start| *start > 0 && !rows.is_empty());
    Ok(Page { rows, total: list.len(), next })
}

fn read_activity(version: &Version, entry: u64) -> Result<StoredActivity, HistoryError> {
    let (kind, serial) = EntryKind::of(entry).ok_or(HistoryError::Missing("the kind of an activity"))?;
    let order = || Ok::<_, HistoryError>(orders::rows(version, &[serial])?.pop());
    let trade = || trades::fill(version, serial);
    let paid = |outcome| {
        Ok::<_, HistoryError>(Some(StoredActivity::PaidOut {
            settlement: settlement(version, serial)?,
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
        EntryKind::Sets => Some(StoredActivity::Sets(sets(version, serial)?)),
    };
    found.ok_or(HistoryError::Missing("the subject of an activity"))
}

pub(super) fn settlement(version: &Version, serial: u64) -> Result<StoredSettlement, HistoryError> {
    let record = version.record(Log::Settlements as usize, serial)?;
    let record = record.ok_or(HistoryError::Missing("a settlement"))?;
    let settled = codec::decode_settled(&record.bytes)?;
    Ok(StoredSettlement { serial, at: Time::from_micros(record.at), settled })
}

pub(super) fn sets(version: &Version, serial: u64) -> Result<StoredSets, HistoryError> {
    let record = version.record(Log::Sets as usize, serial)?;
    let record = record.ok_or(HistoryError::Missing("a mint or a burn"))?;
    let sets = codec::decode_sets(&record.bytes)?;
    Ok(StoredSets { serial, at: Time::from_micros(record.at), sets })
}
