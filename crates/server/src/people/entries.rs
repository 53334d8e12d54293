//! Personal entries: price alerts, push subscriptions and the mark of what a person has read.
//!
//! An entry is encrypted like a person's row and erased with the person. Only its kind and its mark are readable: the
//! sequence at which an alert fired, or up to which notifications are read. `first_to_send` lets one node of a shared
//! log send a message.

use std::sync::Arc;

use exchange::id::{MarketId, RowId, UserId};
use exchange::numbers::{Currency, Ppm};
use exchange::order::Outcome;
use exchange::time::Time;
use serde::{Deserialize, Serialize};

use super::{People, PeopleError, run};
use crate::identifiers::random_id;

/// Alerts and subscriptions that a person may have.
pub const ALERTS_MAX: usize = 50;
pub const SUBSCRIPTIONS_MAX: usize = 5;

const PAGE: usize = 1_000;

/// An entry as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// Assigned by the store, ascending.
    pub serial: i64,
    pub id: RowId,
    pub person: UserId,
    pub kind: u8,
    pub mark: u64,
    pub wrapped_key: Vec<u8>,
    pub sealed: Vec<u8>,
}

impl std::fmt::Debug for StoredEntry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let StoredEntry { id, person, kind, mark, .. } = self;
        write!(formatter, "StoredEntry({id} of {person}, kind {kind}, mark {mark})")
    }
}

/// The kinds of entries, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Alert = 1,
    Subscription = 2,
    ReadMark = 3,
}

/// Fires once, when the displayed price of an outcome reaches a price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceAlert {
    pub serial: i64,
    pub id: RowId,
    pub person: UserId,
    pub wish: AlertWish,
    pub fired: Option<FiredAlert>,
}

/// What an alert waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlertWish {
    pub market: MarketId,
    pub outcome: Outcome,
    pub currency: Currency,
    pub price: Ppm,
    /// Whether the price was below when the alert was created.
    pub rises: bool,
    pub created_at: Time,
}

impl AlertWish {
    pub fn is_reached(&self, price: Ppm) -> bool {
        if self.rises { price >= self.price } else { price <= self.price }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiredAlert {
    pub seq: u64,
    pub at: Time,
    pub price: Ppm,
}

/// A browser that receives push messages.
#[derive(Clone, PartialEq, Eq)]
pub struct PushSubscription {
    pub id: RowId,
    pub person: UserId,
    pub target: PushTarget,
    pub created_at: Time,
}

/// Where a message goes, and the browser's keys.
#[derive(Clone, PartialEq, Eq)]
pub struct PushTarget {
    pub endpoint: String,
    /// An uncompressed point of P-256.
    pub public_key: Vec<u8>,
    pub secret: Vec<u8>,
}

impl std::fmt::Debug for PushSubscription {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PushSubscription({} of {})", self.id, self.person)
    }
}

impl std::fmt::Debug for PushTarget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PushTarget(…)")
    }
}

/// All entries of a person, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    pub alerts: Vec<PriceAlert>,
    pub subscriptions: Vec<PushSubscription>,
    /// The sequence up to which notifications are read.
    pub read: u64,
}

/// The plain text of an entry.
#[derive(Serialize, Deserialize)]
enum Content {
    Alert {
        market: [u8; 16],
        outcome: u8,
        currency: u8,
        price: i64,
        rises: bool,
        created_at: i64,
        fired: Option<(u64, i64, i64)>,
    },
    Subscription {
        endpoint: String,
        public_key: Vec<u8>,
        secret: Vec<u8>,
        created_at: i64,
    },
    ReadMark,
}

/// An entry, decrypted.
#[derive(Clone, Debug)]
enum Entry {
    Alert(PriceAlert),
    Subscription(PushSubscription),
    ReadMark(u64),
}

impl People {
    /// All entries of a person.
    pub fn entries_blocking(&self, person: UserId) -> Result<Entries, PeopleError> {
        let stored = self.rows.lock().entries_of(person)?;
        let mut entries = Entries::default();
        for entry in &stored {
            match self.open_entry(entry)? {
                Entry::Alert(alert) => entries.alerts.push(alert),
                Entry::Subscription(subscription) => entries.subscriptions.push(subscription),
                Entry::ReadMark(sequence) => entries.read = entries.read.max(sequence),
            }
        }
        Ok(entries)
    }

