//! When a frame is offered to a shared log: not at a sequence that a notification has reported as taken.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use exchange::codec::encode_request;
use journal::{AppendError, Appended, Error, Frame, Frames, Head, Journal, Payload, Sequence};
use server::applied::{Applied, Observer};
use server::pipeline::clock::SystemClock;
use server::pipeline::sequencer::{AppendNotices, Sequencer};
use server::pipeline::state::Shared;
use server::startup::{self, Opened, StartError};

use crate::{create_user, wait_until};

const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Blind;

impl Observer for Blind {
    fn applied(&mut self, _: &Applied<'_>) {}
}

/// A journal where a neighbour appends after the first frame: its frame must be read before ours is accepted.
struct Contested {
    journal: Box<dyn Journal>,
    neighbours: Arc<Mutex<Option<Payload>>>,
    /// Offers that came too late.
    preceded: Arc<AtomicU64>,
    /// Signals each offer, which then waits for its turn.
    offered: Sender<()>,
    turns: Receiver<()>,
}

impl Journal for Contested {
    fn append(&mut self, expected: Sequence, payload: &Payload) -> Result<Appended, AppendError> {
        let _ = self.offered.send(());
        self.turns.recv().expect("a turn");
        if expected > Sequence::FIRST && self.neighbours.lock().expect("a lock").is_some() {
            self.preceded.fetch_add(1, Ordering::AcqRel);
            return Ok(Appended::Preceded { next: Sequence(expected.0 + 1) });
        }
        self.journal.append(expected, payload)
    }

    fn head(&mut self) -> Result<Head, Error> {
        self.journal.head()
    }

    fn read_others(&mut self) -> Result<Vec<Frame>, Error> {
        let Some(payload) = self.neighbours.lock().expect("a lock").take() else { return Ok(Vec::new()) };
        let next = self.journal.head()?.next;
        match self.journal.append(next, &payload) {
            Ok(Appended::Stored { header, hash }) => Ok(vec![Frame { header, hash, payload }]),
            other => panic!("{other:?}"),
        }
    }

    fn frames(&self, from: Sequence) -> Result<Box<dyn Frames>, Error> {
        self.journal.frames(from)
    }

    fn payload_bytes_max(&self) -> usize {
        self.journal.payload_bytes_max()
    }
}

/// Opens a new folder. Other tests of this process start databases: a forked child that has not executed its program
/// yet shares the journal's lock for a moment.
fn open(folder: &Path) -> Opened {
    let began = Instant::now();
    loop {
        match startup::open(folder, |_, _| {}) {
            Err(StartError::Journal(Error::Locked { .. })) if began.elapsed() < PATIENCE => {
                thread::yield_now();
            }
            opened => return opened.expect("a folder that opens"),
        }
    }
}

/// A neighbour appends after our first request, while our second is queued. Returns how many of our offers came too
/// late.
fn offers_in_vain(is_heard: bool) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let Opened { journal, exchange, .. } = open(folder.path());
    let (neighbours, preceded) = (Arc::new(Mutex::new(None)), Arc::new(AtomicU64::new(0)));
    let ((turn, turns), (offered, offers)) = (channel(), channel());
    let contested =
        Contested { journal, neighbours: neighbours.clone(), preceded: preceded.clone(), offered, turns };
    let (notices, notify) = AppendNotices::channel();
    let shared = Arc::new(Shared::new(exchange));
    let (sequencer, writer) =
        Sequencer::start(Box::new(contested), Some(notices), shared, Box::new(Blind), Arc::new(SystemClock));
    let ask = |number| {
        let sequencer = sequencer.clone();
        thread::spawn(move || sequencer.submit_blocking(create_user(number)).expect("an answer").seq)
    };
    let first = ask(1);
    offers.recv().expect("a writer");
    let second = ask(2);
    wait_until("the second does not wait", || sequencer.queued() == 1);
    let mut payload = Payload::new();
    payload.push_with(|bytes| encode_request(&create_user(3), bytes));
    *neighbours.lock().expect("a lock") = Some(payload);
    if is_heard {
        notify(Sequence(2));
    }
    // More turns than are needed.
    (0..4).for_each(|_| turn.send(()).expect("a writer"));
    assert_eq!(first.join().expect("an answer"), 1);
    assert_eq!(second.join().expect("an answer"), 3, "behind the neighbour's");
    drop(sequencer);
    writer.join().expect("a journal that is still good");
    preceded.load(Ordering::Acquire)
}

#[test]
fn nothing_is_offered_at_a_sequence_that_a_notification_reported_as_taken() {
    assert_eq!(offers_in_vain(false), 1, "without a notification");
    assert_eq!(offers_in_vain(true), 0);
}
