//! One hash over the whole state: two machines, or a replay and its original, have equal states if it is equal.
//!
//! The digest has a version, which depends on the rules of the log. Two builds on one log therefore compute the same
//! digest, even if their snapshot formats differ; `UpgradeRules` changes the version for all of them at one sequence.

use super::snapshot::{SnapshotFormat, write_state};
use crate::exchange::Exchange;

/// The digest version under some rules, and the form of the state that it hashes. State introduced by newer rules is
/// empty before, so the older form omits nothing.
const fn digest_of(rules: u32) -> (u32, SnapshotFormat) {
    match rules {
        0..=Exchange::RULES_VERSION => (1, SnapshotFormat::FIRST),
        _ => (2, SnapshotFormat::NEXT),
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
        let mut hasher = blake3::Hasher::new();
        let (version, form) = digest_of(self.rules_version);
        hasher.update(b"bellwether state ").update(&version.to_le_bytes());
        let written = write_state(self, form, &mut |chunk| {
            hasher.update(chunk);
            Ok(())
        });
        assert!(written.is_ok(), "writing to a hasher cannot fail, and our encoders accept every value");
        *hasher.finalize().as_bytes()
    }
}
