//! A history in its own folder, fed and read like in the node.

use std::fs;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use exchange::Exchange;
use exchange::id::UserId;
use exchange::order::OrderRecord;
use server::applied::Applied;
use server::history::{
    self, History, HistoryError, OpenedHistory, Page, Recorder, StoredActivity, StoredOrder,
};
use server::respond::{Shape, stored};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

use crate::history::model::shown;

/// So few that during a day some events are in the table and some are not yet.
const FRESH_MAX: usize = 5;

/// How long a sync may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Kept {
    folder: TempDir,
    running: Option<(History, Recorder, JoinHandle<()>)>,
    runtime: Runtime,
}

impl Kept {
    pub fn new() -> Kept {
        Kept::at(tempfile::tempdir().expect("there is room for a folder"))
    }

    fn at(folder: TempDir) -> Kept {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a thread can wait");
        let running = Some(history::open_with(folder.path(), FRESH_MAX).expect("history opens").into_parts());
        Kept { folder, running, runtime }
    }

    pub fn history(&self) -> &History {
        &self.running.as_ref().expect("history is open").0
    }

    fn recorder(&mut self) -> &mut Recorder {
        &mut self.running.as_mut().expect("history is open").1
    }

    /// The last sequence that it had when it was opened.
    pub fn known(&mut self) -> u64 {
        self.recorder().stored_until()
    }

    pub fn note(&mut self, applied: &Applied<'_>) {
        self.recorder().note(applied, server::audit_trail::entry);
        if let Some(answer) = answer_to(applied) {
            self.recorder().store_answer(applied.seq, applied.at, answer);
        }
    }

    pub fn send_batch(&mut self) {
        self.recorder().send_batch();
    }

    fn close(&mut self) {
        let (history, mut recorder, thread) = self.running.take().expect("history is open");
        recorder.send_batch();
        drop((history, recorder));
        OpenedHistory::join(thread);
    }

    /// Closes history and opens it again, which drops all caches.
    pub fn reopen(&mut self) {
        self.close();
        self.running = Some(
            history::open_with(self.folder.path(), FRESH_MAX).expect("history opens again").into_parts(),
        );
    }

    pub fn remove(&mut self) {
        self.close();
        history::remove(self.folder.path()).expect("history can be removed");
        self.running = Some(
            history::open_with(self.folder.path(), FRESH_MAX).expect("history is made anew").into_parts(),
        );
    }

    /// Makes everything that was sent durable, as before a snapshot.
    pub fn make_durable(&self) {
        assert!(self.history().make_durable(PATIENCE), "history is alive");
    }

    /// Opens the files that a kill at this moment would leave: `torn` bytes that were never named follow the end of each.
    pub fn crashed(&self, seq: u64, torn: usize) -> Kept {
        self.wait(self.history().wait_for(seq)).expect("history is alive");
        let folder = tempfile::tempdir().expect("there is room for a folder");
        fs::create_dir(folder.path().join("segments")).expect("there is room for a folder");
        // A merge may replace files while they are copied; then the copy begins again.
        while !self.copy(folder.path(), torn) {}
        Kept::at(folder)
    }

    fn copy(&self, to: &Path, torn: usize) -> bool {
        let from = self.folder.path();
        let manifest = fs::read(from.join("segments/manifest")).expect("a manifest");
        for place in ["", "segments"] {
            for entry in fs::read_dir(from.join(place)).expect("a folder") {
                let path = entry.expect("an entry").path();
                let is_file = path.is_file() && path.extension().is_none_or(|extension| extension != "new");
                if !is_file {
                    continue;
                }
                let Ok(mut bytes) = fs::read(&path) else { return false };
                if path.extension().is_some_and(|extension| extension == "segment") {
                    bytes.extend(std::iter::repeat_n(0xa5, torn));
                }
                let name = path.file_name().expect("a file has a name");
                fs::write(to.join(place).join(name), bytes).expect("a copy can be written");
            }
        }
        fs::read(from.join("segments/manifest")).expect("a manifest") == manifest
    }

    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Reads once everything that the exchange has applied is stored.
    pub fn ask<'a, T, F>(&'a self, exchange: &Exchange, question: impl FnOnce(&'a History) -> F) -> T
    where
        F: Future<Output = Result<T, HistoryError>>,
    {
        let history = self.history();
        let answer = self.wait(async {
            history.wait_for(exchange.seq()).await?;
            question(history).await
        });
        answer.expect("history answers")
    }

    /// The rows of a page, with the current state of the orders that history calls open.
    pub fn with_records(
        &self,
        exchange: &Exchange,
        user: UserId,
        mut page: Page<StoredOrder>,
    ) -> Page<OrderRecord> {
        let rows = std::mem::take(&mut page.rows);
        let records = rows.into_iter().map(|stored| self.record(exchange, user, stored)).collect();
        page.with(records)
    }

    fn record(&self, exchange: &Exchange, user: UserId, stored: StoredOrder) -> OrderRecord {
        let serial = match stored {
            StoredOrder::Closed(record) => return record,
            StoredOrder::Open(serial) => serial,
        };
        let owner = exchange.directory().find(user).expect("the user is there");
        let open = exchange.directory().user(owner).open_order_list();
        if let Some(entry) = open.iter().find(|entry| entry.serial() == serial) {
            let order = &exchange.orders()[entry.slot];
            return OrderRecord {
                user,
                market: exchange.catalogue().market(order.listing.market()).id,
                currency: order.listing.currency(),
                status: order.terms.open_status(),
                terms: order.terms.to_state(),
            };
        }
        match self.ask(exchange, |history| history.orders_by_serial(vec![serial])).pop() {
            Some(StoredOrder::Closed(record)) => record,
            other => panic!("an order is open, or it is closed: {other:?}"),
        }
    }

    pub fn with_orders(
        &self,
        exchange: &Exchange,
        user: UserId,
        mut page: Page<StoredActivity>,
    ) -> Page<StoredActivity<OrderRecord>> {
        let rows = std::mem::take(&mut page.rows);
        let filled = rows.into_iter().map(|happening| match happening {
            StoredActivity::Created(order) => StoredActivity::Created(self.record(exchange, user, order)),
            StoredActivity::Cancelled(order) => StoredActivity::Cancelled(self.record(exchange, user, order)),
            StoredActivity::Expired(order) => StoredActivity::Expired(self.record(exchange, user, order)),
            StoredActivity::Took(trade) => StoredActivity::Took(trade),
            StoredActivity::Made(trade) => StoredActivity::Made(trade),
            StoredActivity::Sets(sets) => StoredActivity::Sets(sets),
            StoredActivity::PaidOut { settlement, outcome } => {
                StoredActivity::PaidOut { settlement, outcome }
            }
        });
        let filled = filled.collect();
        page.with(filled)
    }
}

/// The stored answer of an idempotent request.
fn answer_to(applied: &Applied<'_>) -> Option<Vec<u8>> {
    let Applied { at, request, result, .. } = *applied;
    request.is_remembered(result).then(|| match shown(applied) {
        Some(shown) => stored::encode_shown(&shown),
        None => stored::encode(Shape::of(&request.command), result, at),
    })
}
