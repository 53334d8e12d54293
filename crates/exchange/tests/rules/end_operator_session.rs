//! Logging out of the operators' console: the named session ends, and only its owner can end it.

use exchange::command::{Command, EndOperatorSession, OpenOperatorSession};
use exchange::id::Hash32;
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::World;

#[test]
fn end_operator_session_ends_the_named_session_of_the_sender_and_no_other() {
    let mut world = World::new();
    world.operator("vera", Role::Viewer);
    world.operator("anna", Role::Approver);
    for (name, token) in [("vera", "vera's"), ("anna", "anna's"), ("anna", "anna's other")] {
        let open = Command::OpenOperatorSession(OpenOperatorSession { token_hash: Hash32::of(token) });
        world.run_by(name, open).expect("a session");
    }
    let end = |token: &str| Command::EndOperatorSession(EndOperatorSession { token_hash: Hash32::of(token) });
    let is_open = |world: &World, token: &str| {
        world.exchange.directory().find_operator_session(Hash32::of(token)).is_some()
    };
    assert_eq!(world.run_by("vera", end("anna's")), Err(Reject::UnknownSession), "another operator's");
    assert_eq!(world.system(end("anna's")), Err(Reject::NotAllowed));
    assert_eq!(world.run_by("anna", end("anna's")), Ok(Reply::Done));
    assert!(!is_open(&world, "anna's"));
    assert!(is_open(&world, "anna's other") && is_open(&world, "vera's"));
    assert_eq!(world.run_by("anna", end("anna's")), Err(Reject::UnknownSession), "it is over");
    assert_eq!(world.run_by("vera", end("vera's")), Ok(Reply::Done));
    assert_eq!(world.run_by("anna", end("anna's other")), Ok(Reply::Done));
    assert_eq!(world.exchange.next_due(), None, "nothing is left to age");
}
