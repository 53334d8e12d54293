//! A TCP connection whose client must keep reading. A client that reads less than [`Pace`] requires, measured over the
//! time that writes are blocked, loses the connection; otherwise a client that never reads would hold a socket forever.
//!
//! A write that the kernel accepts at once costs one comparison: a timer exists only while a write is blocked.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::admission::{ConnectionSlot, Unflushed};

/// Unsent bytes that the kernel may buffer. With its default of megabytes a client could read for minutes before the
/// next write succeeds, and its progress would be invisible.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 16 << 10;

/// How fast a client must read a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Bytes to read within each `window`.
    pub bytes_min: u64,
    /// Counts only the time during which a write is blocked.
    pub window: Duration,
}

impl Default for Pace {
    /// 1 KiB per second over 30 seconds.
    fn default() -> Pace {
        Pace { bytes_min: 30 << 10, window: Duration::from_secs(30) }
    }
}

/// An accepted connection. It holds its slot until the socket is closed, even after a protocol upgrade.
#[derive(Debug)]
pub(super) struct PacedStream {
    stream: TcpStream,
    /// Bytes to return before those of the socket.
    read: Bytes,
    pace: Pace,
    stall: Option<Stall>,
    /// On a proxy's connection: the requests whose responses are not flushed yet.
    unflushed: Option<Arc<Unflushed>>,
    slot: ConnectionSlot,
}

/// Exists from the first blocked write until the client has read `bytes_min`.
#[derive(Debug)]
struct Stall {
    window: StallWindow,
    timer: Pin<Box<Sleep>>,
}

/// Sets the options of an accepted socket.
pub(super) fn tune(stream: &TcpStream) {
    // Both are optional: if the kernel refuses them, the socket still works.
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT_BYTES_MAX);
}

impl PacedStream {
    /// `read`: bytes that were already read from the socket and not used.
    pub(super) fn new(stream: TcpStream, read: Bytes, pace: Pace, slot: ConnectionSlot) -> PacedStream {
        PacedStream { stream, read, pace, stall: None, unflushed: slot.unflushed(), slot }
    }

    pub(super) fn unflushed(&self) -> Option<Arc<Unflushed>> {
        self.unflushed.clone()
    }

    /// Applies the pace to the outcome of a write.
    fn paced(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &outcome {
            Poll::Pending => {
                ready!(self.poll_overdue(context));
                self.slot.count_slow();
                // Reset the connection, so that the kernel drops the unread bytes instead of keeping them.
                let _ = self.stream.set_zero_linger();
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            Poll::Ready(Ok(bytes)) if self.stall.is_some() => self.progress(*bytes as u64),
            Poll::Ready(_) => {}
        }
        outcome
    }

    /// Ready when the client has used up its window.
    fn poll_overdue(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let window = self.pace.window;
        let stall = self.stall.get_or_insert_with(|| Stall {
            window: StallWindow::new(window),
            timer: Box::pin(sleep_until(Instant::now() + window)),
        });
        if let Some(deadline) = stall.window.block(Instant::now) {
            stall.timer.as_mut().reset(deadline);
        }
        stall.timer.as_mut().poll(context)
    }

    fn progress(&mut self, bytes: u64) {
        let Some(stall) = &mut self.stall else { return };
        stall.window.unblock(bytes, Instant::now);
        if stall.window.written >= self.pace.bytes_min {
            self.stall = None;
        }
    }
}

/// The time that writes were blocked, and the bytes written meanwhile.
#[derive(Debug)]
struct StallWindow {
    left: Duration,
    /// When the current write was blocked.
    since: Option<Instant>,
    written: u64,
}

impl StallWindow {
    fn new(left: Duration) -> StallWindow {
        StallWindow { left, since: None, written: 0 }
    }

    /// Notes a blocked write. Returns the window's deadline if it was not blocked before.
    fn block(&mut self, now: impl FnOnce() -> Instant) -> Option<Instant> {
        if self.since.is_some() {
            return None;
        }
        let now = now();
        self.since = Some(now);
        Some(now + self.left)
    }

    /// Notes a successful write.
    fn unblock(&mut self, bytes: u64, now: impl FnOnce() -> Instant) {
        if let Some(since) = self.since.take() {
            self.left = self.left.saturating_sub(now().duration_since(since));
        }
        self.written = self.written.saturating_add(bytes);
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let paced = self.get_mut();
        if paced.read.is_empty() {
            return Pin::new(&mut paced.stream).poll_read(context, buffer);
        }
        let first = paced.read.split_to(paced.read.len().min(buffer.remaining()));
        buffer.put_slice(&first);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let paced = self.get_mut();
        let outcome = Pin::new(&mut paced.stream).poll_write(context, bytes);
        paced.paced(context, outcome)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let paced = self.get_mut();
        let outcome = Pin::new(&mut paced.stream).poll_write_vectored(context, pieces);
        paced.paced(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper calls this when its own buffer is empty, so all responses so far are in the kernel's buffer.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let paced = self.get_mut();
        if let Some(unflushed) = &paced.unflushed {
            unflushed.clear();
        }
        Pin::new(&mut paced.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_secs(30);

    #[test]
    fn only_the_time_during_which_a_write_waits_is_counted() {
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let mut window = StallWindow::new(WINDOW);
        assert_eq!(window.block(|| at(0)), Some(at(30)));
        assert_eq!(window.block(|| at(5)), None, "it waits already");
        window.unblock(100, || at(10));
        window.unblock(50, || at(500));
        assert_eq!(window.block(|| at(1_000)), Some(at(1_020)), "ten seconds are used up");
        window.unblock(1, || at(1_100));
        assert_eq!(window.block(|| at(2_000)), Some(at(2_000)), "nothing is left");
        assert_eq!(window.written, 151);
    }
}
