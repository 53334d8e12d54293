//! Reset tokens: in the future, a week at most, one at a time.

use exchange::Exchange;
use exchange::command::Command;
use exchange::id::{Hash32, UserId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::world::{START, World, id};

fn issue(user: UserId, token: &str, expires_at: Time) -> Command {
    Command::IssuePasswordReset { user, token_hash: Hash32::of(token), expires_at }
}

fn redeem(token: &str) -> Command {
    Command::ResetPassword {
        token_hash: Hash32::of(token),
        password_hash: Text::from("new"),
        keep_keys: false,
    }
}

#[test]
fn issue_password_reset_takes_an_end_within_seven_days() {
    let alice = UserId::new(id("alice"));
    let week = START + Span::days(7);
    let rows = [
        (START - Span::seconds(1), false),
        (START, false),
        (Time::from_micros(START.micros() + 1), true),
        (week, true),
        (Time::from_micros(week.micros() + 1), false),
        (Time::NEVER, false),
    ];
    for (expires_at, is_fine) in rows {
        let mut world = World::new();
        world.user("alice");
        let result = world.system(issue(alice, "token", expires_at));
        let refused = matches!(result, Err(Reject::InvalidField { field: "expires_at", .. }));
        assert_eq!((result.is_ok(), refused), (is_fine, !is_fine), "{expires_at:?}: {result:?}");
    }
}

#[test]
fn issue_password_reset_replaces_the_token_before() {
    let mut world = World::new();
    world.user("alice");
    let alice = UserId::new(id("alice"));
    assert_eq!(world.system(issue(alice, "first", START + Span::hours(1))), Ok(Reply::Done));
    assert_eq!(world.exchange.next_due(), Some(START + Span::hours(1)));
    assert_eq!(world.system(issue(alice, "second", START + Span::hours(2))), Ok(Reply::Done));
    assert_eq!(world.exchange.next_due(), Some(START + Span::hours(2)));
    assert_eq!(world.system(redeem("first")), Err(Reject::TokenNotFound));
    assert_eq!(world.system(redeem("second")), Ok(Reply::Done));
}

#[test]
fn issue_password_reset_refuses_strangers_the_house_and_a_token_in_use() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    let end = START + Span::hours(1);
    assert_eq!(world.system(issue(UserId::new(9), "token", end)), Err(Reject::UserNotFound));
    assert_eq!(world.system(issue(Exchange::HOUSE, "token", end)), Err(Reject::UserNotFound));
    world.system(issue(UserId::new(id("alice")), "token", end)).expect("a token");
    assert_eq!(world.system(issue(UserId::new(id("bob")), "token", end)), Err(Reject::DuplicateId));
}
