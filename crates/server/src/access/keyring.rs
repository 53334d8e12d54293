//! A cache of callers and their verification keys. It saves the lookup and the key derivation per request, and a
//! request that needs no lookup never waits for the writer's lock.

use std::collections::HashMap;
use std::sync::Arc;

use api::signing::{self, KeyKind, MasterKey, SecretKey, SigningKey};
use exchange::id::{Hash32, KeyId};
use parking_lot::RwLock;

use super::KeyCaller;
use crate::secrets::random_bytes;

/// The capacity; a full cache is cleared.
const CACHED_MAX: usize = 100_000;

#[derive(Debug)]
pub struct Keyring {
    master: MasterKey,
    kind: KeyKind,
    /// By public key.
    cached: RwLock<HashMap<Vec<u8>, CachedKey>>,
    /// A key that belongs to no caller, so that an unknown caller costs the same work.
    dummy: SigningKey,
}

#[derive(Debug)]
struct CachedKey {
    /// The value of `Shared::keys_version` at the lookup.
    version: u64,
    found: CallerKey,
}

/// A caller, and the key that verifies its signatures.
#[derive(Clone, Debug)]
pub struct CallerKey {
    pub caller: KeyCaller,
    pub key: Arc<SigningKey>,
}

impl Keyring {
    pub fn new(master: MasterKey, kind: KeyKind) -> Keyring {
        let dummy = SigningKey::new(&kind.derive_secret(&master, &[0; 16], u32::MAX));
        Keyring { master, kind, cached: RwLock::new(HashMap::new()), dummy }
    }

    /// The secret of an API key, to show to its owner.
    pub fn secret(&self, key: KeyId, generation: u32) -> SecretKey {
        self.kind.derive_secret(&self.master, &key.as_u128().to_be_bytes(), generation)
    }

    /// A new public key.
    pub fn new_public_key(&self) -> String {
        self.kind.public_key(&random_bytes())
    }

    /// A keyed hash for the journal, of data that must not be guessable from it. It is the same on all nodes of a
    /// venue.
    pub fn hash(&self, purpose: &str, parts: &[&str]) -> Hash32 {
        Hash32::new(signing::keyed_hash(&self.master, purpose, parts))
    }

    /// A code (MAC) that later proves that this venue wrote the parts.
    pub fn code(&self, purpose: &str, parts: &[&str]) -> String {
        signing::code(&self.master, purpose, parts)
    }

    /// Verifies such a code, in constant time.
    pub fn is_code(&self, purpose: &str, parts: &[&str], claimed: &str) -> bool {
        signing::is_code(&self.master, purpose, parts, claimed)
    }

    /// The owner of a public key, if nothing has changed since its lookup.
    pub fn find(&self, public_key: &[u8], version: u64) -> Option<CallerKey> {
        let cached = self.cached.read();
        cached.get(public_key).filter(|cached| cached.version == version).map(|cached| cached.found.clone())
    }

    /// Caches a lookup made in a state of this version or later.
    pub fn insert(&self, public_key: &[u8], version: u64, caller: KeyCaller) -> CallerKey {
        let mut cached = self.cached.write();
        if cached.len() >= CACHED_MAX {
            cached.clear();
        }
        // A new signing key is needed only if the caller's key or generation changed.
        let kept = cached.get(public_key).filter(|cached| cached.found.caller == caller);
        let key = kept.map(|cached| cached.found.key.clone());
        let key =
            key.unwrap_or_else(|| Arc::new(SigningKey::new(&self.secret(caller.key, caller.generation))));
        let found = CallerKey { caller, key };
        cached.insert(public_key.to_vec(), CachedKey { version, found: found.clone() });
        found
    }

    pub fn dummy(&self) -> &SigningKey {
        &self.dummy
    }
}
