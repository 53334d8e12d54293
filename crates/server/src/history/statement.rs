//! Statements: every movement of a user's money in one currency, with the balance after it.
//!
//! A record holds sequence, amount, balance and, for most kinds, the serial of the trade, set or settlement that moved
//! the money. The balance is free and held money together, so holding money for an order is no movement. The house has
//! no statement.

use std::collections::HashMap;

use exchange::Exchange;
use exchange::change::{Party, SetsChange, Settled, Trade};
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Currency, Money, narrow};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Time;
use foldhash::fast::RandomState;
use segments::{Store, Version};

use super::families::{Index, Log};
use super::pages::{Page, Window};
use super::results::{put, take};
use super::trades::Execution;
use super::{HistoryError, activities, list_key, lists, trades};

/// Last balances that the writer remembers between commits.
const CACHED_MAX: usize = 100_000;

/// A movement of money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMovement {
    pub number: u64,
    pub seq: u64,
    pub at: Time,
    /// Negative if the money left the account.
    pub amount: Money,
    /// Free and held money after the movement.
    pub balance: Money,
    pub cause: MovementCause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovementCause {
    Took(Trade),
    Made(Trade),
    /// An order that a pool filled.
    Pool(OrderRecord),
    Sets(SetsChange),
    Settled(Settled),
    /// A credit or a debit by an operator.
    Funds {
        reference: String,
    },
}

impl MovementCause {
    pub const fn market(&self) -> Option<MarketId> {
        match self {
            MovementCause::Took(trade) | MovementCause::Made(trade) => Some(trade.market),
            MovementCause::Pool(order) => Some(order.market),
            MovementCause::Sets(sets) => Some(sets.market),
            MovementCause::Settled(settled) => Some(settled.market),
            MovementCause::Funds { .. } => None,
        }
    }

    /// The change of the user's YES and NO shares, in units.
    pub fn shares_moved(&self) -> [i128; 2] {
        let one = |outcome, side, units: i64| {
            let units = i128::from(if side == Side::Buy { units } else { -units });
            Outcome::BOTH.map(|moved| if moved == outcome { units } else { 0 })
        };
        let of_party = |party: &Party, trade: &Trade| one(party.outcome, party.side, trade.size.units());
        match self {
            MovementCause::Took(trade) => of_party(&trade.taker, trade),
            MovementCause::Made(trade) => of_party(&trade.maker, trade),
            MovementCause::Pool(order) => {
                one(order.terms.outcome, order.terms.side, order.terms.filled.units())
            }
            MovementCause::Sets(sets) => {
                let units = i128::from(sets.sets.units());
                [if sets.side == Side::Buy { units } else { -units }; 2]
            }
            MovementCause::Settled(settled) => {
                Outcome::BOTH.map(|outcome| -i128::from(settled.shares(outcome).units()))
            }
            MovementCause::Funds { .. } => [0; 2],
        }
    }
}

/// The kinds of records: the first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MovementKind {
    Took = 1,
    Made = 2,
    Pool = 3,
    Sets = 4,
    Settled = 5,
    Funds = 6,
}

const KINDS: [MovementKind; 6] = [
    MovementKind::Took,
    MovementKind::Made,
    MovementKind::Pool,
    MovementKind::Sets,
    MovementKind::Settled,
    MovementKind::Funds,
];

/// The cause of a movement, as the writer receives it.
#[derive(Clone, Copy, Debug)]
struct Subject<'a> {
    kind: MovementKind,
    /// Of the trade, set or settlement; 0 without one.
    serial: u64,
    reference: &'a str,
}

/// The writing side.
#[derive(Debug)]
pub(super) struct Statements {
    next: u64,
    /// The last balances of users.
    last: HashMap<(UserId, Currency), i128, RandomState>,
}

impl Statements {
    pub(super) fn new(version: &Version) -> Statements {
        let last = version.last(Log::Statements as usize);
        Statements { next: last.map_or(0, |last| last + 1), last: HashMap::default() }
    }

