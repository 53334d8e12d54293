//! The inbox of a lane: replies from other threads and new connections, with at most one wake-up per sleep.

use std::fmt;
use std::mem;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mio::Waker;

use crate::service::Service;

/// Names a request in flight, so that another thread can send its reply to the lane's mailbox. A ticket is never reused:
/// a reply whose connection has ended is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ticket {
    pub(crate) slot: usize,
    /// Counts the requests of a lane.
    pub(crate) serial: u64,
}

/// Replies and new connections, each in the order of their arrival.
pub(crate) struct Mail<S: Service> {
    pub(crate) replies: Vec<(Ticket, S::Reply)>,
    pub(crate) arrivals: Vec<(TcpStream, S::Connection)>,
}

impl<S: Service> Default for Mail<S> {
    fn default() -> Mail<S> {
        Mail { replies: Vec::new(), arrivals: Vec::new() }
    }
}

/// Receives replies from other threads. One lock and, only if the lane sleeps, one system call per delivery.
pub struct Mailbox<S: Service> {
    inbox: Mutex<Inbox<S>>,
    waker: Waker,
    /// Connections of the lane, including those in the inbox.
    pub(crate) connections: AtomicUsize,
}

struct Inbox<S: Service> {
    mail: Mail<S>,
    /// Set by the drain: how long open requests may take.
    stopping: Option<Duration>,
    is_asleep: bool,
    /// Something was posted that the lane has not collected.
    is_posted: bool,
}

impl<S: Service> Mailbox<S> {
    pub(crate) fn new(waker: Waker) -> Mailbox<S> {
        let inbox = Inbox { mail: Mail::default(), stopping: None, is_asleep: false, is_posted: false };
        Mailbox { inbox: Mutex::new(inbox), waker, connections: AtomicUsize::new(0) }
    }

    /// Sends one reply.
    pub fn send(&self, ticket: Ticket, reply: S::Reply) {
        self.post(|inbox| inbox.mail.replies.push((ticket, reply)));
    }

    /// Sends all replies of a group and leaves the vector empty.
    pub fn deliver(&self, replies: &mut Vec<(Ticket, S::Reply)>) {
        if !replies.is_empty() {
            self.post(|inbox| inbox.mail.replies.append(replies));
        }
    }

    /// Gives the lane a connection. Returns it if the lane is stopping.
    pub(crate) fn add(
        &self,
        stream: TcpStream,
        connection: S::Connection,
    ) -> Result<(), (TcpStream, S::Connection)> {
        self.post(|inbox| {
            if inbox.stopping.is_some() {
                return Err((stream, connection));
            }
            self.connections.fetch_add(1, Ordering::Relaxed);
            inbox.mail.arrivals.push((stream, connection));
            Ok(())
        })
    }

    pub(crate) fn stop(&self, allowed: Duration) {
        self.post(|inbox| inbox.stopping = Some(allowed));
    }

    pub(crate) fn wake(&self) {
        self.post(|_| ());
    }

    /// Changes the inbox and wakes the lane if it sleeps.
    fn post<T>(&self, change: impl FnOnce(&mut Inbox<S>) -> T) -> T {
        let mut inbox = self.lock();
        let changed = change(&mut inbox);
        inbox.is_posted = true;
        let was_asleep = mem::replace(&mut inbox.is_asleep, false);
        drop(inbox);
        if was_asleep {
            // An eventfd accepts every write of a wake-up; a failure means that the process has no lane any more.
            let _ = self.waker.wake();
        }
        changed
    }

    /// Announces that the lane is about to sleep. Returns false if something was posted since the last `collect`.
    pub(crate) fn fall_asleep(&self) -> bool {
        let mut inbox = self.lock();
        inbox.is_asleep = !inbox.is_posted;
        inbox.is_asleep
    }

    /// The lane is awake: swaps the contents of the inbox for empty lists. Returns the drain's time limit, if any.
    pub(crate) fn collect(&self, mail: &mut Mail<S>) -> Option<Duration> {
        debug_assert!(mail.replies.is_empty() && mail.arrivals.is_empty(), "the last mail was handled");
        let mut inbox = self.lock();
        (inbox.is_asleep, inbox.is_posted) = (false, false);
        mem::swap(&mut inbox.mail, mail);
        inbox.stopping
    }

    fn lock(&self) -> MutexGuard<'_, Inbox<S>> {
        // No code that can panic runs under the lock.
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Service> fmt::Debug for Mailbox<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Mailbox").field("connections", &self.connections).finish_non_exhaustive()
    }
}
