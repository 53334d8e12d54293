//! Retirement of games: one that is over and has no event in memory leaves memory after the age of the policy.

use std::sync::Arc;

use exchange::catalogue::{Engine, EventKind, EventLink, Game, GameStatus, RetiredEvent, SportMarketType};
use exchange::change::Change;
use exchange::codec::{decode_retired, decode_snapshot, encode_retired, encode_snapshot};
use exchange::command::{CancelMarkets, Command, OpenEvent, RecordGameResult, Target, UpgradeRules};
use exchange::governance::Score;
use exchange::id::GameId;
use exchange::numbers::Cents;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Span;

use crate::rules::import_sports::{game, import, league, team};
use crate::rules::world::{START, World, event_of, id, new_event};

const AGE: Span = Span::hours(48);

/// A league, two teams, and the game `derby` that has not begun.
fn stage(rules: u32) -> World {
    let mut world = World::under_rules(rules);
    let derby = game("derby", "Arsenal", "Chelsea");
    world.system(import(&[league("epl")], &[team("Arsenal"), team("Chelsea")], &[derby])).expect("a game");
    world
}

fn with_status(name: &str, status: GameStatus) -> Game {
    Game { status, ..game(name, "Arsenal", "Chelsea") }
}

fn put(world: &mut World, games: &[Game]) -> Result<Reply, Reject> {
    world.system(import(&[], &[], games))
}

fn end(world: &mut World) {
    put(world, &[with_status("derby", GameStatus::Finished)]).expect("an import");
}

fn derby() -> GameId {
    GameId::new(id("derby"))
}

fn find<'a>(world: &'a World, name: &str) -> Option<&'a Game> {
    world.exchange.catalogue().sports().games.get(&GameId::new(id(name)))
}

fn result(home: u16, away: u16) -> Command {
    Command::RecordGameResult(RecordGameResult { game: derby(), score: Score { home, away } })
}

fn tick(world: &mut World) {
    world.system(Command::Tick).expect("a tick");
}

/// An open event about the game.
fn open_event(world: &mut World) {
    let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["draw"]);
    new.link = EventLink::Game { game: derby(), market_type: SportMarketType::TeamH2h3Way };
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.system(Command::OpenEvent(OpenEvent { event: event_of("draw") })).expect("open");
}

fn retired(world: &World) -> Vec<Arc<RetiredEvent>> {
    let of = |change: &Change| match change {
        Change::EventRetired(retired) => Some(retired.clone()),
        _ => None,
    };
    world.changes().iter().filter_map(of).collect()
}

/// A game that retired.
fn gone() -> World {
    let mut world = stage(4);
    end(&mut world);
    world.wait(AGE);
    tick(&mut world);
    assert_eq!(find(&world, "derby"), None);
    world
}

type Ends = fn(&mut World);

#[test]
fn a_game_without_events_leaves_memory_two_days_after_its_end() {
    let ends: [(&str, Ends); 3] = [
        ("finished", end),
        ("called off", |world| drop(put(world, &[with_status("derby", GameStatus::Cancelled)]))),
        ("with a result", |world| {
            world.wait(Span::hours(3));
            world.system(result(2, 1)).expect("a result");
        }),
    ];
    for (way, end) in ends {
        let mut world = stage(4);
        end(&mut world);
        let due = world.now + AGE;
        assert_eq!(world.exchange.next_due(), Some(due), "{way}");
        world.now = due - Span::MICROSECOND;
        tick(&mut world);
        assert!(find(&world, "derby").is_some(), "{way}");
        world.now = due;
        tick(&mut world);
        assert_eq!((find(&world, "derby"), world.changes()), (None, &[Change::SportsImported][..]), "{way}");
        assert_eq!(world.exchange.catalogue().sports().find_game("derby"), None);
        assert_eq!(world.exchange.catalogue().find_retired_game("derby"), Some(derby()));
        assert_eq!(world.exchange.next_due(), None, "{way}");
    }
}

#[test]
fn a_repeated_import_of_the_end_does_not_keep_a_game() {
    let mut world = stage(4);
    end(&mut world);
    world.wait(Span::hours(47));
    end(&mut world);
    world.wait(Span::hours(1));
    tick(&mut world);
    assert_eq!(find(&world, "derby"), None);
}

#[test]
fn a_game_that_goes_on_or_gets_an_event_stays() {
    let mut world = stage(4);
    end(&mut world);
    put(&mut world, &[with_status("derby", GameStatus::Live)]).expect("it was not over");
    assert_eq!(world.exchange.next_due(), None);
    world.wait(Span::hours(96));
    tick(&mut world);
    assert!(find(&world, "derby").is_some());

    let mut world = stage(4);
    put(&mut world, &[with_status("derby", GameStatus::Finished)]).expect("an import");
    let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["draw"]);
    new.link = EventLink::Game { game: derby(), market_type: SportMarketType::TeamH2h3Way };
    world.system(Command::CreateEvent(new)).expect("a draft");
    world.wait(Span::hours(96));
    tick(&mut world);
    assert!(find(&world, "derby").is_some(), "a draft keeps its game");
}