    /// Both parties of a trade on a book.
    pub(super) fn trade(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        trade: &Trade,
        serial: u64,
    ) -> Result<(), HistoryError> {
        let parties = [
            (MovementKind::Took, &trade.taker, trade.taker_fee),
            (MovementKind::Made, &trade.maker, Money::ZERO),
        ];
        for (kind, party, fee) in parties {
            let value = trade.size.value_at(party.price.into(), trade.currency);
            let amount = signed(party.side, value) - fee;
            self.add(
                store,
                when,
                (party.user, trade.currency),
                amount,
                Subject { kind, serial, reference: "" },
            )?;
        }
        Ok(())
    }

    /// An order that a pool filled.
    pub(super) fn pool(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        order: &OrderRecord,
        serial: u64,
    ) -> Result<(), HistoryError> {
        let amount = signed(order.terms.side, order.terms.value) - order.terms.fee;
        let subject = Subject { kind: MovementKind::Pool, serial, reference: "" };
        self.add(store, when, (order.user, order.currency), amount, subject)
    }

    pub(super) fn sets(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        sets: &SetsChange,
        serial: u64,
    ) -> Result<(), HistoryError> {
        let subject = Subject { kind: MovementKind::Sets, serial, reference: "" };
        self.add(store, when, (sets.user, sets.currency), signed(sets.side, sets.cash), subject)
    }

    pub(super) fn settled(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        settled: &Settled,
        serial: u64,
    ) -> Result<(), HistoryError> {
        let subject = Subject { kind: MovementKind::Settled, serial, reference: "" };
        self.add(store, when, (settled.user, settled.currency), settled.payout, subject)
    }

    pub(super) fn funds(
        &mut self,
        store: &mut Store,
        when: (u64, Time),
        wallet: (UserId, Currency),
        amount: Money,
        reference: &str,
    ) -> Result<(), HistoryError> {
        self.add(store, when, wallet, amount, Subject { kind: MovementKind::Funds, serial: 0, reference })
    }

    fn add(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        (user, currency): (UserId, Currency),
        amount: Money,
        subject: Subject<'_>,
    ) -> Result<(), HistoryError> {
        if user == Exchange::HOUSE {
            return Ok(());
        }
        let before = match self.last.get(&(user, currency)) {
            Some(balance) => *balance,
            None => last_balance(&store.version(), user, currency)?,
        };
        let balance = before + i128::from(amount.units());
        self.last.insert((user, currency), balance);
        let number = self.next;
        self.next += 1;
        let mut record = vec![subject.kind as u8];
        for value in [i128::from(seq), i128::from(subject.serial), i128::from(amount.units()), balance] {
            put(&mut record, value);
        }
        record.extend_from_slice(subject.reference.as_bytes());
        store.append(Log::Statements as usize, number, at.micros(), &record);
        store.add(Index::Lists as usize, list_key::statement(user, currency), number);
        Ok(())
    }

    /// Bounds the memory. Called after a commit: balances that are not stored yet are only here.
    pub(super) fn committed(&mut self) {
        if self.last.len() > CACHED_MAX {
            self.last.clear();
        }
    }
}

/// What a buyer pays is negative.
fn signed(side: Side, value: Money) -> Money {
    match side {
        Side::Buy => -value,
        Side::Sell => value,
    }
}

fn last_balance(version: &Version, user: UserId, currency: Currency) -> Result<i128, HistoryError> {
    let list = lists::list(version, list_key::statement(user, currency))?;
    match list.len().checked_sub(1) {
        Some(last) => balance_at(version, &list, last),
        None => Ok(0),
    }
}

fn balance_at(version: &Version, list: &segments::List, position: u64) -> Result<i128, HistoryError> {
    let number = list.value(position)?.ok_or(HistoryError::Missing("an entry of a statement"))?;
    Ok(record(version, number)?.balance)
}

/// A record without its subject.
struct MovementRecord {
    kind: MovementKind,
    seq: u64,
    serial: u64,
    at: Time,
    amount: i128,
    balance: i128,
    reference: String,
}

