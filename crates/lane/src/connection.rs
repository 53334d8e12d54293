//! A connection of a lane: its socket, its bytes in both directions, and the stage of its current request.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use mio::net::TcpStream;

use crate::config::{Clock, Pace, Timeouts};
use crate::stall::Stall;

#[derive(Debug)]
pub(crate) struct Connection<C> {
    pub(crate) stream: TcpStream,
    /// The service's state.
    pub(crate) state: C,
    pub(crate) stage: Stage,
    /// Bytes that were read and not served yet. Usually empty: a request that arrives whole is served from the lane's
    /// own buffer.
    pub(crate) kept: Vec<u8>,
    /// The response, and how much of it has been written.
    pub(crate) out: Vec<u8>,
    pub(crate) sent: usize,
    /// When the current stage expires.
    pub(crate) deadline: Option<Instant>,
    pub(crate) stall: Option<Stall>,
    /// The kernel may have bytes, or the end of the stream. Readiness is edge-triggered, so this stays set until a read
    /// has found the end of the bytes.
    pub(crate) is_readable: bool,
    /// The peer has closed its side, or the socket has failed.
    pub(crate) is_peer_gone: bool,
    /// To be closed after the response.
    pub(crate) is_ending: bool,
    /// In the lane's list of connections to continue with.
    pub(crate) is_queued: bool,
}

/// The stage of a connection's current request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Reading the head; the first `seen` bytes do not complete it.
    Head { seen: usize },
    /// Reading the body; the whole request has `needed` bytes.
    Body { needed: usize },
    /// The service has the ticket with this serial.
    Waiting { serial: u64 },
    /// Writing the response.
    Answering,
}

/// The result of a read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// This many bytes were read, or everything was written.
    Done(usize),
    Blocked,
    /// The connection has ended.
    Ended,
}

impl<C> Connection<C> {
    pub(crate) fn new(stream: TcpStream, state: C, now: Instant, timeouts: &Timeouts) -> Connection<C> {
        Connection {
            stream,
            state,
            stage: Stage::Head { seen: 0 },
            kept: Vec::new(),
            out: Vec::new(),
            sent: 0,
            deadline: Some(now + timeouts.header),
            stall: None,
            is_readable: false,
            is_peer_gone: false,
            is_ending: false,
            is_queued: false,
        }
    }

    /// Whether the next bytes belong to the current request. Bytes of a later one stay in the kernel.
    pub(crate) fn is_reading(&self) -> bool {
        matches!(self.stage, Stage::Head { .. } | Stage::Body { .. })
    }

    /// Between two requests, with nothing of the next one.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.stage, Stage::Head { .. }) && self.kept.is_empty() && !self.is_readable
    }

    /// Reads once.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Transfer {
        match retry(|| self.stream.read(buffer)) {
            Ok(0) => Transfer::Ended,
            Ok(bytes) => {
                // A short read has emptied the kernel's buffer; later bytes give a new event (epoll(7)). The end of the
                // stream that was reported together with the bytes is still to be read.
                self.is_readable = bytes == buffer.len() || self.is_peer_gone;
                Transfer::Done(bytes)
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                self.is_readable = false;
                Transfer::Blocked
            }
            Err(_) => Transfer::Ended,
        }
    }

    /// Writes as much of the response as the kernel accepts. Reads the clock only if a write is blocked, because a turn
    /// may begin long before.
    pub(crate) fn write(&mut self, clock: &Clock, pace: Pace) -> Transfer {
        while self.sent < self.out.len() {
            match retry(|| self.stream.write(&self.out[self.sent..])) {
                Ok(0) => return Transfer::Ended,
                Ok(bytes) => {
                    self.sent += bytes;
                    if self.stall.as_mut().is_some_and(|stall| stall.unblock(bytes, clock.now())) {
                        self.stall = None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.stall.get_or_insert_with(|| Stall::new(pace)).block(clock.now());
                    return Transfer::Blocked;
                }
                Err(_) => return Transfer::Ended,
            }
        }
        Transfer::Done(self.sent)
    }
}

/// Repeats a system call that a signal interrupted.
fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
