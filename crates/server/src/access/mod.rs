//! Who may do what: API keys, sessions, passwords and the people store.
//!
//! `keyring` derives and caches keys, `passwords` hashes and verifies passwords in a bounded number of threads,
//! `admitted` refuses the people of a relived journal. The people store itself is `people`.

mod admitted;
pub mod keyring;
pub mod passwords;

use std::sync::Arc;

use api::error::ErrorBody;
use exchange::id::{KeyId, RowId, SessionId, UserId};
use exchange::identity::{Actor, ApiKey};
use exchange::index::UserIndex;
use exchange::text::Text;

use crate::failure::Failure;
use crate::people::{People, PeopleError, Person, Sweeps};
use crate::pipeline::clock::Clock;
use crate::pipeline::state::Shared;
use crate::secrets::token_hash;
use admitted::Admitted;
use keyring::{CallerKey, Keyring};
use passwords::Passwords;

/// Keys, sessions, passwords and persons of a node.
#[derive(Debug)]
pub struct Access {
    shared: Arc<Shared>,
    clock: Arc<dyn Clock>,
    keyring: Keyring,
    passwords: Passwords,
    people: Arc<People>,
    sweeps: Sweeps,
    admitted: Admitted,
}

/// A caller identified by its key, with or without a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyCaller {
    pub user: UserIndex,
    pub user_id: UserId,
    pub key: KeyId,
    pub generation: u32,
}

/// A caller identified by a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionCaller {
    pub user: UserIndex,
    pub user_id: UserId,
    pub session: SessionId,
}

impl SessionCaller {
    pub const fn actor(self) -> Actor {
        Actor::Session { session: self.session }
    }
}

/// The response when the people store cannot be read or written.
pub(crate) fn people_failure(error: PeopleError) -> Failure {
    tracing::error!(%error, "cannot use the people store");
    ErrorBody::unavailable("Accounts cannot be looked up right now", 1).into()
}

impl Access {
    pub(crate) fn new(
        shared: Arc<Shared>,
        clock: Arc<dyn Clock>,
        keyring: Keyring,
        people: Arc<People>,
        sweeps: Sweeps,
    ) -> Access {
        let (passwords, admitted) = (Passwords::new(), Admitted::default());
        Access { shared, clock, keyring, passwords, people, sweeps, admitted }
    }

    /// Refuses all users, those of the relived journal, except users added with `admit`.
    pub(crate) fn of_relived_journal(self) -> Access {
        Access { admitted: Admitted::none(), ..self }
    }

    /// Lets a user of a node that relives a journal authenticate. Every other node accepts all users anyway.
    pub fn admit(&self, user: UserId) {
        self.admitted.add(user);
    }

    /// Whether a user may authenticate, by a key or by a session.
    pub(crate) fn admits(&self, user: UserId) -> bool {
        self.admitted.contains(user)
    }

    /// Whether operators may authenticate. All operators of a relived journal are of the past.
    pub(crate) fn admits_operators(&self) -> bool {
        self.admitted.is_everyone()
    }

    pub fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    pub fn passwords(&self) -> &Passwords {
        &self.passwords
    }

    pub fn people(&self) -> &Arc<People> {
        &self.people
    }

    pub fn sweeps(&self) -> &Sweeps {
        &self.sweeps
    }

    /// The owner of a public key and its verification key. `None` if it is not a key of an active account.
    pub(crate) fn find_key(&self, public_key: &[u8]) -> Option<CallerKey> {
        // Read the version before the state: a change in between then causes another lookup.
        let version = self.shared.keys_version();
        if let Some(known) = self.keyring.find(public_key, version) {
            return Some(known);
        }
        let text = std::str::from_utf8(public_key).ok().map(Text::from);
        let exchange = self.shared.read();
        let found = text.and_then(|public_key| {
            let (user, key) = exchange.directory().find_by_public_key(&public_key)?;
            let owner = exchange.directory().user(user);
            let is_active = owner.is_active() && !key.needs_rotation && self.admits(owner.id);
            let (user_id, generation) = (owner.id, key.generation);
            is_active.then_some(KeyCaller { user, user_id, key: key.id, generation })
        });
        drop(exchange);
        found.map(|caller| self.keyring.insert(public_key, version, caller))
    }

    /// Whether a user's credential still opens their account; sessions end by themselves.
    pub(crate) fn is_valid(&self, actor: Actor) -> bool {
        let Actor::Key { key, generation } = actor else { return true };
        let exchange = self.shared.read();
        let owner = exchange.directory().find_by_key(key).map(|owner| exchange.directory().user(owner));
        owner.is_some_and(|owner| {
            let is_it =
                |held: &ApiKey| held.id == key && held.generation == generation && !held.needs_rotation;
            owner.is_active() && owner.keys.iter().any(is_it) && self.admits(owner.id)
        })
    }

    /// The session of a token, if it has not expired and its device matches.
    pub(crate) fn find_session(
        &self,
        token: &[u8],
        is_device: impl FnOnce(&[u8]) -> bool,
    ) -> Option<SessionCaller> {
        let hash = token_hash(token);
        let exchange = self.shared.read();
        let (user, session) = exchange.directory().find_by_token(hash)?;
        let lives = session.expires_at().micros() > self.clock.now() && is_device(session.device.as_bytes());
        let user_id = exchange.directory().user(user).id;
        (lives && self.admits(user_id)).then_some(SessionCaller { user, user_id, session: session.id })
    }

    /// Reads persons from the people store, by their current rows. `None` for the house, an erased person or a missing
    /// row.
    pub(crate) async fn persons(
        &self,
        wanted: Vec<(UserId, Option<RowId>)>,
    ) -> Result<Vec<Option<Arc<Person>>>, Failure> {
        let rows = wanted.iter().filter_map(|(person, row)| Some((*person, (*row)?))).collect();
        let mut known = self.people.read(rows).await.map_err(people_failure)?.into_iter();
        let next = |(person, row): (UserId, Option<RowId>)| {
            let found = row.and_then(|_| known.next().flatten());
            if row.is_some() && found.is_none() {
                tracing::error!(%person, "the people store lacks the row of a person");
            }
            found
        };
        Ok(wanted.into_iter().map(next).collect())
    }

    /// The person of an account, by the row that the account has now. `None` for the house, an erased person or a missing row.
    pub(crate) async fn person(&self, user: UserId) -> Result<Option<Arc<Person>>, Failure> {
        let row = {
            let exchange = self.shared.read();
            exchange.directory().find(user).and_then(|index| exchange.directory().user(index).row)
        };
        Ok(self.persons(vec![(user, row)]).await?.pop().flatten())
    }

    /// The email addresses of persons; empty where there is none.
    pub(crate) async fn emails(&self, wanted: Vec<(UserId, Option<RowId>)>) -> Result<Vec<String>, Failure> {
        let known = self.persons(wanted).await?;
        Ok(known
            .iter()
            .map(|known| known.as_ref().map_or_else(String::new, |known| known.email.to_string()))
            .collect())
    }
}
