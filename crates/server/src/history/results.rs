//! Users' profit and loss: running sums, with a record for every sale, burn and settlement.
//!
//! Each record has the sums over all events and those of its event, and is in a list for each. The result of a time span
//! is the difference of two records.

use std::collections::HashMap;
use std::ops::Range;

use exchange::id::{EventId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::time::Time;
use foldhash::fast::RandomState;
use segments::{Store, Version};

use super::families::{Index, Log};
use super::{HistoryError, list_key, lists};

const EVENTS_MAX: usize = 30;
/// Last sums of users and events that the writer remembers between commits.
const CACHED_MAX: usize = 100_000;

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

/// A record: the sums after a sale, burn or settlement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunningSums {
    event: EventId,
    /// Over all events, and in this one.
    all: Sums,
    of_event: Sums,
}

impl RunningSums {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.event.as_u128().to_be_bytes().to_vec();
        for Sums { trade, settlement, cost, wins, losses } in [self.all, self.of_event] {
            for sum in [trade, settlement, cost, i128::from(wins), i128::from(losses)] {
                put(&mut bytes, sum);
            }
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<RunningSums> {
        let (event, mut rest) = bytes.split_first_chunk()?;
        let mut sums = || {
            let [trade, settlement, cost, wins, losses] =
                [take(&mut rest)?, take(&mut rest)?, take(&mut rest)?, take(&mut rest)?, take(&mut rest)?];
            Some(Sums {
                trade,
                settlement,
                cost,
                wins: wins.try_into().ok()?,
                losses: losses.try_into().ok()?,
            })
        };
        let (all, of_event) = (sums()?, sums()?);
        let event = EventId::new(u128::from_be_bytes(*event));
        rest.is_empty().then_some(RunningSums { event, all, of_event })
    }
}

/// Appends a number: its length, then its bytes without leading ones that only repeat the sign.
pub(super) fn put(bytes: &mut Vec<u8>, number: i128) {
    let all = number.to_be_bytes();
    let spare =
        (if number < 0 { number.leading_ones() } else { number.leading_zeros() }).saturating_sub(1) / 8;
    let shown = &all[spare as usize..];
    bytes.push(shown.len() as u8);
    bytes.extend_from_slice(shown);
}

pub(super) fn take(bytes: &mut &[u8]) -> Option<i128> {
    let (length, rest) = bytes.split_first()?;
    let (shown, rest) = rest.split_at_checked(usize::from(*length))?;
    *bytes = rest;
    let sign = if shown.first()? & 0x80 == 0 { 0 } else { -1 };
    Some(shown.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte)))
}

type SumsKey = (UserId, Currency, Option<EventId>);

/// The writing side.
#[derive(Debug)]
pub(super) struct Results {
    next: u64,
    /// The last sums of users, over all events and in one event.
    last: HashMap<SumsKey, Sums, RandomState>,
}

impl Results {
    pub(super) fn new(version: &Version) -> Results {
        let last = version.last(Log::Results as usize);
        Results { next: last.map_or(0, |last| last + 1), last: HashMap::default() }
    }

    pub(super) fn add(
        &mut self,
        store: &mut Store,
        user: UserId,
        currency: Currency,
        event: EventId,
        at: Time,
        result: Sums,
    ) -> Result<(), HistoryError> {
        let number = self.next;
        self.next += 1;
        let (all, _) = self.advance(store, (user, currency, None), result)?;
        let (of_event, is_first) = self.advance(store, (user, currency, Some(event)), result)?;
        let record = RunningSums { event, all, of_event };
        store.append(Log::Results as usize, number, at.micros(), &record.encode());
        let first = is_first.then(|| list_key::events_with_results(user, currency));
        let lists = [None, Some(event)].map(|event| list_key::results(user, currency, event));
        for key in lists.into_iter().chain(first) {
            store.add(Index::Lists as usize, key, number);
        }
        Ok(())
    }

    /// Adds to the last sums of a list; returns them, and whether they are the first.
    fn advance(&mut self, store: &Store, key: SumsKey, result: Sums) -> Result<(Sums, bool), HistoryError> {
        let before = match self.last.get(&key) {
            Some(sums) => Some(*sums),
            None => last_stored(&store.version(), key)?,
        };
        let sums = before.unwrap_or_default().plus(result);
        self.last.insert(key, sums);
        Ok((sums, before.is_none()))
    }

