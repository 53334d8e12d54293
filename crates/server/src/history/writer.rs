//! The history thread: stores everything that is queued in one commit.
//!
//! The longer the queue, the larger the commit and the cheaper each row, so the thread catches up after a burst. A commit
//! makes rows visible to readers. They are written to files when there are many of them or when a snapshot needs them
//! (`History::make_durable`).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use exchange::Exchange;
use exchange::catalogue::RetiredEvent;
use exchange::change::{Change, Settled, Trade};
use exchange::id::EventId;
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{OrderRecord, Outcome, Side};
use exchange::time::Time;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use segments::{Mark, Store};
use tokio::sync::watch;

use super::activities::Activities;
use super::asset_prices::AssetPricesWriter;
use super::audit::Audit;
use super::candles::{Candles, ShownCandles};
use super::families::Log;
use super::handover::{CommitInput, HandoverReceiver};
use super::notices::Notices;
use super::orders::Orders;
use super::pools::PoolsWriter;
use super::postings::RecentPostings;
use super::recorder::{Batch, RecordedChange};
use super::results::{Results, Sums};
use super::statement::Statements;
use super::totals::TotalsWriter;
use super::trades::Trades;
use super::{HistoryError, news, retired, schema};
use crate::applied::{ReportedPrice, Turnover, placed_order};
use crate::short_turns::ShortTurns;
use crate::signals::histogram::Durations;

/// Memory of unwritten changes at which the thread waits until they can be written.
const UNWRITTEN_BYTES_MAX: usize = 128 << 20;
/// Added to the nice value of the thread.
const NICENESS: i32 = 5;

/// Delays before a transient failure is retried, and interval between log lines about it. A flush that fails has written
/// much for nothing, so it waits longer.
const RETRY_AFTER: Duration = Duration::from_millis(100);
const RETRY_FLUSH_AFTER: Duration = Duration::from_secs(2);
const RETRY_LOG_EVERY: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct HistoryWriter {
    store: Store,
    families: Families,
    connection: Connection,
    fresh: RecentPostings,
    /// Dropped after the connection: closing a file of the database earlier would release SQLite's locks.
    files: schema::SyncedFiles,
    /// Something was committed since the last flush.
    is_unwritten: bool,
    /// The last flush failed: the next one writes the whole state.
    has_failed_flush: bool,
    /// When a failed flush is tried again.
    retry_at: Option<Instant>,
    stall: Stall,
}

/// The open files of a history.
#[derive(Debug)]
pub(super) struct WriterParts {
    pub(super) store: Store,
    pub(super) connection: Connection,
    pub(super) fresh: RecentPostings,
    /// Shows the readers that nothing can be written at the moment.
    pub(super) is_stalled: Arc<AtomicBool>,
}

/// Whether nothing can be written, and when that was last logged.
#[derive(Debug)]
struct Stall {
    is_stalled: Arc<AtomicBool>,
    logged_at: Option<Instant>,
}

impl Stall {
    fn begin(&mut self, error: &HistoryError) {
        self.is_stalled.store(true, Ordering::Relaxed);
        if self.logged_at.is_none_or(|at| at.elapsed() >= RETRY_LOG_EVERY) {
            self.logged_at = Some(Instant::now());
            tracing::error!(%error, "history cannot be written; it continues by itself when the cause is gone");
        }
    }

    fn end(&mut self) {
        if self.is_stalled.swap(false, Ordering::Relaxed) {
            self.logged_at = None;
            tracing::info!("history is written again");
        }
    }
}

/// The writing sides of the families.
#[derive(Debug)]
struct Families {
    trades: Trades,
    orders: Orders,
    activities: Activities,
    candles: Candles,
    asset_prices: AssetPricesWriter,
    results: Results,
    statements: Statements,
    notices: Notices,
    pools: PoolsWriter,
    totals: TotalsWriter,
    audit: Audit,
}

