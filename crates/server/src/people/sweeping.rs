//! The thread that removes rows: those of erased persons at once; those that no command named, and replaced ones, after
//! their expiry.
//!
//! Only this thread removes rows while a node runs. A row that no command names is removed only when its expiry is
//! before the state's time: from then on the rules reject any command that names it, on every node.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use exchange::Request;
use exchange::command::Command;
use exchange::id::{RowId, UserId};
use exchange::identity::Actor;
use exchange::time::Time;
use tokio::sync::oneshot;

use super::fail_points::{COMMAND_DURABLE, pass, row_life};
use super::{People, PeopleError, RowHead};
use crate::pipeline::sequencer::Sequencer;

/// The maximum interval between sweeps of newly expired rows, and the interval between sweeps of all expired rows.
const EVERY_MAX: Duration = Duration::from_secs(30);
const ALL_EVERY: Duration = Duration::from_secs(3_600);
/// Rows that one look at the state checks.
const ROWS_AT_ONCE: usize = 256;
/// The capacity of the queue.
const WAITING_MAX: usize = 1_024;

struct SweepRequest {
    /// The person whose row a command has replaced.
    person: Option<UserId>,
    done: oneshot::Sender<Result<(), PeopleError>>,
}

/// Triggers a sweep. The thread ends when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Sweeps {
    requests: Sender<SweepRequest>,
}

impl Sweeps {
    /// Removes the rows of erased persons, expired rows that no command names, and expired rows of `person` that were
    /// replaced. They are removed when this returns.
    pub async fn sweep(&self, person: Option<UserId>) -> Result<(), PeopleError> {
        let (done, waiting) = oneshot::channel();
        self.requests.try_send(SweepRequest { person, done }).map_err(|_| PeopleError::Stopped)?;
        waiting.await.map_err(|_| PeopleError::Stopped)?
    }
}

#[derive(Debug)]
pub struct Sweeper {
    thread: JoinHandle<()>,
}

impl Sweeper {
    /// Starts on a store that has no rows of the first `erased` erased users. Without `may_tick` it sends no command
    /// of its own: expired rows then wait for the next one.
    pub fn start(
        people: Arc<People>,
        sequencer: Sequencer,
        erased: usize,
        may_tick: bool,
    ) -> Result<(Sweeper, Sweeps), PeopleError> {
        let (requests, received) = bounded(WAITING_MAX);
        let (swept_until, all_at) = (Time::ZERO, Instant::now());
        let sweeping = SweeperThread { people, sequencer, erased, may_tick, swept_until, all_at };
        let thread =
            thread::Builder::new().name("people".to_owned()).spawn(move || sweeping.run(&received))?;
        Ok((Sweeper { thread }, Sweeps { requests }))
    }

    /// Waits for the thread, which ends when every `Sweeps` is dropped.
    pub fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the people store's thread panicked");
        }
    }
}

struct SweeperThread {
    people: Arc<People>,
    sequencer: Sequencer,
    /// The number of erased users whose rows are removed.
    erased: usize,
    may_tick: bool,
    /// Rows that expired before this time were checked.
    swept_until: Time,
    /// When all expired rows were last checked.
    all_at: Instant,
}

