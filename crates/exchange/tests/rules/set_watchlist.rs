//! Following events: those the public can see, a thousand at most.

use exchange::catalogue::{Engine, EventKind};
use exchange::change::Change;
use exchange::command::{Command, SetWatchlist};
use exchange::id::{EventId, UserId};
use exchange::identity::WATCHLIST_MAX;
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, event_of, id};

fn watch(event: EventId, watched: bool) -> Command {
    Command::SetWatchlist(SetWatchlist { event, watched, is_retired: false })
}

#[test]
fn set_watchlist_follows_and_unfollows_and_reports_only_what_changed() {
    let mut world = World::new();
    world.user("alice");
    world.clob("rain", 0);
    let (user, event) = (UserId::new(id("alice")), event_of("rain"));
    for (watched, is_change) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(world.by("alice", watch(event, watched)), Ok(Reply::Done));
        let reported = world.changes() == [Change::WatchlistChanged { user, event, watched }];
        assert_eq!((reported, world.changes().is_empty()), (is_change, !is_change));
        let watchlist = &world.exchange.directory().user(world.user_index("alice")).watchlist;
        assert_eq!(watchlist.contains(&event), watched);
    }
}

#[test]
fn set_watchlist_refuses_unknown_events_and_drafts() {
    let mut world = World::new();
    world.user("alice");
    world.draft(EventKind::Single, Engine::Clob, 0, &["rain"]);
    assert_eq!(world.by("alice", watch(EventId::new(404), true)), Err(Reject::EventNotFound));
    assert_eq!(world.by("alice", watch(event_of("rain"), true)), Err(Reject::EventNotFound));
}

#[test]
fn set_watchlist_holds_a_thousand_events() {
    let mut world = World::new();
    world.user("alice");
    let names: Vec<String> = (0..=WATCHLIST_MAX).map(|number| format!("market{number}")).collect();
    for name in &names {
        world.clob(name, 0);
    }
    let (last, first) = (event_of(&names[WATCHLIST_MAX]), event_of(&names[0]));
    for name in &names[..WATCHLIST_MAX] {
        assert_eq!(world.by("alice", watch(event_of(name), true)), Ok(Reply::Done));
    }
    assert_eq!(world.by("alice", watch(last, true)), Err(Reject::WatchlistFull));
    assert_eq!(world.by("alice", watch(first, true)), Ok(Reply::Done), "what is followed stays followed");
    assert_eq!(world.by("alice", watch(first, false)), Ok(Reply::Done));
    assert_eq!(world.by("alice", watch(last, true)), Ok(Reply::Done));
}
