//! Frames that a session is writing. They go to the socket past the WebSocket library, which would copy each message
//! into a buffer of its own for every reader. The library still writes pings, pongs and closes, each flushed before
//! frames follow.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;

use super::frames::frame_end;

/// The maximum number of pieces in one write.
const PIECES_AT_ONCE: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// Each has one or several whole frames.
    pieces: VecDeque<Bytes>,
    /// Bytes of all pieces, written or not.
    bytes: usize,
    /// Bytes of the first piece that are already written.
    written: usize,
    /// Messages added since the last `take_messages`.
    messages: u64,
}

impl Outgoing {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of messages added since the last call.
    pub(super) fn take_messages(&mut self) -> u64 {
        std::mem::take(&mut self.messages)
    }

    /// Adds the frames of whole messages.
    pub(super) fn push(&mut self, frames: Bytes, messages: usize) {
        if !frames.is_empty() {
            self.messages += messages as u64;
            self.bytes += frames.len();
            self.pieces.push_back(frames);
        }
    }

    /// Writes with one call as much as the socket accepts. If it is cancelled, nothing was written.
    pub(super) async fn write(&mut self, socket: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        let bytes = poll_fn(|context| self.poll_write(Pin::new(&mut *socket), context)).await?;
        if bytes == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        self.advance(bytes);
        Ok(())
    }

    fn poll_write(
        &self,
        socket: Pin<&mut impl AsyncWrite>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let mut slices = [IoSlice::new(&[]); PIECES_AT_ONCE];
        let mut written = self.written;
        for (slice, piece) in slices.iter_mut().zip(&self.pieces) {
            *slice = IoSlice::new(&piece[written..]);
            written = 0;
        }
        socket.poll_write_vectored(context, &slices[..self.pieces.len().min(PIECES_AT_ONCE)])
    }

    fn advance(&mut self, bytes: usize) {
        self.written += bytes;
        while let Some(first) = self.pieces.front().map(Bytes::len).filter(|first| *first <= self.written) {
            self.written -= first;
            self.bytes -= first;
            self.pieces.pop_front();
        }
    }

    /// Drops everything except the rest of a frame that is partly written: the reader could not parse a close frame
    /// otherwise.
    pub(super) fn abandon(&mut self) {
        self.pieces.truncate(1);
        if let Some(first) = self.pieces.front_mut() {
            first.truncate(frame_end(first, self.written));
            self.bytes = first.len();
        }
        self.advance(0);
    }
}

#[cfg(test)]
impl Outgoing {
    /// The contents of all frames.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for piece in &self.pieces {
            let mut start = 0;
            while start < piece.len() {
                let end = frame_end(piece, start + 1);
                // The tests' messages are short: their frame heads have two bytes.
                texts.push(String::from_utf8_lossy(&piece[start + 2..end]).into_owned());
                start = end;
            }
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use api::json::Decimals;
    use tokio::io::AsyncReadExt;

    use super::super::frames::EncodedMessage;
    use super::*;

    fn frame(text: &str) -> Vec<u8> {
        EncodedMessage::text(text).frame(Decimals::Numbers).to_vec()
    }

    /// Pieces with one, two and one frame, of 5 bytes each.
    fn outgoing() -> Outgoing {
        let mut outgoing = Outgoing::default();
        for frames in [frame("one"), [frame("two"), frame("thr")].concat(), frame("fou")] {
            outgoing.push(frames.into(), 1);
        }
        outgoing
    }

    #[tokio::test]
    async fn frames_arrive_whole_and_in_order_however_little_the_socket_accepts() {
        for room in [1, 3, 5, 7, 100] {
            let (mut ours, mut theirs) = tokio::io::duplex(room);
            let writing = async {
                let mut outgoing = outgoing();
                while !outgoing.is_empty() {
                    outgoing.write(&mut ours).await.expect("a write");
                }
                assert_eq!((outgoing.bytes(), outgoing.written), (0, 0));
                drop(ours);
            };
            let mut read = Vec::new();
            let ((), result) = tokio::join!(writing, theirs.read_to_end(&mut read));
            result.expect("everything");
            assert_eq!(read, [frame("one"), frame("two"), frame("thr"), frame("fou")].concat());
        }
    }

    #[test]
    fn what_is_abandoned_ends_with_the_frame_that_is_partly_written() {
        for (written, rest) in [(0, 0), (1, 4), (5, 0), (6, 4), (9, 1), (10, 0), (12, 3), (15, 0), (19, 1)] {
            let mut outgoing = outgoing();
            outgoing.advance(written);
            outgoing.abandon();
            assert_eq!(outgoing.bytes() - outgoing.written, rest, "after {written}");
            assert_eq!(outgoing.is_empty(), rest == 0);
        }
    }
}
