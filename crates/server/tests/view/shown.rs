//! What the answer to an operator shows: its stored form, and that of the previous build.

use exchange::catalogue::Engine;
use exchange::command::{
    CancelMarkets, Command, CreateOperator, CreditWallet, Finalise, NewsNote, PauseTrading, PolicyChange,
    Propose, RecordNews, SetCancelOnly, SuspendOperator, SuspendUser, Target, UpgradeRules,
};
use exchange::governance::{CancelOnlyCause, Evidence, Subject, Verdict};
use exchange::id::{Hash32, NewsId, OperatorId, ProposalId, UserId};
use exchange::identity::{Actor, Role};
use exchange::numbers::{Cents, Currency, Money};
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;
use exchange::{Exchange, Request};
use serde_json::{Value, json};
use server::respond::Shown;
use server::respond::stored::{OperatorsAnswer, decode_operators, encode_shown};

use crate::stage::{Stage, event_id, id, market_id};

const ANNA: OperatorId = OperatorId::new(0xa);

/// A stage with the newest rules and an approver.
fn office() -> Stage {
    let mut stage = Stage::usual();
    stage.system(Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION }));
    let (name, token_hash) = (Text::from("anna"), Hash32::of("anna"));
    stage.system(Command::CreateOperator(CreateOperator {
        id: ANNA,
        name,
        role: Role::Approver,
        token_hash,
    }));
    stage
}

/// Applies a command of the approver. Returns what its answer shows.
fn shown(stage: &mut Stage, command: Command) -> Shown {
    let request = Request { actor: Actor::Operator { operator: ANNA }, idempotency: None, command };
    let reply = stage.exchange.apply(stage.now, &request).expect("a request of this build");
    let reply = reply.expect("a command that is taken");
    Shown::of(&stage.exchange, &request.command, &reply).expect("an operator's command shows something")
}

fn credit(amount: i64, reference: &str) -> Command {
    let (user, currency, amount) = (UserId::new(id("alice")), Currency::Usd, Money::new(amount));
    Command::CreditWallet(CreditWallet { user, currency, amount, reference: Text::from(reference) })
}

fn propose(number: u128, subject: Subject) -> Command {
    let evidence =
        Evidence { text: Text::from("It was \"seen\"."), link: Text::from("https://example.org/1") };
    Command::Propose(Propose { id: ProposalId::new(number), subject, evidence })
}

#[test]
fn what_an_answer_shows_is_the_same_after_it_was_stored() {
    let mut stage = office();
    stage.draft("fog", Engine::Clob, &[Currency::Usd]);
    let verdict =
        Subject::Resolution { event: event_id("fog"), verdict: Verdict::Cancelled { yes: Cents::HALF } };
    let change = PolicyChange { resolution_delay_seconds: Some(90), ..PolicyChange::default() };
    let alice = UserId::new(id("alice"));
    let note =
        NewsNote { at: stage.now, title: Text::from("Rain?"), link: Text::from("https://example.org") };
    let news = |note| RecordNews { event: event_id("rain"), news: NewsId::new(5), note };
    let commands = [
        credit(1_234_567, "odd"),
        credit(1_234_567, "odd"),
        Command::PauseTrading(PauseTrading { target: Target::Market(market_id("snow")) }),
        Command::CancelMarkets(CancelMarkets { target: Target::Event(event_id("snow")), yes: Cents::HALF }),
        Command::ChangePolicy(change),
        propose(1, verdict),
        propose(2, Subject::Command(Box::new(credit(1, "agreed")))),
        Command::Finalise(Finalise { proposal: ProposalId::new(2) }),
        Command::SuspendUser(SuspendUser { user: alice, suspended: true, keep_orders: true }),
        Command::SuspendOperator(SuspendOperator {
            operator: OperatorId::new(0xb),
            suspended: true,
            until: Some(stage.now + Span::hours(1)),
        }),
        Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::Operator, on: true }),
        Command::RecordNews(news(Some(note))),
        Command::RecordNews(news(None)),
    ];
    let other = CreateOperator {
        id: OperatorId::new(0xb),
        name: Text::from("bert"),
        role: Role::Viewer,
        token_hash: Hash32::of("bert"),
    };
    stage.system(Command::CreateOperator(other));
    for command in commands {
        let name = command.name();
        let shown = shown(&mut stage, command);
        let stored = decode_operators(&encode_shown(&shown)).expect("our own encoding");
        assert_eq!(stored, OperatorsAnswer::Shown(shown), "{name}");
    }
}

#[test]
fn an_identical_credit_and_a_pending_proposal_are_shown_as_of_the_command() {
    let mut stage = office();
    let wallet = |shown: Shown| match shown {
        Shown::Wallet { wallet, repeated } => (
            serde_json::from_slice::<Value>(&api::json::to_vec(&wallet)).expect("JSON")["availableBalance"]
                .clone(),
            repeated,
        ),
        other => panic!("{other:?}"),
    };
    assert_eq!(wallet(shown(&mut stage, credit(250_000, "once"))), (json!(1_000.25), false));
    assert_eq!(wallet(shown(&mut stage, credit(250_000, "once"))), (json!(1_000.25), true));
    let proposed = shown(&mut stage, propose(7, Subject::Command(Box::new(credit(5, "two")))));
    let from: Value = match proposed {
        Shown::Proposed { final_from, .. } => json!(final_from),
        other => panic!("{other:?}"),
    };
    assert_eq!(from, json!("2026-01-01T00:00:00Z"));
    let finalised = shown(&mut stage, Command::Finalise(Finalise { proposal: ProposalId::new(7) }));
    assert_eq!(finalised, Shown::Proposals { pending: Vec::new(), erases: false });
}

#[test]
fn an_answer_that_the_previous_build_stored_is_read_as_its_reply() {
    let old: [(&[u8], Reply); 5] = [
        (&[1, 0x82, 11, 0x81, 0], Reply::Done),
        (&[1, 0x82, 11, 0x82, 2, 0x80], Reply::Events(Vec::new())),
        (&[1, 0x82, 11, 0x82, 3, 0x80], Reply::Orders(Vec::new())),
        (&[1, 0x82, 11, 0x82, 4, 3], Reply::Finalised(3)),
        (&[1, 0x82, 11, 0x82, 6, 0x18, 42], Reply::Repeated { seq: 42 }),
    ];
    for (bytes, reply) in old {
        assert_eq!(decode_operators(bytes).expect("a known form"), OperatorsAnswer::Reply(reply));
        for end in 0..bytes.len() {
            assert!(decode_operators(&bytes[..end]).is_err(), "{bytes:?} up to {end}");
        }
        assert!(decode_operators(&[bytes, &[0]].concat()).is_err(), "a byte too many");
    }
    // Its answer was made from the state of the repetition.
    let mut stage = office();
    let pause = Command::PauseTrading(PauseTrading { target: Target::Event(event_id("rain")) });
    let first = shown(&mut stage, pause.clone());
    assert_eq!(Shown::of(&stage.exchange, &pause, &Reply::Done), Some(first));
    // A shape that is not an operator's, and a form to come.
    assert!(decode_operators(&[1, 0x82, 4, 0xf6]).is_err());
    assert!(decode_operators(&[2, 0x82, 11, 0x81, 0]).is_err());
}