impl HistoryWriter {
    pub(super) fn new(
        path: &Path,
        parts: WriterParts,
        state: &[Vec<u8>],
    ) -> Result<HistoryWriter, HistoryError> {
        let WriterParts { store, connection, fresh, is_stalled } = parts;
        let version = store.version();
        let families = Families {
            trades: Trades::new(&version),
            orders: Orders::new(&version),
            activities: Activities::new(&version),
            candles: Candles::new(&version, state)?,
            asset_prices: AssetPricesWriter::default(),
            results: Results::new(&version),
            statements: Statements::new(&version),
            notices: Notices::new(&version),
            pools: PoolsWriter::new(&version),
            totals: TotalsWriter::new(&version)?,
            audit: Audit::default(),
        };
        let files = schema::SyncedFiles::open(path)?;
        Ok(HistoryWriter {
            store,
            families,
            connection,
            fresh,
            files,
            is_unwritten: false,
            has_failed_flush: false,
            retry_at: None,
            stall: Stall { is_stalled, logged_at: None },
        })
    }

    pub(super) fn shown_candles(&self) -> ShownCandles {
        self.families.candles.shown()
    }

    /// Returns when every sender has been dropped and everything they sent is stored, or at the first permanent failure.
    pub(super) fn run(
        mut self,
        handover: &HandoverReceiver,
        stored: &watch::Sender<u64>,
        commits: &Durations,
    ) {
        // Trading threads take precedence. If history falls far behind, the hand-over makes the apply thread wait for it.
        let _ = rustix::process::nice(NICENESS);
        while let Some(CommitInput { batches, syncs }) = handover.gather(self.retry_at) {
            let began = Instant::now();
            let is_durable = match self.store(&batches, !syncs.is_empty(), handover) {
                Ok(is_durable) => is_durable,
                Err(error) => return report_stop(&error),
            };
            commits.record_duration(began.elapsed());
            if let Some(batch) = batches.last() {
                stored.send_replace(batch.last);
            }
            handover.release(batches.iter().map(Batch::bytes).sum());
            for done in syncs.into_iter().filter(|_| is_durable) {
                // The caller may have timed out.
                let _ = done.send(());
            }
        }
        // A history without new changes stays as it is.
        if self.is_unwritten
            && let Err(error) = self.flush()
        {
            report_stop(&error);
        }
    }

    /// Stores batches in one commit, and writes it to files if that is wanted or necessary. Returns whether everything is
    /// durable.
    fn store(
        &mut self,
        batches: &[Batch],
        is_sync: bool,
        handover: &HandoverReceiver,
    ) -> Result<bool, HistoryError> {
        self.store_retired(batches, handover)?;
        if let Some(last) = batches.last() {
            let (mut turns, stored) = (ShortTurns::begin(), self.store.version().mark().sequence);
            for batch in batches {
                self.note(batch)?;
                turns.step(|| is_sync || handover.is_awaited(stored));
            }
            self.families.flush(&mut self.store);
            self.is_unwritten = true;
            self.store.commit(Mark { sequence: last.last, at: last.at.micros() })?;
            self.families.committed(last.last);
        }
        let is_wanted = match self.retry_at {
            Some(at) => Instant::now() >= at,
            None => self.store.is_full(),
        };
        if is_sync || is_wanted { self.try_flush(handover) } else { Ok(false) }
    }

    /// Makes everything durable, unless the disk is full or no descriptor is free. Then memory holds the rest, up to a
    /// limit; beyond it this waits, and so does the apply thread once its budget is used up. A node that stops does not
    /// wait: its next start takes the rest from the journal.
    fn try_flush(&mut self, handover: &HandoverReceiver) -> Result<bool, HistoryError> {
        loop {
            match self.flush() {
                Ok(()) => {
                    self.retry_at = None;
                    self.stall.end();
                    return Ok(true);
                }
                Err(error) if error.is_transient() && handover.has_senders() => self.stall.begin(&error),
                Err(error) => return Err(error),
            }
            self.retry_at = Some(Instant::now() + RETRY_FLUSH_AFTER);
            if self.store.memory_bytes() < UNWRITTEN_BYTES_MAX {
                return Ok(false);
            }
            thread::sleep(RETRY_FLUSH_AFTER);
        }
    }