    pub async fn entries(self: &Arc<Self>, person: UserId) -> Result<Entries, PeopleError> {
        let people = self.clone();
        run(move || people.entries_blocking(person)).await
    }

    /// Adds an alert. `None` if the person has as many as permitted, or is erased.
    pub async fn add_alert(
        self: &Arc<Self>,
        person: UserId,
        wish: AlertWish,
    ) -> Result<Option<PriceAlert>, PeopleError> {
        let people = self.clone();
        run(move || {
            let id = RowId::new(random_id().as_u128());
            let alert = PriceAlert { serial: 0, id, person, wish, fired: None };
            let entry = people.seal_entry(EntryKind::Alert, id, person, 0, &alert_content(&alert))?;
            Ok(people.insert(&entry, ALERTS_MAX, None)?.then_some(alert))
        })
        .await
    }

    /// Adds a subscription, or returns the existing one of the same endpoint. `None` if the person has as many as
    /// permitted, or is erased.
    pub async fn add_subscription(
        self: &Arc<Self>,
        person: UserId,
        target: PushTarget,
        created_at: Time,
    ) -> Result<Option<PushSubscription>, PeopleError> {
        let people = self.clone();
        run(move || {
            let mut known = people.entries_blocking(person)?.subscriptions.into_iter();
            let known = known.find(|known| known.target.endpoint == target.endpoint);
            if let Some(same) = known.as_ref().filter(|known| known.target == target) {
                return Ok(Some(same.clone()));
            }
            let id = RowId::new(random_id().as_u128());
            let content = Content::Subscription {
                endpoint: target.endpoint.clone(),
                public_key: target.public_key.clone(),
                secret: target.secret.clone(),
                created_at: created_at.micros(),
            };
            let entry = people.seal_entry(EntryKind::Subscription, id, person, 0, &content)?;
            let is_added = people.insert(&entry, SUBSCRIPTIONS_MAX, known.map(|known| known.id))?;
            Ok(is_added.then_some(PushSubscription { id, person, target, created_at }))
        })
        .await
    }

    /// Marks notifications up to a sequence as read.
    pub async fn mark_read(self: &Arc<Self>, person: UserId, sequence: u64) -> Result<(), PeopleError> {
        let people = self.clone();
        run(move || {
            // One mark per person: it has the person's own id.
            let id = RowId::new(person.as_u128());
            let entry = people.seal_entry(EntryKind::ReadMark, id, person, sequence, &Content::ReadMark)?;
            let mut rows = people.rows.lock();
            if people.is_erased(person) { Ok(()) } else { rows.raise_entry(&entry) }
        })
        .await
    }

    /// Removes an entry of a person. Returns whether it existed.
    pub async fn remove_entry(
        self: &Arc<Self>,
        person: UserId,
        kind: EntryKind,
        id: RowId,
    ) -> Result<bool, PeopleError> {
        let people = self.clone();
        run(move || people.remove_entry_blocking(person, kind, id)).await
    }

    pub fn remove_entry_blocking(
        &self,
        person: UserId,
        kind: EntryKind,
        id: RowId,
    ) -> Result<bool, PeopleError> {
        self.rows.lock().remove_entry(person, kind as u8, id)
    }

    /// Records that an alert has fired. Returns whether this node was the first to do so.
    pub fn fire_blocking(&self, alert: &PriceAlert, fired: FiredAlert) -> Result<bool, PeopleError> {
        let PriceAlert { id, person, .. } = *alert;
        let content = alert_content(&PriceAlert { fired: Some(fired), ..alert.clone() });
        let entry = self.seal_entry(EntryKind::Alert, id, person, fired.seq.max(1), &content)?;
        self.rows.lock().mark_entry(&entry)
    }