#[test]
fn a_game_leaves_memory_two_days_after_its_last_event_which_has_it_in_its_record() {
    let mut world = stage(4);
    open_event(&mut world);
    world.wait(Span::hours(3));
    world.system(result(1, 1)).expect("a result");
    let shown = find(&world, "derby").expect("a game").clone();
    assert_eq!(shown.score, Some(Score { home: 1, away: 1 }));
    world.wait(AGE);
    tick(&mut world);
    let [record] = &retired(&world)[..] else { panic!("one event retires") };
    assert_eq!((record.game.as_ref(), find(&world, "derby")), (Some(&shown), Some(&shown)));
    assert_eq!(decode_retired(&encode_retired(record)).expect("a record"), **record);
    world.wait(AGE);
    tick(&mut world);
    assert_eq!((find(&world, "derby"), retired(&world).len()), (None, 0));
    let shelf = world.exchange.shelve([&**record]);
    assert_eq!(
        shelf.catalogue().sports().games.get(&derby()),
        Some(&shown),
        "a reader of the event sees its game"
    );
    assert_eq!(shelf.catalogue().sports().find_game("derby"), Some(&shown));
}

#[test]
fn an_event_that_ended_before_its_game_leaves_alone() {
    let mut world = stage(4);
    open_event(&mut world);
    let (target, yes) = (Target::Event(event_of("draw")), Cents::HALF);
    world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("a cancellation");
    world.wait(Span::hours(96));
    tick(&mut world);
    assert!(retired(&world).len() == 1 && find(&world, "derby").is_some());
    end(&mut world);
    world.wait(AGE);
    tick(&mut world);
    assert_eq!(find(&world, "derby"), None);
}

#[test]
fn an_import_of_a_retired_game_changes_nothing_of_it_and_takes_the_rest() {
    let mut world = gone();
    let turned = Game { status: GameStatus::Live, ..game("derby", "Chelsea", "Arsenal") };
    put(&mut world, &[turned, with_status("return", GameStatus::Unplayed)]).expect("an import");
    assert!(find(&world, "derby").is_none() && find(&world, "return").is_some());
    assert_eq!(world.system(result(3, 0)), Err(Reject::GameNotFound));
    let mut new = new_event(EventKind::Single, Engine::Clob, 0, &["draw"]);
    new.link = EventLink::Game { game: derby(), market_type: SportMarketType::TeamH2h3Way };
    assert_eq!(world.system(Command::CreateEvent(new)), Err(Reject::GameNotFound));
    let same_slug = Game { id: GameId::new(7), ..game("derby", "Arsenal", "Chelsea") };
    assert_eq!(put(&mut world, &[same_slug]), Err(Reject::DuplicateSlug), "names stay taken");
}

#[test]
fn a_hundred_games_retire_with_each_request() {
    let mut world = stage(4);
    let games: Vec<Game> =
        (0..250).map(|number| with_status(&format!("game-{number}"), GameStatus::Finished)).collect();
    put(&mut world, &games).expect("an import");
    world.wait(AGE);
    for left in [151, 51, 1, 1] {
        tick(&mut world);
        assert_eq!(world.exchange.catalogue().sports().games.len(), left);
    }
    assert_eq!(world.exchange.next_due(), None);
}

#[test]
fn under_rules_3_a_game_stays_and_so_does_one_that_was_over_before_rules_4() {
    let mut world = stage(3);
    end(&mut world);
    assert_eq!(world.exchange.next_due(), None);
    world.system(Command::UpgradeRules(UpgradeRules { version: 4 })).expect("newer rules");
    end(&mut world);
    world.wait(Span::hours(96));
    tick(&mut world);
    assert!(find(&world, "derby").is_some(), "the records of its events may lack it");
    assert_eq!(world.now, START + Span::hours(96));
}

#[test]
fn a_snapshot_keeps_the_games_that_ended_and_those_that_retired() {
    let mut world = gone();
    put(&mut world, &[with_status("return", GameStatus::Finished)]).expect("an import");
    world.wait(Span::hours(1));
    put(&mut world, &[with_status("third", GameStatus::Cancelled)]).expect("an import");
    let bytes = encode_snapshot(&world.exchange);
    let restored = decode_snapshot(&bytes).expect("a snapshot");
    assert!(encode_snapshot(&restored) == bytes);
    assert_eq!(
        (restored.digest(), restored.next_due()),
        (world.exchange.digest(), world.exchange.next_due())
    );
    let mut twin = world.clone();
    twin.exchange = restored;
    for world in [&mut world, &mut twin] {
        world.wait(Span::hours(47));
        tick(world);
        assert!(find(world, "return").is_none() && find(world, "third").is_some());
        put(world, &[with_status("derby", GameStatus::Unplayed)]).expect("an import");
        assert_eq!(find(world, "derby"), None);
    }
    assert_eq!(world.exchange.digest(), twin.exchange.digest());
}
