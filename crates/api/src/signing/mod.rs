//! Request signing: the canonical payload, the keys, and a verifier that reports which check failed.
//!
//! `payload.rs` defines the canonical form, `key.rs` the keys and the derivation of secrets, `verify.rs` the checks.
//! Nothing here reads a clock, generates randomness or looks up keys.

mod key;
mod payload;
mod verify;

pub use key::{
    KeyKind, MasterKey, PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX, SecretKey, SigningKey, code, derive_nonce,
    derive_secret, is_code, keyed_hash, public_key, secret_key_hint,
};
pub use payload::{Payload, body_digest, body_hash};
pub use verify::{SignedRequest, SigningFault};

/// The maximum difference of a timestamp from the server's time, in either direction.
pub const TIMESTAMP_WINDOW_SECONDS: u64 = 300;

/// The headers of a signed request, spelt as in the documentation.
pub const PUBLIC_KEY_HEADER: &str = "X-Public-Key";
pub const TIMESTAMP_HEADER: &str = "X-Timestamp";
pub const SIGNATURE_HEADER: &str = "X-Signature";

pub const ALGORITHM: &str = "HMAC-SHA256";
pub const PAYLOAD_FORMAT: &str = "{timestamp}.{method}.{path}.{bodyHash}";
