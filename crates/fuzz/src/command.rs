//! The command codec: decodes any bytes as a request.
//!
//! Decoding must return. An accepted request must encode to the bytes it came from, and decode to itself again.

use std::sync::LazyLock;

use exchange::codec::{CodecError, decode_request, encode_request};
use exchange::command::Request;

use crate::world::{self, Day};

static DAY: LazyLock<Day> = LazyLock::new(|| world::day(11, 60, 600));

pub(crate) fn run(input: &[u8]) {
    if let Ok(request) = decode_request(input) {
        let mut bytes = Vec::new();
        encode_request(&request, &mut bytes);
        assert_eq!(bytes, input, "a request has one encoding");
        check_round_trip(&request, decode_request);
    }
}

fn check_round_trip(request: &Request, decode: impl Fn(&[u8]) -> Result<Request, CodecError>) {
    let mut bytes = Vec::new();
    encode_request(request, &mut bytes);
    let again = decode(&bytes).expect("an encoded request can be decoded");
    assert_eq!(again, *request, "a request comes back equal");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let bytes = |request: &Request| {
        let mut bytes = Vec::new();
        encode_request(request, &mut bytes);
        bytes
    };
    DAY.requests.iter().map(|(_, request)| bytes(request)).collect()
}

#[cfg(test)]
mod tests {
    use exchange::codec::decode_request;
    use exchange::command::{CancelAfter, Command, Request};
    use exchange::identity::Actor;

    use super::check_round_trip;

    #[test]
    #[should_panic(expected = "a request comes back equal")]
    fn a_planted_reader_that_loses_a_field_is_noticed() {
        let command = Command::CancelAfter(CancelAfter { seconds: 60 });
        let request = Request { actor: Actor::System, idempotency: None, command };
        check_round_trip(&request, decode_request);
        check_round_trip(&request, |bytes| {
            decode_request(bytes).map(|request| Request { command: Command::Tick, ..request })
        });
    }
}
