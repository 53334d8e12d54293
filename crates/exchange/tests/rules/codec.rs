//! Encoded requests: they round-trip, their bytes never change, and junk never causes a panic.

use exchange::codec::{CodecError, decode_request, encode_request};
use exchange::command::{
    AmendOrders, CancelAllOrders, CancelOrder, Command, Propose, Request, SuspendOperator,
};
use exchange::governance::{Evidence, Subject};
use exchange::id::{KeyId, OperatorId, OrderId, ProposalId, SessionId};
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use exchange::identity::Actor;
use exchange::order::{Item, Malformed};
use exchange::text::Text;

use crate::rules::samples::every_command;
use crate::rules::world::key_of;

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
    let key = IdempotencyKey { scope: 0, scope_low: u64::MAX, body: 1 << 40, window: None };
    let keys = [None, Some(key), Some(IdempotencyKey { window: KeyWindow::new(600), ..key })];
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
        assert_eq!(bytes[0], 2, "the version");
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
fn the_bytes_of_a_request_never_change() {
    let request = Request {
        actor: key_of("alice"),
        idempotency: Some(IdempotencyKey { scope: 1, scope_low: 2, body: 3, window: None }),
        command: Command::CancelOrder(CancelOrder { order: OrderId::new(4) }),
    };
    let hex: String = bytes_of(&request).iter().map(|byte| format!("{byte:02x}")).collect();
    expect_test::expect![
        "02838201825047c9e1f96d42e39ffa8b692f0a099d12008301020382185281815000000000000000000000000000000004"
    ]
    .assert_eq(&hex);
}

#[test]
fn an_item_that_could_not_be_read_and_has_no_name_has_the_bytes_it_always_had() {
    let items = vec![Item::Malformed(Malformed::new(Text::from("bad")))];
    let request = Request {
        actor: Actor::System,
        idempotency: None,
        command: Command::AmendOrders(AmendOrders { items }),
    };
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
        bytes[0] = 3;
        assert!(matches!(decode_request(&bytes), Err(CodecError::UnknownVersion(3))));
    }
}

/// CancelOrder's number, then its payload: an array of one field, an id of 16 bytes.
const CANCEL_ORDER: [u8; 6] = [0x82, 0x18, 0x52, 0x81, 0x81, 0x50];

fn cancel_order() -> (Vec<u8>, usize) {
    let command = Command::CancelOrder(CancelOrder { order: OrderId::new(4) });
    let bytes = bytes_of(&Request { actor: Actor::System, idempotency: None, command });
    let start = bytes.len() - CANCEL_ORDER.len() - 16;
    assert_eq!(bytes[start..start + CANCEL_ORDER.len()], CANCEL_ORDER);
    (bytes, start)
}

#[test]
fn a_request_with_a_field_that_this_build_does_not_know_is_refused() {
    let (bytes, start) = cancel_order();
    assert_eq!(bytes[1], 0x83, "a request of three fields");
    let with_another_field = |head: usize| {
        let mut bytes = bytes.clone();
        bytes[head] += 1;
        bytes.push(0x07);
        decode_request(&bytes)
    };
    let (in_payload, in_variant, in_request) = (start + 4, start + 3, 1);
    assert!(matches!(with_another_field(in_payload), Err(CodecError::NotCanonical)));
    for head in [in_variant, in_request] {
        assert!(matches!(with_another_field(head), Err(CodecError::Malformed(_))), "at {head}");
    }
}

#[test]
fn a_number_in_a_longer_form_is_refused() {
    let (mut bytes, start) = cancel_order();
    assert_eq!(bytes[start + 1..start + 3], [0x18, 0x52], "a number of one byte");
    bytes.splice(start + 1..start + 3, [0x19, 0x00, 0x52]);
    assert!(matches!(decode_request(&bytes), Err(CodecError::NotCanonical)));
}

#[test]
fn a_request_that_spells_out_an_option_which_is_not_given_is_refused() {
    let command = Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None });
    let mut bytes = bytes_of(&Request { actor: Actor::System, idempotency: None, command });
    assert_eq!(bytes.pop(), Some(0x80), "three options, none given");
    bytes.extend([0x83, 0xf6, 0xf6, 0xf6]);
    assert!(matches!(decode_request(&bytes), Err(CodecError::NotCanonical)));
}

#[test]
fn a_command_that_this_build_does_not_know_is_refused() {
    let (mut bytes, start) = cancel_order();
    bytes[start + 2] = 0xfe;
    assert!(matches!(decode_request(&bytes), Err(CodecError::Malformed(_))));
}

#[test]
fn a_number_in_a_longer_spelling_than_ours_is_refused() {
    let (bytes, start) = cancel_order();
    // 0x52 in two bytes instead of one.
    let longer = [&bytes[..start + 1], &[0x19, 0x00], &bytes[start + 2..]].concat();
    assert!(matches!(decode_request(&longer), Err(CodecError::NotCanonical)));
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
        command: Command::Propose(Propose {
            id: ProposalId::new(1),
            subject: Subject::Command(Box::new(command)),
            evidence: Evidence::default(),
        }),
    };
    let operator = OperatorId::new(2);
    for command in
        [Command::Tick, Command::SuspendOperator(SuspendOperator { operator, suspended: true, until: None })]
    {
        let request = proposal(command);
        assert_eq!(decode_request(&bytes_of(&request)).expect("a request"), request);
    }
    let nested = proposal(proposal(Command::Tick).command);
    assert!(decode_request(&bytes_of(&nested)).is_err(), "a deep one would use up the stack");
}

#[test]
fn an_order_record_comes_back_from_its_bytes_and_nothing_else_does() {
    use crate::rules::world::{World, limit};
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

#[test]
fn a_key_has_a_window_of_60_seconds_to_a_day_as_its_fourth_field() {
    let with_window = |seconds| Request {
        actor: Actor::System,
        idempotency: Some(IdempotencyKey {
            scope: 1,
            scope_low: 2,
            body: 3,
            window: KeyWindow::new(seconds),
        }),
        command: Command::Tick,
    };
    let hex = |seconds| {
        bytes_of(&with_window(seconds)).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    assert!(hex(600).contains("84010203190258"), "{}", hex(600));
    // A day is the life of every other key: it has one encoding, which is the old one.
    assert!(hex(86_400).contains("83010203"), "{}", hex(86_400));
    for (seconds, is_window) in [(59, false), (60, true), (86_399, true), (86_400, false), (u32::MAX, false)]
    {
        assert_eq!(KeyWindow::new(seconds).is_some(), is_window, "{seconds}");
    }
    let mut bytes = bytes_of(&with_window(60));
    let place = bytes.windows(6).position(|found| found == [0x84, 1, 2, 3, 0x18, 60]).expect("the key");
    bytes[place + 5] = 59;
    assert!(matches!(decode_request(&bytes), Err(CodecError::Malformed(_))), "too short");
}
