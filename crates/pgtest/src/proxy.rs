//! A loopback proxy that forwards bytes until a cut, when both sides see the connection end.
//!
//! A cut happens after a number of bytes in either direction, so it can fall anywhere: before a request, within it,
//! before the response or within that. Bytes sent to the server before the cut still reach it. A proxy can also be
//! isolated, as by a network that drops every packet, or closed, as by a machine without the service.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// A running proxy. Dropping it stops accepting connections.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    target: AtomicU16,
    /// Bytes to forward before the next cut; negative if none is planned.
    left: AtomicI64,
    cuts: AtomicU64,
    is_over: AtomicBool,
    reach: Mutex<Reach>,
    reach_changed: Condvar,
    /// The streams of open connections, each under the number of its connection.
    open: Mutex<Vec<(u64, TcpStream)>>,
    connections: AtomicU64,
}

/// How the target can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    Open,
    /// Connections stay open, and no byte passes.
    Silent,
    /// Connections end at once.
    Closed,
}

impl Proxy {
    pub fn start(target: u16) -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let state = Arc::new(State {
            target: AtomicU16::new(target),
            left: AtomicI64::new(-1),
            cuts: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            reach: Mutex::new(Reach::Open),
            reach_changed: Condvar::new(),
            open: Mutex::new(Vec::new()),
            connections: AtomicU64::new(0),
        });
        let taking = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming() {
                if taking.is_over.load(Ordering::Acquire) {
                    return;
                }
                let Ok(client) = client else { continue };
                match taking.reach() {
                    Reach::Open => connect(&taking, client),
                    Reach::Silent => hold(&taking, client),
                    Reach::Closed => drop(client),
                }
            }
        });
        Proxy { port, state }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address of a database behind the proxy.
    pub fn url(&self, database: &str) -> String {
        crate::server::url(self.port, database)
    }

    /// Sends new connections to this port from now on.
    pub fn redirect_to(&self, port: u16) {
        self.state.target.store(port, Ordering::Release);
    }

    /// Cuts all connections after this many more bytes, once.
    pub fn cut_after(&self, bytes: u32) {
        self.state.left.store(i64::from(bytes), Ordering::Release);
    }

    /// Cancels a planned cut.
    pub fn cancel_cut(&self) {
        self.state.left.store(-1, Ordering::Release);
    }

    /// Cuts all connections now.
    pub fn cut(&self) {
        self.state.cut();
    }

    /// Drops every byte from now on. Neither side sees a connection end, and a new one gets no answer.
    pub fn isolate(&self) {
        self.state.set_reach(Reach::Silent);
    }

    /// Ends all connections, and each new one at once.
    pub fn close(&self) {
        self.state.set_reach(Reach::Closed);
        self.state.cut();
    }

    /// Ends an isolation or a closure. Connections that lost a byte meanwhile end.
    pub fn restore(&self) {
        self.state.set_reach(Reach::Open);
    }

    /// How often connections in use were cut.
    pub fn cuts(&self) -> u64 {
        self.state.cuts.load(Ordering::Acquire)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Release);
        self.state.set_reach(Reach::Closed);
        self.state.cut();
        // The thread waits for a connection and then sees that it must end.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl State {
    fn reach(&self) -> Reach {
        *self.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_reach(&self, reach: Reach) {
        *self.reach.lock().unwrap_or_else(PoisonError::into_inner) = reach;
        self.reach_changed.notify_all();
    }

    /// Returns when bytes pass again, or connections end.
    fn wait_while_silent(&self) {
        let reach = self.reach.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.reach_changed.wait_while(reach, |reach| *reach == Reach::Silent);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn cut(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        if !open.is_empty() {
            self.cuts.fetch_add(1, Ordering::AcqRel);
        }
        for (_, stream) in open {
            // The connection may already have ended.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Forgets a connection that has ended, and with it the descriptors.
    fn forget(&self, connection: u64) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(number, _)| *number != connection);
    }

    /// How many of the wanted bytes may pass, and whether the cut follows them.
    fn pass(&self, wanted: usize) -> (usize, bool) {
        let wanted = i64::try_from(wanted).expect("a buffer's length");
        let before = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| match left {
            ..0 => None,
            left if left < wanted => Some(-1),
            left => Some(left - wanted),
        });
        match before {
            Ok(left) if left < wanted => (usize::try_from(left).expect("it is not negative"), true),
            _ => (usize::try_from(wanted).expect("it was a usize"), false),
        }
    }
}

/// Keeps a connection open without an answer until the isolation ends.
fn hold(state: &Arc<State>, client: TcpStream) {
    let state = Arc::clone(state);
    thread::spawn(move || {
        state.wait_while_silent();
        drop(client);
    });
}

fn connect(state: &Arc<State>, client: TcpStream) {
    let target = state.target.load(Ordering::Acquire);
    let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, target)) else { return };
    let connection = state.connections.fetch_add(1, Ordering::Relaxed);
    let both = [(&client, &server), (&server, &client)];
    for (from, to) in both {
        let _ = from.set_nodelay(true);
        let (Ok(from), Ok(to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone()) else {
            return;
        };
        state.open.lock().unwrap_or_else(PoisonError::into_inner).push((connection, kept));
        let state = Arc::clone(state);
        thread::spawn(move || {
            forward(&state, from, to);
            state.forget(connection);
        });
    }
}

fn forward(state: &State, mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(read) = from.read(&mut buffer) {
        // The end of a connection does not pass an isolation either.
        if state.reach() == Reach::Silent {
            state.wait_while_silent();
            break;
        }
        if read == 0 {
            break;
        }
        let (passing, is_cut) = state.pass(read);
        let written = to.write_all(&buffer[..passing]);
        if is_cut {
            state.cut();
        }
        if is_cut || written.is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
