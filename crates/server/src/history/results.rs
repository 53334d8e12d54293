//! What users have won and lost: sums since the beginning, a row for every sale, burn and settlement.
//!
//! Each row is kept twice: over all events, and for its own. The result of any span of time is the difference of two rows,
//! found by time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use exchange::id::{EventId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::time::Time;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::HistoryError;

/// Over all events.
const ALL: EventId = EventId::new(0);
const EVENTS_MAX: usize = 30;
const KEPT_MAX: usize = 50_000;

/// Sums of results. Wider than money: cost adds up with every trade.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Proceeds of sales and burns less what was sold had cost.
    pub trade: i128,
    /// Payouts less what the settled positions had cost.
    pub settlement: i128,
    /// Of what was sold, burned or settled.
    pub cost: i128,
    /// Outcomes of settled positions that paid, and that did not.
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

    /// What came after `earlier`.
    fn since(self, earlier: Sums) -> Sums {
        Sums {
            trade: self.trade - earlier.trade,
            settlement: self.settlement - earlier.settlement,
            cost: self.cost - earlier.cost,
            wins: self.wins - earlier.wins,
            losses: self.losses - earlier.losses,
        }
    }

    fn to_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (place, sum) in bytes.chunks_exact_mut(16).zip([self.trade, self.settlement, self.cost]) {
            place.copy_from_slice(&sum.to_be_bytes());
        }
        bytes[48..56].copy_from_slice(&self.wins.to_be_bytes());
        bytes[56..].copy_from_slice(&self.losses.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; 64]) -> Sums {
        let part = |start: usize| {
            let mut part = [0; 16];
            part.copy_from_slice(&bytes[start..start + 16]);
            part
        };
        let counts = u128::from_be_bytes(part(48));
        Sums {
            trade: i128::from_be_bytes(part(0)),
            settlement: i128::from_be_bytes(part(16)),
            cost: i128::from_be_bytes(part(32)),
            wins: (counts >> 64) as u64,
            losses: counts as u64,
        }
    }
}

type Key = (UserId, Currency, EventId);

#[derive(Clone, Copy, Debug)]
struct Last {
    position: i64,
    at: i64,
    sums: Sums,
}

/// The writing side: the last row of each list.
#[derive(Debug, Default)]
pub(super) struct Results {
    last: HashMap<Key, Last>,
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
        for key in [(user, currency, ALL), (user, currency, event)] {
            let last = match self.last.entry(key) {
                Entry::Occupied(last) => last.into_mut(),
                Entry::Vacant(place) => {
                    let first = Last { position: -1, at: at.micros(), sums: Sums::default() };
                    place.insert(latest(connection, key)?.unwrap_or(first))
                }
            };
            *last = Last { position: last.position + 1, at: at.micros(), sums: last.sums.plus(result) };
            let (user, currency, event) = columns(key);
            let row = params![user, currency, event, last.position, last.at, last.sums.to_bytes()];
            connection.prepare_cached("INSERT INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?.execute(row)?;
        }
        if self.last.len() > KEPT_MAX {
            self.last.clear();
        }
        Ok(())
    }
}

fn columns((user, currency, event): Key) -> ([u8; 16], u8, [u8; 16]) {
    (user.as_u128().to_be_bytes(), currency as u8, event.as_u128().to_be_bytes())
}

const LIST: &str = "SELECT position, at, sums FROM results WHERE user = ?1 AND currency = ?2 AND event = ?3";

fn read(row: &Row<'_>) -> rusqlite::Result<Last> {
    Ok(Last { position: row.get(0)?, at: row.get(1)?, sums: Sums::from_bytes(row.get(2)?) })
}

fn latest(connection: &Connection, key: Key) -> rusqlite::Result<Option<Last>> {
    let (user, currency, event) = columns(key);
    let query = format!("{LIST} ORDER BY position DESC LIMIT 1");
    connection.prepare_cached(&query)?.query_row(params![user, currency, event], read).optional()
}

/// The last row that is not after `at`.
fn until(connection: &Connection, key: Key, at: i64) -> rusqlite::Result<Option<Last>> {
    let Some(latest) = latest(connection, key)? else { return Ok(None) };
    if latest.at <= at {
        return Ok(Some(latest));
    }
    let (user, currency, event) = columns(key);
    let mut statement = connection.prepare_cached(&format!("{LIST} AND position = ?4"))?;
    let mut row = |position: i64| statement.query_row(params![user, currency, event, position], read);
    let (mut low, mut high) = (0, latest.position);
    while low < high {
        let middle = i64::midpoint(low, high);
        if row(middle)?.at > at { high = middle } else { low = middle + 1 }
    }
    if low == 0 { Ok(None) } else { row(low - 1).map(Some) }
}

/// A span of time, both ends in it.
#[derive(Clone, Copy, Debug)]
pub struct ResultSpan {
    pub user: UserId,
    pub currency: Currency,
    pub from: Time,
    pub to: Time,
}

/// What a span came to, and the events that had a part in it, the latest first.
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
    let all = within(connection, span, ALL)?.map_or_else(Sums::default, |(sums, _)| sums);
    let mut events = Vec::new();
    for event in if with_events { events_of(connection, span)? } else { Vec::new() } {
        if let Some((sums, last)) = within(connection, span, event)? {
            events.push(EventResult { event, sums, last: Time::from_micros(last) });
        }
    }
    events.sort_by_key(|result| (std::cmp::Reverse(result.last), result.event));
    events.truncate(EVENTS_MAX);
    Ok(FoundResults { all, events })
}

/// The sums of a list within a span, and the time of its last row there; none if it has no row there.
fn within(
    connection: &Connection,
    span: &ResultSpan,
    event: EventId,
) -> Result<Option<(Sums, i64)>, HistoryError> {
    let key = (span.user, span.currency, event);
    let Some(last) = until(connection, key, span.to.micros())? else { return Ok(None) };
    let before = until(connection, key, span.from.micros() - 1)?;
    // A span that ends before it begins holds nothing.
    if before.is_some_and(|before| before.position >= last.position) {
        return Ok(None);
    }
    Ok(Some((last.sums.since(before.map_or_else(Sums::default, |before| before.sums)), last.at)))
}

/// The events that the user has results in: from one to the next through the key.
fn events_of(connection: &Connection, span: &ResultSpan) -> Result<Vec<EventId>, HistoryError> {
    let query = "SELECT event FROM results WHERE user = ?1 AND currency = ?2 AND event > ?3 \
        ORDER BY event LIMIT 1";
    let mut statement = connection.prepare_cached(query)?;
    let mut found = Vec::new();
    let mut last = ALL;
    loop {
        let (user, currency, event) = columns((span.user, span.currency, last));
        let next = statement.query_row(params![user, currency, event], |row| row.get::<_, [u8; 16]>(0));
        let Some(next) = next.optional()? else { return Ok(found) };
        last = EventId::new(u128::from_be_bytes(next));
        found.push(last);
    }
}
