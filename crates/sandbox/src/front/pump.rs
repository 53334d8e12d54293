//! Carries a connection's bytes between its socket and the venue. Towards the client it obeys the connection's mode: it
//! cuts an answer at a byte, and drops, repeats, delays or ends the messages of a stream.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, copy, split};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use super::frames::{Frames, Piece};
use super::link::{Link, LinkMode, StreamLink};
use crate::faults::{Faults, Rule, StreamEffect};

const READ_BYTES: usize = 16 << 10;
/// Pieces that wait for a slow socket or for a planted delay.
const WAITING_MAX: usize = 4_096;

/// Runs until the venue has closed the connection, the client has, or a fault cuts it.
pub(super) async fn run(socket: TcpStream, far: DuplexStream, link: Arc<Link>, faults: Arc<Faults>) {
    let (mut from_client, mut to_client) = socket.into_split();
    let (mut from_venue, mut to_venue) = split(far);
    let up = async {
        // A client that closes its half still gets its answer.
        let _ = copy(&mut from_client, &mut to_venue).await;
        let _ = to_venue.shutdown().await;
        std::future::pending::<()>().await;
    };
    let down = async {
        let (send, queue) = mpsc::channel(WAITING_MAX);
        let (delayed, link) = (AtomicUsize::new(0), &*link);
        let sorter = Sorter { link, faults: &faults, send, delayed: &delayed };
        let (sorted, written) =
            tokio::join!(sorter.run(&mut from_venue), write_all(&mut to_client, link, queue, &delayed));
        if let Err(error) = sorted.and(written) {
            tracing::debug!(%error, "a connection ended with an error");
        }
        // The socket may be gone.
        let _ = to_client.shutdown().await;
    };
    tokio::select! {
        () = up => {}
        () = down => {}
    }
}

/// Bytes for the client.
struct Outgoing {
    bytes: Bytes,
    delay: Option<Duration>,
    /// In-flight bytes that end when these are written.
    counted: usize,
}

/// Writes what the sorter sends, in order, until the sorter ends.
async fn write_all(
    to_client: &mut (impl AsyncWrite + Unpin),
    link: &Link,
    mut queue: mpsc::Receiver<Outgoing>,
    delayed: &AtomicUsize,
) -> io::Result<()> {
    while let Some(Outgoing { bytes, delay, counted }) = queue.recv().await {
        if let Some(delay) = delay {
            tokio::time::sleep(delay).await;
        }
        to_client.write_all(&bytes).await?;
        link.note_pumped(counted);
        if delay.is_some() {
            delayed.fetch_sub(1, Ordering::AcqRel);
        }
    }
    Ok(())
}

/// Reads from the venue and decides what becomes of each piece.
struct Sorter<'a> {
    link: &'a Link,
    faults: &'a Faults,
    send: mpsc::Sender<Outgoing>,
    /// Pieces that wait for a planted delay.
    delayed: &'a AtomicUsize,
}

impl Sorter<'_> {
    async fn run(self, from_venue: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
        let (mut buffer, mut frames, mut own_rule) = (vec![0; READ_BYTES], Frames::default(), None);
        loop {
            let read = from_venue.read(&mut buffer).await?;
            let bytes = buffer.get(..read).unwrap_or_default();
            match self.link.mode() {
                _ if bytes.is_empty() => return Ok(()),
                LinkMode::Answers => self.pass(Bytes::copy_from_slice(bytes)).await?,
                LinkMode::CutAfter(left) => {
                    let sent = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    self.pass(Bytes::copy_from_slice(&bytes[..sent])).await?;
                    match left - sent as u64 {
                        0 => return Ok(()),
                        left => self.link.set_mode(LinkMode::CutAfter(left)),
                    }
                }
                LinkMode::Stream(stream) => {
                    frames.add(bytes);
                    let own = own_rule.get_or_insert_with(|| stream.rule.clone());
                    while let Some(piece) = frames.next_piece() {
                        let effect = self.effect_on(&piece, &stream, own.as_mut());
                        if !self.take(piece, effect).await? {
                            return Ok(());
                        }
                    }
                }
            }
        }
    }

    fn effect_on(&self, piece: &Piece, stream: &StreamLink, own: Option<&mut Rule>) -> Option<StreamEffect> {
        match piece {
            Piece::Other(_) => None,
            Piece::Data(_) => {
                let by_header = own.and_then(Rule::next_stream_effect);
                by_header.or_else(|| self.faults.stream_effect(&stream.path))
            }
        }
    }

    /// Sends a piece of a stream as the effect demands. Returns false if the stream is cut instead.
    async fn take(&self, piece: Piece, effect: Option<StreamEffect>) -> io::Result<bool> {
        let (Piece::Other(bytes) | Piece::Data(bytes)) = piece;
        let length = bytes.len();
        match effect {
            None => self.stream(bytes, length, None).await?,
            Some(StreamEffect::Cut) => {
                self.link.note_pumped(length);
                return Ok(false);
            }
            Some(StreamEffect::Gap) => self.link.note_pumped(length),
            Some(StreamEffect::Duplicate) => {
                self.stream(bytes.clone(), 0, None).await?;
                self.stream(bytes, length, None).await?;
            }
            Some(StreamEffect::Slow { millis }) => {
                self.stream(bytes, length, Some(Duration::from_millis(millis))).await?;
            }
        }
        Ok(true)
    }

    async fn pass(&self, bytes: Bytes) -> io::Result<()> {
        self.queue(Outgoing { bytes, delay: None, counted: 0 }).await
    }

    /// Queues bytes of a stream. A command's answer does not wait for messages that are late on purpose, nor for those
    /// behind them.
    async fn stream(&self, bytes: Bytes, counted: usize, delay: Option<Duration>) -> io::Result<()> {
        if delay.is_some() {
            self.delayed.fetch_add(1, Ordering::AcqRel);
        }
        let is_late = self.delayed.load(Ordering::Acquire) > 0;
        if is_late {
            self.link.note_pumped(counted);
        }
        self.queue(Outgoing { bytes, delay, counted: if is_late { 0 } else { counted } }).await
    }

    async fn queue(&self, outgoing: Outgoing) -> io::Result<()> {
        self.send.send(outgoing).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
