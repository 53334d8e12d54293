//! A connection's shared state: whether it became a stream, where it is to be cut, and which bytes are on their way.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::task::{Context, Poll, ready};

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};

use crate::faults::Rule;

/// Bytes of streams that the venue has written and that have not reached their sockets yet.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    bytes: AtomicI64,
    /// Some client does not read: its messages are no longer waited for.
    is_stuck: AtomicBool,
}

impl InFlight {
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.load(Ordering::Acquire) <= 0
    }

    /// Notes whether the last wait for messages was in vain.
    pub(crate) fn note_stuck(&self, is_stuck: bool) {
        self.is_stuck.store(is_stuck, Ordering::Release);
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.is_stuck.load(Ordering::Acquire)
    }
}

/// The kind of a connection's next bytes to the client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum LinkMode {
    #[default]
    Answers,
    /// Answers, of which only this many bytes are sent before the connection is closed.
    CutAfter(u64),
    /// The head of an accepted upgrade, then messages of the stream at this path.
    Stream(Arc<StreamLink>),
}

/// A stream: its path, and the rule of its own that its request brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamLink {
    pub(super) path: String,
    pub(super) rule: Option<Rule>,
}

#[derive(Debug)]
pub(super) struct Link {
    mode: Mutex<LinkMode>,
    /// Bytes of this stream in flight.
    own: AtomicI64,
    all: Arc<InFlight>,
}

impl Link {
    pub(super) fn new(all: Arc<InFlight>) -> Link {
        Link { mode: Mutex::default(), own: AtomicI64::new(0), all }
    }

    /// Set before the first byte of the answer is written.
    pub(super) fn set_mode(&self, mode: LinkMode) {
        *self.mode.lock() = mode;
    }

    pub(super) fn mode(&self) -> LinkMode {
        self.mode.lock().clone()
    }

    fn is_stream(&self) -> bool {
        matches!(*self.mode.lock(), LinkMode::Stream(_))
    }

    fn add(&self, bytes: i64) {
        self.own.fetch_add(bytes, Ordering::AcqRel);
        self.all.bytes.fetch_add(bytes, Ordering::AcqRel);
    }

    /// The pump has sent these bytes, or has dropped or delayed them on purpose.
    pub(super) fn note_pumped(&self, bytes: usize) {
        self.add(-i64::try_from(bytes).unwrap_or(0));
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.all.bytes.fetch_sub(self.own.load(Ordering::Acquire), Ordering::AcqRel);
    }
}

/// The venue's end of a connection: counts the bytes of a stream that it writes.
pub(super) struct CountedStream {
    stream: DuplexStream,
    link: Arc<Link>,
}

impl CountedStream {
    pub(super) fn new(stream: DuplexStream, link: Arc<Link>) -> CountedStream {
        CountedStream { stream, link }
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for CountedStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let CountedStream { stream, link } = self.get_mut();
        let is_stream = link.is_stream();
        // Counted first: the pump may have sent them before this returns.
        let most = if is_stream { i64::try_from(bytes.len()).unwrap_or(0) } else { 0 };
        link.add(most);
        let written = Pin::new(stream).poll_write(context, bytes);
        let accepted = match &written {
            Poll::Ready(Ok(accepted)) if is_stream => i64::try_from(*accepted).unwrap_or(0),
            _ => 0,
        };
        link.add(accepted - most);
        Poll::Ready(ready!(written))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn only_the_bytes_of_a_stream_are_in_flight_until_they_are_pumped_or_lost() {
        let all = Arc::new(InFlight::default());
        let link = Arc::new(Link::new(all.clone()));
        let (near, _far) = duplex(100);
        let mut counted = CountedStream::new(near, link.clone());
        counted.write_all(b"an answer").await.expect("room");
        assert!(all.is_empty());
        let stream = StreamLink { path: "/ws".to_owned(), rule: None };
        link.set_mode(LinkMode::Stream(Arc::new(stream)));
        counted.write_all(b"a message").await.expect("room");
        assert!(!all.is_empty());
        link.note_pumped(9);
        assert!(all.is_empty());
        counted.write_all(b"lost").await.expect("room");
        assert!(!all.is_empty());
        drop((counted, link));
        assert!(all.is_empty(), "a connection that is gone has nothing in flight");
    }
}