    /// Bounds the memory. Called after a commit: sums that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.last.len() > CACHED_MAX {
            self.last.clear();
        }
    }
}

fn last_stored(version: &Version, key: SumsKey) -> Result<Option<Sums>, HistoryError> {
    let (user, currency, event) = key;
    let list = lists::list(version, list_key::results(user, currency, event))?;
    let Some(last) = list.len().checked_sub(1) else { return Ok(None) };
    let Some(number) = list.value(last)? else { return Ok(None) };
    let (record, _) = record(version, number)?;
    Ok(Some(if event.is_some() { record.of_event } else { record.all }))
}

fn record(version: &Version, number: u64) -> Result<(RunningSums, i64), HistoryError> {
    let record = version.record(Log::Results as usize, number)?;
    let decoded = record.as_ref().and_then(|record| RunningSums::decode(&record.bytes).zip(Some(record.at)));
    decoded.ok_or(HistoryError::Missing("a result"))
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
    version: &Version,
    span: &ResultSpan,
    with_events: bool,
) -> Result<FoundResults, HistoryError> {
    // Times ascend with numbers, so a span of time is a span of numbers.
    let first_at = |at: i64| {
        let first = version.first_at(Log::Results as usize, at)?;
        Ok::<_, HistoryError>(first.map_or(u64::MAX, |record| record.number))
    };
    let numbers = first_at(span.from.micros())?..first_at(span.to.micros().saturating_add(1))?;
    let all = within(version, span, None, &numbers)?.map_or_else(Sums::default, |(sums, _)| sums);
    let mut events = Vec::new();
    for event in if with_events { events_of(version, span)? } else { Vec::new() } {
        if let Some((sums, last)) = within(version, span, Some(event), &numbers)? {
            events.push(EventResult { event, sums, last: Time::from_micros(last) });
        }
    }
    events.sort_by_key(|result| (std::cmp::Reverse(result.last), result.event));
    events.truncate(EVENTS_MAX);
    Ok(FoundResults { all, events })
}

/// The sums of a list within a span and the time of its last record there; none without such a record.
fn within(
    version: &Version,
    span: &ResultSpan,
    event: Option<EventId>,
    numbers: &Range<u64>,
) -> Result<Option<(Sums, i64)>, HistoryError> {
    let list = lists::list(version, list_key::results(span.user, span.currency, event))?;
    let (before, until) = (list.below(numbers.start)?, list.below(numbers.end)?);
    // Also covers a span that ends before it begins.
    if before >= until {
        return Ok(None);
    }
    let sums_at = |position: u64| {
        let number = list.value(position)?.ok_or(HistoryError::Missing("an entry of a list"))?;
        let (record, at) = record(version, number)?;
        Ok::<_, HistoryError>((if event.is_some() { record.of_event } else { record.all }, at))
    };
    let earlier = match before.checked_sub(1) {
        Some(last) => sums_at(last)?.0,
        None => Sums::default(),
    };
    let (sums, at) = sums_at(until - 1)?;
    Ok(Some((sums.since(earlier), at)))
}

/// The events in which the user has results.
fn events_of(version: &Version, span: &ResultSpan) -> Result<Vec<EventId>, HistoryError> {
    let list = lists::list(version, list_key::events_with_results(span.user, span.currency))?;
    let numbers = list.values(0..list.len())?;
    numbers.into_iter().map(|number| record(version, number).map(|(record, _)| record.event)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_every_size_are_read_as_written() {
        let mut numbers: Vec<i128> =
            (0..127).flat_map(|bit| [1 << bit, (1 << bit) - 1, -(1 << bit)]).collect();
        numbers.extend([i128::MAX, i128::MIN]);
        for trade in numbers {
            let all =
                Sums { trade, settlement: -trade.max(-i128::MAX), cost: trade, wins: 3, losses: u64::MAX };
            let of_event = Sums { trade: 1, ..Sums::default() };
            let record = RunningSums { event: EventId::new(9), all, of_event };
            let bytes = record.encode();
            assert_eq!(RunningSums::decode(&bytes), Some(record));
            assert_eq!(RunningSums::decode(&bytes[..bytes.len() - 1]), None);
        }
    }
}
