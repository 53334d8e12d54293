//! The history thread: stores everything that is queued in one transaction.
//!
//! The longer the queue, the larger the transaction and the cheaper each row, so the thread catches up after a burst.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, after, select};
use exchange::catalogue::RetiredEvent;
use exchange::change::{Change, Settled};
use exchange::numbers::{Currency, Money, Ppm, Shares};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Span;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use tokio::sync::watch;

use super::activities::Activities;
use super::budget::ByteBudget;
use super::candles::Candles;
use super::checkpoints::Checkpoints;
use super::lists::Tails;
use super::lookup::Lookups;
use super::orders::Orders;
use super::postings::RecentPostings;
use super::recorder::{Batch, RecordedChange};
use super::results::{Results, Sums};
use super::trades::Trades;
use super::{HistoryError, Message, audit, retired, schema};

/// Replies are kept slightly longer than the exchange remembers their idempotency keys.
const REPLIES_KEPT: Span = Span::hours(25);
/// Range of sequences deleted per transaction: bounds its length, but exceeds what one transaction adds, so that old
/// replies do not accumulate.
const FORGOTTEN_AT_ONCE: i64 = 100_000;
/// Added to the nice value of the thread.
const NICENESS: i32 = 5;
/// Changes in one transaction, approximately.
const CHANGES_MAX: usize = 150_000;
/// How long changes are gathered for one transaction, unless a reader waits or `PLENTY` are queued. A transaction mostly
/// rewrites pages that the previous one wrote, so fewer transactions cause less load on the journal's disk and the CPU.
const GATHER: Duration = Duration::from_secs(1);
const PLENTY: usize = 20_000;

/// Delay before a transient failure is retried, and interval between log lines about it.
const RETRY_AFTER: Duration = Duration::from_millis(100);
const RETRY_LOG_EVERY: Duration = Duration::from_secs(10);

pub(super) struct HistoryWriter {
    connection: Connection,
    /// None after a failed transaction, whose changes to the caches were never committed.
    caches: Option<Caches>,
    fresh: RecentPostings,
    /// Dropped after the writer's connection.
    _checkpoints: Checkpoints,
    /// Dropped after the connections above: closing a file of the database earlier would release SQLite's locks.
    files: schema::SyncedFiles,
}

/// Cached contents of the database.
struct Caches {
    tails: Tails,
    lookups: Lookups,
    trades: Trades,
    orders: Orders,
    activities: Activities,
    candles: Candles,
    results: Results,
    /// Events retired in this transaction, and the sequence of the last request that retired one.
    retired: (Vec<Arc<RetiredEvent>>, u64),
}

impl Caches {
    fn new(connection: &Connection) -> rusqlite::Result<Caches> {
        Ok(Caches {
            tails: Tails::default(),
            lookups: Lookups::default(),
            trades: Trades::new(connection)?,
            orders: Orders::default(),
            activities: Activities::new(connection)?,
            candles: Candles::default(),
            results: Results::default(),
            retired: (Vec::new(), 0),
        })
    }
}

impl HistoryWriter {
    pub(super) fn new(
        path: &Path,
        connection: Connection,
        checkpoints: Checkpoints,
        fresh: RecentPostings,
    ) -> Result<HistoryWriter, HistoryError> {
        let caches = Some(Caches::new(&connection)?);
        Ok(HistoryWriter {
            connection,
            caches,
            fresh,
            _checkpoints: checkpoints,
            files: schema::SyncedFiles::open(path)?,
        })
    }

