//! One hash over the whole state: two machines, or a replay and its original, agree when these agree.
//!
//! The digest has a version of its own, which the rules of the log determine. Two builds on one log therefore hash a state
//! alike, whatever form each writes its snapshots in; `UpgradeRules` moves the version for all of them at one sequence.

use core::convert::Infallible;

use minicbor::encode::Write;

use crate::codec::{Form, write_state};
use crate::exchange::Exchange;

const BUFFER_BYTES: usize = 4_096;

/// The version of the digest under some rules, and the form of the state that it hashes. State that only newer rules can
/// fill is empty before, so the older form leaves nothing out.
const fn digest_of(rules: u32) -> (u32, Form) {
    match rules {
        0..=2 => (1, Form::FIRST),
        _ => (2, Form::NEXT),
    }
}

/// Hashes what is written to it. Encoders write a few bytes at a time, the hash likes them by the block.
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
    /// The version of the digest under the log's rules.
    pub const fn digest_version(&self) -> u32 {
        digest_of(self.rules_version).0
    }

    /// BLAKE3 of the digest's version and of the state in that version's form, hashed as it is written and kept nowhere.
    pub fn digest(&self) -> [u8; 32] {
        let mut hashing = Hashing { hasher: blake3::Hasher::new(), buffer: [0; BUFFER_BYTES], used: 0 };
        let (version, form) = digest_of(self.rules_version);
        hashing.hasher.update(b"bellwether state ").update(&version.to_le_bytes());
        // Invariant: the hash takes every byte, and no encoder of ours refuses a value.
        let written = write_state(self, form, &mut hashing);
        assert!(written.is_ok(), "a hash takes every byte");
        hashing.flush();
        *hashing.hasher.finalize().as_bytes()
    }
}
