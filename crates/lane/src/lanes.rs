//! All lanes of a listener: starts their threads, spreads connections over them, and drains them.

use std::io;
use std::mem;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use mio::{Poll, Waker};

use crate::config::Config;
use crate::lane::{Lane, MAILBOX};
use crate::mailbox::Mailbox;
use crate::service::{HandedOver, Service};

#[derive(Debug)]
pub struct Lanes<S: Service> {
    service: Arc<S>,
    mailboxes: Vec<Arc<Mailbox<S>>>,
    threads: Vec<JoinHandle<usize>>,
}

impl<S: Service> Lanes<S> {
    /// Starts the threads. Fails if the process has no descriptors or threads left.
    pub fn start(config: &Config, service: Arc<S>) -> io::Result<Lanes<S>> {
        let mut lanes = Lanes { service, mailboxes: Vec::new(), threads: Vec::new() };
        for number in 0..config.lanes.max(1) {
            let poll = Poll::new()?;
            let mailbox = Arc::new(Mailbox::new(Waker::new(poll.registry(), MAILBOX)?));
            let (service, config) = (lanes.service.clone(), config.clone());
            let own = mailbox.clone();
            let thread = thread::Builder::new().name(format!("lane-{number}"));
            lanes.threads.push(thread.spawn(move || Lane::new(service, config, poll, own).run())?);
            lanes.mailboxes.push(mailbox);
        }
        Ok(lanes)
    }

    /// Gives a connection to the lane with the fewest. After `stop` it is handed over at once.
    pub fn add(&self, stream: TcpStream, connection: S::Connection) {
        let load = |mailbox: &&Arc<Mailbox<S>>| mailbox.connections.load(Ordering::Relaxed);
        // Without this a read would block the lane; the socket is unusable then, and dropping it closes it.
        if stream.set_nonblocking(true).is_err() {
            return;
        }
        let rest = match self.mailboxes.iter().min_by_key(load) {
            Some(mailbox) => mailbox.add(stream, connection),
            None => Err((stream, connection)),
        };
        if let Err((stream, connection)) = rest {
            self.service.hand_over(HandedOver { stream, read: Vec::new(), connection });
        }
    }

    /// Open connections.
    pub fn connections(&self) -> usize {
        self.mailboxes.iter().map(|mailbox| mailbox.connections.load(Ordering::Relaxed)).sum()
    }

    /// Wakes every lane, so that it looks at a clock that was moved.
    pub fn wake(&self) {
        self.mailboxes.iter().for_each(|mailbox| mailbox.wake());
    }

    /// Closes idle connections and lets open requests finish. After `allowed`, the others are cut off.
    pub fn stop(&self, allowed: Duration) {
        self.mailboxes.iter().for_each(|mailbox| mailbox.stop(allowed));
    }

    /// Waits until all lanes have ended; call `stop` first. Blocks. Returns how many connections were cut off.
    pub fn join(mut self) -> usize {
        mem::take(&mut self.threads).into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
    }
}

impl<S: Service> Drop for Lanes<S> {
    /// Ends the threads that `stop` has not ended.
    fn drop(&mut self) {
        if !self.threads.is_empty() {
            self.stop(Duration::ZERO);
        }
    }
}
