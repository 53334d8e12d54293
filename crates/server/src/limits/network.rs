//! The network that a limit applies to: an IPv4 address, or an IPv6 /64. A household or a rented machine has a whole
//! /64, so a limit per IPv6 address would be easy to evade.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Host bits of an IPv6 address.
const HOST_BITS: u32 = 64;
/// Bits of an IPv6 address below the prefix that a site gets.
const SITE_BITS: u32 = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    /// The network of an address. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn of(address: IpAddr) -> Network {
        match address.to_canonical() {
            IpAddr::V4(address) => Network(IpAddr::V4(address)),
            IpAddr::V6(address) => Network(IpAddr::V6(prefix(address, HOST_BITS))),
        }
    }

    /// The site of an address: an IPv4 address, or an IPv6 /48. A customer may get a /56 and so 256 networks; what must stay
    /// bounded over all of them is counted by site.
    pub fn site_of(address: IpAddr) -> Network {
        match address.to_canonical() {
            IpAddr::V4(address) => Network(IpAddr::V4(address)),
            IpAddr::V6(address) => Network(IpAddr::V6(prefix(address, SITE_BITS))),
        }
    }
}

fn prefix(address: Ipv6Addr, bits: u32) -> Ipv6Addr {
    Ipv6Addr::from_bits(address.to_bits() >> bits << bits)
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
        let site = |text: &str| Network::site_of(text.parse().expect("an address"));
        assert_eq!(site("2001:db8:7:1::1"), site("2001:db8:7:ffff::1"));
        assert_ne!(site("2001:db8:7::1"), site("2001:db8:8::1"));
        assert_eq!(site("::ffff:203.0.113.9"), network("203.0.113.9"));
    }
}
