//! Which well-formed requests are plain. A plain request needs no more of HTTP than its length: hyper serves all others.

use httparse::Header;

use crate::headers::length_bit;

/// How long a body is, and the lengths of the names (see `Headers`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Framing {
    pub(crate) body_bytes: usize,
    pub(crate) lengths: u64,
}

/// Path and query of a plain request line. A target in absolute form, a percent-encoded path and a fragment are not
/// plain; nor is HEAD, whose response has a length but no body.
pub(crate) fn target<'a>(method: &str, target: &'a str) -> Option<(&'a str, Option<&'a str>)> {
    if !matches!(method, "GET" | "POST" | "PUT" | "DELETE") || !target.starts_with('/') {
        return None;
    }
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (target, None),
    };
    let consists_of =
        |text: &str, class: u8| text.bytes().all(|byte| CLASSES[usize::from(byte)] & class != 0);
    (consists_of(path, PATH) && consists_of(query.unwrap_or_default(), QUERY)).then_some((path, query))
}

/// Bytes of a path: `pchar` of RFC 3986 without percent-encoding, and the slash.
const PATH: u8 = 1;
/// Bytes of a query: those of a path, `?` and `%`.
const QUERY: u8 = 2;

/// The class of each byte; a table, because a target has about a hundred bytes.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let path = b"/-._~!$&'()*+,;=:@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut at = 0;
    while at < path.len() {
        classes[path[at] as usize] = PATH | QUERY;
        at += 1;
    }
    classes[b'?' as usize] = QUERY;
    classes[b'%' as usize] = QUERY;
    classes
};

/// One pass over the fields. `None` if the request is not plain.
pub(crate) fn framing(fields: &[Header<'_>]) -> Option<Framing> {
    let (mut hosts, mut length, mut lengths) = (0, None, 0);
    for field in fields {
        lengths |= length_bit(field.name);
        let is = |name: &str| field.name.eq_ignore_ascii_case(name);
        match field.name.len() {
            4 if is("host") => hosts += 1,
            6 if is("cookie") || is("origin") || is("expect") => return None,
            7 if is("upgrade") => return None,
            10 if is("connection") && !field.value.eq_ignore_ascii_case(b"keep-alive") => return None,
            14 if is("content-length") => {
                if length.is_some() {
                    return None;
                }
                length = Some(digits(field.value)?);
            }
            17 if is("transfer-encoding") => return None,
            _ => {}
        }
    }
    (hosts == 1).then_some(Framing { body_bytes: length.unwrap_or(0), lengths })
}

/// One to nine digits.
fn digits(text: &[u8]) -> Option<usize> {
    let is_number = (1..=9).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |number, byte| number * 10 + usize::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_target_is_a_path_and_perhaps_a_query() {
        let rows = [
            ("GET", "/", Some(("/", None))),
            ("GET", "/a/b-c?x=1&y=%2C?", Some(("/a/b-c", Some("x=1&y=%2C?")))),
            ("DELETE", "/a?", Some(("/a", Some("")))),
            ("POST", "/a%2Fb", None),
            ("POST", "http://a/b", None),
            ("POST", "*", None),
            ("GET", "/a#b", None),
            ("GET", "/a?b#c", None),
            ("GET", "/\u{e9}", None),
            ("GET", "/a\"b", None),
            ("HEAD", "/", None),
            ("OPTIONS", "/", None),
            ("get", "/", None),
        ];
        for (method, given, expected) in rows {
            assert_eq!(target(method, given), expected, "{method} {given}");
        }
    }

    #[test]
    fn a_byte_is_plain_as_rfc_3986_says() {
        for byte in 0..=u8::MAX {
            let is_path = byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte);
            let is_query = is_path || b"?%".contains(&byte);
            let class = if is_path { PATH | QUERY } else { u8::from(is_query) * QUERY };
            assert_eq!(CLASSES[usize::from(byte)], class, "{byte}");
        }
    }

    #[test]
    fn a_plain_head_has_one_host_one_length_and_nothing_that_changes_the_framing() {
        let check = |fields: &[(&str, &str)], expected: Option<usize>| {
            let fields: Vec<_> =
                fields.iter().map(|(name, value)| Header { name, value: value.as_bytes() }).collect();
            assert_eq!(framing(&fields).map(|framing| framing.body_bytes), expected, "{fields:?}");
        };
        check(&[("Host", "a")], Some(0));
        check(&[("HOST", "a"), ("Content-LENGTH", "12"), ("Connection", "Keep-Alive")], Some(12));
        check(&[("host", "a"), ("content-length", "000000007")], Some(7));
        check(&[], None);
        check(&[("host", "a"), ("host", "a")], None);
        for (name, value) in [
            ("content-length", ""),
            ("content-length", "+1"),
            ("content-length", "1, 1"),
            ("content-length", "1000000000"),
            ("transfer-encoding", "identity"),
            ("expect", "100-continue"),
            ("upgrade", "h2c"),
            ("cookie", "a=b"),
            ("origin", "null"),
            ("connection", "close"),
            ("connection", "keep-alive, upgrade"),
        ] {
            check(&[("host", "a"), (name, value)], None);
        }
        check(&[("host", "a"), ("content-length", "1"), ("content-length", "1")], None);
    }
}
