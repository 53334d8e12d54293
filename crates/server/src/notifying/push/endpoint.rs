//! Addresses of push services: https at a public address. The address that a name resolves to is checked when it is
//! connected to, so a name that later points into the machine's network reaches nothing.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Which addresses are permitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    #[default]
    Public,
    /// Also loopback, with or without TLS. For tests.
    Loopback,
}

impl Reach {
    fn permits(self, address: IpAddr) -> bool {
        is_public(address) || (self == Reach::Loopback && address.is_loopback())
    }
}

/// The address of a push service, if it is permitted. A host name is checked again when it is resolved.
pub fn parse(text: &str, reach: Reach) -> Result<Url, &'static str> {
    let url = Url::parse(text).map_err(|_| "must be an address of https")?;
    let literal = match url.host_str() {
        Some(host) => host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok(),
        None => return Err("must name a host"),
    };
    let is_loopback = reach == Reach::Loopback && literal.is_some_and(|address| address.is_loopback());
    if url.scheme() != "https" && !(url.scheme() == "http" && is_loopback) {
        return Err("must be an address of https");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not have a user or a password");
    }
    if !is_loopback && url.port_or_known_default() != Some(443) {
        return Err("must use port 443");
    }
    if literal.is_some_and(|address| !reach.permits(address)) {
        return Err("must be at a public address");
    }
    Ok(url)
}

/// Whether an address belongs to the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        // Shared by carriers, special purposes, former relays, benchmarks.
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 192 && second == 88 && third == 99)
        || (first == 198 && (18..20).contains(&second))
        // Multicast, reserved, broadcast.
        || first >= 224;
    !is_special
}

/// Global unicast only, without ranges that embed or stand for other addresses.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = first & 0xe000 == 0x2000;
    // Protocols and tunnels (2001::/23), documentation, 6to4.
    let is_special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8))
        || (first == 0x3fff && second < 0x1000)
        || first == 0x2002;
    is_global && !is_special
}

/// Resolves names, and returns permitted addresses only.
#[derive(Clone, Copy, Debug)]
pub(super) struct PublicResolver(pub(super) Reach);

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(look_up(name, self.0))
    }
}

async fn look_up(name: Name, reach: Reach) -> Result<Addrs, Box<dyn Error + Send + Sync>> {
    let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
    let permitted: Vec<SocketAddr> = found.filter(|address| reach.permits(address.ip())).collect();
    if permitted.is_empty() {
        return Err("the name has no permitted address".into());
    }
    Ok(Box::new(permitted.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_at_a_public_address_is_permitted() {
        for text in ["https://push.example/send/1", "https://8.8.8.8/x", "https://[2606:4700::1]/x"] {
            assert!(parse(text, Reach::Public).is_ok(), "{text}");
        }
        for text in [
            "http://push.example/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://10.1.2.3/",
            "https://169.254.169.254/latest",
            "https://0x7f.1/",
            "https://2130706433/",
            "https://push.example:8443/",
            "https://user:word@push.example/",
            "ftp://push.example/",
            "file:///etc/passwd",
            "push.example",
        ] {
            assert!(parse(text, Reach::Public).is_err(), "{text}");
        }
        assert!(parse("http://127.0.0.1:8080/x", Reach::Loopback).is_ok());
        assert!(parse("http://10.0.0.1/x", Reach::Loopback).is_err());
    }

    #[test]
    fn private_and_special_ranges_are_not_public() {
        let special = [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "127.8.8.8",
            "169.254.1.1",
            "172.16.0.1",
            "192.0.0.8",
            "192.168.1.1",
            "198.18.0.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "fc00::1",
            "fe80::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
        ];
        for text in special {
            assert!(!is_public(text.parse().expect("an address")), "{text}");
        }
        for text in ["1.1.1.1", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(text.parse().expect("an address")), "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_that_points_into_the_machine_resolves_to_nothing() {
        let resolve = |reach| PublicResolver(reach).resolve("localhost".parse().expect("a name"));
        assert!(resolve(Reach::Public).await.is_err());
        assert!(resolve(Reach::Loopback).await.is_ok());
    }
}
