//! Bytes of answers that a network has asked for and has not read. A client that asks for much and reads slowly would
//! otherwise fill the memory: an answer waits whole until its last byte is sent.
//!
//! Bytes that all answers share do not count. The limit is checked before an answer is made, and only for reads: answers
//! to writes are small, and slow readers must not keep anybody on their network from cancelling.

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

    /// Counts an answer until the result is dropped. None for a small one.
    pub fn count(self: &Arc<Self>, network: Network, bytes: usize) -> Option<UnreadAnswer> {
        if bytes < COUNTED_FROM_BYTES {
            return None;
        }
        *self.networks.lock().entry(network).or_default() += bytes;
        Some(UnreadAnswer { all: self.clone(), network, bytes })
    }

    /// Counts an answer until its last byte is sent.
    pub fn count_bytes(self: &Arc<Self>, network: Network, bytes: Bytes) -> Bytes {
        match self.count(network, bytes.len()) {
            Some(counted) => Bytes::from_owner(CountedBytes { bytes, _counted: counted }),
            None => bytes,
        }
    }
}

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

    use super::*;

    #[test]
    fn an_answer_counts_until_its_last_part_is_sent() {
        let (unread, network) = (Arc::new(UnreadBytes::default()), Network::of(Ipv4Addr::LOCALHOST.into()));
        let mut answer = unread.count_bytes(network, vec![0; UNREAD_BYTES_MAX].into());
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
        assert!(unread.count(network, COUNTED_FROM_BYTES - 1).is_none());
        assert!(unread.count(network, COUNTED_FROM_BYTES).is_some());
    }
}
