//! `CreateSoccerEvents`: three linked drafts, and how the three-way one resolves.

use exchange::catalogue::{
    Engine, Event, EventKind, EventLink, Game, MarketDetails, Prop, PropDirection, SportMarketType, Status,
};
use exchange::command::{CancelMarkets, Command, OpenEvent, ResolveMarket, Target};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{EventId, GameId, TeamId};
use exchange::numbers::{Currency, FeeRate};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::import_sports::{game, import, stage};
use crate::rules::world::{START, World, id};

fn new_events() -> NewSoccerEvents {
    let fee_rate = FeeRate::new(150).expect("a rate");
    NewSoccerEvents {
        game: GameId::new(id("derby")),
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        market: MarketDetails { fee_rate, rules: Text::from("Ninety minutes."), ..MarketDetails::default() },
        spreads: vec![150, 250],
        totals: vec![50, 200, 225],
    }
}

fn create(world: &mut World) -> Vec<EventId> {
    match world.system(Command::CreateSoccerEvents(new_events())) {
        Ok(Reply::Events(events)) => events,
        other => panic!("soccer events are answered by their ids, not {other:?}"),
    }
}

fn event(world: &World, event: EventId) -> &Event {
    let catalogue = world.exchange.catalogue();
    catalogue.event(catalogue.find_event(event).expect("a made event"))
}

/// Title and prop of each market.
fn markets(world: &World, event: &Event) -> Vec<(String, Option<Prop>)> {
    let market = |index: &exchange::index::MarketIndex| world.exchange.catalogue().market(*index);
    event.markets.iter().map(market).map(|it| (it.details.title.to_string(), it.details.prop)).collect()
}

fn of_team(name: &str) -> Option<TeamId> {
    Some(TeamId::new(id(name)))
}

#[test]
fn create_soccer_events_makes_three_linked_drafts_that_close_at_the_start() {
    let mut world = stage();
    let ids = create(&mut world);
    let expected = [
        ("derby-winner", EventKind::Combined, SportMarketType::TeamH2h3Way),
        ("derby-goal-spread", EventKind::Grouped, SportMarketType::GoalSpread),
        ("derby-total-goals", EventKind::Grouped, SportMarketType::TotalGoals),
    ];
    assert_eq!(ids.len(), expected.len());
    for (made, (slug, kind, market_type)) in ids.iter().zip(expected) {
        let made = event(&world, *made);
        assert_eq!((&*made.slug, made.kind, made.status), (slug, kind, Status::Draft));
        assert_eq!(made.link, EventLink::Game { game: GameId::new(id("derby")), market_type });
        assert_eq!(made.details.closing_date, Some(START + Span::hours(2)));
        assert_eq!((&*made.details.category, &made.currencies[..]), ("sports", &[Currency::Usd][..]));
        assert!(made.details.title.starts_with("Arsenal vs Chelsea: "));
        let market = world.exchange.catalogue().market(made.markets[0]);
        assert_eq!(
            (market.details.fee_rate.basis_points(), &*market.details.rules),
            (150, "Ninety minutes.")
        );
    }
}

#[test]
fn each_soccer_market_has_its_team_its_line_and_its_direction() {
    let mut world = stage();
    let ids = create(&mut world);
    let team = |name| Some(Prop { line: None, direction: None, team: of_team(name) });
    let over = |line, team| Some(Prop { line: Some(line), direction: Some(PropDirection::Over), team });
    let expected: [Vec<(&str, Option<Prop>)>; 3] = [
        vec![("Arsenal wins", team("Arsenal")), ("Chelsea wins", team("Chelsea")), ("Draw", None)],
        vec![
            ("Arsenal wins by more than 1.5 goals", over(150, of_team("Arsenal"))),
            ("Arsenal wins by more than 2.5 goals", over(250, of_team("Arsenal"))),
            ("Chelsea wins by more than 1.5 goals", over(150, of_team("Chelsea"))),
            ("Chelsea wins by more than 2.5 goals", over(250, of_team("Chelsea"))),
        ],
        vec![
            ("Over 0.5 goals", over(50, None)),
            ("Over 2 goals", over(200, None)),
            ("Over 2.25 goals", over(225, None)),
        ],
    ];
    for (made, expected) in ids.into_iter().zip(expected) {
        let expected: Vec<_> =
            expected.into_iter().map(|(title, prop)| (String::from(title), prop)).collect();
        assert_eq!(markets(&world, event(&world, made)), expected);
    }
}

