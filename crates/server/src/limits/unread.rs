//! Bytes of answers that a network has asked for and has not read. A client that asks for much and reads slowly would
//! otherwise fill the memory: an answer waits whole until its last byte is sent.
//!
//! Bytes that all answers share do not count. A read is refused before its answer is made, and once more when the answer is
//! there: reads that were begun at one moment would otherwise pass together. The answer that is refused is dropped at once,
//! so a network never holds more than the limit and one answer. Writes and operators are never refused: answers to writes are
//! small, and slow readers must not keep anybody on their network from cancelling.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;

use super::Network;

/// Of one network.
pub const UNREAD_BYTES_MAX: usize = 32 << 20;
/// Smaller answers do not count: the limit on connections bounds them.
const COUNTED_FROM_BYTES: usize = 16 << 10;

#[derive(Debug, Default)]
pub struct UnreadBytes {
    networks: Mutex<HashMap<Network, usize>>,
}

impl UnreadBytes {
    pub fn is_full(&self, network: Network) -> bool {
        self.networks.lock().get(&network).is_some_and(|bytes| *bytes >= UNREAD_BYTES_MAX)
    }

    /// Counts an answer until the result is dropped; nothing of a small one.
    pub fn count(
        self: &Arc<Self>,
        network: Network,
        bytes: usize,
        kind: AnswerKind,
    ) -> Result<Option<UnreadAnswer>, TooMuchUnread> {
        if bytes < COUNTED_FROM_BYTES {
            return Ok(None);
        }
        let mut networks = self.networks.lock();
        let unread = networks.get(&network).copied().unwrap_or(0);
        if kind == AnswerKind::Read && unread >= UNREAD_BYTES_MAX {
            return Err(TooMuchUnread);
        }
        networks.insert(network, unread + bytes);
        Ok(Some(UnreadAnswer { all: self.clone(), network, bytes }))
    }

    /// Counts an answer until its last byte is sent.
    pub fn count_bytes(
        self: &Arc<Self>,
        network: Network,
        bytes: Bytes,
        kind: AnswerKind,
    ) -> Result<Bytes, TooMuchUnread> {
        Ok(match self.count(network, bytes.len(), kind)? {
            Some(counted) => Bytes::from_owner(CountedBytes { bytes, _counted: counted }),
            None => bytes,
        })
    }
}

/// Whether an answer may be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
    Read,
    /// To a write, or to an operator.
    Owed,
}

impl AnswerKind {
    /// Of the public listener.
    pub fn of(method: &str) -> AnswerKind {
        if matches!(method, "GET" | "HEAD") { AnswerKind::Read } else { AnswerKind::Owed }
    }
}

/// The network has to read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuchUnread;

/// An answer in flight.
#[derive(Debug)]
pub struct UnreadAnswer {
    all: Arc<UnreadBytes>,
    network: Network,
    bytes: usize,
}

impl Drop for UnreadAnswer {
    fn drop(&mut self) {
        let mut networks = self.all.networks.lock();
        if let Some(unread) = networks.get_mut(&self.network) {
            *unread -= self.bytes;
            if *unread == 0 {
                networks.remove(&self.network);
            }
        }
    }
}

struct CountedBytes {
    bytes: Bytes,
    _counted: UnreadAnswer,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::AnswerKind::{Owed, Read};
    use super::*;

    #[test]
    fn an_answer_counts_until_its_last_part_is_sent() {
        let (unread, network) = (Arc::new(UnreadBytes::default()), Network::of(Ipv4Addr::LOCALHOST.into()));
        let answer = unread.count_bytes(network, vec![0; UNREAD_BYTES_MAX].into(), Read);
        let mut answer = answer.expect("the first");
        assert!(unread.is_full(network));
        assert!(!unread.is_full(Network::of(Ipv4Addr::UNSPECIFIED.into())), "another network has its own");
        let last = answer.split_off(UNREAD_BYTES_MAX - 1);
        drop(answer);
        assert!(unread.is_full(network));
        drop(last);
        assert!(!unread.is_full(network) && unread.networks.lock().is_empty());
    }

    #[test]
    fn small_answers_do_not_count() {
        let (unread, network) = (Arc::new(UnreadBytes::default()), Network::of(Ipv4Addr::LOCALHOST.into()));
        let is_counted = |bytes| unread.count(network, bytes, Read).expect("room").is_some();
        assert!(!is_counted(COUNTED_FROM_BYTES - 1) && is_counted(COUNTED_FROM_BYTES));
    }

    #[test]
    fn reads_that_were_begun_together_pass_the_limit_by_one_answer_at_most() {
        const ANSWER: usize = 3 << 20;
        let (unread, network) = (Arc::new(UnreadBytes::default()), Network::of(Ipv4Addr::LOCALHOST.into()));
        // All of them found room before any answer was made.
        let held: Vec<_> = std::thread::scope(|scope| {
            let begin = || unread.count(network, ANSWER, Read).ok().flatten();
            let threads: Vec<_> = (0..64).map(|_| scope.spawn(begin)).collect();
            threads.into_iter().filter_map(|thread| thread.join().expect("no panic")).collect()
        });
        let bytes = held.len() * ANSWER;
        assert!((UNREAD_BYTES_MAX..UNREAD_BYTES_MAX + ANSWER).contains(&bytes), "{bytes} bytes");
        assert_eq!(unread.count(network, ANSWER, Read).err(), Some(TooMuchUnread));
        assert!(unread.count(network, ANSWER, Owed).is_ok(), "a write is done already");
    }
}