    /// Returns when the recorder has been dropped and everything it sent is stored, or at the first permanent failure.
    pub(super) fn run(
        mut self,
        messages: &Receiver<Message>,
        commit_now: &Receiver<()>,
        stored: &watch::Sender<u64>,
        budget: &ByteBudget,
    ) {
        // Also when the thread panics.
        let _closing = CloseOnDrop(budget);
        // Trading threads take precedence. If history falls far behind, `ByteBudget` makes the apply thread wait for it.
        let _ = rustix::process::nice(NICENESS);
        while let Ok(first) = messages.recv() {
            let TransactionInput { batches, syncs, .. } = gather(first, messages, commit_now);
            if let Err(error) = self.store_with_retries(&batches) {
                let mend = match schema::is_damage(&error) {
                    true => "the file is damaged: stop the node, run rebuild-history, start it again",
                    false => "fix the error, then restart",
                };
                tracing::error!(
                    %error,
                    mend,
                    "history stopped: closed orders and trades cannot be read until a restart; trading continues"
                );
                return;
            }
            if let Some(batch) = batches.last() {
                stored.send_replace(batch.last);
            }
            budget.release(batches.iter().map(Batch::bytes).sum());
            if !syncs.is_empty() {
                if let Err(error) = self.files.sync() {
                    tracing::error!(%error, "history stopped: fsync failed");
                    return;
                }
                for done in syncs {
                    // The caller may have timed out.
                    let _ = done.send(());
                }
            }
        }
    }

    /// Stores batches in one transaction and retries transient failures without limit.
    fn store_with_retries(&mut self, batches: &[Batch]) -> rusqlite::Result<()> {
        let mut logged: Option<Instant> = None;
        loop {
            match self.store(batches) {
                Err(error) if schema::is_transient(&error) => {
                    if logged.is_none_or(|at| at.elapsed() >= RETRY_LOG_EVERY) {
                        logged = Some(Instant::now());
                        tracing::warn!(%error, "cannot write history; retrying");
                    }
                    thread::sleep(RETRY_AFTER);
                }
                done => return done,
            }
        }
    }

    /// Stores batches in one transaction. A failure leaves the database unchanged.
    fn store(&mut self, batches: &[Batch]) -> rusqlite::Result<()> {
        let Some(last) = batches.last() else { return Ok(()) };
        let mut caches = match self.caches.take() {
            Some(caches) => caches,
            None => Caches::new(&self.connection)?,
        };
        // Rolls back when dropped without a commit.
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        for batch in batches {
            let mut placed = None;
            for recorded in &batch.changes {
                caches.note(&transaction, recorded, placed)?;
                placed = match &recorded.change {
                    Change::Order { record, .. } => Some(record),
                    _ => None,
                };
            }
            store_replies(&transaction, batch)?;
            audit::store(&transaction, &batch.audit)?;
        }
        caches.flush(&transaction)?;
        let (retired, retired_at) = std::mem::take(&mut caches.retired);
        let is_full = self.fresh.is_full_with(retired.len());
        if is_full {
            self.fresh.write(&transaction, &retired, retired_at)?;
        }
        delete_old_replies(&transaction, last.at.micros() - REPLIES_KEPT.micros())?;
        let progress = "INSERT OR REPLACE INTO progress VALUES (1, ?1)";
        transaction.prepare_cached(progress)?.execute([last.last.cast_signed()])?;
        transaction.commit()?;
        match is_full {
            true => self.fresh.clear(),
            false => self.fresh.add(&retired),
        }
        self.caches = Some(caches);
        Ok(())
    }
}

impl Caches {
    fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.tails.flush(connection)?;
        self.lookups.flush(connection)?;
        self.results.flush(connection)?;
        self.orders.flush(connection)?;
        self.candles.flush(connection)
    }

    /// `placed` is the order of the preceding change, if that was a `Change::Order`.
    fn note(
        &mut self,
        connection: &Connection,
        recorded: &RecordedChange,
        placed: Option<&OrderRecord>,
    ) -> rusqlite::Result<()> {
        let RecordedChange { seq, at, event, change } = recorded;
        let (at, event) = (*at, *event);
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
                if let Some(record) = placed {
                    self.trades.store_on_pool(connection, tails, lookups, at, record)?;
                }
                self.candles.price(connection, *market, *currency, at, *yes_price, volume)?;
                match placed.filter(|record| record.terms.side == Side::Sell) {
                    Some(record) => {
                        // A sell order's amount is what the pool paid, net of the fee.
                        let sums = Sums::of_sale(record.terms.amount, *cost);
                        self.results.add(connection, record.user, *currency, event, at, sums)
                    }
                    None => Ok(()),
                }
            }
            Change::PoolSeeded { market, currency, yes_price, .. } => {
                self.candles.price(connection, *market, *currency, at, *yes_price, Shares::ZERO)
            }
            Change::Sets(sets) => {
                self.activities.sets(connection, tails, at, sets)?;
                match sets.side {
                    Side::Buy => Ok(()),
                    Side::Sell => {
                        let sums = Sums::of_sale(sets.cash, sets.cost);
                        self.results.add(connection, sets.user, sets.currency, event, at, sums)
                    }
                }
            }
            Change::Settled(settled) => {
                self.activities.settled(connection, tails, at, settled)?;
                let sums = settlement(settled);
                self.results.add(connection, settled.user, settled.currency, event, at, sums)
            }
            Change::EventRetired(event) => {
                event.markets.iter().for_each(|market| self.candles.forget(market.market.id));
                self.retired.0.push(event.clone());
                self.retired.1 = *seq;
                retired::store(connection, *seq, event)
            }
            _ => Ok(()),
        }
    }
}

