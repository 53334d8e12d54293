//! The canonical text that is signed: `{timestamp}.{METHOD}.{path}.{bodyHash}`.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The signed parts of a request. The path does not include the query string.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'a> {
    /// Exactly as in the header.
    pub timestamp: &'a str,
    /// Upper case.
    pub method: &'a str,
    pub path: &'a str,
    /// Lower-case hex, or empty if there is no body.
    pub body_hash: &'a str,
}

impl Payload<'_> {
    /// The pieces of the payload in order, to feed a MAC without building the text.
    pub(super) fn pieces(&self) -> [&[u8]; 7] {
        let dot = b".".as_slice();
        let [timestamp, method, path, hash] =
            [self.timestamp, self.method, self.path, self.body_hash].map(str::as_bytes);
        [timestamp, dot, method, dot, path, dot, hash]
    }
}

/// The SHA-256 of the raw body bytes, for callers that need it more than once.
pub fn body_digest(body: &[u8]) -> [u8; 32] {
    Sha256::digest(body).into()
}

/// The lower-case hex SHA-256 of the raw body bytes; empty for no bytes.
pub fn body_hash(body: &[u8]) -> String {
    if body.is_empty() { String::new() } else { HEXLOWER.encode(&body_digest(body)) }
}

/// SHA-256 of the empty string: some clients sign it for an empty body.
pub(super) const HASH_OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;
    use sha2::{Digest, Sha256};

    use super::{HASH_OF_NOTHING, Payload, body_hash};

    #[test]
    fn the_constant_for_the_hash_of_nothing_is_right() {
        assert_eq!(HEXLOWER.encode(&Sha256::digest([])), HASH_OF_NOTHING);
        assert_eq!(body_hash(b""), "");
    }

    #[test]
    fn a_body_is_hashed_in_lower_case_hex() {
        let body = br#"{"side":"BUY","outcomeId":"abc","amount":100,"type":"MARKET","currency":"USD"}"#;
        assert_eq!(body_hash(body), "830b35eb9cfc5bddce187a57c9357289acd2cee9437da002592533d7c8b9f38d");
    }

    #[test]
    fn the_payload_of_an_empty_body_ends_with_a_point() {
        let payload =
            Payload { timestamp: "1730000000", method: "DELETE", path: "/v1/pm/orders/1", body_hash: "" };
        assert_eq!(payload.pieces().concat(), b"1730000000.DELETE./v1/pm/orders/1.");
    }
}
