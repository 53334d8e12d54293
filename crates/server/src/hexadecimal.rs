//! Hexadecimal text of bytes, for digests, hashes and tokens.

/// Encodes bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