    /// Makes everything durable.
    fn flush(&mut self) -> Result<(), HistoryError> {
        // The tables first: the store says how far both are complete.
        self.files.sync()?;
        let state = match self.has_failed_flush {
            true => self.families.candles.whole_state(),
            false => self.families.candles.state(self.store.state_bytes()),
        };
        self.has_failed_flush = true;
        self.store.flush(state)?;
        (self.has_failed_flush, self.is_unwritten) = (false, false);
        if let Some(error) = self.store.take_merge_put_off() {
            tracing::warn!(%error, "runs of history cannot be merged now; the next flush tries again");
        }
        Ok(())
    }

    fn note(&mut self, batch: &Batch) -> Result<(), HistoryError> {
        let mut placed = None;
        for recorded in &batch.changes {
            self.families.note(&mut self.store, recorded, placed)?;
            placed = placed_order(&recorded.change);
        }
        for answer in &batch.answers {
            self.store.append(Log::Answers as usize, answer.seq, answer.at.micros(), &answer.bytes);
        }
        self.families.audit.store(&mut self.store, &batch.audit)
    }

    /// Stores the events that batches retire, in one transaction, and retries transient failures without limit, unless the
    /// node stops.
    fn store_retired(&mut self, batches: &[Batch], handover: &HandoverReceiver) -> Result<(), HistoryError> {
        let changes = batches.iter().flat_map(|batch| &batch.changes);
        let retired = changes.filter_map(|recorded| match &recorded.change {
            Change::EventRetired(event) => Some((recorded.seq, event.clone())),
            _ => None,
        });
        let retired: Vec<(u64, Arc<RetiredEvent>)> = retired.collect();
        while let Err(error) = self.try_store_retired(&retired) {
            let error = HistoryError::from(error);
            if !error.is_transient() || !handover.has_senders() {
                return Err(error);
            }
            self.stall.begin(&error);
            thread::sleep(RETRY_AFTER);
        }
        if self.retry_at.is_none() {
            self.stall.end();
        }
        Ok(())
    }

    /// A failure leaves the database unchanged.
    fn try_store_retired(&mut self, retired: &[(u64, Arc<RetiredEvent>)]) -> rusqlite::Result<()> {
        let Some((last, _)) = retired.last() else { return Ok(()) };
        // Rolls back when dropped without a commit.
        let transaction = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)?;
        for (seq, event) in retired {
            retired::store(&transaction, *seq, event)?;
        }
        let events: Vec<Arc<RetiredEvent>> = retired.iter().map(|(_, event)| event.clone()).collect();
        let is_full = self.fresh.is_full_with(events.len());
        if is_full {
            self.fresh.write(&transaction, &events, *last)?;
        }
        transaction.commit()?;
        match is_full {
            true => self.fresh.clear(),
            false => self.fresh.add(&events),
        }
        Ok(())
    }
}

fn report_stop(error: &HistoryError) {
    let mend = match error.is_mended_by_rebuilding() {
        true => "the files are damaged: stop the node, run rebuild-history, start it again",
        false => "fix the error, then restart",
    };
    tracing::error!(
        %error,
        mend,
        "history stopped: closed orders and trades cannot be read until a restart; trading continues"
    );
}

impl Families {
    /// Stores what waits for the end of a commit.
    fn flush(&mut self, store: &mut Store) {
        self.pools.flush(store);
        self.totals.flush(store);
    }

    fn committed(&mut self, sequence: u64) {
        self.candles.committed(sequence);
        self.asset_prices.committed();
        self.results.committed();
        self.statements.committed();
        self.notices.committed();
        self.pools.committed();
        self.totals.committed();
        self.audit.committed();
    }

    fn note_trade(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        event: EventId,
        trade: &Trade,
    ) -> Result<(), HistoryError> {
        let serial = self.trades.store(store, at, trade);
        self.activities.trade(store, trade, serial);
        self.notices.trade(store, (seq, at), trade, serial)?;
        self.statements.trade(store, (seq, at), trade, serial)?;
        for (party, fee) in [(&trade.taker, trade.taker_fee), (&trade.maker, Money::ZERO)] {
            if party.side == Side::Sell {
                let proceeds = trade.size.value_at(party.price.into(), trade.currency) - fee;
                let sums = Sums::of_sale(proceeds, party.cost);
                self.results.add(store, party.user, trade.currency, event, at, sums)?;
            }
        }
        Ok(())
    }

