//! Notifications outside of history: fires price alerts and sends push messages.
//!
//! `tap` notes on the apply thread which prices and persons a request touched, and only where an alert or a subscription
//! waits for it. The thread `notifier` compares the displayed prices with the alerts, and composes messages (`message`), for
//! fills that follow each other one together (`gathering`).
//! The thread `push` encrypts and sends them (`push`). The rows are in the people store: a node that marks an alert, or
//! notes (person, kind, sequence), before all others sends the message.

mod gathering;
mod message;
mod notifier;
pub mod push;
mod tap;

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, TrySendError, bounded};
use exchange::id::{MarketId, UserId};
use exchange::numbers::Currency;
use parking_lot::RwLock;

use crate::people::{People, PeopleError};
use crate::pipeline::clock::Clock;
use crate::pipeline::state::Shared;
use notifier::Notifier;
use push::PushKey;
use push::endpoint::Reach;
pub use tap::NoticeTap;
use tap::TouchedBatch;

/// The capacity of the queue to the notifier, in groups.
const BATCHES_MAX: usize = 1_024;

/// Input of the notifier.
#[derive(Debug)]
enum Input {
    Applied(TouchedBatch),
    /// Entries were added or removed here.
    EntriesChanged,
    /// Dropped when everything before it is handled, which its receiver notices.
    Mark(Sender<()>),
}

type Listing = (MarketId, Currency);

/// Listings and persons that the apply thread looks for in every change.
#[derive(Debug, Default)]
struct Watched {
    /// Listings with an alert that has not fired.
    listings: HashSet<Listing>,
    /// Persons with a push subscription.
    subscribers: HashSet<UserId>,
}

/// State that the apply thread and the notifier share.
#[derive(Debug, Default)]
struct Waiting {
    watched: RwLock<Watched>,
    /// A group was dropped, because the notifier was too far behind.
    missed: AtomicBool,
}

/// The handle of a node's notifier. Its threads end when all handles and the tap are dropped.
#[derive(Clone, Debug)]
pub struct Notifying {
    input: Sender<Input>,
    public_key: Arc<str>,
    reach: Reach,
    contact: Arc<OnceLock<String>>,
}

/// The threads of a notifier.
#[derive(Debug)]
pub struct NotifyingThreads {
    notifier: JoinHandle<()>,
    push: JoinHandle<()>,
}

impl Notifying {
    /// Starts the threads. The tap must observe every applied request.
    pub fn start(
        people: Arc<People>,
        shared: Arc<Shared>,
        clock: Arc<dyn Clock>,
        reach: Reach,
    ) -> Result<(Notifying, NoticeTap, NotifyingThreads), PeopleError> {
        let key = PushKey::from_pkcs8(people.push_key()).ok_or(PeopleError::Sealed("the push key"))?;
        let public_key = key.public_text().into();
        let (input, received) = bounded(BATCHES_MAX);
        let waiting = Arc::new(Waiting::default());
        let contact = Arc::new(OnceLock::new());
        let (outbox, push) = push::start(key, people.clone(), reach, contact.clone())?;
        let notifier = Notifier::new(people, shared, clock, waiting.clone(), outbox);
        let thread = std::thread::Builder::new().name("notifier".to_owned());
        let notifier = thread.spawn(move || notifier.run(&received))?;
        let tap = NoticeTap::new(waiting, input.clone());
        Ok((Notifying { input, public_key, reach, contact }, tap, NotifyingThreads { notifier, push }))
    }

    /// The public key that browsers subscribe with, in base64url.
    pub fn public_key(&self) -> &str {
        &self.public_key
    }

    /// Which addresses push subscriptions may have.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Names the venue's contact in every push message from now on: a `mailto:` or `https:` URI. Only the first call has an
    /// effect.
    pub fn name_contact(&self, contact: String) {
        let _ = self.contact.set(contact);
    }

    /// Waits until the notifier has handled what it was given before.
    pub fn settle_blocking(&self) {
        let (handled, wait) = bounded(0);
        // A notifier that has ended, or ends meanwhile, drops the mark: there is nothing to wait for.
        if self.input.send(Input::Mark(handled)).is_ok() {
            let _ = wait.recv();
        }
    }

    /// Makes the notifier read new entries at once.
    pub fn entries_changed(&self) {
        match self.input.try_send(Input::EntriesChanged) {
            // A full queue: the notifier reads new entries every second anyway.
            Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
        }
    }
}

impl NotifyingThreads {
    /// Waits for the threads.
    pub fn join(self) {
        if self.notifier.join().is_err() || self.push.join().is_err() {
            tracing::error!("a notifying thread panicked");
        }
    }
}
