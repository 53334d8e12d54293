//! Users' profit and loss: running sums, with an entry for every sale, burn and settlement.
//!
//! Each entry is in two lists, one over all events and one for its event. The result of a time span is the difference
//! of two entries, found by binary search over their times.

use exchange::id::{EventId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::time::Time;
use rusqlite::Connection;

use super::HistoryError;
use super::lists::{self, ListKey, Tails};

const EVENTS_MAX: usize = 30;
/// Size of an entry: a time and the sums.
const ENTRY_BYTES: usize = 72;

/// Sums of results. Wider than `Money`, because cost accumulates with every trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Proceeds of sales and burns minus the cost of what was sold.
    pub trade: i128,
    /// Payouts minus the cost of the settled positions.
    pub settlement: i128,
    /// Cost of everything sold, burned or settled.
    pub cost: i128,
    /// Outcomes of settled positions that paid (wins) and that did not (losses).
    pub wins: u64,
    pub losses: u64,
}

impl Sums {
    pub(super) fn of_sale(proceeds: Money, cost: Money) -> Sums {
        let (proceeds, cost) = (i128::from(proceeds.units()), i128::from(cost.units()));
        Sums { trade: proceeds - cost, cost, ..Sums::default() }
    }

    pub(super) fn of_settlement(payout: Money, cost: Money, wins: u64, losses: u64) -> Sums {
        let (payout, cost) = (i128::from(payout.units()), i128::from(cost.units()));
        Sums { settlement: payout - cost, cost, wins, losses, ..Sums::default() }
    }

    fn plus(self, other: Sums) -> Sums {
        Sums {
            trade: self.trade + other.trade,
            settlement: self.settlement + other.settlement,
            cost: self.cost + other.cost,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
        }
    }

    /// The difference from an earlier sum.
    fn since(self, earlier: Sums) -> Sums {
        Sums {
            trade: self.trade - earlier.trade,
            settlement: self.settlement - earlier.settlement,
            cost: self.cost - earlier.cost,
            wins: self.wins - earlier.wins,
            losses: self.losses - earlier.losses,
        }
    }
}

/// The running sums after a sale, burn or settlement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RunningSums {
    at: i64,
    sums: Sums,
}

impl RunningSums {
    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        let Sums { trade, settlement, cost, wins, losses } = self.sums;
        for (place, sum) in bytes.chunks_exact_mut(16).zip([trade, settlement, cost]) {
            place.copy_from_slice(&sum.to_be_bytes());
        }
        for (place, number) in bytes[48..].chunks_exact_mut(8).zip([wins, losses, self.at.cast_unsigned()]) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> RunningSums {
        let sum = |number: usize| i128::from_be_bytes(bytes.as_chunks().0[number]);
        let number = |number: usize| u64::from_be_bytes(bytes.as_chunks().0[number]);
        let sums =
            Sums { trade: sum(0), settlement: sum(1), cost: sum(2), wins: number(6), losses: number(7) };
        RunningSums { at: number(8).cast_signed(), sums }
    }
}

/// The writing side: the last rows of the lists.
#[derive(Debug, Default)]
pub(super) struct Results {
    tails: Tails<ENTRY_BYTES>,
}

impl Results {
    pub(super) fn add(
        &mut self,
        connection: &Connection,
        user: UserId,
        currency: Currency,
        event: EventId,
        at: Time,
        result: Sums,
    ) -> rusqlite::Result<()> {
        for event in [None, Some(event)] {
            self.tails.append(connection, ListKey::results(user, currency, event), |last| {
                let before = last.map_or_else(Sums::default, |last| RunningSums::from_bytes(*last).sums);
                RunningSums { at: at.micros(), sums: before.plus(result) }.to_bytes()
            })?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.tails.flush(connection)
    }
}

/// How many entries of a list have a time of at most `at`.
fn count_until(connection: &Connection, key: &ListKey, at: i64) -> rusqlite::Result<u64> {
    let count = lists::count_of::<ENTRY_BYTES>(connection, key)?;
    let is_late = |position: u64| {
        entry(connection, key, position).map(|entry| entry.is_some_and(|entry| entry.at > at))
    };
    // The common case: all of them.
    if count == 0 || !is_late(count - 1)? {
        return Ok(count);
    }
    let (mut low, mut high) = (0, count - 1);
    while low < high {
        let middle = u64::midpoint(low, high);
        if is_late(middle)? { high = middle } else { low = middle + 1 }
    }
    Ok(low)
}

fn entry(connection: &Connection, key: &ListKey, position: u64) -> rusqlite::Result<Option<RunningSums>> {
    Ok(lists::slice_of(connection, key, position, position + 1, RunningSums::from_bytes)?.pop())
}

/// An inclusive time span.
#[derive(Clone, Copy, Debug)]
pub struct ResultSpan {
    pub user: UserId,
    pub currency: Currency,
    pub from: Time,
    pub to: Time,
}

/// The sums of a span, and its events, most recent first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundResults {
    pub all: Sums,
    pub events: Vec<EventResult>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventResult {
    pub event: EventId,
    pub sums: Sums,
    pub last: Time,
}

pub(super) fn span(
    connection: &Connection,
    span: &ResultSpan,
    with_events: bool,
) -> Result<FoundResults, HistoryError> {
    let all = within(connection, span, None)?.map_or_else(Sums::default, |(sums, _)| sums);
    let mut events = Vec::new();
    for event in if with_events { events_of(connection, span)? } else { Vec::new() } {
        if let Some((sums, last)) = within(connection, span, Some(event))? {
            events.push(EventResult { event, sums, last: Time::from_micros(last) });
        }
    }
    events.sort_by_key(|result| (std::cmp::Reverse(result.last), result.event));
    events.truncate(EVENTS_MAX);
    Ok(FoundResults { all, events })
}

/// The sums of a list within a span and the time of its last entry there; none without such an entry.
fn within(
    connection: &Connection,
    span: &ResultSpan,
    event: Option<EventId>,
) -> rusqlite::Result<Option<(Sums, i64)>> {
    let key = ListKey::results(span.user, span.currency, event);
    let before = count_until(connection, &key, span.from.micros() - 1)?;
    let until = count_until(connection, &key, span.to.micros())?;
    // Also covers a span that ends before it begins.
    if before >= until {
        return Ok(None);
    }
    let sums = match before.checked_sub(1) {
        Some(last) => entry(connection, &key, last)?.unwrap_or_default().sums,
        None => Sums::default(),
    };
    let last = entry(connection, &key, until - 1)?;
    Ok(last.map(|last| (last.sums.since(sums), last.at)))
}

/// The events in which the user has results, found by walking the keys.
fn events_of(connection: &Connection, span: &ResultSpan) -> rusqlite::Result<Vec<EventId>> {
    let mut found = Vec::new();
    let mut last = None;
    loop {
        let key = ListKey::results(span.user, span.currency, last);
        let Some(next) = lists::subject_after(connection, &key)?.map(EventId::new) else { return Ok(found) };
        found.push(next);
        last = Some(next);
    }
}
