//! The requests of the load, written and signed before the measurement. Only the idempotency key is filled in during
//! it, and cancels are signed then, because the server assigns the order's id.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use api::signing::{Payload, SigningKey, body_hash};

use crate::stage::{Market, User};

/// Digits of an idempotency key.
const KEY_DIGITS: usize = 16;
/// The order's id comes first in its response.
const ORDER_ID: &[u8] = b"\"order\":{\"id\":\"";
const ID_BYTES: usize = 36;

/// A request with a placeholder for its idempotency key.
#[derive(Clone, Debug)]
struct Prepared {
    bytes: Vec<u8>,
    hole: usize,
}

impl Prepared {
    fn new(user: &User, timestamp: &str, method: &str, path: &str, body: &str) -> Prepared {
        let head = head(user, timestamp, method, path, body);
        let mut bytes = format!("{head}Idempotency-Key: ").into_bytes();
        let hole = bytes.len();
        bytes.extend([b'0'; KEY_DIGITS]);
        bytes.extend(b"\r\n\r\n");
        bytes.extend(body.as_bytes());
        Prepared { bytes, hole }
    }

    fn write(&self, key: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
        let hole = out.len() - self.bytes.len() + self.hole;
        for (place, digit) in out[hole..hole + KEY_DIGITS].iter_mut().rev().zip(0..) {
            *place = b"0123456789abcdef"[(key >> (4 * digit)) as usize & 15];
        }
    }
}

fn head(user: &User, timestamp: &str, method: &str, path: &str, body: &str) -> String {
    let hash = body_hash(body.as_bytes());
    let payload = Payload { timestamp, method, path, body_hash: &hash };
    let signature = SigningKey::sign(&user.key, &payload);
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
    let public = &user.public_key;
    // Writing to a `String` cannot fail.
    let _ =
        write!(head, "X-Public-Key: {public}\r\nX-Timestamp: {timestamp}\r\nX-Signature: {signature}\r\n");
    if !body.is_empty() {
        let _ = write!(head, "Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    }
    head
}

fn order(market: &Market, side: &str, price: &str) -> String {
    let outcome = &market.yes;
    format!(
        r#"{{"side":"{side}","outcomeId":"{outcome}","quantity":10,"price":{price},"type":"LIMIT","currency":"USD"}}"#
    )
}

/// The requests of the connections, in order.
pub trait Script: Send {
    /// Writes the next request of a connection. `reply` is the body of its last response.
    fn next(&mut self, connection: usize, reply: &[u8], out: &mut Vec<u8>);
}

fn now_seconds() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().to_string()
}

/// Single orders. A turn is eight requests of one user in one market: three pairs of a BUY and a SELL that match
/// existing orders, one order far from the market, and its cancel. Books therefore stay small.
#[derive(Debug)]
pub struct Singles {
    users: Arc<Vec<User>>,
    markets: usize,
    /// By user and market: buy, sell, far.
    orders: Vec<[Prepared; 3]>,
    steps: Vec<usize>,
    timestamp: String,
    next_key: u64,
}

impl Singles {
    /// `first_key` must differ between runs: a repeated key is a replay.
    pub fn new(users: &Arc<Vec<User>>, markets: &[Market], connections: usize, first_key: u64) -> Singles {
        let timestamp = now_seconds();
        let prepare = |user: &User, market: &Market| {
            [("BUY", "0.5"), ("SELL", "0.5"), ("BUY", "0.1")].map(|(side, price)| {
                Prepared::new(user, &timestamp, "POST", &market.orders, &order(market, side, price))
            })
        };
        let orders =
            users.iter().flat_map(|user| markets.iter().map(move |market| prepare(user, market))).collect();
        Singles {
            users: users.clone(),
            markets: markets.len(),
            orders,
            // Connections start at different steps, so that sides are mixed from the start.
            steps: (0..connections).map(|connection| connection % 2).collect(),
            timestamp,
            next_key: first_key,
        }
    }
}

impl Script for Singles {
    fn next(&mut self, connection: usize, reply: &[u8], out: &mut Vec<u8>) {
        let step = self.steps[connection];
        self.steps[connection] += 1;
        self.next_key += 1;
        let (turn, place) = (step / 8, step % 8);
        let own = self.users.len() / self.steps.len();
        let user = connection * own + turn % own;
        let market = (turn + connection) % self.markets;
        let orders = &self.orders[user * self.markets + market];
        match place {
            7 => self.cancel(user, reply, out),
            6 => orders[2].write(self.next_key, out),
            _ => orders[place % 2].write(self.next_key, out),
        }
    }
}

impl Singles {
    fn cancel(&self, user: usize, reply: &[u8], out: &mut Vec<u8>) {
        let start = reply.windows(ORDER_ID.len()).position(|window| window == ORDER_ID);
        let id = start.and_then(|start| reply.get(start + ORDER_ID.len()..)?.get(..ID_BYTES));
        let id = id.and_then(|id| std::str::from_utf8(id).ok()).unwrap_or_default();
        let path = format!("/v1/pm/orders/{id}");
        Prepared::new(&self.users[user], &self.timestamp, "DELETE", &path, "").write(self.next_key, out);
    }
}

/// Batches of twenty: alternately buying and selling.
#[derive(Debug)]
pub struct Batches {
    batches: Vec<[Prepared; 2]>,
    steps: Vec<usize>,
    next_key: u64,
}

pub const BATCH: usize = 20;

impl Batches {
    pub fn new(users: &Arc<Vec<User>>, markets: &[Market], connections: usize, first_key: u64) -> Batches {
        let timestamp = now_seconds();
        let prepare = |user: &User| {
            ["BUY", "SELL"].map(|side| {
                let orders = markets.iter().cycle().take(BATCH).map(|market| order(market, side, "0.5"));
                let body = format!(r#"{{"orders":[{}]}}"#, orders.collect::<Vec<_>>().join(","));
                Prepared::new(user, &timestamp, "POST", "/v1/pm/orders/batch", &body)
            })
        };
        Batches {
            batches: users.iter().map(prepare).collect(),
            steps: (0..connections).map(|connection| connection % 2).collect(),
            next_key: first_key,
        }
    }
}

impl Script for Batches {
    fn next(&mut self, connection: usize, _: &[u8], out: &mut Vec<u8>) {
        let step = self.steps[connection];
        self.steps[connection] += 1;
        self.next_key += 1;
        let own = self.batches.len() / self.steps.len();
        let user = connection * own + step / 2 % own;
        self.batches[user][step % 2].write(self.next_key, out);
    }
}

/// A few pages, repeatedly.
#[derive(Debug)]
pub struct Reads {
    pages: Vec<Vec<u8>>,
    next: usize,
}

impl Reads {
    pub fn new(paths: impl Iterator<Item = String>) -> Reads {
        let page = |path| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes();
        Reads { pages: paths.map(page).collect(), next: 0 }
    }
}

impl Script for Reads {
    fn next(&mut self, _: usize, _: &[u8], out: &mut Vec<u8>) {
        self.next = (self.next + 1) % self.pages.len();
        out.extend_from_slice(&self.pages[self.next]);
    }
}
