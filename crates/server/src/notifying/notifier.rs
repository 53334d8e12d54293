//! The thread that fires alerts on the displayed prices and hands messages to the push thread.
//!
//! It reads new entries of the people store every second, because other nodes of a shared log add entries too, and all
//! of them every minute. An alert fires once: the store marks it for one node only.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use exchange::id::UserId;
use exchange::order::Outcome;
use exchange::time::{Span, Time};

use super::gathering::{Gathering, Told};
use super::message::message;
use super::push::{Outbox, PushJob};
use super::tap::{Notice, NoticeSubject, PushedKind, TouchedBatch};
use super::{Input, Listing, Waiting};
use crate::people::entries::{
    AlertWish, EntryKind, FiredAlert, PriceAlert, PushSubscription, WatchedEntries,
};
use crate::people::{People, PeopleError};
use crate::pipeline::clock::Clock;
use crate::pipeline::state::Shared;
use crate::view::notification::{ShownPrices, shown_prices};

const NEW_ENTRIES_EVERY: Duration = Duration::from_secs(1);
const ALL_ENTRIES_EVERY: Duration = Duration::from_secs(60);
const SENT_FORGOTTEN_EVERY: Duration = Duration::from_secs(3_600);
/// Older notices are not pushed: the node was stopped, or it follows far behind.
const PUSHED_AGE_MAX: Span = Span::minutes(10);
/// Notes of sent messages are needed as long as a node could send them again.
const SENT_KEPT: Span = Span::hours(24);
/// Prices that one look at the state reads.
const PRICES_AT_ONCE: usize = 64;

pub(super) struct Notifier {
    people: Arc<People>,
    shared: Arc<Shared>,
    clock: Arc<dyn Clock>,
    waiting: Arc<Waiting>,
    outbox: Outbox,
    alerts: HashMap<Listing, Vec<PriceAlert>>,
    /// The last serial that was read.
    last_entry: i64,
    /// Listings to compare again: a new alert, or a failed attempt.
    due: BTreeSet<Listing>,
    fills: Gathering,
}

impl Notifier {
    pub(super) fn new(
        people: Arc<People>,
        shared: Arc<Shared>,
        clock: Arc<dyn Clock>,
        waiting: Arc<Waiting>,
        outbox: Outbox,
    ) -> Notifier {
        let (alerts, due, fills) = (HashMap::new(), BTreeSet::new(), Gathering::default());
        Notifier { people, shared, clock, waiting, outbox, alerts, last_entry: 0, due, fills }
    }

