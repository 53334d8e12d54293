//! One hash over the whole state: two machines, or a replay and its original, have equal states if it is equal.
//!
//! The digest has a version, which depends on the rules of the log. Two builds on one log therefore compute the same
//! digest, even if their snapshot formats differ; `UpgradeRules` changes the version for all of them at one sequence.

use core::convert::Infallible;

use minicbor::encode::Write;

use super::snapshot::{SnapshotFormat, write_state};
use crate::exchange::Exchange;

const BUFFER_BYTES: usize = 4_096;

/// The digest version under some rules, and the form of the state that it hashes. State introduced by newer rules is
/// empty before, so the older form omits nothing.
const fn digest_of(rules: u32) -> (u32, SnapshotFormat) {
    match rules {
        0..=2 => (1, SnapshotFormat::FIRST),
        _ => (2, SnapshotFormat::NEXT),
    }
}

/// Hashes everything written to it. Encoders write a few bytes at a time; hashing whole blocks is faster.
struct Hashing {
    hasher: blake3::Hasher,
    buffer: [u8; BUFFER_BYTES],
    used: usize,
}

impl Hashing {
    fn flush(&mut self) {
        self.hasher.update(&self.buffer[..self.used]);
        self.used = 0;
    }
}

impl Write for Hashing {
    type Error = Infallible;

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        if self.used + bytes.len() > BUFFER_BYTES {
            self.flush();
        }
        match self.buffer.get_mut(self.used..self.used + bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.used += bytes.len();
            }
            None => {
                self.hasher.update(bytes);
            }
        }
        Ok(())
    }
}

impl Exchange {
    /// The digest version under the log's rules.
    pub const fn digest_version(&self) -> u32 {
        digest_of(self.rules_version).0
    }

    /// BLAKE3 of the digest version and the state in that version's form. The encoding is hashed as it is produced, not
    /// stored.
    pub fn digest(&self) -> [u8; 32] {
        let mut hashing = Hashing { hasher: blake3::Hasher::new(), buffer: [0; BUFFER_BYTES], used: 0 };
        let (version, form) = digest_of(self.rules_version);
        hashing.hasher.update(b"bellwether state ").update(&version.to_le_bytes());
        // Invariant: writing to the hasher cannot fail, and our encoders accept every value.
        let written = write_state(self, form, &mut hashing);
        assert!(written.is_ok(), "writing to a hasher cannot fail");
        hashing.flush();
        *hashing.hasher.finalize().as_bytes()
    }
}