#[test]
fn a_home_win_makes_the_away_win_and_the_draw_no() {
    let mut world = stage();
    let winner = create(&mut world)[0];
    world.system(Command::OpenEvent(OpenEvent { event: winner })).expect("open");
    world.now = START + Span::hours(2);
    world.system(Command::Tick).expect("a tick");
    assert_eq!(event(&world, winner).status, Status::Closed, "trading ends when the game starts");
    let markets = event(&world, winner).markets.clone();
    let home = world.exchange.catalogue().market(markets[0]).id;
    world
        .system(Command::ResolveMarket(ResolveMarket { market: home, outcome: Outcome::Yes }))
        .expect("a resolution");
    let outcomes = markets.iter().map(|market| world.exchange.catalogue().market(*market).resolved_outcome());
    assert_eq!(outcomes.collect::<Vec<_>>(), [Some(Outcome::Yes), Some(Outcome::No), Some(Outcome::No)]);
    assert_eq!(event(&world, winner).status, Status::Resolved);
}

#[test]
fn create_soccer_events_refuses_each_broken_rule_and_makes_none() {
    let invalid = |field, rule| Reject::InvalidField { field, rule };
    type Spoil = fn(&mut NewSoccerEvents);
    let table: [(Spoil, Reject); 9] = [
        (|new| new.game = GameId::new(9), Reject::GameNotFound),
        (|new| new.spreads = vec![], invalid("spreads", "has enough lines")),
        (|new| new.totals = vec![50], invalid("totals", "has enough lines")),
        (|new| new.totals = (0..21).collect(), invalid("totals", "has at most 20 lines")),
        (|new| new.spreads = vec![-50], invalid("spreads", "lie between 0 and 100 goals")),
        (|new| new.totals = vec![50, 10_001], invalid("totals", "lie between 0 and 100 goals")),
        (|new| new.totals = vec![50, 50], invalid("totals", "names each line once")),
        (|new| new.currencies = vec![], invalid("currencies", "names at least one")),
        (|new| new.market.no_label = Text::from("YES"), invalid("no_label", "differs from yes_label")),
    ];
    let mut world = stage();
    for (spoil, expected) in table {
        let mut new = new_events();
        spoil(&mut new);
        assert_eq!(world.system(Command::CreateSoccerEvents(new)), Err(expected));
        assert_eq!((world.exchange.catalogue().events().len(), world.changes()), (0, &[][..]));
    }
}

#[test]
fn create_soccer_events_refuses_a_game_of_another_sport_or_a_started_game() {
    type Spoil = fn(&mut Game);
    let table: [(Spoil, Reject); 2] = [
        (
            |game| game.sport = Text::from("tennis"),
            Reject::InvalidField { field: "game", rule: "is a soccer game" },
        ),
        (
            |game| game.start = START,
            Reject::InvalidField { field: "closing_date", rule: "lies in the future" },
        ),
    ];
    for (spoil, expected) in table {
        let mut world = stage();
        let mut derby = game("derby", "Arsenal", "Chelsea");
        spoil(&mut derby);
        world.system(import(&[], &[], &[derby])).expect("an import");
        assert_eq!(world.system(Command::CreateSoccerEvents(new_events())), Err(expected));
    }
}

#[test]
fn a_game_has_its_events_once() {
    let mut world = stage();
    let ids = create(&mut world);
    assert_eq!(world.system(Command::CreateSoccerEvents(new_events())), Err(Reject::DuplicateId));
    assert_eq!(world.exchange.catalogue().events().len(), ids.len());
    // Cancelled ones count too: their ids are never reused.
    for event in ids {
        let target = Target::Event(event);
        world
            .system(Command::CancelMarkets(CancelMarkets { target, yes: exchange::numbers::Cents::HALF }))
            .expect("cancelled");
    }
    assert_eq!(world.system(Command::CreateSoccerEvents(new_events())), Err(Reject::DuplicateId));
}
