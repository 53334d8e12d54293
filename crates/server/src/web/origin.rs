//! An origin as a setting: the public address of the venue, and sites that may embed it.
//!
//! Origins are written into HTML, feeds and headers. Only the characters of a host are accepted, so none of these needs
//! to expect anything else.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use serde::Deserialize;

/// Scheme, host and optionally a port, such as `https://venue.example.org`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WebOrigin(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebOriginFault;

impl fmt::Display for WebOriginFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(
            "must be an origin such as https://venue.example.org, with nothing behind the host and port",
        )
    }
}

impl std::error::Error for WebOriginFault {}

impl WebOrigin {
    /// The origin without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for WebOrigin {
    type Err = WebOriginFault;

    /// One slash at the end is accepted, because browsers show origins with it.
    fn from_str(text: &str) -> Result<WebOrigin, WebOriginFault> {
        let text = text.strip_suffix('/').unwrap_or(text);
        let place = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match place {
            Some(place) if is_place(place) => Ok(WebOrigin(text.to_ascii_lowercase())),
            _ => Err(WebOriginFault),
        }
    }
}

impl TryFrom<String> for WebOrigin {
    type Error = WebOriginFault;

    fn try_from(text: String) -> Result<WebOrigin, WebOriginFault> {
        text.parse()
    }
}

impl fmt::Display for WebOrigin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `host`, `host:port`, `[address]` or `[address]:port`.
fn is_place(place: &str) -> bool {
    if let Some(bracketed) = place.strip_prefix('[') {
        let Some((address, port)) = bracketed.split_once(']') else { return false };
        let has_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        return has_port && address.parse::<Ipv6Addr>().is_ok();
    }
    match place.split_once(':') {
        Some((host, port)) => is_host(host) && is_port(port),
        None => is_host(place),
    }
}

/// Dot-separated labels of letters, digits and hyphens.
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.bytes().all(is_legal)
    };
    host.len() <= 253 && host.split('.').all(is_label)
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

#[cfg(test)]
mod tests {
    use super::WebOrigin;

    #[test]
    fn an_origin_is_a_scheme_a_host_and_perhaps_a_port() {
        for (text, expected) in [
            ("https://venue.example.org", "https://venue.example.org"),
            ("https://Venue.example.org/", "https://venue.example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://localhost:1", "http://localhost:1"),
            ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
        ] {
            assert_eq!(text.parse::<WebOrigin>().expect(text).as_str(), expected);
        }
        for text in [
            "",
            "venue.example.org",
            "ftp://venue.example.org",
            "https://",
            "https://venue.example.org/path",
            "https://venue.example.org//",
            "https://venue.example.org?a",
            "https://venue.example.org#a",
            "https://user@venue.example.org",
            "https://*.example.org",
            "https://venue.example.org; script-src *",
            "https://venue.example.org:0",
            "https://venue.example.org:70000",
            "https://venue.example.org:",
            "https://venue..org",
            "https://-a.org",
            "https://[::1",
            "https://[zz]",
            "https://a\"b",
            "https://é.org",
            "*",
            "null",
        ] {
            assert!(text.parse::<WebOrigin>().is_err(), "{text:?}");
        }
    }
}
