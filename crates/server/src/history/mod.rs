//! Closed orders, trades, activities, results, totals, prices, retired events, and responses to idempotent requests.
//!
//! One writer thread stores batches from the apply thread and skips sequences that it has stored before. Everything is in
//! a store of segments (`families.rs`), except retired events, which are in SQLite with the index of their texts. Both are
//! disposable: they can be rebuilt from the journal. A reader first waits until history has stored the sequence that the
//! reader has seen. The cost of a page depends on its rows, not on its depth: totals and positions are stored, never
//! counted.

mod activities;
mod asset_prices;
mod audit;
mod cached_sets;
mod candles;
mod families;
mod handover;
mod list_key;
mod lists;
mod lookups;
mod news;
mod notices;
mod orders;
mod pages;
mod pools;
mod postings;
mod readers;
mod recorder;
mod results;
mod retired;
mod schema;
mod statement;
mod statistics;
mod titles;
mod totals;
mod trades;
mod writer;

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use exchange::catalogue::RetiredEvent;
use exchange::codec::CodecError;
use exchange::id::{EventId, OrderId, UserId};
use exchange::numbers::Currency;
use exchange::order::OrderRecord;
use exchange::time::Time;
use tokio::sync::watch;

use crate::event_lists::{EventFilter, EventSet, MatchingEvents, Substring};
use crate::signals::histogram::Durations;

pub use activities::{ActivityFilter, StoredActivity, StoredSets, StoredSettlement};
pub use asset_prices::{AssetPriceRange, StoredAssetPrice};
pub use audit::{AuditFilter, AuditPage, EntryAuthor, EntrySubject, TrailEntry};
pub use candles::{Candle, CandleRange, FoundCandles, Interval};
pub use news::{NEWS_MAX, StoredNews};
pub use notices::{FillSums, NoticeSubject, StoredFills, StoredNotice, UNREAD_MAX};
pub use orders::{EventMarkets, OrderFilter, StoredOrder, StoredOrdersQuery};
pub use pages::{Page, Window};
pub use recorder::Recorder;
pub use results::{EventResult, FoundResults, ResultSpan, Sums};
pub use retired::RetiredName;
pub use statement::{LatestMovements, MovementCause, StoredMovement};
pub use statistics::{FoundStatistics, POOLS_MAX, PoolResults, StatisticsSpan};
pub use totals::Totals;
pub use trades::{Execution, StoredTrade, TradeFilter};

use candles::ShownCandles;
use families::{ANSWERS_KEPT, Log};
use handover::HandoverSender;
use postings::RecentPostings;
use readers::ReaderThreads;
use writer::{HistoryWriter, WriterParts};

/// How long a reader waits for history. Usually milliseconds; longer while a starting node is still rebuilding history.
const REACH_MAX: Duration = Duration::from_secs(10);
/// Requests that history may lack when it counts as caught up. It stores this many in about a second.
pub const CAUGHT_UP_LAG_MAX: u64 = 10_000;
/// Requests that history stores in a second while it catches up, for `Retry-After`: about what a slow machine manages.
const CATCH_UP_RATE: u64 = 10_000;
/// The longest `Retry-After` of a history that catches up.
const RETRY_SECONDS_MAX: u64 = 60;

