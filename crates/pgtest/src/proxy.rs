//! A loopback proxy that forwards bytes until a cut, when both sides see the connection end.
//!
//! A cut happens after a number of bytes in either direction, so it can fall anywhere: before a request, within it,
//! before the response or within that. Bytes sent to the server before the cut still reach it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU16, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
    open: Mutex<Vec<TcpStream>>,
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
            open: Mutex::new(Vec::new()),
        });
        let taking = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming() {
                if taking.is_over.load(Ordering::Acquire) {
                    return;
                }
                if let Ok(client) = client {
                    connect(&taking, client);
                }
            }
        });
        Proxy { port, state }
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

    /// How often connections in use were cut.
    pub fn cuts(&self) -> u64 {
        self.state.cuts.load(Ordering::Acquire)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Release);
        self.state.cut();
        // The thread waits for a connection and then sees that it must end.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl State {
    fn cut(&self) {
        let open = std::mem::take(&mut *self.open.lock().unwrap_or_else(PoisonError::into_inner));
        if !open.is_empty() {
            self.cuts.fetch_add(1, Ordering::AcqRel);
        }
        for stream in open {
            // The connection may already have ended.
            let _ = stream.shutdown(Shutdown::Both);
        }
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

fn connect(state: &Arc<State>, client: TcpStream) {
    let target = state.target.load(Ordering::Acquire);
    let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, target)) else { return };
    let both = [(&client, &server), (&server, &client)];
    for (from, to) in both {
        let _ = from.set_nodelay(true);
        let (Ok(from), Ok(to), Ok(kept)) = (from.try_clone(), to.try_clone(), from.try_clone()) else {
            return;
        };
        state.open.lock().unwrap_or_else(PoisonError::into_inner).push(kept);
        let state = Arc::clone(state);
        thread::spawn(move || forward(&state, from, to));
    }
}

fn forward(state: &State, mut from: TcpStream, mut to: TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
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
