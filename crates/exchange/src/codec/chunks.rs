//! The writer of states: collects encoded bytes and passes them on in chunks.
//!
//! Encoders write a few bytes at a time. A vector, a hash, a comparison and a file all take many bytes more quickly, and
//! a stream of chunks never has the whole state in memory.

use minicbor::encode::Write;

/// The size of all chunks but the last.
const CHUNK_BYTES: usize = 32 * 1024;

/// The consumer of the bytes refused a chunk.
#[derive(Debug)]
pub(super) struct Stopped;

/// A consumer of chunks.
pub(super) type Sink<'a> = dyn FnMut(&[u8]) -> Result<(), Stopped> + 'a;

pub(super) struct Chunks<'a> {
    buffer: Box<[u8]>,
    used: usize,
    sink: &'a mut Sink<'a>,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(sink: &'a mut Sink<'a>) -> Chunks<'a> {
        Chunks { buffer: vec![0; CHUNK_BYTES].into_boxed_slice(), used: 0, sink }
    }

    /// Passes on the rest.
    pub(super) fn finish(mut self) -> Result<(), Stopped> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Stopped> {
        let used = core::mem::take(&mut self.used);
        (self.sink)(&self.buffer[..used])
    }

    /// Fills the chunk, passes it on and begins the next one.
    #[cold]
    fn write_over(&mut self, mut bytes: &[u8]) -> Result<(), Stopped> {
        while let Some((head, rest)) = bytes.split_at_checked(self.buffer.len() - self.used) {
            self.buffer[self.used..].copy_from_slice(head);
            self.used = self.buffer.len();
            self.flush()?;
            bytes = rest;
        }
        self.buffer[..bytes.len()].copy_from_slice(bytes);
        self.used = bytes.len();
        Ok(())
    }
}

impl Write for Chunks<'_> {
    type Error = Stopped;

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        match self.buffer.get_mut(self.used..self.used + bytes.len()) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.used += bytes.len();
                Ok(())
            }
            None => self.write_over(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_hold_every_byte_in_order_and_only_the_last_is_short() {
        let written: Vec<u8> = (0..CHUNK_BYTES * 3 + 17).map(|place| (place % 251) as u8).collect();
        for piece in [1, 7, 4_096, CHUNK_BYTES, CHUNK_BYTES + 1, written.len()] {
            let (mut passed, mut sizes) = (Vec::new(), Vec::new());
            let mut sink = |bytes: &[u8]| {
                passed.extend_from_slice(bytes);
                sizes.push(bytes.len());
                Ok(())
            };
            let mut chunks = Chunks::new(&mut sink);
            for bytes in written.chunks(piece) {
                chunks.write_all(bytes).expect("no chunk is refused");
            }
            chunks.finish().expect("no chunk is refused");
            assert_eq!(sizes, [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, 17], "in pieces of {piece}");
            assert!(passed == written);
        }
    }

    #[test]
    fn a_refused_chunk_ends_the_writing() {
        let mut left = 2;
        let mut sink = |_: &[u8]| {
            left -= 1;
            if left == 0 { Err(Stopped) } else { Ok(()) }
        };
        let mut chunks = Chunks::new(&mut sink);
        assert!(chunks.write_all(&[0; CHUNK_BYTES + 1]).is_ok());
        assert!(chunks.write_all(&[0; CHUNK_BYTES]).is_err());
    }
}