impl SweeperThread {
    fn run(mut self, received: &Receiver<SweepRequest>) {
        let half_life = Duration::from_micros(row_life().micros().unsigned_abs() / 2);
        let every = EVERY_MAX.min(half_life);
        loop {
            match received.recv_timeout(every) {
                Ok(SweepRequest { person, done }) => {
                    let replaced = person.map_or(Ok(()), |person| self.replaced(person));
                    let swept = replaced.and_then(|()| self.round());
                    if let Err(error) = &swept {
                        tracing::error!(%error, "cannot remove rows of the people store; retrying soon");
                    }
                    // The caller may have been dropped.
                    let _ = done.send(swept);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = self.round() {
                        tracing::error!(%error, "cannot sweep the people store");
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn round(&mut self) -> Result<(), PeopleError> {
        self.erase()?;
        self.evict_replaced();
        if self.all_at.elapsed() >= ALL_EVERY {
            (self.swept_until, self.all_at) = (Time::ZERO, Instant::now());
        }
        self.sweep_expired()?;
        if !self.may_tick {
            return Ok(());
        }
        // Without commands the state's time does not advance, and expired rows would stay. A tick advances it.
        let now = self.people.shared.read().now();
        let ahead = Time::from_micros(self.people.clock.now());
        let waiting = self.people.rows.lock().expired(now, ahead)?;
        if self.unnamed(&waiting, Time::NEVER).is_empty() {
            return Ok(());
        }
        let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
        match self.sequencer.submit_blocking(tick) {
            Ok(_) => self.sweep_expired(),
            // A transient failure; the next round retries.
            Err(_) => Ok(()),
        }
    }

    fn sweep_expired(&mut self) -> Result<(), PeopleError> {
        let now = self.people.shared.read().now();
        let heads = self.people.rows.lock().expired(self.swept_until, now)?;
        let unnamed = self.unnamed(&heads, now);
        self.people.rows.lock().remove(&unnamed)?;
        self.people.cache.forget(&unnamed);
        self.swept_until = now;
        Ok(())
    }

    /// Removes the rows of users erased since the last call.
    fn erase(&mut self) -> Result<(), PeopleError> {
        let people = self.people.clone();
        let erased: Vec<UserId> = {
            let exchange = people.shared.read();
            let directory = exchange.directory();
            let new = directory.erased().get(self.erased..).unwrap_or_default();
            new.iter().map(|index| directory.user(*index).id).collect()
        };
        if erased.is_empty() {
            return Ok(());
        }
        pass(COMMAND_DURABLE);
        let mut rows = people.rows.lock();
        let mut gone = Vec::new();
        for person in &erased {
            gone.extend(rows.of_person(*person)?.into_iter().map(|head| head.id));
        }
        people.cache.forget(&gone);
        rows.remove_entries_of(&erased)?;
        rows.erase(&gone)?;
        self.erased += erased.len();
        Ok(())
    }

    /// Removes expired rows of a person that another row has replaced.
    fn replaced(&mut self, person: UserId) -> Result<(), PeopleError> {
        pass(COMMAND_DURABLE);
        let now = self.people.shared.read().now();
        let heads = self.people.rows.lock().of_person(person)?;
        let unnamed = self.unnamed(&heads, now);
        self.people.cache.forget(&unnamed);
        self.people.rows.lock().remove(&unnamed)
    }

    /// The rows that are not a person's current row and that no command can name any more, because they expired before
    /// `now`.
    fn unnamed(&self, heads: &[RowHead], now: Time) -> Vec<RowId> {
        let unnamed = |some: &[RowHead]| -> Vec<RowId> {
            let exchange = self.people.shared.read();
            let is_over = |head: &&RowHead| {
                head.expires_at < now && !exchange.directory().names_row(head.person, head.id)
            };
            some.iter().filter(is_over).map(|head| head.id).collect()
        };
        heads.chunks(ROWS_AT_ONCE).flat_map(unnamed).collect()
    }

    /// Drops cached rows that are not current any more, including those that another node has removed.
    fn evict_replaced(&self) {
        let kept = self.people.cache.rows();
        let gone = |some: &[(UserId, RowId)]| -> Vec<RowId> {
            let exchange = self.people.shared.read();
            let is_named = |(person, row): &(UserId, RowId)| exchange.directory().names_row(*person, *row);
            some.iter().filter(|kept| !is_named(kept)).map(|(_, row)| *row).collect()
        };
        let gone: Vec<RowId> = kept.chunks(ROWS_AT_ONCE).flat_map(gone).collect();
        self.people.cache.forget(&gone);
    }
}