/// Deletes some of the replies older than `oldest`. Sequences ascend with time, so the first rows are the oldest and no
/// index by time is needed.
fn delete_old_replies(connection: &Connection, oldest: i64) -> rusqlite::Result<()> {
    let query =
        "SELECT sequence FROM replies WHERE sequence = (SELECT min(sequence) FROM replies) AND at < ?1";
    let first: Option<i64> =
        connection.prepare_cached(query)?.query_row([oldest], |row| row.get(0)).optional()?;
    if let Some(first) = first {
        let delete = "DELETE FROM replies WHERE sequence BETWEEN ?1 AND ?2 AND at < ?3";
        connection.prepare_cached(delete)?.execute([first, first + FORGOTTEN_AT_ONCE, oldest])?;
    }
    Ok(())
}

fn store_replies(connection: &Connection, batch: &Batch) -> rusqlite::Result<()> {
    let query = "INSERT OR REPLACE INTO replies VALUES (?1, ?2, ?3, ?4)";
    let mut statement = connection.prepare_cached(query)?;
    for reply in &batch.replies {
        let (seq, at) = (reply.seq.cast_signed(), reply.at.micros());
        statement.execute(params![seq, at, reply.written.status, &reply.written.body[..]])?;
    }
    Ok(())
}

/// Closes the room on drop, so that the apply thread never waits for a history thread that has ended.
struct CloseOnDrop<'a>(&'a ByteBudget);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The contents of one transaction.
#[derive(Default)]
struct TransactionInput {
    batches: Vec<Batch>,
    changes: usize,
    syncs: Vec<Sender<()>>,
}

impl TransactionInput {
    fn add(&mut self, message: Message) {
        match message {
            Message::Batch(batch) => {
                self.changes += batch.changes.len();
                self.batches.push(batch);
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

/// Gathers messages for one transaction. A transaction per group would cost more than the rows in it.
fn gather(first: Message, messages: &Receiver<Message>, commit_now: &Receiver<()>) -> TransactionInput {
    let mut gathered = TransactionInput::default();
    gathered.add(first);
    let over = after(GATHER);
    while !gathered.is_worth_a_transaction() {
        select! {
            recv(messages) -> message => match message {
                Ok(message) => gathered.add(message),
                Err(_) => break,
            },
            recv(commit_now) -> _ => break,
            recv(over) -> _ => break,
        }
    }
    // The changes that a hurried reader waits for may still be queued.
    while !gathered.is_full()
        && let Ok(message) = messages.try_recv()
    {
        gathered.add(message);
    }
    gathered
}

/// A held outcome counts as a win if it paid anything.
fn settlement(settled: &Settled) -> Sums {
    let pays = |outcome| settled.pays(outcome) > Money::ZERO;
    let held = |outcome| settled.shares(outcome) > Shares::ZERO;
    let count =
        |wins: bool| Outcome::BOTH.into_iter().filter(|o| held(*o) && pays(*o) == wins).count() as u64;
    Sums::of_settlement(settled.payout, settled.cost(), count(true), count(false))
}

/// The database stores currencies by number.
const _: () = assert!(Currency::Usd as u8 == 0 && Currency::Ngn as u8 == 1);
