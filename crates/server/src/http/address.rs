//! The client address of a request. Behind a proxy every connection has the proxy's address, so without this all
//! clients would share one address's limits.
//!
//! `X-Forwarded-For` counts only from the proxies in the settings: a client that could set it would have any number of
//! addresses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::extract::{ConnectInfo, Request};
use http::HeaderName;
use ipnet::IpNet;
use serde::Deserialize;

use crate::edge::fields::Fields;

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// A range of addresses with a common prefix: `10.0.0.0/8`, `::1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct AddressRange(IpNet);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRangeFault;

impl fmt::Display for AddressRangeFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("must be an address or a network such as 10.0.0.0/8")
    }
}

impl std::error::Error for AddressRangeFault {}

impl FromStr for AddressRange {
    type Err = AddressRangeFault;

    fn from_str(text: &str) -> Result<AddressRange, AddressRangeFault> {
        // Not by `IpNet`'s parser, which accepts leading zeros: some programs read `010.0.0.0` as `8.0.0.0`.
        let (address, bits) = text.split_once('/').unzip();
        let address: IpAddr = address.unwrap_or(text).parse().map_err(|_| AddressRangeFault)?;
        let Some(bits) = bits else { return Ok(AddressRange(address.into())) };
        let bits = bits.parse().map_err(|_| AddressRangeFault)?;
        IpNet::new(address, bits).map(AddressRange).map_err(|_| AddressRangeFault)
    }
}

impl TryFrom<String> for AddressRange {
    type Error = AddressRangeFault;

    fn try_from(text: String) -> Result<AddressRange, AddressRangeFault> {
        text.parse()
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl AddressRange {
    /// Whether the range is wider than the networks that are given to one provider, so that strangers are in it.
    pub fn is_too_wide(self) -> bool {
        match self.0 {
            IpNet::V4(network) => network.prefix_len() < 8,
            IpNet::V6(network) => network.prefix_len() < 16,
        }
    }

    fn has(self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

/// Whether an address is in one of the ranges.
pub(super) fn is_any_of(ranges: &[AddressRange], address: IpAddr) -> bool {
    ranges.iter().any(|range| range.has(address))
}

/// Determines the address that a request is charged to, and stores it in the request in place of the connection's, so
/// that later code sees the same one.
pub(crate) fn settle(request: &mut Request, proxies: &[AddressRange]) -> IpAddr {
    let info = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let connected = info.map_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), |info| info.0);
    let address = behind(connected.ip(), request.headers(), proxies);
    if address != connected.ip() {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, connected.port())));
    }
    address
}

/// The address that `settle` has stored.
pub(crate) fn connected(extensions: &http::Extensions) -> IpAddr {
    let info = extensions.get::<ConnectInfo<SocketAddr>>();
    info.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip())
}

/// Each proxy appends the address that connected to it. So the client is the last address that is not a trusted proxy.
pub(crate) fn behind(connected: IpAddr, fields: &dyn Fields, proxies: &[AddressRange]) -> IpAddr {
    let mut address = connected.to_canonical();
    if !is_any_of(proxies, address) {
        return address;
    }
    let mut forwarded = String::new();
    fields.any(&FORWARDED_FOR, &mut |field| {
        forwarded.push(',');
        forwarded.push_str(std::str::from_utf8(field).unwrap_or_default());
        false
    });
    for written in forwarded.trim_start_matches(',').rsplit(',') {
        if !is_any_of(proxies, address) {
            break;
        }
        // A trusted proxy writes valid addresses; on any other text, stop at the proxy's own address.
        let Some(before) = read(written.trim()) else { break };
        address = before;
    }
    address
}

/// Parses an address, with or without a port.
fn read(text: &str) -> Option<IpAddr> {
    let address = text.parse().or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip())).ok();
    address.map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::*;

    #[test]
    fn a_network_has_the_addresses_that_begin_like_it() {
        for (network, address, expected) in [
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false),
            ("10.0.0.0/8", "10.200.3.4", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "::1", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::/0", "2001:db8::1", true),
            ("::1", "::2", false),
        ] {
            let network: AddressRange = network.parse().expect("a network");
            assert_eq!(network.has(address.parse().expect("an address")), expected, "{network:?} {address}");
        }
        for text in ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8"] {
            assert_eq!(text.parse::<AddressRange>(), Err(AddressRangeFault), "{text}");
        }
    }

    #[test]
    fn only_a_named_proxy_sets_the_callers_address() {
        let proxies = ["127.0.0.1".parse().expect("an address"), "10.0.0.0/8".parse().expect("a network")];
        let asks = |connected: &str, fields: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(FORWARDED_FOR, HeaderValue::from_static(field));
            }
            behind(connected.parse().expect("an address"), &headers, &proxies).to_string()
        };
        assert_eq!(asks("127.0.0.1", &["203.0.113.9"]), "203.0.113.9");
        assert_eq!(asks("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(asks("198.51.100.7", &["203.0.113.9"]), "198.51.100.7", "not a trusted proxy");
        // The client's own entries precede the address that the first proxy saw.
        assert_eq!(asks("127.0.0.1", &["1.1.1.1, 203.0.113.9"]), "203.0.113.9");
        assert_eq!(asks("127.0.0.1", &["1.1.1.1", "203.0.113.9, 10.1.2.3"]), "203.0.113.9");
        assert_eq!(asks("127.0.0.1", &["203.0.113.9, unknown"]), "127.0.0.1");
        assert_eq!(asks("127.0.0.1", &["203.0.113.9:4711"]), "203.0.113.9");
        assert_eq!(asks("127.0.0.1", &["[2001:db8::1]:4711"]), "2001:db8::1");
        assert_eq!(asks("127.0.0.1", &["::ffff:203.0.113.9"]), "203.0.113.9");
    }
}
