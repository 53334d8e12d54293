//! Networks from which an operator's token or session was verified lately. They keep a share of the operators' listener: a
//! stranger needs no token to hold a connection.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::Network;

const KNOWN_FOR: Duration = Duration::from_secs(24 * 3_600);

#[derive(Debug, Default)]
pub struct KnownNetworks {
    /// When an operator last came from there.
    seen: Mutex<HashMap<Network, Instant>>,
}

impl KnownNetworks {
    /// Notes a network of an operator. Only those who have a token can make this grow.
    pub fn note(&self, network: Network, now: Instant) {
        let mut seen = self.seen.lock();
        if seen.insert(network, now).is_none() {
            seen.retain(|_, seen| now < *seen + KNOWN_FOR);
        }
    }

    pub fn has(&self, network: Network, now: Instant) -> bool {
        self.seen.lock().get(&network).is_some_and(|seen| now < *seen + KNOWN_FOR)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_network_is_known_for_a_day_after_an_operator_came_from_there() {
        let (known, began) = (KnownNetworks::default(), Instant::now());
        let network = |last| Network::of(Ipv4Addr::new(203, 0, 113, last).into());
        known.note(network(1), began);
        assert!(known.has(network(1), began + KNOWN_FOR - Duration::from_secs(1)));
        assert!(!known.has(network(1), began + KNOWN_FOR) && !known.has(network(2), began));
        known.note(network(2), began + KNOWN_FOR);
        assert_eq!(known.seen.lock().len(), 1, "the other one is forgotten");
    }
}
