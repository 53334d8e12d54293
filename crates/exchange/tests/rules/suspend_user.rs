//! Suspension shuts out at once, by key and by session, and can be lifted.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, Finalise, SetWatchlist, SuspendUser};
use exchange::id::{EventId, UserId};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::persons::{agree, two_required};
use crate::rules::propose::stage;
use crate::rules::world::{World, id};

fn suspend(suspended: bool) -> Command {
    Command::SuspendUser(SuspendUser { user: UserId::new(id("alice")), suspended, keep_orders: false })
}

#[test]
fn suspend_user_ends_sessions_and_stops_keys_until_it_is_lifted() {
    let mut world = World::new();
    world.user("alice");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(1), watched: true, is_retired: false });
    assert_eq!(world.system(suspend(true)), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::AccessChanged { user: UserId::new(id("alice")) }]);
    assert_eq!(world.by("alice", watch.clone()), Err(Reject::UserSuspended));
    assert_eq!(world.in_session("alice", watch.clone()), Err(Reject::UnknownSession));
    assert_eq!(world.exchange.next_due(), None, "no session is left to age");

    assert_eq!(world.system(suspend(false)), Ok(Reply::Done));
    assert_eq!(world.by("alice", watch.clone()), Err(Reject::EventNotFound), "the key is good again");
    assert_eq!(world.in_session("alice", watch), Err(Reject::UnknownSession), "the session is gone");
}

#[test]
fn suspend_user_twice_changes_nothing_more() {
    let mut world = World::new();
    world.user("alice");
    assert_eq!(world.system(suspend(false)), Ok(Reply::Done));
    assert!(world.changes().is_empty());
    assert_eq!(world.system(suspend(true)), Ok(Reply::Done));
    assert_eq!(world.system(suspend(true)), Ok(Reply::Done));
    assert!(world.changes().is_empty());
}

#[test]
fn suspend_user_refuses_strangers_and_the_house() {
    let mut world = World::new();
    let stranger =
        Command::SuspendUser(SuspendUser { user: UserId::new(9), suspended: true, keep_orders: false });
    assert_eq!(world.system(stranger), Err(Reject::UserNotFound));
    let house =
        Command::SuspendUser(SuspendUser { user: Exchange::HOUSE, suspended: true, keep_orders: false });
    assert_eq!(world.system(house), Err(Reject::NotAllowed));
}

#[test]
fn suspend_user_is_done_alone_and_lifted_by_two_persons_where_two_are_required() {
    let mut world = stage();
    world.run_by("ada", Command::SetPolicy(two_required())).expect("the policy");
    assert_eq!(world.run_by("olga", suspend(true)), Ok(Reply::Done), "at once");
    let watch =
        Command::SetWatchlist(SetWatchlist { event: EventId::new(1), watched: true, is_retired: false });
    for alone in ["olga", "ada"] {
        assert_eq!(world.run_by(alone, suspend(false)), Err(Reject::NeedsProposal), "{alone}");
    }
    assert_eq!(agree(&mut world, "ada", "ada", suspend(false)), Err(Reject::NeedsAnother));
    assert_eq!(world.by("alice", watch.clone()), Err(Reject::UserSuspended), "nothing was lifted");
    assert_eq!(agree(&mut world, "olga", "abel", suspend(false)), Err(Reject::ProposalPending));
    world.run_by("abel", finalise_first(&world)).expect("two persons");
    assert_eq!(world.by("alice", watch), Err(Reject::EventNotFound), "the key is good again");
}

/// Finalises the only proposal that waits.
fn finalise_first(world: &World) -> Command {
    let mut proposals = world.exchange.governance().proposals();
    Command::Finalise(Finalise { proposal: proposals.next().expect("a proposal").id })
}
