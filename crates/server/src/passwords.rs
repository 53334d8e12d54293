//! Passwords: Argon2id, off the async threads, two at a time. Nobody learns from the time it takes whether an
//! address is known: without a user a dummy is checked.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

/// Hashes that run at once, and callers that may wait for one.
const AT_ONCE: usize = 2;
const WAITING_MAX: usize = 16;

#[derive(Debug)]
pub struct Passwords {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    dummy: String,
}

/// Held while a caller waits and is served.
#[derive(Debug)]
pub struct Room(#[allow(dead_code, reason = "its end is what counts")] OwnedSemaphorePermit);

/// Too many are waiting already.
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

    /// A place among those that wait. Taking it first lets a caller be sent away before anything is counted.
    pub fn room(&self) -> Result<Room, Busy> {
        self.waiting.clone().try_acquire_owned().map(Room).map_err(|_| Busy)
    }

    /// Whether the password is the hash's. Without a hash the same work is done, and the answer is no.
    pub async fn verify(&self, room: Room, password: String, expected: Option<String>) -> Result<bool, Busy> {
        let (is_known, expected) = (expected.is_some(), expected.unwrap_or_else(|| self.dummy.clone()));
        let matches = self.run(room, move || verify(&password, &expected)).await?;
        Ok(matches && is_known)
    }

    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.run(self.room()?, move || hash(&password)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        _room: Room,
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

/// The hash of a password, with a fresh salt.
pub fn hash(password: &str) -> String {
    match Argon2::default().hash_password(password.as_bytes()) {
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
    async fn a_password_matches_its_own_hash_and_no_other_and_nobody_matches_nothing() {
        let passwords = Passwords::new();
        let hash = passwords.hash("correct horse".to_owned()).await.expect("room");
        let verify = async |password: &str, expected: Option<String>| {
            let room = passwords.room().expect("room");
            passwords.verify(room, password.to_owned(), expected).await.expect("room")
        };
        assert!(verify("correct horse", Some(hash.clone())).await);
        assert!(!verify("battery staple", Some(hash)).await);
        assert!(!verify("nobody has this password", None).await);
    }
}
