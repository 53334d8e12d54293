//! The history thread: stores what was handed over, one transaction for all that waits.
//!
//! The more waits, the more is stored at once and the cheaper each row is, so it does not fall behind for long.

use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, after, select};
use exchange::change::{Change, Settled};
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Span;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::watch;

use super::activities::Activities;
use super::candles::Candles;
use super::checkpoints::Checkpoints;
use super::lists::Tails;
use super::lookup::Lookups;
use super::orders::Orders;
use super::recorder::{Batch, Noted};
use super::results::{Results, Sums};
use super::room::Room;
use super::trades::Trades;
use super::{HistoryError, Message, audit, schema};

/// Replies are kept a little longer than the exchange remembers their keys.
const REPLIES_KEPT: Span = Span::hours(25);
/// Sequences looked at for one transaction, so that none is long. More than come in with it, so that none is left over.
const FORGOTTEN_AT_ONCE: i64 = 100_000;
/// Added to the nice value of the thread.
const NICENESS: i32 = 5;
/// Changes in one transaction, about.
const CHANGES_MAX: usize = 150_000;
/// How long changes are gathered for one transaction, unless a reader waits for them or there are plenty. Most of what a
/// transaction writes is what the one before wrote, with a little added: the fewer there are, the less the journal's disk
/// and the traders' cores are kept busy.
const GATHER: Duration = Duration::from_secs(1);
const PLENTY: usize = 20_000;

pub(super) struct Writer {
    path: PathBuf,
    connection: Connection,
    tails: Tails,
    lookups: Lookups,
    trades: Trades,
    orders: Orders,
    activities: Activities,
    candles: Candles,
    results: Results,
    /// They go on as long as something may be written.
    _checkpoints: Checkpoints,
}

impl Writer {
    pub(super) fn new(
        path: PathBuf,
        connection: Connection,
        checkpoints: Checkpoints,
    ) -> Result<Writer, HistoryError> {
        Ok(Writer {
            path,
            tails: Tails::default(),
            lookups: Lookups::default(),
            trades: Trades::new(&connection)?,
            orders: Orders::default(),
            activities: Activities::new(&connection)?,
            candles: Candles::default(),
            results: Results::default(),
            _checkpoints: checkpoints,
            connection,
        })
    }

    /// Ends when the recorder is gone and everything it sent is stored, or at the first failure.
    pub(super) fn run(
        mut self,
        messages: &Receiver<Message>,
        hurry: &Receiver<()>,
        stored: &watch::Sender<u64>,
        room: &Room,
    ) {
        // However it ends.
        let _closing = Closing(room);
        // Those who trade go first. If this falls far behind, they wait for it all the same.
        let _ = rustix::process::nice(NICENESS);
        while let Ok(first) = messages.recv() {
            let Gathered { group, syncs, .. } = gather(first, messages, hurry);
            if let Err(error) = self.store(&group) {
                let mend = match schema::is_damage(&error) {
                    true => "its file is damaged: stop, make it again with rebuild-history, start",
                    false => "mend what is named, then start again",
                };
                tracing::error!(
                    %error,
                    mend,
                    "history stopped: what has left memory cannot be read until a restart; trading goes on, nothing is lost"
                );
                return;
            }
            if let Some(batch) = group.last() {
                stored.send_replace(batch.last);
            }
            room.leave(group.iter().map(Batch::bytes).sum());
            if !syncs.is_empty() {
                if let Err(error) = schema::sync(&self.path) {
                    tracing::error!(%error, "history stopped: it cannot be made durable");
                    return;
                }
                for done in syncs {
                    // Whoever asked may have gone.
                    let _ = done.send(());
                }
            }
        }
    }

    fn store(&mut self, batches: &[Batch]) -> rusqlite::Result<()> {
        let Some(last) = batches.last() else { return Ok(()) };
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        for batch in batches {
            let mut placed = None;
            for noted in &batch.noted {
                self.note(noted, placed)?;
                placed = match &noted.change {
                    Change::Order { record, .. } => Some(record),
                    _ => None,
                };
            }
            self.replies(batch)?;
            audit::store(&self.connection, &batch.audit)?;
        }
        self.tails.flush(&self.connection)?;
        self.lookups.flush(&self.connection)?;
        self.results.flush(&self.connection)?;
        self.orders.flush(&self.connection)?;
        self.candles.flush(&self.connection)?;
        self.forget_replies(last.at.micros() - REPLIES_KEPT.micros())?;
        let progress = "INSERT OR REPLACE INTO progress VALUES (1, ?1)";
        self.connection.prepare_cached(progress)?.execute([last.last.cast_signed()])?;
        self.connection.execute_batch("COMMIT")
    }

