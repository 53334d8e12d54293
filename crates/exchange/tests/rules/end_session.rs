//! Logging out ends the caller's session, and no other.

use exchange::change::Change;
use exchange::command::{Command, OpenSession};
use exchange::id::{Hash32, SessionId, UserId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::world::{START, World, id};

#[test]
fn end_session_ends_the_callers_session() {
    let mut world = World::new();
    world.user("alice");
    world.wait(Span::hours(1));
    let other = Command::OpenSession(OpenSession {
        user: UserId::new(id("alice")),
        password_version: 0,
        id: SessionId::new(1),
        token_hash: Hash32::of("other"),
        device: Text::from("phone"),
    });
    world.system(other).expect("another session");
    assert_eq!(world.in_session("alice", Command::EndSession), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    assert_eq!(world.in_session("alice", Command::EndSession), Err(Reject::UnknownSession));
    let directory = world.exchange.directory();
    assert!(directory.find_by_token(Hash32::of("alice/token")).is_none());
    assert!(directory.find_by_token(Hash32::of("other")).is_some());
    let due = START + Span::hours(1) + Span::days(30);
    assert_eq!(world.exchange.next_due(), Some(due), "only the other one is left to age");
}
