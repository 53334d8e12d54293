//! The people store: personal data, kept apart from the journal. The rules identify a person by an opaque id, a keyed
//! hash of the address and the current row's id; the row has the email and the password hash.
//!
//! Each row is encrypted with its own key, which is wrapped under the master key (`sealing`). A row is written durably
//! before the command that names it. Rows that no command names are removed after their expiry, as are replaced rows
//! (`sweeping`). `sqlite` stores the rows next to a file journal, `postgres` in the database of a shared log; `moving`
//! copies them and compares them with a state. `entries` are price alerts, push subscriptions and read marks.

mod address;
mod cache;
pub mod entries;
mod fail_points;
pub mod moving;
mod postgres;
mod rows;
mod sealing;
mod sqlite;
mod sweeping;

use std::sync::Arc;

use api::signing::MasterKey;
use exchange::Exchange;
use exchange::id::{Hash32, RowId, UserId};
use exchange::index::UserIndex;
use exchange::time::Time;
use parking_lot::Mutex;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use tokio::task;
use zeroize::Zeroizing;

pub use address::Address;
pub use postgres::PostgresRows;
pub use rows::{RowHead, Rows, StoredRow};
pub use sqlite::{Erasing, SqliteRows};
pub use sweeping::{Sweeper, Sweeps};

use cache::Cache;
use fail_points::{ROW_WRITTEN, pass};
use sealing::{LookupKey, WrappingKey};

use crate::identifiers::random_id;
use crate::pipeline::clock::Clock;
use crate::pipeline::state::Shared;
use crate::secrets::fingerprint;

/// Settings of a store: the wrapped lookup key, and the fingerprint of the master key that wraps it and the rows' keys.
const LOOKUP_KEY: &str = "lookup key";
const WRAPPED_UNDER: &str = "wrapped under";
/// Setting: the wrapped private key that signs push messages, in PKCS #8. Made once per log.
const PUSH_KEY: &str = "push key";
/// Setting of a store that was restored to an earlier point in time: some persons of that time may have no row.
pub const PAST: &str = "restored to the past";

#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    #[error("the people store: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the people store's files: {0}")]
    Files(#[from] std::io::Error),
    #[error("the people store: {0}")]
    Database(#[from] journal::Error),
    #[error("the people store has format {0}, this build reads format {known}", known = sqlite::FORMAT)]
    Format(i64),
    #[error("{0} of the people store cannot be decrypted with the master key")]
    Sealed(&'static str),
    #[error("a row of the people store is malformed: {0}")]
    Content(#[from] serde_json::Error),
    #[error(
        "the people store is wrapped under another master key: finish `bellwether master-key replace`, or restore the right \
         master.key"
    )]
    OtherMasterKey,
    #[error(
        "the journal has {persons} persons and the people store is missing: restore it from a backup of the same venue. \
         Without it they cannot log in"
    )]
    Lost { persons: usize },
    #[error("the people store lacks the row of person {0}")]
    Missing(UserId),
    #[error("the machine has no random numbers for a key")]
    Random,
    #[error("the people store is stopping")]
    Stopped,
}

/// Personal data of a person. `Debug` hides it, and it is zeroed on drop.
pub struct Person {
    pub email: Zeroizing<String>,
    /// Argon2id. `None` if the account has no password yet.
    pub password_hash: Option<Zeroizing<String>>,
}

impl Person {
    pub fn new(address: &Address, password_hash: Option<String>) -> Person {
        Person {
            email: Zeroizing::new(address.as_str().to_owned()),
            password_hash: password_hash.map(Zeroizing::new),
        }
    }
}

impl std::fmt::Debug for Person {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Person(…)")
    }
}

/// A row that is durable but not yet named by a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRow {
    pub id: RowId,
    pub expires_at: Time,
}

/// The people store of a running node.
#[derive(Debug)]
pub struct People {
    rows: Mutex<Box<dyn Rows>>,
    wrapping: WrappingKey,
    lookup: LookupKey,
    push_key: Zeroizing<Vec<u8>>,
    cache: Cache,
    shared: Arc<Shared>,
    /// The journal's clock, by which the rules judge an expiry.
    clock: Arc<dyn Clock>,
}

impl People {
    /// Opens the store of a venue whose state is `shared`. A new venue gets a lookup key; a venue with persons must
    /// have one.
    pub fn open(
        mut rows: Box<dyn Rows>,
        master: &MasterKey,
        shared: Arc<Shared>,
        clock: Arc<dyn Clock>,
    ) -> Result<People, PeopleError> {
        let wrapping = WrappingKey::derive(master);
        if rows.setting(LOOKUP_KEY)?.is_none() {
            let persons = persons(&shared.read()).count();
            if persons > 0 && rows.setting(PAST)?.is_none() {
                return Err(PeopleError::Lost { persons });
            }
            begin(&mut *rows, master)?;
        }
        if rows.setting(WRAPPED_UNDER)?.as_deref() != Some(fingerprint(master).as_bytes()) {
            return Err(PeopleError::OtherMasterKey);
        }
        let wrapped = rows.setting(LOOKUP_KEY)?.unwrap_or_default();
        let lookup = wrapping.unwrap_lookup(&wrapped)?;
        let push_key = push_key(&mut *rows, &wrapping)?;
        let (rows, cache) = (Mutex::new(rows), Cache::default());
        Ok(People { rows, wrapping, lookup, push_key, cache, shared, clock })
    }

