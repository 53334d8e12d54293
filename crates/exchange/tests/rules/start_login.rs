//! Login attempts: one in two minutes for an address, and what the edge is told of its owner.

use exchange::command::Command;
use exchange::id::{Hash32, UserId};
use exchange::reject::Reject;
use exchange::reply::{LoginUser, Reply};
use exchange::text::Text;
use exchange::time::Span;

use crate::world::{START, World, id};

fn login(email: &str) -> Command {
    Command::StartLogin { email: Hash32::of(email) }
}

#[test]
fn login_limit_is_one_request_per_two_minutes_per_address_known_or_not() {
    for email in ["alice@example.com", "nobody@example.com"] {
        let mut world = World::new();
        world.user("alice");
        let retry_at = START + Span::minutes(2);
        assert!(world.system(login(email)).is_ok());
        assert!(world.system(login("another@example.com")).is_ok(), "another address has its own limit");
        assert_eq!(world.system(login(email)), Err(Reject::LimitReached { retry_at }));
        world.now = exchange::time::Time::from_micros(retry_at.micros() - 1);
        assert_eq!(world.system(login(email)), Err(Reject::LimitReached { retry_at }));
        world.now = retry_at;
        assert!(world.system(login(email)).is_ok(), "a refused attempt does not count");
        let retry_at = retry_at + Span::minutes(2);
        assert_eq!(world.system(login(email)), Err(Reject::LimitReached { retry_at }));
    }
}

#[test]
fn start_login_tells_the_edge_what_to_check_a_password_against() {
    let mut world = World::new();
    world.user("alice");
    let alice = LoginUser {
        id: UserId::new(id("alice")),
        password_hash: Some(Text::from("argon2")),
        password_version: 0,
    };
    assert_eq!(world.system(login("alice@example.com")), Ok(Reply::LoginStarted { user: Some(alice) }));
    assert_eq!(world.system(login("nobody@example.com")), Ok(Reply::LoginStarted { user: None }));
    assert_eq!(
        world.system(login("house")),
        Ok(Reply::LoginStarted { user: None }),
        "nobody logs in as the house"
    );
}

#[test]
fn start_login_says_nothing_of_a_suspended_user() {
    let mut world = World::new();
    world.user("alice");
    world
        .system(Command::SuspendUser { user: UserId::new(id("alice")), suspended: true })
        .expect("suspended");
    assert_eq!(world.system(login("alice@example.com")), Ok(Reply::LoginStarted { user: None }));
}

#[test]
fn start_login_attempts_are_forgotten_after_two_minutes() {
    let mut world = World::new();
    world.system(login("a@b")).expect("a first attempt");
    world.wait(Span::minutes(1));
    world.system(login("c@d")).expect("another address");
    assert_eq!(world.exchange.next_due(), Some(START + Span::minutes(2)));
    world.wait(Span::minutes(1));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(world.exchange.next_due(), Some(START + Span::minutes(3)));
    world.wait(Span::minutes(1));
    world.system(Command::Tick).expect("a tick");
    assert_eq!(world.exchange.next_due(), None);
}
