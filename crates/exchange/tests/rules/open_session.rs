//! Sessions: thirty days, twenty a user, void when the password changed in between.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, OpenSession, ResetPassword, SetWatchlist, SuspendUser};
use exchange::id::{EventId, Hash32, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, id};

fn open(user: &str, number: u128) -> Command {
    Command::OpenSession(OpenSession {
        user: UserId::new(id(user)),
        password_version: 0,
        id: SessionId::new(number),
        token_hash: Hash32::of(&format!("token {number}")),
        device: Text::from("phone"),
    })
}

/// Probes the session: an unknown session has a different rejection than an unknown event.
fn is_alive(world: &mut World, number: u128) -> bool {
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    match world.apply(Actor::Session { session: SessionId::new(number) }, probe) {
        Err(Reject::EventNotFound) => true,
        Err(Reject::UnknownSession) => false,
        other => panic!("a probe finds no event: {other:?}"),
    }
}

#[test]
fn open_session_is_found_by_its_token_and_acts_for_its_user() {
    let mut world = World::new();
    world.user("alice");
    assert_eq!(world.system(open("alice", 1)), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    let (user, session) = world.exchange.directory().find_by_token(Hash32::of("token 1")).expect("by token");
    assert_eq!(user, world.user_index("alice"));
    assert_eq!((session.id, &*session.device, session.created_at), (SessionId::new(1), "phone", START));
    assert!(is_alive(&mut world, 1));
}

#[test]
fn open_session_lasts_thirty_days_and_ends_at_that_very_instant() {
    let mut world = World::new();
    world.user("alice");
    world.wait(Span::seconds(1));
    world.system(open("alice", 1)).expect("a session");
    let end = START + Span::seconds(1) + Span::days(30);
    world.now = Time::from_micros(end.micros() - 1);
    assert!(is_alive(&mut world, 1));
    assert_eq!(world.exchange.next_due(), Some(end));
    world.now = end;
    assert!(!is_alive(&mut world, 1));
    assert!(world.exchange.directory().find_by_token(Hash32::of("token 1")).is_none());
    assert_eq!(world.exchange.next_due(), None);
}

#[test]
fn open_session_keeps_twenty_a_user_and_drops_the_oldest() {
    let mut world = World::new();
    world.user("alice");
    world.user("bob");
    for number in 1..=20 {
        world.wait(Span::seconds(1));
        world.system(open("alice", number)).expect("a session");
    }
    let first = SessionId::new(id("alice/session"));
    assert!(world.exchange.directory().find_by_session(first).is_none(), "the 21st drops the first");
    assert!(is_alive(&mut world, 1));
    world.system(open("alice", 21)).expect("a session");
    assert!(!is_alive(&mut world, 1));
    assert!((2..=21).all(|number| is_alive(&mut world, number)));
    let sessions = world.exchange.directory().user(world.user_index("alice")).sessions.len();
    assert_eq!(sessions, exchange::identity::SESSIONS_MAX);
    assert!(world.exchange.directory().find_by_session(SessionId::new(id("bob/session"))).is_some());
}

#[test]
fn open_session_refuses_strangers_and_the_house_and_what_is_taken() {
    let mut world = World::new();
    world.user("alice");
    world.system(open("alice", 1)).expect("a session");
    let of = |user| match open("alice", 2) {
        Command::OpenSession(OpenSession { password_version, id, token_hash, device, .. }) => {
            Command::OpenSession(OpenSession { user, password_version, id, token_hash, device })
        }
        other => other,
    };
    let mut same_token = open("alice", 2);
    if let Command::OpenSession(OpenSession { token_hash, .. }) = &mut same_token {
        *token_hash = Hash32::of("token 1");
    }
    let mut wordy = open("alice", 2);
    if let Command::OpenSession(OpenSession { device, .. }) = &mut wordy {
        *device = Text::from("x".repeat(129));
    }
    let rule = "at most 128 printable bytes";
    let rows = [
        (of(UserId::new(9)), Reject::UserNotFound),
        (of(Exchange::HOUSE), Reject::UserNotFound),
        (open("alice", 1), Reject::DuplicateId),
        (same_token, Reject::DuplicateId),
        (wordy, Reject::InvalidField { field: "device", rule }),
    ];
    for (command, reject) in rows {
        assert_eq!(world.system(command.clone()), Err(reject), "{command:?}");
        assert!(world.changes().is_empty());
    }
}

#[test]
fn open_session_refuses_a_suspended_user_and_a_password_that_was_changed_since() {
    let mut world = World::new();
    world.user("alice");
    let user = UserId::new(id("alice"));
    world
        .system(Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }))
        .expect("suspended");
    assert_eq!(world.system(open("alice", 1)), Err(Reject::UserSuspended));
    world
        .system(Command::SuspendUser(SuspendUser { user, suspended: false, keep_orders: false }))
        .expect("let in again");
    let token_hash = Hash32::of("reset");
    world.approved_reset("alice", "reset");
    world
        .system(Command::ResetPassword(ResetPassword {
            token_hash,
            row: RowId::new(7),
            expires_at: Time::NEVER,
            keep_keys: false,
        }))
        .expect("a new password");
    assert_eq!(world.system(open("alice", 1)), Err(Reject::PasswordChanged));
}