    /// The private key that signs push messages, in PKCS #8. All nodes of a log have the same one.
    pub fn push_key(&self) -> &[u8] {
        &self.push_key
    }

    /// A keyed hash for the journal, of data that must not be guessable from it. It is the same on all nodes of a venue
    /// and under every master key.
    pub fn hash(&self, purpose: &str, parts: &[&str]) -> Hash32 {
        self.lookup.hash(purpose, parts)
    }

    /// The hash by which the rules identify an address.
    pub fn address_hash(&self, address: &Address) -> Hash32 {
        self.hash("address", &[address.as_str()])
    }

    /// Writes a new row for a person. It is durable when this returns, and takes effect once a command names it.
    pub fn write_blocking(&self, person: UserId, known: &Person) -> Result<NewRow, PeopleError> {
        let id = RowId::new(random_id().as_u128());
        let now = self.shared.read().now().max(Time::from_micros(self.clock.now()));
        let new = NewRow { id, expires_at: now + fail_points::row_life() };
        let row = self.wrapping.seal(id, person, new.expires_at, known)?;
        self.rows.lock().insert(&row)?;
        pass(ROW_WRITTEN);
        Ok(new)
    }

    pub async fn write(self: &Arc<Self>, person: UserId, known: Person) -> Result<NewRow, PeopleError> {
        let people = self.clone();
        run(move || people.write_blocking(person, &known)).await
    }

    /// Reads rows that the rules name, from the cache where possible. `None` for a row that the store lacks.
    pub async fn read(
        self: &Arc<Self>,
        wanted: Vec<(UserId, RowId)>,
    ) -> Result<Vec<Option<Arc<Person>>>, PeopleError> {
        let known: Vec<_> = wanted.iter().map(|(_, row)| self.cache.find(*row)).collect();
        if known.iter().all(Option::is_some) {
            return Ok(known);
        }
        let people = self.clone();
        run(move || {
            let found = wanted.iter().zip(known);
            found
                .map(|((person, row), known)| {
                    known.map_or_else(|| people.load(*person, *row), |known| Ok(Some(known)))
                })
                .collect()
        })
        .await
    }

    /// Reads one row from the store, bypassing the cache, so that looking up a missing row takes about as long.
    pub async fn look_up(
        self: &Arc<Self>,
        person: UserId,
        row: RowId,
    ) -> Result<Option<Arc<Person>>, PeopleError> {
        let people = self.clone();
        run(move || people.load(person, row)).await
    }

    fn load(&self, person: UserId, row: RowId) -> Result<Option<Arc<Person>>, PeopleError> {
        let Some(stored) = self.rows.lock().get(row)? else { return Ok(None) };
        let known = Arc::new(self.wrapping.open(&stored, person)?);
        self.cache.insert(person, row, known.clone());
        Ok(Some(known))
    }

    /// Brings the store in line with the state: repeats the erasure of every person whom the journal names as erased,
    /// and removes rows that no command can name any more. Returns the number of erased persons.
    pub fn settle(&self) -> Result<usize, PeopleError> {
        let mut rows = self.rows.lock();
        rows.finish_erasure()?;
        let exchange = self.shared.read();
        moving::erase_again(&mut **rows, &exchange)?;
        moving::remove_unnamed(&mut **rows, &exchange)?;
        Ok(exchange.directory().erased().len())
    }
}

/// Creates the lookup key of a store. If several nodes start on an empty log at once, the first one's key wins on all
/// of them.
pub fn begin(rows: &mut dyn Rows, master: &MasterKey) -> Result<(), PeopleError> {
    let wrapped = WrappingKey::derive(master).wrap_lookup(&LookupKey::random());
    rows.set_once(WRAPPED_UNDER, fingerprint(master).as_bytes())?;
    rows.set_once(LOOKUP_KEY, &wrapped)
}

/// The key that signs push messages; made if the store has none.
fn push_key(rows: &mut dyn Rows, wrapping: &WrappingKey) -> Result<Zeroizing<Vec<u8>>, PeopleError> {
    if rows.setting(PUSH_KEY)?.is_none() {
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let made = made.map_err(|_| PeopleError::Random)?;
        rows.set_once(PUSH_KEY, &wrapping.wrap_push_key(made.as_ref()))?;
    }
    wrapping.unwrap_push_key(&rows.setting(PUSH_KEY)?.unwrap_or_default())
}

/// Persons who have a row, or should.
pub(crate) fn persons(exchange: &Exchange) -> impl Iterator<Item = (UserId, Option<RowId>)> {
    let users =
        exchange.directory().users().filter(|(index, user)| *index != UserIndex::HOUSE && !user.erased);
    users.map(|(_, user)| (user.id, user.row))
}

async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PeopleError> + Send + 'static,
) -> Result<T, PeopleError> {
    task::spawn_blocking(work).await.map_err(|_| PeopleError::Stopped)?
}
