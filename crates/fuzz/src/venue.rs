//! Commands on a small venue: any bytes as a sequence of requests.
//!
//! Applying any decodable request, with any sender, must preserve every invariant, and the state must be restorable
//! from its snapshot.

use std::sync::LazyLock;

use exchange::Exchange;
use exchange::codec::{decode_request, decode_snapshot, encode_request, encode_snapshot};
use exchange::command::Request;
use exchange::time::Time;

use crate::world::{self, Day};

/// Applied requests per input.
const REQUESTS_MAX: usize = 16;

static DAY: LazyLock<Day> = LazyLock::new(|| world::day(11, 60, 600));

pub(crate) fn run(input: &[u8]) {
    let mut exchange = DAY.exchange.clone();
    let mut at = exchange.now();
    let mut rest = input;
    for _ in 0..REQUESTS_MAX {
        let Some((step, request, behind)) = next_request(rest) else { break };
        at = later(at, step);
        // The rules may refuse it.
        let _ = exchange.apply(at, &request).expect("a request of this build");
        rest = behind;
    }
    if rest.len() == input.len() {
        return;
    }
    if let Err(broken) = exchange::invariants::check_all(&exchange) {
        panic!("{broken:?}");
    }
    // The most expensive check runs for one input in eight.
    if input.len().is_multiple_of(8) {
        check_restored(&exchange);
    }
}

/// An item is a time step and a request, whose encoding determines its end. `None` if no request can be decoded.
fn next_request(input: &[u8]) -> Option<(u8, Request, &[u8])> {
    let (step, rest) = input.split_first()?;
    let (_version, body) = rest.split_first()?;
    let mut decoder = minicbor::Decoder::new(body);
    // If the item cannot be skipped, the rest is a truncated request.
    let length = decoder.skip().map_or(rest.len(), |()| 1 + decoder.position());
    let (bytes, behind) = rest.split_at(length);
    let request = decode_request(bytes).ok()?;
    Some((*step, request, behind))
}

/// No time, or a power of two of microseconds: up to several days, which reaches every timer but the longest.
fn later(at: Time, step: u8) -> Time {
    match step % 40 {
        0 => at,
        power => Time::from_micros(at.micros().saturating_add(1 << (power - 1))),
    }
}

fn check_restored(exchange: &Exchange) {
    let bytes = encode_snapshot(exchange);
    let restored = decode_snapshot(&bytes).expect("an encoded snapshot can be decoded");
    assert_eq!(restored.next_due(), exchange.next_due(), "timers follow from the rest of a snapshot");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let item = |(_, request): &(Time, Request)| {
        let mut bytes = vec![1];
        encode_request(request, &mut bytes);
        bytes
    };
    let items: Vec<_> = DAY.requests.iter().map(item).collect();
    let single = items.iter().cloned();
    single.chain(items.chunks(8).map(<[_]>::concat)).collect()
}
