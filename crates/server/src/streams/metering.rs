//! Limits what a client may send on one connection. It counts below the WebSocket library, which joins the frames of a
//! message without reporting them: a client could send empty frames forever without being counted.
//!
//! Every frame takes one token from the connection's bucket, whether or not it ends a message. Messages beyond that are
//! refused. Refusals are limited too: after too many, the connection is exhausted and no longer read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use crate::app::App;
use crate::limits::{Bucket, Rate};

/// Refused messages, each with an error response, before the connection is closed.
const REFUSALS: Rate = Rate { tokens: 1, seconds: 1, capacity: 100 };
/// How much is still read after the close frame was sent: as much as a client that stops then may have in flight, so
/// that it sees the close reason instead of a connection reset.
const FAREWELL_BYTES: u64 = 16 * 1024;
/// The longest frame head without its mask.
const HEAD_BYTES_MAX: usize = 10;
const MASK_BYTES: u64 = 4;

/// The result of charging a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChargeResult {
    Passed,
    Refused,
    /// Too many were refused: the connection is closed.
    Exhausted,
}

/// The limits of a client's messages.
#[derive(Debug)]
pub(super) struct MessageLimit {
    app: Arc<App>,
    messages: Bucket,
    refusals: Bucket,
    is_exhausted: bool,
}

impl MessageLimit {
    pub(super) fn new(app: Arc<App>) -> MessageLimit {
        let now = app.now_micros();
        let messages = Bucket::full(app.streams().settings().messages, now);
        MessageLimit { app, messages, refusals: Bucket::full(REFUSALS, now), is_exhausted: false }
    }

    pub(super) fn rate(&self) -> Rate {
        self.app.streams().settings().messages
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    pub(super) fn take(&mut self, cost: u32) -> ChargeResult {
        let (rate, now) = (self.rate(), self.app.now_micros());
        if self.is_exhausted {
            ChargeResult::Exhausted
        } else if self.messages.take(rate, cost, now).is_ok() {
            ChargeResult::Passed
        } else if self.refusals.take(REFUSALS, 1, now).is_ok() {
            ChargeResult::Refused
        } else {
            self.is_exhausted = true;
            ChargeResult::Exhausted
        }
    }

    /// Charges a cost found out later, if necessary as debt.
    pub(super) fn charge_debt(&mut self, cost: u32) {
        let (rate, now) = (self.rate(), self.app.now_micros());
        self.messages.charge_debt(rate, cost, now);
    }
}

/// A client's connection after its handshake.
#[derive(Debug)]
pub(super) struct Metered {
    stream: TokioIo<Upgraded>,
    frames: FrameCounter,
    pub(super) limit: MessageLimit,
}

impl Metered {
    pub(super) fn new(upgraded: Upgraded, limit: MessageLimit) -> Metered {
        Metered { stream: TokioIo::new(upgraded), frames: FrameCounter::default(), limit }
    }

    /// Shuts down the sending side, and reads a little of what the client still sends until it closes.
    pub(super) async fn finish(mut self) -> io::Result<()> {
        self.stream.shutdown().await?;
        tokio::io::copy(&mut self.stream.take(FAREWELL_BYTES), &mut tokio::io::sink()).await.map(drop)
    }
}

impl AsyncRead for Metered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        for _ in 0..self.frames.unfinished_in(&buffer.filled()[before..]) {
            // The frame that ends a message is charged with the message.
            if self.limit.take(1) == ChargeResult::Exhausted {
                return Poll::Ready(Err(io::Error::other("too many frames")));
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Metered {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Finds the frame heads in a client's bytes (RFC 6455, section 5.2).
#[derive(Debug, Default)]
struct FrameCounter {
    head: [u8; HEAD_BYTES_MAX],
    head_bytes: usize,
    /// Bytes left of the mask and payload after the last head.
    bytes_left: u64,
}

impl FrameCounter {
    /// The number of frames starting in these bytes that do not end a message. Each call continues after the previous
    /// one's bytes.
    fn unfinished_in(&mut self, mut bytes: &[u8]) -> u32 {
        let mut unfinished = 0;
        while let [first, rest @ ..] = bytes {
            if self.bytes_left > 0 {
                let skipped =
                    usize::try_from(self.bytes_left).map_or(bytes.len(), |left| left.min(bytes.len()));
                self.bytes_left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.head[self.head_bytes] = *first;
            self.head_bytes += 1;
            bytes = rest;
            if let Some(following) = bytes_behind(&self.head[..self.head_bytes]) {
                unfinished += u32::from(self.head[0] & 0x80 == 0);
                (self.head_bytes, self.bytes_left) = (0, following);
            }
        }
        unfinished
    }
}

/// The number of bytes that follow a head; `None` while the head is incomplete.
fn bytes_behind(head: &[u8]) -> Option<u64> {
    let [_, second, extended @ ..] = head else { return None };
    let mask = if second & 0x80 == 0 { 0 } else { MASK_BYTES };
    let payload = match second & 0x7f {
        126 => u64::from(u16::from_be_bytes(extended.try_into().ok()?)),
        127 => u64::from_be_bytes(extended.try_into().ok()?),
        short => u64::from(short),
    };
    Some(payload.saturating_add(mask))
}

#[cfg(test)]
mod tests {
    use super::FrameCounter;

    /// A masked client frame.
    fn frame(first: u8, payload: usize) -> Vec<u8> {
        let mut bytes = vec![first];
        match u16::try_from(payload) {
            Ok(short @ ..126) => bytes.push(0x80 | short as u8),
            Ok(length) => {
                bytes.push(0x80 | 126);
                bytes.extend(length.to_be_bytes());
            }
            Err(_) => {
                bytes.push(0x80 | 127);
                bytes.extend((payload as u64).to_be_bytes());
            }
        }
        // Zero bytes in masks and payloads look like frame heads, but must not count.
        bytes.extend(vec![0; 4 + payload]);
        bytes
    }

    #[test]
    fn frames_that_do_not_end_a_message_are_counted_however_the_bytes_are_cut() {
        let frames = [
            (frame(0x81, 0), 0),
            (frame(0x01, 125), 1),
            (frame(0x00, 126), 1),
            (frame(0x89, 3), 0),
            (frame(0x00, 65_535), 1),
            (frame(0x00, 65_536), 1),
            (frame(0x80, 7), 0),
            // Unmasked, which the library refuses: no mask follows its head.
            (vec![0x00, 0x00], 1),
            (frame(0x02, 0), 1),
            (frame(0x88, 2), 0),
        ];
        let expected: u32 = frames.iter().map(|(_, unfinished)| unfinished).sum();
        let bytes: Vec<u8> = frames.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        for size in [1, 2, 3, 5, 7, 64, 2_048, bytes.len()] {
            let mut counter = FrameCounter::default();
            let counted: u32 = bytes.chunks(size).map(|chunk| counter.unfinished_in(chunk)).sum();
            assert_eq!(counted, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn a_frame_of_absurd_length_hides_what_follows_and_overflows_nothing() {
        let mut counter = FrameCounter::default();
        let head = [0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(counter.unfinished_in(&head), 1);
        assert_eq!(counter.unfinished_in(&[0; 100]), 0);
    }
}
