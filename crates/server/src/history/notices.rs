//! Notices: fills of a user's orders, and results of markets with what they paid, newest last in the user's list.
//!
//! A record has the sequence of its request, by which read marks and pushes name it, and the serial of its subject. An
//! order that filled when it was placed has one notice; each later fill of a resting order has its own.

use exchange::Exchange;
use exchange::change::{OrderCause, Settled, Trade};
use exchange::id::UserId;
use exchange::numbers::Shares;
use exchange::order::OrderRecord;
use exchange::time::Time;
use segments::{Store, Version};

use super::activities::{self, StoredSettlement};
use super::families::{Index, Log};
use super::orders::{self, StoredOrder};
use super::pages::{Page, Window};
use super::results::{put, take};
use super::trades::{self, StoredTrade};
use super::{HistoryError, list_key, lists};

/// Unread notices are counted up to this many.
pub const UNREAD_MAX: u64 = 100;

/// A notice. `O` is an order: as history stores it, or its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNotice<O = StoredOrder> {
    pub number: u64,
    pub seq: u64,
    pub at: Time,
    pub subject: NoticeSubject<O>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSubject<O = StoredOrder> {
    /// An order filled, wholly or in part, when it was placed.
    Filled(O),
    /// A resting order of the user was filled.
    Made(StoredTrade),
    Settled(StoredSettlement),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoticeKind {
    Filled = 1,
    Made = 2,
    Settled = 3,
}

const KINDS: [NoticeKind; 3] = [NoticeKind::Filled, NoticeKind::Made, NoticeKind::Settled];

/// The writing side.
#[derive(Debug)]
pub(super) struct Notices {
    next: u64,
}

impl Notices {
    pub(super) fn new(version: &Version) -> Notices {
        Notices { next: version.last(Log::Notices as usize).map_or(0, |last| last + 1) }
    }

    pub(super) fn order(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        record: &OrderRecord,
        cause: OrderCause,
    ) {
        if cause == OrderCause::Placed && record.terms.filled > Shares::ZERO {
            self.add(store, when, record.user, NoticeKind::Filled, record.terms.serial);
        }
    }

    pub(super) fn trade(&mut self, store: &mut Store, when: (u64, Time), trade: &Trade, serial: u64) {
        self.add(store, when, trade.maker.user, NoticeKind::Made, serial);
    }

    pub(super) fn settled(&mut self, store: &mut Store, when: (u64, Time), settled: &Settled, serial: u64) {
        self.add(store, when, settled.user, NoticeKind::Settled, serial);
    }

    fn add(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        user: UserId,
        kind: NoticeKind,
        serial: u64,
    ) {
        if user == Exchange::HOUSE {
            return;
        }
        let number = self.next;
        self.next += 1;
        let mut record = vec![kind as u8];
        put(&mut record, i128::from(seq));
        put(&mut record, i128::from(serial));
        store.append(Log::Notices as usize, number, at.micros(), &record);
        store.add(Index::Lists as usize, list_key::notices(user), number);
    }
}

/// A record without its subject.
struct NoticeRecord {
    kind: NoticeKind,
    seq: u64,
    serial: u64,
    at: Time,
}

fn record(version: &Version, number: u64) -> Result<NoticeRecord, HistoryError> {
    let missing = || HistoryError::Missing("a notice");
    let stored = version.record(Log::Notices as usize, number)?.ok_or_else(missing)?;
    decode(&stored.bytes, Time::from_micros(stored.at)).ok_or_else(missing)
}

fn decode(bytes: &[u8], at: Time) -> Option<NoticeRecord> {
    let (kind, mut rest) = bytes.split_first()?;
    let kind = KINDS.into_iter().find(|known| *known as u8 == *kind)?;
    let (seq, serial) = (take(&mut rest)?, take(&mut rest)?);
    Some(NoticeRecord { kind, seq: seq.try_into().ok()?, serial: serial.try_into().ok()?, at })
}

/// A page of a user's notices, newest first, and how many of the latest follow the sequence `read`. The cursor is a
/// notice's number.
pub(super) fn page(
    version: &Version,
    user: UserId,
    read: u64,
    window: Window,
) -> Result<(Page<StoredNotice>, u64), HistoryError> {
    let list = lists::list(version, list_key::notices(user))?;
    let (numbers, next) = lists::window(&list, &(0..list.len()), window)?;
    let rows = numbers.into_iter().map(|number| notice(version, number)).collect::<Result<_, _>>()?;
    let latest = list.values(list.len().saturating_sub(UNREAD_MAX)..list.len())?;
    let mut unread = 0;
    for number in latest.into_iter().rev() {
        if record(version, number)?.seq <= read {
            break;
        }
        unread += 1;
    }
    Ok((Page { rows, total: list.len(), next }, unread))
}

fn notice(version: &Version, number: u64) -> Result<StoredNotice, HistoryError> {
    let NoticeRecord { kind, seq, serial, at } = record(version, number)?;
    let subject = match kind {
        NoticeKind::Filled => orders::rows(version, &[serial])?.pop().map(NoticeSubject::Filled),
        NoticeKind::Made => trades::fill(version, serial)?.map(NoticeSubject::Made),
        NoticeKind::Settled => Some(NoticeSubject::Settled(activities::settlement(version, serial)?)),
    };
    let subject = subject.ok_or(HistoryError::Missing("the subject of a notice"))?;
    Ok(StoredNotice { number, seq, at, subject })
}
