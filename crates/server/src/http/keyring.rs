//! Keys ready to verify with: deriving and keying a secret once is cheaper than for every request.

use std::collections::HashMap;
use std::sync::Arc;

use api::signing::{MasterKey, SecretKey, SigningKey, derive_secret};
use exchange::id::KeyId;
use parking_lot::RwLock;

/// Keys kept ready; beyond that the ring is emptied and fills anew.
const READY_MAX: usize = 100_000;

#[derive(Debug)]
pub struct Keyring {
    master: MasterKey,
    ready: RwLock<HashMap<(KeyId, u32), Arc<SigningKey>>>,
    /// Nobody's key: an unknown caller costs the same work.
    dummy: SigningKey,
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

    pub fn signing_key(&self, key: KeyId, generation: u32) -> Arc<SigningKey> {
        if let Some(ready) = self.ready.read().get(&(key, generation)) {
            return ready.clone();
        }
        let made = Arc::new(SigningKey::new(&self.secret(key, generation)));
        let mut ready = self.ready.write();
        if ready.len() >= READY_MAX {
            ready.clear();
        }
        ready.entry((key, generation)).or_insert(made).clone()
    }

    pub fn dummy(&self) -> &SigningKey {
        &self.dummy
    }
}
