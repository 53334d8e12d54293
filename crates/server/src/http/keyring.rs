//! Callers and keys ready to verify with: looking up, deriving and keying once is cheaper than for every request, and
//! a worker that need not look at the state never waits for the writer.

use std::collections::HashMap;
use std::sync::Arc;

use api::signing::{self, MasterKey, SecretKey, SigningKey, derive_secret};
use exchange::id::{Hash32, KeyId};
use parking_lot::RwLock;

use super::credentials::Keyed;

/// Keys kept ready; beyond that the ring is emptied and fills anew.
const READY_MAX: usize = 100_000;

#[derive(Debug)]
pub struct Keyring {
    master: MasterKey,
    /// By public key.
    ready: RwLock<HashMap<Vec<u8>, Ready>>,
    /// Nobody's key: an unknown caller costs the same work.
    dummy: SigningKey,
}

#[derive(Debug)]
struct Ready {
    /// `Shared::keys_version` when it was looked up.
    version: u64,
    known: Known,
}

/// A caller, and what its signatures are verified with.
#[derive(Clone, Debug)]
pub struct Known {
    pub caller: Keyed,
    pub key: Arc<SigningKey>,
}

impl Keyring {
    pub fn new(master: MasterKey) -> Keyring {
        let dummy = SigningKey::new(&derive_secret(&master, &[0; 16], u32::MAX));
        Keyring { master, ready: RwLock::new(HashMap::new()), dummy }
    }

    /// The secret of a key, for its owner's eyes.
    pub fn secret(&self, key: KeyId, generation: u32) -> SecretKey {
        derive_secret(&self.master, &key.as_u128().to_be_bytes(), generation)
    }

    /// A hash for the journal of what must not be guessed from it. All nodes of a venue give the same.
    pub fn hash(&self, purpose: &str, parts: &[&str]) -> Hash32 {
        Hash32::new(signing::keyed_hash(&self.master, purpose, parts))
    }

    /// The code that shows later that this venue wrote the parts.
    pub fn code(&self, purpose: &str, parts: &[&str]) -> String {
        signing::code(&self.master, purpose, parts)
    }

    /// Whether this venue wrote the parts, in constant time.
    pub fn is_code(&self, purpose: &str, parts: &[&str], claimed: &str) -> bool {
        signing::is_code(&self.master, purpose, parts, claimed)
    }

    /// The owner of a public key, if nothing has changed since it was looked up.
    pub fn find(&self, public_key: &[u8], version: u64) -> Option<Known> {
        let ready = self.ready.read();
        ready.get(public_key).filter(|ready| ready.version == version).map(|ready| ready.known.clone())
    }

    /// Keeps what was looked up in a state of this version or a later one.
    pub fn keep(&self, public_key: &[u8], version: u64, caller: Keyed) -> Known {
        let mut ready = self.ready.write();
        if ready.len() >= READY_MAX {
            ready.clear();
        }
        // Only a new generation needs a new key.
        let kept = ready.get(public_key).filter(|ready| ready.known.caller == caller);
        let key = kept.map(|ready| ready.known.key.clone());
        let key =
            key.unwrap_or_else(|| Arc::new(SigningKey::new(&self.secret(caller.key, caller.generation))));
        let known = Known { caller, key };
        ready.insert(public_key.to_vec(), Ready { version, known: known.clone() });
        known
    }

    pub fn dummy(&self) -> &SigningKey {
        &self.dummy
    }
}