    /// The waiting alerts and the persons with subscriptions among the entries after a serial, and the last serial.
    pub fn entries_after_blocking(&self, serial: i64) -> Result<WatchedEntries, PeopleError> {
        let mut found = WatchedEntries { alerts: Vec::new(), subscribers: Vec::new(), last: serial };
        loop {
            let page = self.rows.lock().entries_after(found.last, PAGE)?;
            let Some(last) = page.last() else { return Ok(found) };
            found.last = last.serial;
            for entry in &page {
                match self.open_entry(entry)? {
                    Entry::Alert(alert) if alert.fired.is_none() => found.alerts.push(alert),
                    Entry::Subscription(subscription) => found.subscribers.push(subscription.person),
                    Entry::Alert(_) | Entry::ReadMark(_) => {}
                }
            }
        }
    }

    /// Whether this node is the first to send a message about (person, kind, sequence).
    pub fn first_to_send_blocking(
        &self,
        person: UserId,
        kind: u8,
        sequence: u64,
        at: Time,
    ) -> Result<bool, PeopleError> {
        self.rows.lock().insert_sent(person, kind, sequence, at)
    }

    /// Forgets who sent messages before a time. Older ones are not sent any more.
    pub fn forget_sent_blocking(&self, before: Time) -> Result<(), PeopleError> {
        self.rows.lock().remove_sent(before)
    }

    /// Inserts an entry of a person who is not erased. The state is read under the lock of the store: an erasure that
    /// it does not show yet will remove the entry.
    fn insert(
        &self,
        entry: &StoredEntry,
        max: usize,
        instead_of: Option<RowId>,
    ) -> Result<bool, PeopleError> {
        let mut rows = self.rows.lock();
        if self.is_erased(entry.person) {
            return Ok(false);
        }
        rows.insert_entry(entry, Some(max), instead_of)
    }

    fn is_erased(&self, person: UserId) -> bool {
        let exchange = self.shared.read();
        let directory = exchange.directory();
        directory.find(person).is_none_or(|index| directory.user(index).erased)
    }

    fn seal_entry(
        &self,
        kind: EntryKind,
        id: RowId,
        person: UserId,
        mark: u64,
        content: &Content,
    ) -> Result<StoredEntry, PeopleError> {
        let plain = serde_json::to_vec(content)?;
        let (wrapped_key, sealed) = self.wrapping.seal_entry(id, person, &plain);
        Ok(StoredEntry { serial: 0, id, person, kind: kind as u8, mark, wrapped_key, sealed })
    }

    fn open_entry(&self, entry: &StoredEntry) -> Result<Entry, PeopleError> {
        let content = serde_json::from_slice(&self.wrapping.open_entry(entry)?)?;
        let StoredEntry { serial, id, person, .. } = *entry;
        Ok(match content {
            Content::Alert { market, outcome, currency, price, rises, created_at, fired } => {
                let wish = AlertWish {
                    market: MarketId::new(u128::from_be_bytes(market)),
                    outcome: if outcome == Outcome::Yes as u8 { Outcome::Yes } else { Outcome::No },
                    currency: if currency == Currency::Usd as u8 { Currency::Usd } else { Currency::Ngn },
                    price: Ppm::new(price),
                    rises,
                    created_at: Time::from_micros(created_at),
                };
                let fired = fired.map(|(seq, at, price)| FiredAlert {
                    seq,
                    at: Time::from_micros(at),
                    price: Ppm::new(price),
                });
                Entry::Alert(PriceAlert { serial, id, person, wish, fired })
            }
            Content::Subscription { endpoint, public_key, secret, created_at } => {
                let target = PushTarget { endpoint, public_key, secret };
                let created_at = Time::from_micros(created_at);
                Entry::Subscription(PushSubscription { id, person, target, created_at })
            }
            Content::ReadMark => Entry::ReadMark(entry.mark),
        })
    }
}

/// Entries that the notifier watches.
#[derive(Debug)]
pub struct WatchedEntries {
    pub alerts: Vec<PriceAlert>,
    pub subscribers: Vec<UserId>,
    pub last: i64,
}

fn alert_content(alert: &PriceAlert) -> Content {
    let AlertWish { market, outcome, currency, price, rises, created_at } = alert.wish;
    Content::Alert {
        market: market.as_u128().to_be_bytes(),
        outcome: outcome as u8,
        currency: currency as u8,
        price: price.units(),
        rises,
        created_at: created_at.micros(),
        fired: alert.fired.map(|fired| (fired.seq, fired.at.micros(), fired.price.units())),
    }
}
