//! The network that a limit applies to: an IPv4 address, or an IPv6 /64. A household or a rented machine has a whole
//! /64, so a limit per IPv6 address would be easy to evade.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Host bits of an IPv6 address.
const HOST_BITS: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    /// The network of an address. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn of(address: IpAddr) -> Network {
        match address.to_canonical() {
            IpAddr::V4(address) => Network(IpAddr::V4(address)),
            IpAddr::V6(address) => {
                let prefix = address.to_bits() >> HOST_BITS << HOST_BITS;
                Network(IpAddr::V6(Ipv6Addr::from_bits(prefix)))
            }
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => write!(formatter, "{address}"),
            IpAddr::V6(address) => write!(formatter, "{address}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn an_ipv6_network_has_64_bits_and_an_ipv4_address_is_its_own_network() {
        let network = |text: &str| Network::of(text.parse().expect("an address"));
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:ffff:ffff:ffff"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_ne!(network("203.0.113.8"), network("203.0.113.9"));
        assert_eq!(network("::ffff:203.0.113.9"), network("203.0.113.9"));
        assert_eq!(network("2001:db8::1").to_string(), "2001:db8::/64");
        assert_eq!(network("203.0.113.9").to_string(), "203.0.113.9");
    }
}
