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

/// The hash that a login with an unknown address checks. A constant, because a hash made at each start would delay it by as
/// much as a login; a test compares its parameters with those of `hash`.
const DUMMY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bm8gcGVyc29uJ3Mgc2FsdA$7PqIajbpkU8jZ6L9tihI1CkbkcqEJCwt4Yva4XiebL8";

#[derive(Debug)]
pub struct Passwords {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
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
        let (is_known, expected) = (expected.is_some(), expected.unwrap_or_else(|| DUMMY.to_owned()));
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

    #[test]
    fn the_dummy_takes_the_work_of_every_hash() {
        let (made, dummy) = (hash("a password"), PasswordHash::new(DUMMY).expect("a hash"));
        let made = PasswordHash::new(&made).expect("a hash");
        assert_eq!(
            (&dummy.algorithm, dummy.version, &dummy.params),
            (&made.algorithm, made.version, &made.params)
        );
        let lengths = |hash: &PasswordHash| {
            (hash.salt.as_ref().map(|salt| salt.len()), hash.hash.as_ref().map(|output| output.len()))
        };
        assert_eq!(lengths(&dummy), lengths(&made));
        assert!(verify("nobody has this password", DUMMY), "the hash is complete");
    }

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
