//! Bytes of requests: there and back, the same for ever, and never a panic on junk.

use exchange::codec::{CodecError, decode_request, encode_request};
use exchange::command::{Command, Request};
use exchange::governance::{Evidence, Subject};
use exchange::id::{KeyId, OperatorId, OrderId, ProposalId, SessionId};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::order::{Item, Malformed};
use exchange::text::Text;

use crate::samples::every_command;
use crate::world::key_of;

fn bytes_of(request: &Request) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_request(request, &mut bytes);
    bytes
}

fn requests() -> Vec<Request> {
    let actors = [
        Actor::System,
        Actor::Key { key: KeyId::new(u128::MAX), generation: 70_000 },
        Actor::Session { session: SessionId::new(0) },
        Actor::Operator { operator: OperatorId::new(1) },
    ];
    let keys = [None, Some(IdempotencyKey { scope: 0, scope_more: u64::MAX, body: 1 << 40 })];
    let mut requests = Vec::new();
    for (number, command) in every_command().into_iter().enumerate() {
        let (actor, idempotency) = (actors[number % actors.len()], keys[number % keys.len()]);
        requests.push(Request { actor, idempotency, command });
    }
    requests
}

#[test]
fn every_command_comes_back_from_its_bytes() {
    for request in requests() {
        let bytes = bytes_of(&request);
        assert_eq!(bytes[0], 1, "the version");
        assert_eq!(decode_request(&bytes).expect("a request"), request);
    }
}

#[test]
fn a_request_is_appended_to_what_the_buffer_holds() {
    let request = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
    let mut bytes = vec![0xaa];
    encode_request(&request, &mut bytes);
    assert_eq!(bytes[0], 0xaa);
    assert_eq!(decode_request(&bytes[1..]).expect("a request"), request);
}

#[test]
fn the_bytes_of_a_request_are_those_of_the_first_release() {
    let request = Request {
        actor: key_of("alice"),
        idempotency: Some(IdempotencyKey { scope: 1, scope_more: 2, body: 3 }),
        command: Command::CancelOrder { order: OrderId::new(4) },
    };
    let hex: String = bytes_of(&request).iter().map(|byte| format!("{byte:02x}")).collect();
    expect_test::expect![
        "01838201825047c9e1f96d42e39ffa8b692f0a099d120083010203821852815000000000000000000000000000000004"
    ]
    .assert_eq(&hex);
}

#[test]
fn an_item_that_could_not_be_read_and_has_no_name_has_the_bytes_it_always_had() {
    let items = vec![Item::Malformed(Malformed::new(Text::from("bad")))];
    let request =
        Request { actor: Actor::System, idempotency: None, command: Command::AmendOrders { items } };
    let bytes = bytes_of(&request);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // Item 1 of its kind, with a record of one field: a text of three bytes.
    assert!(hex.ends_with("8201818163626164"), "{hex}");
    assert_eq!(decode_request(&bytes).expect("a request"), request);
}

#[test]
fn a_request_cut_off_anywhere_or_followed_by_anything_is_refused() {
    for request in requests() {
        let mut bytes = bytes_of(&request);
        for length in 0..bytes.len() {
            assert!(decode_request(&bytes[..length]).is_err(), "{request:?} cut at {length}");
        }
        bytes.push(0);
        assert!(matches!(decode_request(&bytes), Err(CodecError::TrailingBytes)), "{request:?}");
        bytes[0] = 2;
        assert!(matches!(decode_request(&bytes), Err(CodecError::UnknownVersion(2))));
    }
}

#[test]
fn a_request_with_any_byte_changed_is_read_or_refused_but_never_panics() {
    let mut refused = 0;
    for request in requests() {
        let good = bytes_of(&request);
        for place in 0..good.len() {
            for value in [0x00, 0x1b, 0x3b, 0x5b, 0x7b, 0x9b, 0x9f, 0xbb, 0xf6, 0xff, good[place] ^ 1] {
                let mut bytes = good.clone();
                bytes[place] = value;
                refused += usize::from(decode_request(&bytes).is_err());
            }
        }
    }
    assert!(refused > 10_000, "most of it is junk: {refused}");
}

/// The journal keeps refused requests too. A refused request that cannot be read would stop every later start.
#[test]
fn a_proposal_that_the_rules_refuse_comes_back_from_its_bytes() {
    let proposal = |command: Command| Request {
        actor: Actor::System,
        idempotency: None,
        command: Command::Propose {
            id: ProposalId::new(1),
            subject: Subject::Command(Box::new(command)),
            evidence: Evidence::default(),
        },
    };
    let operator = OperatorId::new(2);
    for command in [Command::Tick, Command::SuspendOperator { operator, suspended: true }] {
        let request = proposal(command);
        assert_eq!(decode_request(&bytes_of(&request)).expect("a request"), request);
    }
    let nested = proposal(proposal(Command::Tick).command);
    assert!(decode_request(&bytes_of(&nested)).is_err(), "a deep one would use up the stack");
}

#[test]
fn an_order_record_comes_back_from_its_bytes_and_nothing_else_does() {
    use crate::world::{World, limit};
    use exchange::numbers::{Money, Shares};
    use exchange::order::{Outcome, Side};

    let mut world = World::new();
    world.clob("rain", 200);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    let mut new = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    new.client_order_id = Some(Text::from("mm-1"));
    let record = world.place("alice", new).expect("an order");
    let bytes = exchange::codec::encode_record(&record);
    assert_eq!(exchange::codec::decode_record(&bytes).expect("our own bytes"), record);
    for length in 0..bytes.len() {
        assert!(exchange::codec::decode_record(&bytes[..length]).is_err(), "cut at {length}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(exchange::codec::decode_record(&longer).is_err());
}
