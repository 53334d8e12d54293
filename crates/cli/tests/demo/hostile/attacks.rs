//! The attacks, each in a loop that ends when the honest traders are done. Every attack has a loopback address of its own.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::json;
use stage::demo::{Demo, market, signed_headers};

use super::wire::{Wire, dial};

/// Sockets that read nothing, opened as fast as the venue takes them.
const DEAF_SOCKETS_MAX: usize = 1_000;

/// The attackers' knowledge: addresses, and the public keys of all users.
pub(super) struct Target {
    base: String,
    orders: String,
    public_keys: Vec<String>,
    counts: [Counts; ATTACKS.len()],
}

#[derive(Default)]
struct Counts {
    answered: AtomicU64,
    limited: AtomicU64,
}

pub(super) struct Attack {
    name: &'static str,
    pub(super) run: fn(&Target, &AtomicBool),
}

pub(super) const ATTACKS: [Attack; 7] = [
    Attack { name: "sockets that ask for a large file and read nothing", run: deaf_sockets },
    Attack { name: "forged writes in the traders' names", run: forged_writes },
    Attack { name: "streams that arm cancelOnDisconnect by a public key", run: arming_strangers },
    Attack { name: "lists of events with a worthless cookie, first connection", run: |t, o| lists(t, o, 3) },
    Attack { name: "lists of events with a worthless cookie, second connection", run: |t, o| lists(t, o, 4) },
    Attack { name: "lists of events with a worthless cookie, third connection", run: |t, o| lists(t, o, 5) },
    Attack { name: "worthless password-reset tokens", run: worthless_resets },
];

impl Target {
    pub(super) fn of(demo: &Demo, traders: usize) -> Target {
        let (orders, _) = market(demo, "rain-in-lagos-on-new-years-day");
        let public_key = |person| demo.text(&format!("/users/{person}/publicKey")).to_owned();
        Target {
            base: demo.text("/baseUrl").to_owned(),
            orders,
            public_keys: (0..traders).map(public_key).collect(),
            counts: Default::default(),
        }
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        ATTACKS.iter().zip(&self.counts).map(|(attack, counts)| {
            (attack.name, counts.answered.load(Ordering::Relaxed), counts.limited.load(Ordering::Relaxed))
        })
    }

    fn count(&self, attack: usize, status: u16) {
        self.counts[attack].answered.fetch_add(1, Ordering::Relaxed);
        if status == 429 {
            self.counts[attack].limited.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn deaf_sockets(target: &Target, is_over: &AtomicBool) {
    let request = "GET /openapi.json HTTP/1.1\r\nhost: venue\r\n\r\n".repeat(50);
    let mut held: Vec<TcpStream> = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        if held.len() < DEAF_SOCKETS_MAX
            && let Ok(mut socket) = dial("127.0.0.2", &target.base)
        {
            let written = socket
                .set_write_timeout(Some(Duration::from_millis(50)))
                .and_then(|()| socket.write_all(request.as_bytes()));
            if written.is_ok() {
                target.count(0, 0);
                held.push(socket);
            }
        } else {
            patience::let_run(Duration::from_millis(10));
        }
    }
}

fn forged_writes(target: &Target, is_over: &AtomicBool) {
    let mut keys = target.public_keys.iter().cycle();
    repeat(target, is_over, 1, "127.0.0.3", |wire| {
        let key = keys.next().expect("a circle has no end");
        let headers = signed_headers(key, "sk_live_forged", "POST", &target.orders, b"{}");
        wire.ask("POST", &target.orders, &headers, "{}").map(|answer| answer.status)
    });
}

/// Opens a stream, arms it in a trader's name without a proof, and closes it.
fn arming_strangers(target: &Target, is_over: &AtomicBool) {
    let mut keys = target.public_keys.iter().cycle();
    while !is_over.load(Ordering::Relaxed) {
        let key = keys.next().expect("a circle has no end");
        let Ok(mut socket) = dial("127.0.0.4", &target.base) else {
            patience::let_run(Duration::from_millis(10));
            continue;
        };
        let message =
            json!({"type": "cancelOnDisconnect", "enabled": true, "auth": {"apiKey": key}}).to_string();
        let handshake = "GET /ws/v1/user HTTP/1.1\r\nhost: venue\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
            sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        if socket.write_all(handshake.as_bytes()).is_ok() && socket.write_all(&masked(&message)).is_ok() {
            target.count(2, 0);
        }
        // Long enough to be armed before the connection ends.
        patience::let_run(Duration::from_millis(5));
    }
}

/// A text message as a client sends it; the mask of zeros leaves it as it is.
fn masked(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).ok().filter(|length| *length < 126);
    let mut frame = match length {
        Some(length) => vec![0x81, 0x80 | length],
        None => {
            let length = u16::try_from(text.len()).expect("a short message");
            [&[0x81, 0x80 | 126][..], &length.to_be_bytes()].concat()
        }
    };
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    frame
}

fn lists(target: &Target, is_over: &AtomicBool, attack: usize) {
    let headers =
        [("x-bellwether-page", "1".to_owned()), ("cookie", "bellwether_session=worthless".to_owned())];
    repeat(target, is_over, attack, "127.0.0.5", |wire| {
        wire.ask("GET", "/v1/pm/events?size=100", &headers, "").map(|answer| answer.status)
    });
}

fn worthless_resets(target: &Target, is_over: &AtomicBool) {
    let body = json!({"token": "0".repeat(64), "password": "a new password"}).to_string();
    let headers = [("content-type", "application/json".to_owned())];
    repeat(target, is_over, 6, "127.0.0.6", |wire| {
        wire.ask("POST", "/v1/user/password-reset", &headers, &body).map(|answer| answer.status)
    });
}

/// Repeats requests on one connection, and reconnects when it ends.
fn repeat(
    target: &Target,
    is_over: &AtomicBool,
    attack: usize,
    address: &str,
    mut ask: impl FnMut(&mut Wire) -> std::io::Result<u16>,
) {
    while !is_over.load(Ordering::Relaxed) {
        let Ok(mut wire) = Wire::connect(address, &target.base) else {
            patience::let_run(Duration::from_millis(10));
            continue;
        };
        while !is_over.load(Ordering::Relaxed) {
            match ask(&mut wire) {
                Ok(status) => target.count(attack, status),
                Err(_) => break,
            }
        }
    }
}
