//! A new password by a reset token: ends all sessions, revokes the keys unless they are kept, works once.

use exchange::change::Change;
use exchange::command::{Command, ResetPassword, SetWatchlist};
use exchange::id::{EventId, Hash32, RowId, UserId};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, id};

fn world_with_token() -> World {
    let mut world = World::new();
    world.user("alice");
    world.approved_reset("alice", "token");
    world
}

fn redeem(token: &str) -> Command {
    Command::ResetPassword(ResetPassword {
        token_hash: Hash32::of(token),
        row: RowId::new(7),
        expires_at: Time::NEVER,
        keep_keys: false,
    })
}

#[test]
fn reset_password_ends_all_sessions_revokes_the_keys_and_works_once() {
    let mut world = world_with_token();
    assert_eq!(world.system(redeem("token")), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    let user = world.exchange.directory().user(world.user_index("alice"));
    assert_eq!((user.row, user.password_version), (Some(RowId::new(7)), 1));
    assert_eq!((user.password_resets.len(), user.sessions.len(), user.keys.len()), (0, 0, 0));
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    assert_eq!(world.by("alice", probe.clone()), Err(Reject::UnknownKey));
    assert!(world.exchange.directory().find_by_public_key(&Text::from("pk_alice")).is_none());
    assert_eq!(world.in_session("alice", probe), Err(Reject::UnknownSession));
    assert_eq!(world.system(redeem("token")), Err(Reject::TokenNotFound));
    assert_eq!(world.exchange.next_due(), None, "nothing is left to age");
}

#[test]
fn reset_password_keeps_the_keys_if_requested() {
    let mut world = world_with_token();
    world.user("bob");
    let (token_hash, row, expires_at) = (Hash32::of("token"), RowId::new(7), Time::NEVER);
    let reset = ResetPassword { token_hash, row, expires_at, keep_keys: true };
    assert_eq!(world.system(Command::ResetPassword(reset)), Ok(Reply::Done));
    let probe =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(404), watched: true, is_retired: false });
    assert_eq!(world.by("alice", probe.clone()), Err(Reject::EventNotFound), "the key still signs");
    assert_eq!(world.in_session("alice", probe.clone()), Err(Reject::UnknownSession));
    assert_eq!(world.by("bob", probe), Err(Reject::EventNotFound), "others are not touched");
}

#[test]
fn reset_password_ends_with_its_token_to_the_instant() {
    let end = START + Span::hours(24);
    let mut world = world_with_token();
    world.now = Time::from_micros(end.micros() - 1);
    assert_eq!(world.clone().system(redeem("token")), Ok(Reply::Done));
    world.now = end;
    assert_eq!(world.system(redeem("token")), Err(Reject::TokenNotFound));
    let user = world.exchange.directory().user(world.user_index("alice"));
    assert_eq!((user.password_resets.len(), user.password_version), (0, 0));
    assert_eq!(user.sessions.len(), 1, "sessions are not touched by a token that went by");
}

#[test]
fn reset_password_refuses_a_wrong_token_and_a_row_at_its_expiry() {
    let mut world = world_with_token();
    assert_eq!(world.system(redeem("other")), Err(Reject::TokenNotFound));
    let late = |expires_at| {
        let (token_hash, row) = (Hash32::of("token"), RowId::new(8));
        Command::ResetPassword(ResetPassword { token_hash, row, expires_at, keep_keys: false })
    };
    assert_eq!(world.system(late(world.now)), Err(Reject::RowExpired), "the expiry itself is too late");
    assert_eq!(world.clone().system(late(world.now + Span::MICROSECOND)), Ok(Reply::Done));
    let user = world.exchange.directory().user(world.user_index("alice"));
    assert_eq!(user.row, Some(RowId::new(id("alice/row"))), "the row before still counts");
    assert_eq!(world.system(redeem("token")), Ok(Reply::Done), "the token was not spent");
}