#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("history: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("history: {0}")]
    Store(#[from] segments::Error),
    #[error("history file: {0}")]
    Files(#[from] std::io::Error),
    #[error("invalid record in history: {0}")]
    Record(#[from] CodecError),
    #[error("missing in history: {0}")]
    Missing(&'static str),
    #[error("too many reads of history are queued")]
    Busy,
    #[error("history has stopped")]
    Stopped,
    #[error("history is {lag} requests behind")]
    Behind { lag: u64 },
}

impl HistoryError {
    /// Whether the files are damaged or of another version.
    fn is_mended_by_rebuilding(&self) -> bool {
        match self {
            HistoryError::Sqlite(error) => schema::is_damage(error),
            HistoryError::Store(segments::Error::OtherVersion { .. }) => true,
            HistoryError::Store(error) => error.is_damage(),
            _ => false,
        }
    }

    /// Seconds after which a retry can succeed.
    pub(crate) fn retry_after(&self) -> u64 {
        match self {
            HistoryError::Behind { lag } => (lag / CATCH_UP_RATE).clamp(1, RETRY_SECONDS_MAX),
            _ => 1,
        }
    }

    /// Whether the writer retries: a full disk, no free descriptor.
    fn is_transient(&self) -> bool {
        match self {
            HistoryError::Sqlite(error) => schema::is_transient(error),
            HistoryError::Store(error) => error.is_transient(),
            _ => false,
        }
    }
}

impl From<rusqlite::types::FromSqlError> for HistoryError {
    fn from(error: rusqlite::types::FromSqlError) -> HistoryError {
        HistoryError::Sqlite(error.into())
    }
}

/// A handle for reading history.
#[derive(Clone, Debug)]
pub struct History {
    readers: ReaderThreads,
    /// The index of recently retired events.
    fresh: RecentPostings,
    stored: watch::Receiver<u64>,
    /// Nothing can be written at the moment.
    is_stalled: Arc<AtomicBool>,
    /// Whether history has been close to the state since the start.
    has_caught_up: Arc<AtomicBool>,
    handover: HandoverSender,
    /// The last candle of each listing.
    shown: ShownCandles,
    commits: Arc<Durations>,
}

/// The result of `open`: a handle for readers, the recorder for the apply thread, and the writer thread to join at
/// shutdown.
#[derive(Debug)]
pub struct OpenedHistory {
    pub history: History,
    pub recorder: Recorder,
    thread: JoinHandle<()>,
}

impl OpenedHistory {
    /// Waits until the thread has stored everything sent to it. The recorder and every `History` must have been dropped.
    pub fn join(thread: JoinHandle<()>) {
        if thread.join().is_err() {
            tracing::error!("the history thread panicked");
        }
    }

    pub fn into_parts(self) -> (History, Recorder, JoinHandle<()>) {
        (self.history, self.recorder, self.thread)
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("history.sqlite")
}

/// Opens the history of a folder, creating it if it is missing, and starts its threads. Damaged files are deleted and
/// created empty; the caller then replays the journal into them.
pub fn open(folder: &Path) -> Result<OpenedHistory, HistoryError> {
    open_with(folder, postings::FRESH_MAX)
}

/// Like `open`, with another limit on the retired events that are indexed in memory.
pub fn open_with(folder: &Path, fresh_max: usize) -> Result<OpenedHistory, HistoryError> {
    // Readable by the owner only, like the journal.
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    match open_files(folder, fresh_max) {
        Err(error) if error.is_mended_by_rebuilding() => {
            tracing::error!(%error, "history cannot be used; rebuilding it from the journal (nothing is lost)");
            remove(folder)?;
            open_files(folder, fresh_max)
        }
        opened => opened,
    }
}

fn open_files(folder: &Path, fresh_max: usize) -> Result<OpenedHistory, HistoryError> {
    let path = file(folder);
    let (mut connection, is_new) = schema::open_for_writing(&path)?;
    if is_new {
        families::remove(folder)?;
    }
    let segments::Opened { store, state } = families::open(folder)?;
    let last = store.version().mark().sequence;
    if last == 0 && !is_new {
        // The store was deleted, so the events in the tables must be stored again too.
        drop(connection);
        schema::remove(&path)?;
        (connection, _) = schema::open_for_writing(&path)?;
    }
    let fresh = RecentPostings::load(&connection, fresh_max)?;
    let readers = ReaderThreads::start(&path, store.reader())?;
    let is_stalled = Arc::new(AtomicBool::new(false));
    let parts = WriterParts { connection, store, fresh: fresh.clone(), is_stalled: is_stalled.clone() };
    let writer = HistoryWriter::new(&path, parts, &state)?;
    let shown = writer.shown_candles();
    let (handover, receiver) = handover::handover();
    let (stored, watching) = watch::channel(last);
    let commits = Arc::new(Durations::default());
    let timing = commits.clone();
    let work = move || writer.run(&receiver, &stored, &timing);
    let thread = std::thread::Builder::new().name("history".to_owned()).spawn(work)?;
    let recorder = Recorder::new(handover.clone(), last);
    let has_caught_up = Arc::default();
    let history =
        History { readers, fresh, stored: watching, is_stalled, has_caught_up, handover, shown, commits };
    Ok(OpenedHistory { history, recorder, thread })
}

/// Deletes the history of a folder; the next start rebuilds it. No process may have it open.
pub fn remove(folder: &Path) -> Result<(), HistoryError> {
    families::remove(folder)?;
    schema::remove(&file(folder))
}

impl History {
    /// The last sequence stored.
    pub fn stored(&self) -> u64 {
        *self.stored.borrow()
    }

    /// How long commits took.
    pub fn commits(&self) -> &Durations {
        &self.commits
    }

    /// How many requests of a state at sequence `seq` are not stored yet.
    pub fn lag(&self, seq: u64) -> u64 {
        seq.saturating_sub(self.stored())
    }

    /// Whether history has been close to the state since the start. Compares it with the state's sequence `seq` and keeps a
    /// yes. A node may start with a history that takes minutes or hours to catch up; a later lag passes within seconds.
    pub fn has_caught_up(&self, seq: u64) -> bool {
        if self.lag(seq) <= CAUGHT_UP_LAG_MAX {
            self.has_caught_up.store(true, Ordering::Relaxed);
        }
        self.has_caught_up.load(Ordering::Relaxed)
    }

    /// Whether nothing can be written: until the cause is gone (`is_stalled`), or until a restart.
    pub fn has_stopped(&self) -> bool {
        // The thread owns the sender as long as it runs.
        self.is_stalled() || self.stored.has_changed().is_err()
    }

    /// Whether the history thread waits for a full disk or for a free descriptor. It continues by itself.
    pub fn is_stalled(&self) -> bool {
        self.is_stalled.load(Ordering::Relaxed) && self.stored.has_changed().is_ok()
    }

    /// Syncs everything sent so far to disk, so that it survives a crash of the machine. Returns whether that succeeded
    /// within `patience`.
    pub fn make_durable(&self, patience: Duration) -> bool {
        let (done, is_done) = crossbeam_channel::bounded(1);
        self.handover.sync(done);
        is_done.recv_timeout(patience).is_ok()
    }

    /// Makes the history thread commit without gathering more, until everything up to `seq` is stored.
    pub fn hurry(&self, seq: u64) {
        self.handover.hurry(seq);
    }

    /// Waits until everything up to `seq` is stored. A history that has yet to catch up is not waited for.
    pub async fn wait_for(&self, seq: u64) -> Result<(), HistoryError> {
        if self.stored() >= seq {
            return Ok(());
        }
        if !self.has_caught_up(seq) {
            return Err(HistoryError::Behind { lag: self.lag(seq) });
        }
        self.hurry(seq);
        let mut stored = self.stored.clone();
        let reached = tokio::time::timeout(REACH_MAX, stored.wait_for(|stored| *stored >= seq)).await;
        let late = || match self.is_stalled() {
            true => HistoryError::Stopped,
            false => HistoryError::Behind { lag: self.lag(seq) },
        };
        reached.map_err(|_| late())?.map(drop).map_err(|_| HistoryError::Stopped)
    }

    /// Candles of several listings at once.
    pub async fn candles(&self, ranges: Vec<CandleRange>) -> Result<Vec<FoundCandles>, HistoryError> {
        let shown = self.shown.clone();
        self.readers.read_latest(move |reader| candles::ranges(reader, &shown, &ranges)).await
    }

    /// Retired events that match a filter and have serials below `next`.
    pub async fn retired_matching(
        &self,
        filter: EventFilter,
        next: u32,
    ) -> Result<MatchingEvents, HistoryError> {
        let fresh = self.fresh.clone();
        self.readers
            .read_tables(move |connection| postings::matching(connection, &fresh, &filter, next))
            .await
    }

    /// The members of `candidates`, which are retired, whose texts contain a substring.
    pub async fn retired_containing(
        &self,
        substring: Substring,
        candidates: EventSet,
    ) -> Result<EventSet, HistoryError> {
        let fresh = self.fresh.clone();
        let look = move |connection: &rusqlite::Connection| {
            postings::containing(connection, &fresh, &substring, &candidates)
        };
        self.readers.read_tables(look).await
    }

    /// The stored response to the request at a sequence.
    pub async fn answer(&self, seq: u64) -> Result<Option<Vec<u8>>, HistoryError> {
        let look = move |version: &segments::Version| {
            let oldest = version.mark().at - ANSWERS_KEPT.micros();
            let found = version.record(Log::Answers as usize, seq)?;
            Ok(found.filter(|record| record.at >= oldest).map(|record| record.bytes))
        };
        self.readers.read(look).await
    }
}

/// Reads that run one function on a reader thread: with the store as of one commit, or in one transaction of SQLite.
macro_rules! reads {
    ($($(#[$doc:meta])* $name:ident($($given:ident: $kind:ty),*) -> $found:ty = $on:ident $read:expr;)*) => {
        impl History {
            $($(#[$doc])*
            pub async fn $name(&self, $($given: $kind),*) -> Result<$found, HistoryError> {
                self.readers.$on($read).await
            })*
        }
    };
}

reads! {
    /// Trades, newest first. The cursor is a trade's serial.
    trades(filter: TradeFilter, window: Window) -> Page<StoredTrade<Execution>> =
        read move |version| trades::page(version, &filter, window);
    /// A user's orders, newest first. The cursor is an order's serial. Filtering by an open status is not supported here:
    /// open orders are in memory.
    orders(query: StoredOrdersQuery) -> Page<StoredOrder> = read move |version| orders::page(version, &query);
    /// The orders with these serials, in the given order.
    orders_by_serial(serials: Vec<u64>) -> Vec<StoredOrder> =
        read move |version| orders::rows(version, &serials);
    /// The closed orders with these ids that belong to the user.
    closed_orders(user: UserId, ids: Vec<OrderId>) -> Vec<OrderRecord> =
        read move |version| orders::closed(version, user, &ids);
    /// A user's activities, newest first. The cursor is a position in the list.
    activities(user: UserId, group: Option<ActivityFilter>, window: Window) -> Page<StoredActivity> =
        read move |version| activities::page(version, user, group, window);
    /// The movements of a user's money in one currency, newest first. The cursor is a movement's number.
    statement(user: UserId, currency: Currency, window: Window) -> Page<StoredMovement> =
        read move |version| statement::page(version, user, currency, window);
    /// The movements of a user's money since a time, at most `max`, the latest ones.
    latest_movements(user: UserId, currency: Currency, from: Time, max: u64) -> LatestMovements =
        read move |version| statement::latest(version, user, currency, from, max);
    /// The latest notices of a user, newest first, and how many of the latest `UNREAD_MAX` follow the sequence `since`.
    notices(user: UserId, since: u64, size: u64) -> (Vec<StoredNotice>, u64) =
        read move |version| notices::latest(version, user, since, size);
    /// A user's profit and loss in a time span.
    results(span: ResultSpan, with_events: bool) -> FoundResults =
        read move |version| results::span(version, &span, with_events);
    /// The notes about news on an event at a sequence, newest first.
    news(event: EventId, up_to: u64) -> Vec<StoredNews> = read move |version| news::news(version, event, up_to);
    /// Prices of an asset, oldest first.
    asset_prices(range: AssetPriceRange) -> Vec<StoredAssetPrice> =
        read move |version| asset_prices::prices(version, &range);
    /// Totals of the venue and results of pools over time.
    statistics(span: StatisticsSpan) -> FoundStatistics =
        read move |version| statistics::statistics(version, &span);
    /// The audit log, newest first. The cursor is an entry's sequence.
    audit(filter: AuditFilter, size: u64) -> AuditPage = read move |version| audit::page(version, &filter, size);
    /// Retired events by any of their names, without duplicates. Events still in memory are not returned.
    retired(names: Vec<RetiredName>) -> Vec<Arc<RetiredEvent>> =
        read_tables move |tables| retired::named(tables, &names);
    /// Retired events by serial, in the given order. Fails if one of them is not retired.
    retired_by_serial(serials: Vec<u64>) -> Vec<Arc<RetiredEvent>> =
        read_tables move |tables| retired::by_serial(tables, &serials);
    /// Retired events with orders in the hour of `from` or later.
    retired_active_since(from: Time) -> Vec<Arc<RetiredEvent>> =
        read_tables move |tables| retired::active_since(tables, from);
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[tokio::test]
    async fn a_history_that_has_yet_to_catch_up_is_not_waited_for_and_one_that_has_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (history, recorder, thread) = open(folder.path()).expect("a history").into_parts();
        // The lag and the seconds of a refusal at once; `None` for a read that waits.
        let refused = |seq| match pin!(history.wait_for(seq)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Err(error @ HistoryError::Behind { lag })) => Some((lag, error.retry_after())),
            Poll::Ready(other) => panic!("nothing is stored: {other:?}"),
            Poll::Pending => None,
        };
        let far = CAUGHT_UP_LAG_MAX + 1;
        assert!(!history.has_caught_up(far));
        assert_eq!(refused(far), Some((far, 1)));
        assert_eq!(refused(300_000), Some((300_000, 30)));
        assert_eq!(refused(u64::MAX), Some((u64::MAX, 60)));
        assert_eq!(refused(CAUGHT_UP_LAG_MAX), None);
        assert!(history.has_caught_up(far), "it was close once: a later lag passes by itself");
        assert_eq!(refused(far), None);
        drop((history, recorder));
        OpenedHistory::join(thread);
    }
}
