//! Notices: fills of a user's orders, and results of markets with what they paid, newest last in the user's list.
//!
//! A record has the sequence of its request, by which read marks and pushes name it, and the serial of its subject. An
//! order that filled when it was placed has one notice. Fills of resting orders are gathered (`StoredFills`): anyone can fill
//! an order twenty times a second, a share at a time. The first one is in the user's list; the list of its number has those
//! that follow, each with the sums up to it. So a notice costs the same, however many fills it counts.

use std::collections::HashMap;

use exchange::Exchange;
use exchange::change::{OrderCause, Settled, Trade};
use exchange::id::{OrderId, UserId};
use exchange::numbers::{Money, Shares};
use exchange::order::OrderRecord;
use exchange::time::{Span, Time};
use foldhash::fast::RandomState;
use segments::{Key, Store, Version};

use super::activities::{self, StoredSettlement};
use super::families::{Index, Log};
use super::orders::{self, StoredOrder};
use super::results::{put, take};
use super::trades::{self, StoredTrade};
use super::{HistoryError, list_key, lists};

/// Unread notices are counted up to this many.
pub const UNREAD_MAX: u64 = 100;
/// The time after a fill in which others are gathered with it.
const GATHERED_FOR: Span = Span::minutes(1);
/// Listings of users whose last fills the writer remembers between commits.
const CACHED_MAX: usize = 100_000;

/// A notice. `O` is an order: as history stores it, or its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNotice<O = StoredOrder> {
    pub number: u64,
    /// Of the newest fill, if there are several.
    pub seq: u64,
    pub at: Time,
    pub subject: NoticeSubject<O>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSubject<O = StoredOrder> {
    /// An order filled, wholly or in part, when it was placed.
    Filled(O),
    /// Resting orders of the user were filled.
    Made(StoredFills),
    Settled(StoredSettlement),
}

/// Fills of a user's resting orders on one side of an outcome, in one currency, from the first one to a minute later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFills {
    pub newest: StoredTrade,
    pub sums: FillSums,
}

/// The sums of fills. They are exact: a trade's value has no remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FillSums {
    pub fills: u64,
    pub shares: Shares,
    pub value: Money,
    /// All are fills of one order.
    pub is_of_one_order: bool,
}

impl FillSums {
    fn of(trade: &Trade) -> FillSums {
        let value = trade.size.value_at(trade.maker.price.into(), trade.currency);
        FillSums { fills: 1, shares: trade.size, value, is_of_one_order: true }
    }

