//! `PauseSeries`: no new events, and the running event ends normally. A resumed series continues with the next full
//! interval.

use exchange::catalogue::{Engine, Status};
use exchange::command::{Command, PauseSeries};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::create_series::{alerts, event_at, record, series_id, stage, start_of, tick};
use crate::rules::world::World;

fn pause(world: &mut World, paused: bool) {
    assert_eq!(
        world.system(Command::PauseSeries(PauseSeries { series: series_id("btc"), paused })),
        Ok(Reply::Done)
    );
}

#[test]
fn pause_series_makes_no_more_events_and_ends_the_running_one() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    pause(&mut world, true);
    record(&mut world, start_of(2), 101);
    let event = event_at(&world, 1).expect("the running event");
    assert_eq!((event.status, event_at(&world, 2)), (Status::Closed, None));
    assert_eq!(alerts(&world), [], "a pause is no alert");
    tick(&mut world, start_of(2) + Span::seconds(60));
    assert_eq!(event_at(&world, 1).expect("the event").status, Status::Resolved);
    let retires_at = start_of(2) + Span::seconds(60) + Span::hours(48);
    assert_eq!(world.exchange.next_due(), Some(retires_at), "only the timer of its retirement");
}

#[test]
fn pause_series_before_the_first_event_takes_everything_off_the_clock() {
    let mut world = stage(Engine::Clob);
    pause(&mut world, true);
    assert_eq!(world.exchange.next_due(), None);
    pause(&mut world, true);
    assert_eq!(world.exchange.next_due(), None, "asked again, nothing changes");
}

#[test]
fn a_resumed_series_continues_with_the_next_full_interval() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    pause(&mut world, true);
    record(&mut world, start_of(40) + Span::seconds(7), 100);
    pause(&mut world, false);
    assert_eq!(world.exchange.next_due(), Some(start_of(41) + Span::MICROSECOND));
    record(&mut world, start_of(41), 100);
    assert_eq!(event_at(&world, 40), None);
    assert_eq!(event_at(&world, 41).expect("the next event").status, Status::Open);
    assert_eq!(alerts(&world), []);
}

#[test]
fn a_series_resumed_within_the_interval_misses_nothing() {
    let mut world = stage(Engine::Clob);
    record(&mut world, start_of(1), 100);
    pause(&mut world, true);
    pause(&mut world, false);
    record(&mut world, start_of(2), 100);
    assert_eq!(event_at(&world, 1).expect("the event").status, Status::Closed);
    assert_eq!(event_at(&world, 2).expect("the next event").status, Status::Open);
}

#[test]
fn a_pause_at_the_boundary_itself_leaves_the_boundary_on_the_clock() {
    for resumed in [false, true] {
        let mut world = stage(Engine::Clob);
        record(&mut world, start_of(1), 100);
        world.now = start_of(2);
        pause(&mut world, true);
        if resumed {
            pause(&mut world, false);
        }
        record(&mut world, start_of(2), 101);
        tick(&mut world, start_of(2) + Span::seconds(60));
        assert_eq!(event_at(&world, 1).expect("the event").status, Status::Resolved);
        assert_eq!(event_at(&world, 2).is_some(), resumed);
    }
}

#[test]
fn pause_series_refuses_a_series_that_does_not_exist() {
    let mut world = World::new();
    let command = Command::PauseSeries(PauseSeries { series: series_id("btc"), paused: true });
    assert_eq!(world.system(command), Err(Reject::SeriesNotFound));
}