    pub(super) fn run(mut self, received: &Receiver<Input>) {
        self.read_all_entries();
        let (mut new_at, mut all_at, mut sent_at) = (Instant::now(), Instant::now(), Instant::now());
        loop {
            match received.recv_timeout(NEW_ENTRIES_EVERY) {
                Ok(Input::Applied(batch)) => self.applied(batch),
                Ok(Input::EntriesChanged) => self.read_new_entries(),
                Ok(Input::Mark(handled)) => drop(handled),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.waiting.missed.swap(false, Ordering::AcqRel) {
                tracing::warn!(
                    "the notifier was too far behind: comparing all alerts, some messages are lost"
                );
                self.due.extend(self.alerts.keys().copied());
            }
            if all_at.elapsed() >= ALL_ENTRIES_EVERY {
                (all_at, new_at) = (Instant::now(), Instant::now());
                self.read_all_entries();
            } else if new_at.elapsed() >= NEW_ENTRIES_EVERY {
                new_at = Instant::now();
                self.read_new_entries();
            }
            if sent_at.elapsed() >= SENT_FORGOTTEN_EVERY {
                sent_at = Instant::now();
                let before = Time::from_micros(self.clock.now()) - SENT_KEPT;
                self.note_failure(self.people.forget_sent_blocking(before));
            }
            self.compare_due();
            for fills in self.fills.take_due(Instant::now()) {
                self.send_first(&fills);
            }
        }
    }

    fn applied(&mut self, batch: TouchedBatch) {
        let alerts = &self.alerts;
        self.due.extend(batch.listings.into_iter().filter(|listing| alerts.contains_key(listing)));
        self.push(batch.notices);
    }

    fn read_all_entries(&mut self) {
        let Some(found) = self.note_failure(self.people.entries_after_blocking(0)) else { return };
        self.alerts.clear();
        // In one step: a notice in between must find its subscriber.
        self.waiting.watched.write().subscribers = found.subscribers.iter().copied().collect();
        self.add_entries(found);
    }

    fn read_new_entries(&mut self) {
        let Some(found) = self.note_failure(self.people.entries_after_blocking(self.last_entry)) else {
            return;
        };
        self.add_entries(found);
    }

    fn add_entries(&mut self, found: WatchedEntries) {
        self.last_entry = found.last;
        for alert in found.alerts {
            let listing = (alert.wish.market, alert.wish.currency);
            self.due.insert(listing);
            self.alerts.entry(listing).or_default().push(alert);
        }
        if !found.subscribers.is_empty() {
            self.waiting.watched.write().subscribers.extend(found.subscribers);
        }
        // Before the comparison: a price that changes after it must be noted by the tap.
        self.publish_listings();
    }

    /// Publishes the listings with alerts, if they changed.
    fn publish_listings(&self) {
        let is_published = {
            let published = &self.waiting.watched.read().listings;
            published.len() == self.alerts.len() && self.alerts.keys().all(|key| published.contains(key))
        };
        if !is_published {
            let listings = self.alerts.keys().copied().collect();
            self.waiting.watched.write().listings = listings;
        }
    }

    /// Compares the displayed prices of due listings with their alerts.
    fn compare_due(&mut self) {
        let due: Vec<Listing> = std::mem::take(&mut self.due).into_iter().collect();
        if due.is_empty() {
            return;
        }
        for listings in due.chunks(PRICES_AT_ONCE) {
            let (seq, at, prices) = self.read_prices(listings);
            for (listing, prices) in listings.iter().zip(prices) {
                self.compare(*listing, prices, (seq, at));
            }
        }
        self.publish_listings();
    }

    /// The displayed prices; `None` for a market that is not in memory, which a node that follows may not have yet.
    fn read_prices(&self, listings: &[Listing]) -> (u64, Time, Vec<Option<ShownPrices>>) {
        let exchange = self.shared.read();
        let prices = |(market, currency): &Listing| shown_prices(&exchange, *market, *currency);
        (exchange.seq(), exchange.now(), listings.iter().map(prices).collect())
    }

    /// Fires the alerts of a listing whose price is reached. A settled market ends the others.
    fn compare(&mut self, listing: Listing, shown: Option<ShownPrices>, (seq, at): (u64, Time)) {
        let Some(shown) = shown else { return };
        let Some(alerts) = self.alerts.remove(&listing) else { return };
        let mut kept = Vec::new();
        for alert in alerts {
            let price = shown.prices[alert.wish.outcome as usize];
            let is_done = match (alert.wish.is_reached(price), shown.is_final) {
                (true, _) => self.fire(&alert, FiredAlert { seq, at, price }),
                (false, true) => {
                    let removed = self.people.remove_entry_blocking(alert.person, EntryKind::Alert, alert.id);
                    self.note_failure(removed).is_some()
                }
                (false, false) => false,
            };
            if !is_done {
                kept.push(alert);
            }
        }
        if !kept.is_empty() {
            self.alerts.insert(listing, kept);
        }
    }

    /// Marks an alert as fired and sends its message. Returns false if that must be tried again.
    fn fire(&mut self, alert: &PriceAlert, fired: FiredAlert) -> bool {
        let Some(is_first) = self.note_failure(self.people.fire_blocking(alert, fired)) else {
            self.due.insert((alert.wish.market, alert.wish.currency));
            return false;
        };
        if is_first && self.waiting.watched.read().subscribers.contains(&alert.person) {
            let subject = NoticeSubject::Alert { outcome: alert.wish.outcome, price: fired.price };
            let AlertWish { market, currency, .. } = alert.wish;
            let FiredAlert { seq, at, .. } = fired;
            let first = Notice { user: alert.person, seq, at, market, currency, subject };
            self.send(&Told { first, more: 0 });
        }
        true
    }

    /// Sends the messages of a group: one per person, kind and sequence. Fills may wait for others.
    fn push(&mut self, notices: Vec<Notice>) {
        let mut grouped: BTreeMap<(UserId, PushedKind, u64), Vec<Notice>> = BTreeMap::new();
        let oldest = Time::from_micros(self.clock.now()) - PUSHED_AGE_MAX;
        for notice in notices.into_iter().filter(|notice| notice.at >= oldest) {
            grouped.entry((notice.user, notice.subject.kind(), notice.seq)).or_default().push(notice);
        }
        for ((_, kind, _), notices) in grouped {
            let told = Told::of(&notices);
            let told = match kind {
                PushedKind::Fill => told.and_then(|fills| self.fills.add(fills, Instant::now())),
                PushedKind::Result | PushedKind::Alert => told,
            };
            if let Some(told) = told {
                self.send_first(&told);
            }
        }
    }

    /// Sends a message unless another node of the log has.
    fn send_first(&self, told: &Told) {
        let Notice { user, seq, at, subject, .. } = told.first;
        let is_first = self.people.first_to_send_blocking(user, subject.kind() as u8, seq, at);
        if self.note_failure(is_first) == Some(true) {
            self.send(told);
        }
    }

    /// Hands a message to the push thread, for each subscription of its person.
    fn send(&self, told: &Told) {
        let first = &told.first;
        let Some(entries) = self.note_failure(self.people.entries_blocking(first.user)) else { return };
        if entries.subscriptions.is_empty() {
            self.waiting.watched.write().subscribers.remove(&first.user);
            return;
        }
        let Some(payload) = message(&self.shared.read(), told) else { return };
        for subscription in entries.subscriptions {
            let PushSubscription { id, person, target, .. } = subscription;
            self.outbox.send(PushJob { person, id, target, payload: payload.clone() });
        }
    }

    fn note_failure<T>(&self, result: Result<T, PeopleError>) -> Option<T> {
        result.inspect_err(|error| tracing::warn!(%error, "cannot use the entries of the people store")).ok()
    }
}

/// Displayed prices are in the order of outcomes.
const _: () = assert!(Outcome::Yes as usize == 0 && Outcome::No as usize == 1);
