//! Password hashing: Argon2id on blocking threads, two hashes at a time. A login with an unknown address checks a dummy
//! hash, so that its duration does not reveal whether the address exists.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

use crate::secrets::random_bytes;

/// Hashes that run concurrently, and callers that may be queued.
const AT_ONCE: usize = 2;
const WAITING_MAX: usize = 16;

#[derive(Debug)]
pub struct Passwords {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    dummy: String,
}

/// A place in the queue, held until the work is done.
#[derive(Debug)]
pub struct QueuePermit(#[allow(dead_code, reason = "held only for its drop")] OwnedSemaphorePermit);

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being checked")]
pub struct Busy;

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords::new()
    }
}

impl Passwords {
    pub fn new() -> Passwords {
        Passwords {
            running: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            dummy: hash("nobody has this password"),
        }
    }

    /// Reserves a place in the queue. Callers reserve it first, so that a full queue refuses them before a login
    /// attempt is counted.
    pub fn reserve(&self) -> Result<QueuePermit, Busy> {
        self.waiting.clone().try_acquire_owned().map(QueuePermit).map_err(|_| Busy)
    }

    /// Whether the password matches the hash. Without a hash it does the same work and returns false.
    pub async fn verify(
        &self,
        permit: QueuePermit,
        password: String,
        expected: Option<String>,
    ) -> Result<bool, Busy> {
        let (is_known, expected) = (expected.is_some(), expected.unwrap_or_else(|| self.dummy.clone()));
        let matches = self.run(permit, move || verify(&password, &expected)).await?;
        Ok(matches && is_known)
    }

    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.run(self.reserve()?, move || hash(&password)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        _permit: QueuePermit,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let running = self.running.clone().acquire_owned().await.map_err(|_| Busy)?;
        let done = task::spawn_blocking(move || {
            let result = work();
            drop(running);
            result
        });
        done.await.map_err(|_| Busy)
    }
}

/// Hashes a password with a fresh salt.
pub fn hash(password: &str) -> String {
    match Argon2::default().hash_password_with_salt(password.as_bytes(), &random_bytes::<16>()) {
        Ok(hash) => hash.to_string(),
        Err(error) => panic!("the parameters of Argon2 are fixed and valid: {error}"),
    }
}

fn verify(password: &str, expected: &str) -> bool {
    let Ok(expected) = PasswordHash::new(expected) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &expected).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_only_its_own_hash_and_never_an_absent_user() {
        let passwords = Passwords::new();
        let hash = passwords.hash("correct horse".to_owned()).await.expect("room");
        let verify = async |password: &str, expected: Option<String>| {
            let permit = passwords.reserve().expect("room");
            passwords.verify(permit, password.to_owned(), expected).await.expect("room")
        };
        assert!(verify("correct horse", Some(hash.clone())).await);
        assert!(!verify("battery staple", Some(hash)).await);
        assert!(!verify("nobody has this password", None).await);
    }
}