    fn note_settled(
        &mut self,
        store: &mut Store,
        (seq, at): (u64, Time),
        event: EventId,
        settled: &Settled,
    ) -> Result<(), HistoryError> {
        let serial = self.activities.settled(store, at, settled);
        self.notices.settled(store, (seq, at), settled, serial);
        self.statements.settled(store, (seq, at), settled, serial)?;
        if settled.user == Exchange::HOUSE {
            self.pools.settled((&mut *store, &mut self.totals), at, settled)?;
        }
        self.results.add(store, settled.user, settled.currency, event, at, settlement(settled))
    }

    /// `placed` is the order of the preceding change, if that was a `Change::Order`.
    fn note(
        &mut self,
        store: &mut Store,
        recorded: &RecordedChange,
        placed: Option<&OrderRecord>,
    ) -> Result<(), HistoryError> {
        let RecordedChange { seq, at, event, change } = recorded;
        let (seq, at, event) = (*seq, *at, *event);
        if let Some(turnover) = Turnover::of(change, placed) {
            self.totals.trade(store, at, &turnover)?;
        }
        if let Some(ReportedPrice { market, currency, yes_price, volume }) = ReportedPrice::of(change, placed)
        {
            self.candles.price(store, market, currency, at, yes_price, volume);
        }
        match change {
            Change::Order { record, cause } => {
                self.orders.store(store, at, record, *cause, event);
                self.activities.order(store, record, *cause);
                self.notices.order(store, (seq, at), record, *cause);
            }
            Change::Trade(trade) => self.note_trade(store, (seq, at), event, trade)?,
            Change::PoolMoved { currency, yes_price, cost, .. } => {
                if let Some(record) = placed {
                    let serial = self.trades.store_on_pool(store, at, record);
                    self.statements.pool(store, (seq, at), record, serial)?;
                    self.pools.moved((&mut *store, &mut self.totals), at, record, *yes_price)?;
                }
                if let Some(record) = placed.filter(|record| record.terms.side == Side::Sell) {
                    // A sell order's amount is what the pool paid, net of the fee.
                    let sums = Sums::of_sale(record.terms.amount, *cost);
                    self.results.add(store, record.user, *currency, event, at, sums)?;
                }
            }
            Change::PoolSeeded { market, currency, sets, yes_price } => {
                let (key, seed) = ((*market, *currency), (*sets, *yes_price));
                self.pools.seeded((&mut *store, &mut self.totals), at, key, seed)?;
            }
            Change::Sets(sets) => {
                let serial = self.activities.sets(store, at, sets);
                self.statements.sets(store, (seq, at), sets, serial)?;
                if sets.side == Side::Sell {
                    let sums = Sums::of_sale(sets.cash, sets.cost);
                    self.results.add(store, sets.user, sets.currency, event, at, sums)?;
                }
            }
            Change::Settled(settled) => self.note_settled(store, (seq, at), event, settled)?,
            Change::EventNews { news, note, .. } => {
                news::store(store, (seq, at), event, (*news, note.as_ref()));
            }
            Change::PriceRecorded { symbol, value, source_time } => {
                self.asset_prices.price(store, (seq, at), symbol, (*value, *source_time))?;
            }
            Change::Funds { user, currency, amount, reference } => {
                self.statements.funds(store, (seq, at), (*user, *currency), *amount, reference)?;
            }
            Change::EventRetired(event) => {
                event.markets.iter().for_each(|market| self.candles.forget(store, market.market.id, at));
            }
            _ => {}
        }
        Ok(())
    }
}

/// A held outcome counts as a win if it paid anything.
fn settlement(settled: &Settled) -> Sums {
    let pays = |outcome| settled.pays(outcome) > Money::ZERO;
    let held = |outcome| settled.shares(outcome) > Shares::ZERO;
    let count =
        |wins: bool| Outcome::BOTH.into_iter().filter(|o| held(*o) && pays(*o) == wins).count() as u64;
    Sums::of_settlement(settled.payout, settled.cost(), count(true), count(false))
}

/// The store keeps currencies by number.
const _: () = assert!(Currency::Usd as u8 == 0 && Currency::Ngn as u8 == 1);
