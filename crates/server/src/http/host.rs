//! The host that a request names. HTTP/1.1 requires exactly one valid `Host` (RFC 9112, section 3.2): if a proxy and a
//! server interpret two of them differently, they route the same request to different hosts.

use axum::extract::Request;
use http::{HeaderValue, Version, header};

/// Checks the `Host` of a request; the error says what is wrong. A target in absolute form replaces it.
pub(super) fn check(request: &mut Request) -> Result<(), &'static str> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (_, Some(_)) => return Err("Send one Host header"),
        (Some(host), None) if !is_host(host.as_bytes()) => return Err("The Host header is not a valid host"),
        (None, None) if request.version() >= Version::HTTP_11 => return Err("Send a Host header"),
        _ => {}
    }
    let Some(authority) = request.uri().authority() else { return Ok(()) };
    if !is_host(authority.as_str().as_bytes()) {
        return Err("The target's host is not valid");
    }
    // Always succeeds: the authority's characters are valid in a header value.
    if let Ok(host) = HeaderValue::from_str(authority.as_str()) {
        request.headers_mut().insert(header::HOST, host);
    }
    Ok(())
}

/// `uri-host [ ":" port ]` with a non-empty host, as http requires.
pub(crate) fn is_host(text: &[u8]) -> bool {
    let (host, port) = match text.iter().rposition(|byte| *byte == b':') {
        // A colon inside the brackets is part of the address.
        Some(colon) if !text.ends_with(b"]") => (&text[..colon], &text[colon + 1..]),
        _ => (text, &[][..]),
    };
    let is_name = match host.strip_prefix(b"[") {
        Some(rest) => rest.strip_suffix(b"]").is_some_and(is_ipv6),
        None => !host.is_empty() && host.iter().all(|byte| is_name_byte(*byte)),
    };
    is_name && port.iter().all(u8::is_ascii_digit)
}

fn is_ipv6(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<std::net::Ipv6Addr>().is_ok())
}

/// `unreserved`, `sub-delims` and `%` of RFC 3986.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::is_host;

    #[test]
    fn a_host_is_a_name_or_an_address_and_perhaps_a_port() {
        for host in
            ["a", "test", "127.0.0.1:8080", "app.example.org", "a:", "[::1]", "[2001:db8::1]:80", "x%20y"]
        {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in [
            "", ":80", "a b", "a/b", "user@a", "a:80:90", "a:8o", "[::1", "::1", "[a]", "[::1]x", "a?b",
            "a#", "\u{e9}",
        ] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }
}
