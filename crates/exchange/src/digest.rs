//! One hash over the whole state: two machines, or a replay and its original, agree when these agree.

use core::convert::Infallible;

use minicbor::encode::Write;

use crate::codec::write_snapshot;
use crate::exchange::Exchange;

const BUFFER_BYTES: usize = 4_096;

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
    /// BLAKE3 of the snapshot's bytes, which are hashed as they are made and kept nowhere.
    pub fn digest(&self) -> [u8; 32] {
        let mut hashing = Hashing { hasher: blake3::Hasher::new(), buffer: [0; BUFFER_BYTES], used: 0 };
        // Invariant: the hash takes every byte, and no encoder of ours refuses a value.
        let written = write_snapshot(self, &mut hashing);
        assert!(written.is_ok(), "a hash takes every byte");
        hashing.flush();
        *hashing.hasher.finalize().as_bytes()
    }
}
