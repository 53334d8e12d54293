//! Idempotency keys whose first request is still being processed on this node; a second request gets 409.

use std::collections::HashSet;
use std::sync::Arc;

use exchange::idempotency::IdempotencyKey;
use parking_lot::Mutex;

type Scopes = Arc<Mutex<HashSet<(u64, u64)>>>;

#[derive(Clone, Debug, Default)]
pub struct InFlight(Scopes);

/// Reserves a key until it is dropped.
#[derive(Debug)]
pub struct Reservation {
    scopes: Scopes,
    scope: (u64, u64),
}

impl InFlight {
    /// Returns `None` if the key is already in flight.
    pub fn reserve(&self, key: &IdempotencyKey) -> Option<Reservation> {
        let scope = (key.scope, key.scope_low);
        self.0.lock().insert(scope).then(|| Reservation { scopes: self.0.clone(), scope })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.scopes.lock().remove(&self.scope);
    }
}
