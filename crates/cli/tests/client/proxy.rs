//! A TCP proxy that cuts connections at chosen bytes.
//!
//! It forwards bytes between clients and the exchange. A planned cut names a direction, a kind of connection and a number
//! of bytes: after that many more bytes the connection that carries them is cut, in the middle of whatever they are.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToTheExchange,
    ToTheClient,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Http,
    Stream,
}

/// A cut that has not happened yet.
struct Cut {
    direction: Direction,
    kind: Kind,
    bytes_left: usize,
    is_reset: bool,
    done: oneshot::Sender<()>,
}

/// How often each kind of connection was cut.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) http: u64,
    pub(crate) streams: u64,
}

#[derive(Default)]
struct Plan {
    due: Option<Cut>,
    counts: Counts,
}

#[derive(Clone)]
struct Shared {
    plan: Arc<Mutex<Plan>>,
    /// A new number ends all streams.
    streams: watch::Sender<u64>,
}

impl Shared {
    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A running proxy. It ends with the test's runtime.
pub(crate) struct Proxy {
    pub(crate) url: String,
    shared: Shared,
}

impl Proxy {
    pub(crate) async fn start(target: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let shared = Shared { plan: Arc::default(), streams: watch::Sender::new(0) };
        let ours = shared.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                // Without an exchange there is nothing to forward: the client's connection ends.
                if let Ok(far) = TcpStream::connect(&target).await {
                    tokio::spawn(link(client, far, ours.clone()));
                }
            }
        });
        Proxy { url, shared }
    }

    /// Plans one cut. The receiver gets a message when it has happened.
    pub(crate) fn cut(
        &self,
        direction: Direction,
        kind: Kind,
        after_bytes: usize,
        is_reset: bool,
    ) -> oneshot::Receiver<()> {
        let (done, happened) = oneshot::channel();
        self.shared.plan().due = Some(Cut { direction, kind, bytes_left: after_bytes, is_reset, done });
        happened
    }

    pub(crate) fn end_streams(&self) {
        self.shared.streams.send_modify(|number| *number += 1);
    }

    pub(crate) fn counts(&self) -> Counts {
        self.shared.plan().counts
    }
}

/// A client's connection and the exchange's. Both end when one direction does.
async fn link(client: TcpStream, far: TcpStream, shared: Shared) {
    let mut ends = shared.streams.subscribe();
    ends.mark_unchanged();
    for stream in [&client, &far] {
        stream.set_nodelay(true).expect("a setting of a socket");
    }
    let mut first = [0; 7];
    let Ok(count) = client.peek(&mut first).await else { return };
    let kind = if first[..count] == *b"GET /ws" { Kind::Stream } else { Kind::Http };
    let (client_reads, mut client_writes) = client.into_split();
    let (far_reads, mut far_writes) = far.into_split();
    let mut is_reset = false;
    {
        let to_far = pipe(Direction::ToTheExchange, kind, client_reads, &mut far_writes, &shared);
        let to_client = pipe(Direction::ToTheClient, kind, far_reads, &mut client_writes, &shared);
        tokio::select! {
            cut = to_far => is_reset |= cut,
            cut = to_client => is_reset |= cut,
            _ = ends.changed(), if kind == Kind::Stream => {}
        }
    }
    if is_reset {
        // A reset instead of an end: the kernel sends it because of unread bytes, or of this setting.
        for half in [client_writes, far_writes] {
            let _ = half.as_ref().set_zero_linger();
        }
    }
}

/// Forwards one direction. Returns whether a cut must be a reset.
async fn pipe(
    direction: Direction,
    kind: Kind,
    mut from: OwnedReadHalf,
    to: &mut OwnedWriteHalf,
    shared: &Shared,
) -> bool {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = match from.read(&mut buffer).await {
            Ok(0) | Err(_) => return false,
            Ok(count) => count,
        };
        let (kept, cut) = passing(direction, kind, count, shared);
        if to.write_all(&buffer[..kept]).await.is_err() && cut.is_none() {
            return false;
        }
        if let Some(cut) = cut {
            // The test may have stopped waiting.
            let _ = cut.done.send(());
            return cut.is_reset;
        }
    }
}

/// How many of the bytes pass, and the cut that follows them, if one is due here.
fn passing(direction: Direction, kind: Kind, count: usize, shared: &Shared) -> (usize, Option<Cut>) {
    let mut plan = shared.plan();
    let Some(due) = plan.due.as_mut().filter(|due| due.direction == direction && due.kind == kind) else {
        return (count, None);
    };
    if due.bytes_left >= count {
        due.bytes_left -= count;
        return (count, None);
    }
    let kept = due.bytes_left;
    match kind {
        Kind::Http => plan.counts.http += 1,
        Kind::Stream => plan.counts.streams += 1,
    }
    (kept, plan.due.take())
}