    /// `None` if the sum is more than an account can have.
    fn plus(self, other: FillSums, is_same_order: bool) -> Option<FillSums> {
        let value = self.value.saturating_add(other.value);
        (value <= Money::TOTAL_MAX).then(|| FillSums {
            fills: self.fills + other.fills,
            shares: self.shares.saturating_add(other.shares),
            value,
            is_of_one_order: self.is_of_one_order && is_same_order,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoticeKind {
    Filled = 1,
    Made = 2,
    Settled = 3,
    /// A fill that is gathered with an earlier one.
    More = 4,
}

const KINDS: [NoticeKind; 4] = [NoticeKind::Filled, NoticeKind::Made, NoticeKind::Settled, NoticeKind::More];

/// The last notice about fills of a user on one side of an outcome.
#[derive(Clone, Copy, Debug)]
struct LastFills {
    /// The number of its first record, which is the notice's.
    number: u64,
    began: Time,
    order: OrderId,
    sums: FillSums,
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Notices {
    next: u64,
    last_fills: HashMap<Key, LastFills, RandomState>,
}

impl Notices {
    pub(super) fn new(version: &Version) -> Notices {
        let last = version.last(Log::Notices as usize);
        Notices { next: last.map_or(0, |last| last + 1), last_fills: HashMap::default() }
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

    pub(super) fn trade(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        trade: &Trade,
        serial: u64,
    ) -> Result<(), HistoryError> {
        let maker = &trade.maker;
        if maker.user == Exchange::HOUSE {
            return Ok(());
        }
        let key = list_key::notices_of_fills(maker, trade.market, trade.currency);
        let last = match self.last_fills.get(&key) {
            Some(last) => Some(*last),
            None => last_stored(&store.version(), key, at)?,
        };
        let sums = FillSums::of(trade);
        let gathered = last.filter(|last| at <= last.began + GATHERED_FOR).and_then(|last| {
            let sums = last.sums.plus(sums, last.order == maker.order)?;
            Some(LastFills { sums, ..last })
        });
        let fills = match gathered {
            Some(fills) => {
                let number = self.append(store, (seq, at), NoticeKind::More, serial, Some(&fills.sums));
                store.add(Index::Lists as usize, list_key::more_fills(fills.number), number);
                fills
            }
            None => {
                let number = self.append(store, (seq, at), NoticeKind::Made, serial, None);
                for list in [list_key::notices(maker.user), key] {
                    store.add(Index::Lists as usize, list, number);
                }
                LastFills { number, began: at, order: maker.order, sums }
            }
        };
        self.last_fills.insert(key, fills);
        Ok(())
    }

    pub(super) fn settled(&mut self, store: &mut Store, when: (u64, Time), settled: &Settled, serial: u64) {
        self.add(store, when, settled.user, NoticeKind::Settled, serial);
    }

    /// Bounds the memory. Called after a commit: notices that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.last_fills.len() > CACHED_MAX {
            self.last_fills.clear();
        }
    }

    fn add(&mut self, store: &mut Store, when: (u64, Time), user: UserId, kind: NoticeKind, serial: u64) {
        if user != Exchange::HOUSE {
            let number = self.append(store, when, kind, serial, None);
            store.add(Index::Lists as usize, list_key::notices(user), number);
        }
    }

    /// Appends a record and returns its number.
    fn append(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        kind: NoticeKind,
        serial: u64,
        sums: Option<&FillSums>,
    ) -> u64 {
        let number = self.next;
        self.next += 1;
        let mut record = vec![kind as u8];
        put(&mut record, i128::from(seq));
        put(&mut record, i128::from(serial));
        if let Some(FillSums { fills, shares, value, is_of_one_order }) = sums {
            put(&mut record, i128::from(*fills));
            put(&mut record, i128::from(shares.units()));
            put(&mut record, i128::from(value.units()));
            record.push(u8::from(*is_of_one_order));
        }
        store.append(Log::Notices as usize, number, at.micros(), &record);
        number
    }
}

/// A record without its subject.
struct NoticeRecord {
    kind: NoticeKind,
    seq: u64,
    serial: u64,
    at: Time,
    /// Of a fill that is gathered with earlier ones: the sums up to it.
    sums: Option<FillSums>,
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
    let sums = if kind == NoticeKind::More { Some(decode_sums(&mut rest)?) } else { None };
    Some(NoticeRecord { kind, seq: seq.try_into().ok()?, serial: serial.try_into().ok()?, at, sums })
}

fn decode_sums(rest: &mut &[u8]) -> Option<FillSums> {
    let [fills, shares, value] = [take(rest)?, take(rest)?, take(rest)?];
    Some(FillSums {
        fills: fills.try_into().ok()?,
        shares: Shares::new(shares.try_into().ok()?),
        value: Money::new(value.try_into().ok()?),
        is_of_one_order: *rest.first()? == 1,
    })
}

/// The last notice about fills in a list, if a fill at `at` may be gathered with it.
fn last_stored(version: &Version, key: Key, at: Time) -> Result<Option<LastFills>, HistoryError> {
    let list = lists::list(version, key)?;
    let Some(last) = list.len().checked_sub(1) else { return Ok(None) };
    let Some(number) = list.value(last)? else { return Ok(None) };
    let first = record(version, number)?;
    let (began, serial) = (first.at, first.serial);
    if at > began + GATHERED_FOR {
        return Ok(None);
    }
    let newest = newest(version, number, first)?;
    let trade = fill(version, serial)?.trade;
    let sums = newest.sums.unwrap_or_else(|| FillSums::of(&trade));
    Ok(Some(LastFills { number, began, order: trade.maker.order, sums }))
}

/// The newest record of the notice that begins with `first`.
fn newest(version: &Version, number: u64, first: NoticeRecord) -> Result<NoticeRecord, HistoryError> {
    if first.kind != NoticeKind::Made {
        return Ok(first);
    }
    let more = lists::list(version, list_key::more_fills(number))?;
    let last = more.len().checked_sub(1).map(|last| more.value(last)).transpose()?.flatten();
    last.map_or(Ok(first), |number| record(version, number))
}

/// The latest notices of a user, newest first, and how many of the latest `UNREAD_MAX` follow the sequence `read`.
pub(super) fn latest(
    version: &Version,
    user: UserId,
    read: u64,
    size: u64,
) -> Result<(Vec<StoredNotice>, u64), HistoryError> {
    let list = lists::list(version, list_key::notices(user))?;
    let numbers = list.values(list.len().saturating_sub(size.max(UNREAD_MAX))..list.len())?;
    let (mut found, mut unread) = (Vec::new(), 0);
    // The list is in the order of the first fills. A notice that began a minute before another one cannot be newer.
    let (mut shown_from, mut read_from) = (None, None);
    for (place, number) in (1..).zip(numbers.into_iter().rev()) {
        let first = record(version, number)?;
        let (seq, began) = (first.seq, first.at);
        let is_older = |than: Option<Time>| than.is_some_and(|than| began + GATHERED_FOR < than);
        if is_older(shown_from) && is_older(read_from) {
            break;
        }
        let newest = newest(version, number, first)?;
        unread += u64::from(place <= UNREAD_MAX && newest.seq > read);
        if place == size {
            shown_from = Some(began);
        }
        if seq <= read {
            read_from = read_from.or(Some(began));
        }
        found.push((number, newest));
    }
    // Stable: notices of one request stay in their order.
    found.sort_by_key(|(_, newest)| std::cmp::Reverse(newest.seq));
    found.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    let notices = found.into_iter().map(|(number, newest)| notice(version, number, &newest));
    Ok((notices.collect::<Result<_, _>>()?, unread))
}

fn notice(version: &Version, number: u64, newest: &NoticeRecord) -> Result<StoredNotice, HistoryError> {
    let NoticeRecord { kind, seq, serial, at, sums } = *newest;
    let subject = match kind {
        NoticeKind::Filled => {
            let order = orders::rows(version, &[serial])?.pop();
            NoticeSubject::Filled(order.ok_or(HistoryError::Missing("the order of a notice"))?)
        }
        NoticeKind::Made | NoticeKind::More => {
            let newest = fill(version, serial)?;
            let sums = sums.unwrap_or_else(|| FillSums::of(&newest.trade));
            NoticeSubject::Made(StoredFills { newest, sums })
        }
        NoticeKind::Settled => NoticeSubject::Settled(activities::settlement(version, serial)?),
    };
    Ok(StoredNotice { number, seq, at, subject })
}

fn fill(version: &Version, serial: u64) -> Result<StoredTrade, HistoryError> {
    trades::fill(version, serial)?.ok_or(HistoryError::Missing("the fill of a notice"))
}