fn record(version: &Version, number: u64) -> Result<MovementRecord, HistoryError> {
    let missing = || HistoryError::Missing("a movement of a statement");
    let stored = version.record(Log::Statements as usize, number)?.ok_or_else(missing)?;
    decode(&stored.bytes, Time::from_micros(stored.at)).ok_or_else(missing)
}

fn decode(bytes: &[u8], at: Time) -> Option<MovementRecord> {
    let (kind, mut rest) = bytes.split_first()?;
    let kind = KINDS.into_iter().find(|known| *known as u8 == *kind)?;
    let mut number = || take(&mut rest);
    let (seq, serial, amount, balance) = (number()?, number()?, number()?, number()?);
    let reference = String::from_utf8(rest.to_vec()).ok()?;
    let (seq, serial) = (seq.try_into().ok()?, serial.try_into().ok()?);
    Some(MovementRecord { kind, seq, serial, at, amount, balance, reference })
}

fn movement(version: &Version, number: u64) -> Result<StoredMovement, HistoryError> {
    let record = record(version, number)?;
    let trade = || trades::execution(version, record.serial);
    let unknown = HistoryError::Missing("the subject of a movement");
    let cause = match record.kind {
        MovementKind::Took => match trade()? {
            Some(Execution::Book(trade)) => MovementCause::Took(trade),
            _ => return Err(unknown),
        },
        MovementKind::Made => match trade()? {
            Some(Execution::Book(trade)) => MovementCause::Made(trade),
            _ => return Err(unknown),
        },
        MovementKind::Pool => match trade()? {
            Some(Execution::Pool(order)) => MovementCause::Pool(order),
            _ => return Err(unknown),
        },
        MovementKind::Sets => MovementCause::Sets(activities::sets(version, record.serial)?.sets),
        MovementKind::Settled => {
            MovementCause::Settled(activities::settlement(version, record.serial)?.settled)
        }
        MovementKind::Funds => MovementCause::Funds { reference: record.reference },
    };
    Ok(StoredMovement {
        number,
        seq: record.seq,
        at: record.at,
        amount: Money::new(narrow(record.amount)),
        balance: Money::new(narrow(record.balance)),
        cause,
    })
}

/// A page of a statement, newest first. The cursor is a movement's number.
pub(super) fn page(
    version: &Version,
    user: UserId,
    currency: Currency,
    window: Window,
) -> Result<Page<StoredMovement>, HistoryError> {
    let list = lists::list(version, list_key::statement(user, currency))?;
    let (numbers, next) = lists::window(&list, &(0..list.len()), window)?;
    let rows = numbers.into_iter().map(|number| movement(version, number)).collect::<Result<_, _>>()?;
    Ok(Page { rows, total: list.len(), next })
}

/// The latest movements of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatestMovements {
    /// Newest first.
    pub movements: Vec<StoredMovement>,
    /// The balance before the oldest of them.
    pub balance_before: Money,
    /// Whether older movements of the requested span were left out.
    pub is_cut: bool,
}

/// The movements since `from`, at most `max`, the latest ones.
pub(super) fn latest(
    version: &Version,
    user: UserId,
    currency: Currency,
    from: Time,
    max: u64,
) -> Result<LatestMovements, HistoryError> {
    let list = lists::list(version, list_key::statement(user, currency))?;
    let first = version.first_at(Log::Statements as usize, from.micros())?;
    let since = list.below(first.map_or(u64::MAX, |record| record.number))?;
    let start = since.max(list.len().saturating_sub(max));
    let balance = match start.checked_sub(1) {
        Some(last) => balance_at(version, &list, last)?,
        None => 0,
    };
    let numbers = list.values(start..list.len())?.into_iter().rev();
    Ok(LatestMovements {
        movements: numbers.map(|number| movement(version, number)).collect::<Result<_, _>>()?,
        balance_before: Money::new(narrow(balance)),
        is_cut: start > since,
    })
}
