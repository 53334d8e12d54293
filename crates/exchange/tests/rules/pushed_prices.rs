//! Feeds and operators are separate namespaces, and a result that rests on pushed prices takes two persons.

use exchange::catalogue::{AssetPrice, Status};
use exchange::command::{Command, CreateOperator, Finalise, PolicyChange, RecordPrice, Withdraw};
use exchange::governance::Subject;
use exchange::id::{Hash32, OperatorId};
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::create_series::new_series;
use crate::rules::persons::{command, operator_id, two_required};
use crate::rules::propose::propose;
use crate::rules::world::{START, World};

const INTERVAL: Span = Span::minutes(15);

fn price(value: i64, source: &str, at: Time) -> Command {
    let (symbol, source) = (Text::from("BTC"), Text::from(source));
    Command::RecordPrice(RecordPrice { symbol, value: AssetPrice(value), source, source_time: at })
}

/// A 15-minute series that counts `sources`, an operator and three approvers, with two persons required.
pub(crate) fn stage(sources: &[&str]) -> World {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    for approver in ["ada", "abel"] {
        world.operator(approver, Role::Approver);
    }
    let mut series = new_series("bitcoin");
    series.sources = sources.iter().map(|source| Text::from(*source)).collect();
    world.system(Command::CreateSeries(series)).expect("a series");
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    world
}

/// Calls `say` a second before a boundary, then moves past the boundary.
pub(crate) fn boundary(world: &mut World, at: Time, say: impl FnOnce(&mut World)) {
    world.now = at - Span::seconds(1);
    say(world);
    world.now = at + Span::seconds(1);
    world.system(Command::Tick).expect("a tick");
}

pub(crate) fn push(by: &'static str, value: i64) -> impl FnOnce(&mut World) {
    move |world| {
        let at = world.now;
        world.run_by(by, price(value, "desk", at)).expect("a price");
    }
}

/// One interval: it opens and closes with these prices, and the minute before its result is over.
fn interval(world: &mut World, open: impl FnOnce(&mut World), close: impl FnOnce(&mut World)) {
    boundary(world, START + INTERVAL, open);
    boundary(world, START + INTERVAL + INTERVAL, close);
    world.wait(Span::minutes(1));
    world.system(Command::Tick).expect("a tick");
}

fn first_status(world: &World) -> Status {
    world.exchange.catalogue().events().next().expect("an event").1.status
}

#[test]
fn an_operator_cannot_speak_as_a_feed() {
    let mut world = stage(&["desk"]);
    interval(&mut world, push("olga", 100), push("olga", 200));
    assert_eq!(world.exchange.catalogue().events().len(), 0, "the feed `desk` has no price");
    let now = world.now;
    let disguised = world.run_by("olga", price(1, "push:desk", now));
    assert!(matches!(disguised, Err(Reject::InvalidField { field: "source", .. })), "{disguised:?}");
}

#[test]
fn an_operator_who_pushes_without_end_takes_no_room_from_a_feed_of_that_name() {
    let mut world = stage(&["desk"]);
    boundary(&mut world, START + INTERVAL, |world| {
        let at = world.now;
        world.system(price(100, "desk", at)).expect("a price of the feed");
        for value in 1..=600 {
            world.run_by("olga", price(value, "desk", at)).expect("a pushed price");
        }
    });
    let event = world.exchange.catalogue().events().next().expect("the feed's price counts").1;
    assert_eq!(event.threshold, Some(AssetPrice(100)));
}

#[test]
fn a_feed_cannot_speak_as_an_operator() {
    let mut world = stage(&["push:desk"]);
    let feed = |value: i64| {
        move |world: &mut World| {
            let at = world.now;
            world.system(price(value, "desk", at)).expect("a price");
        }
    };
    interval(&mut world, feed(100), feed(200));
    assert_eq!(world.exchange.catalogue().events().len(), 0);
}

#[test]
fn a_result_by_pushed_prices_is_a_proposal_of_all_who_pushed_one() {
    let mut world = stage(&["push:desk"]);
    interval(&mut world, push("olga", 100), push("ada", 200));
    assert_eq!(first_status(&world), Status::Closed, "nothing is paid yet");
    let proposal = world.exchange.governance().proposals().next().expect("a proposal").clone();
    let mut proposers: Vec<_> = proposal.proposers().collect();
    proposers.sort_unstable();
    let mut expected = [operator_id("olga"), operator_id("ada")];
    expected.sort_unstable();
    assert_eq!(proposers, expected);
    assert!(matches!(proposal.subject, Subject::Resolution { .. }));
    let finalise = Command::Finalise(Finalise { proposal: proposal.id });
    assert_eq!(world.run_by("ada", finalise.clone()), Err(Reject::NeedsAnother));
    assert_eq!(world.run_by("abel", finalise), Ok(Reply::Done));
    assert_eq!(first_status(&world), Status::Resolved);
}

#[test]
fn one_pushed_price_is_enough_for_a_proposal_and_none_for_a_result_at_once() {
    let feed = |value: i64| {
        move |world: &mut World| {
            let at = world.now;
            world.system(price(value, "feed", at)).expect("a price");
        }
    };
    let mut world = stage(&[]);
    interval(&mut world, feed(100), push("olga", 200));
    assert_eq!((first_status(&world), world.exchange.governance().proposals().len()), (Status::Closed, 1));
    let mut world = stage(&[]);
    interval(&mut world, feed(100), feed(200));
    assert_eq!((first_status(&world), world.exchange.governance().proposals().len()), (Status::Resolved, 0));
}

#[test]
fn one_person_decides_where_one_is_enough() {
    let mut world = stage(&["push:desk"]);
    let one = Command::ChangePolicy(PolicyChange { two_required: Some(false), ..PolicyChange::default() });
    crate::rules::persons::agree(&mut world, "ada", "abel", one).expect("one is enough");
    interval(&mut world, push("olga", 100), push("olga", 200));
    assert_eq!(first_status(&world), Status::Resolved);
}

#[test]
fn a_withdrawn_result_is_not_proposed_again_even_after_a_restart() {
    let mut world = stage(&["push:desk"]);
    interval(&mut world, push("olga", 100), push("olga", 200));
    let proposal = world.exchange.governance().proposals().next().expect("a proposal").id;
    world
        .run_by("abel", Command::Withdraw(Withdraw { proposal, reason: Text::from("Wrong price") }))
        .expect("withdrawn");
    let bytes = exchange::codec::encode_snapshot(&world.exchange);
    world.exchange = exchange::codec::decode_snapshot(&bytes).expect("the state");
    world.wait(Span::minutes(5));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(world.exchange.governance().proposals().len(), 0);
    assert_eq!(first_status(&world), Status::Closed, "an operator decides by hand");
}

#[test]
fn results_by_pushed_prices_take_no_place_of_an_operators_hundred_proposals() {
    let mut world = stage(&["push:desk"]);
    interval(&mut world, push("olga", 100), push("olga", 200));
    let late = |number: u128| {
        let (id, token_hash) = (OperatorId::new(1_000 + number), Hash32::of(&format!("late {number}")));
        let new = Command::CreateOperator(CreateOperator {
            id,
            name: "late".into(),
            role: Role::Viewer,
            token_hash,
        });
        propose(&format!("by hand {number}"), command(new))
    };
    for number in 0..100 {
        world.run_by("ada", late(number)).expect("one of the hundred");
    }
    assert_eq!(world.run_by("ada", late(100)), Err(Reject::TooManyProposals));
    assert_eq!(world.exchange.governance().proposals().len(), 101);
}
