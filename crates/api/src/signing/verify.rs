//! The checks of a signed request, in a fixed order, each with its own error. The expected signature is never revealed.

use std::fmt;

use data_encoding::{BASE64, HEXLOWER};

use super::key::SigningKey;
use super::payload::{HASH_OF_NOTHING, Payload, body_digest};
use super::{SIGNATURE_HEADER, TIMESTAMP_HEADER, TIMESTAMP_WINDOW_SECONDS};

/// A received request: raw path without the query, raw body bytes.
#[derive(Clone, Copy, Debug)]
pub struct SignedRequest<'a> {
    pub timestamp: Option<&'a [u8]>,
    pub signature: Option<&'a [u8]>,
    pub method: &'a str,
    pub path: &'a str,
    pub body: &'a [u8],
}

/// Which check failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningFault {
    HeaderMissing { header: &'static str },
    TimestampNotANumber,
    TimestampOutsideWindow { skew_seconds: i64 },
    SignatureNotBase64,
    SignatureLength { bytes: usize },
    BodyHashMismatch,
    SignatureMismatch,
}

impl SigningFault {
    /// One word for programs, returned as `reason` in the 401 body.
    pub const fn reason(&self) -> &'static str {
        match self {
            SigningFault::HeaderMissing { .. } => "header_missing",
            SigningFault::TimestampNotANumber => "timestamp_not_a_number",
            SigningFault::TimestampOutsideWindow { .. } => "timestamp_outside_window",
            SigningFault::SignatureNotBase64 => "signature_not_base64",
            SigningFault::SignatureLength { .. } => "signature_length",
            SigningFault::BodyHashMismatch => "body_hash_mismatch",
            SigningFault::SignatureMismatch => "signature_mismatch",
        }
    }
}

impl fmt::Display for SigningFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SigningFault::HeaderMissing { header } => write!(formatter, "The header {header} is missing"),
            SigningFault::TimestampNotANumber => {
                write!(formatter, "{TIMESTAMP_HEADER} must be Unix seconds in decimal digits")
            }
            SigningFault::TimestampOutsideWindow { skew_seconds } => write!(
                formatter,
                "{TIMESTAMP_HEADER} is {} seconds {} the server's time; at most {TIMESTAMP_WINDOW_SECONDS} are allowed",
                skew_seconds.unsigned_abs(),
                if *skew_seconds < 0 { "behind" } else { "ahead of" }
            ),
            SigningFault::SignatureNotBase64 => {
                write!(formatter, "{SIGNATURE_HEADER} must be standard base64 with padding")
            }
            SigningFault::SignatureLength { bytes } => write!(
                formatter,
                "{SIGNATURE_HEADER} must be the base64 of the 32 bytes of an HMAC-SHA256, not of {bytes}"
            ),
            SigningFault::BodyHashMismatch => formatter.write_str(
                "The signature does not cover this body: bodyHash must be the lower-case hex SHA-256 of the bytes sent",
            ),
            SigningFault::SignatureMismatch => {
                formatter.write_str("The signature does not match this timestamp, method, path, body and key")
            }
        }
    }
}

impl std::error::Error for SigningFault {}

impl SignedRequest<'_> {
    /// Runs every check. `now` is the server's time in Unix seconds.
    pub fn verify(&self, key: &SigningKey, now: i64) -> Result<(), SigningFault> {
        self.verify_digest(key, now, &body_digest(self.body))
    }

    /// Like `verify`, for a caller that has already hashed the body.
    pub fn verify_digest(&self, key: &SigningKey, now: i64, digest: &[u8; 32]) -> Result<(), SigningFault> {
        let timestamp = self.timestamp.ok_or(SigningFault::HeaderMissing { header: TIMESTAMP_HEADER })?;
        let signature = self.signature.ok_or(SigningFault::HeaderMissing { header: SIGNATURE_HEADER })?;
        let timestamp = check_timestamp(timestamp, now)?;
        let signature = decode(signature)?;
        let hash = if self.body.is_empty() { String::new() } else { HEXLOWER.encode(digest) };
        let signs = |body_hash: &str| {
            let payload = Payload { timestamp, method: self.method, path: self.path, body_hash };
            key.matches(&payload, &signature)
        };
        // Both hashes of an empty body bind to an empty body, so both are accepted.
        if signs(&hash) || (self.body.is_empty() && signs(HASH_OF_NOTHING)) {
            return Ok(());
        }
        // A client that signs with the right key but another form of the hash gets a specific error. Without the key,
        // no signature matches.
        let other_forms = [String::new(), HASH_OF_NOTHING.to_owned(), hash.to_uppercase()];
        let is_hash = !self.body.is_empty() && other_forms.iter().any(|form| signs(form));
        Err(if is_hash { SigningFault::BodyHashMismatch } else { SigningFault::SignatureMismatch })
    }
}

/// Digits only, within the window. Returns the text, since the text was signed.
fn check_timestamp(header: &[u8], now: i64) -> Result<&str, SigningFault> {
    let text = std::str::from_utf8(header).map_err(|_| SigningFault::TimestampNotANumber)?;
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SigningFault::TimestampNotANumber);
    }
    let seconds: i64 = text.parse().map_err(|_| SigningFault::TimestampNotANumber)?;
    let skew_seconds = seconds.saturating_sub(now);
    if skew_seconds.unsigned_abs() > TIMESTAMP_WINDOW_SECONDS {
        return Err(SigningFault::TimestampOutsideWindow { skew_seconds });
    }
    Ok(text)
}

fn decode(header: &[u8]) -> Result<[u8; 32], SigningFault> {
    // Longer than any signature: refused before decoding.
    if header.len() > 256 {
        return Err(SigningFault::SignatureLength { bytes: header.len() / 4 * 3 });
    }
    let bytes = BASE64.decode(header).map_err(|_| SigningFault::SignatureNotBase64)?;
    let length = bytes.len();
    bytes.try_into().map_err(|_| SigningFault::SignatureLength { bytes: length })
}