    /// `placed` is the order that was reported right before, if one was.
    fn note(&mut self, noted: &Noted, placed: Option<&OrderRecord>) -> rusqlite::Result<()> {
        let Noted { at, event, change } = noted;
        let (at, event, connection) = (*at, *event, &self.connection);
        let (tails, lookups) = (&mut self.tails, &mut self.lookups);
        match change {
            Change::Order { record, cause } => {
                self.orders.store(connection, tails, lookups, record, *cause, event)?;
                self.activities.order(connection, tails, record, *cause)
            }
            Change::Trade(trade) => {
                let serial = self.trades.store(connection, tails, lookups, at, trade)?;
                self.activities.trade(connection, tails, trade, serial)?;
                let yes: Ppm = trade.taker.outcome.yes_price(trade.taker.price).into();
                self.candles.price(connection, trade.market, trade.currency, at, yes, trade.size)?;
                for (party, fee) in [(&trade.taker, trade.taker_fee), (&trade.maker, Money::ZERO)] {
                    if party.side == Side::Sell {
                        let proceeds = trade.size.value_at(party.price.into(), trade.currency) - fee;
                        let sums = Sums::of_sale(proceeds, party.cost);
                        self.results.add(connection, party.user, trade.currency, event, at, sums)?;
                    }
                }
                Ok(())
            }
            Change::PoolMoved { market, currency, yes_price, cost } => {
                let volume = placed.map_or(Shares::ZERO, |record| record.terms.filled);
                self.candles.price(connection, *market, *currency, at, *yes_price, volume)?;
                match placed.filter(|record| record.terms.side == Side::Sell) {
                    Some(record) => {
                        // What a pool pays a seller is the order's amount, fee taken off.
                        let sums = Sums::of_sale(record.terms.amount, *cost);
                        self.results.add(connection, record.user, *currency, event, at, sums)
                    }
                    None => Ok(()),
                }
            }
            Change::PoolSeeded { market, currency, yes_price, .. } => {
                self.candles.price(connection, *market, *currency, at, *yes_price, Shares::ZERO)
            }
            Change::Sets(sets) if sets.side == Side::Sell => {
                let sums = Sums::of_sale(sets.cash, sets.cost);
                self.results.add(connection, sets.user, sets.currency, event, at, sums)
            }
            Change::Settled(settled) => {
                self.activities.settled(connection, tails, at, settled)?;
                let sums = settlement(settled);
                self.results.add(connection, settled.user, settled.currency, event, at, sums)
            }
            _ => Ok(()),
        }
    }

    /// Drops some of the replies from before `oldest`. Sequences rise with time, so the first rows are the oldest ones,
    /// and no index by age is needed.
    fn forget_replies(&self, oldest: i64) -> rusqlite::Result<()> {
        let query =
            "SELECT sequence FROM replies WHERE sequence = (SELECT min(sequence) FROM replies) AND at < ?1";
        let first: Option<i64> =
            self.connection.prepare_cached(query)?.query_row([oldest], |row| row.get(0)).optional()?;
        if let Some(first) = first {
            let delete = "DELETE FROM replies WHERE sequence BETWEEN ?1 AND ?2 AND at < ?3";
            self.connection.prepare_cached(delete)?.execute([first, first + FORGOTTEN_AT_ONCE, oldest])?;
        }
        Ok(())
    }

    fn replies(&self, batch: &Batch) -> rusqlite::Result<()> {
        let query = "INSERT OR REPLACE INTO replies VALUES (?1, ?2, ?3, ?4)";
        let mut statement = self.connection.prepare_cached(query)?;
        for reply in &batch.replies {
            let (seq, at) = (reply.seq.cast_signed(), reply.at.micros());
            statement.execute(params![seq, at, reply.written.status, &reply.written.body[..]])?;
        }
        Ok(())
    }
}

/// Lets nobody wait for a thread that has ended.
struct Closing<'a>(&'a Room);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What goes into one transaction.
#[derive(Default)]
struct Gathered {
    group: Vec<Batch>,
    changes: usize,
    syncs: Vec<Sender<()>>,
}

impl Gathered {
    fn add(&mut self, message: Message) {
        match message {
            Message::Batch(batch) => {
                self.changes += batch.noted.len();
                self.group.push(batch);
            }
            Message::Sync(done) => self.syncs.push(done),
        }
    }

    fn is_full(&self) -> bool {
        self.changes >= CHANGES_MAX
    }

    fn is_worth_a_transaction(&self) -> bool {
        self.changes >= PLENTY || !self.syncs.is_empty()
    }
}

/// What comes in a little while. A transaction for every group would cost more than what it stores.
fn gather(first: Message, messages: &Receiver<Message>, hurry: &Receiver<()>) -> Gathered {
    let mut gathered = Gathered::default();
    gathered.add(first);
    let over = after(GATHER);
    while !gathered.is_worth_a_transaction() {
        select! {
            recv(messages) -> message => match message {
                Ok(message) => gathered.add(message),
                Err(_) => break,
            },
            recv(hurry) -> _ => break,
            recv(over) -> _ => break,
        }
    }
    // What the reader has seen may be among what waits.
    while !gathered.is_full()
        && let Ok(message) = messages.try_recv()
    {
        gathered.add(message);
    }
    gathered
}

/// An outcome that was held has won if it paid anything.
fn settlement(settled: &Settled) -> Sums {
    let pays = |outcome| settled.pays(outcome) > Money::ZERO;
    let held = |outcome| settled.shares(outcome) > Shares::ZERO;
    let count =
        |wins: bool| Outcome::BOTH.into_iter().filter(|o| held(*o) && pays(*o) == wins).count() as u64;
    Sums::of_settlement(settled.payout, settled.cost(), count(true), count(false))
}

/// Currencies are stored by number.
const _: () = assert!(Currency::Usd as u8 == 0 && Currency::Ngn as u8 == 1);
