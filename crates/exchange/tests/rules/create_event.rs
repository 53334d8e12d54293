//! `CreateEvent`: the allowed events, and their initial state.

use exchange::catalogue::{Engine, EventKind, EventLink, NewEvent, Prop, SportMarketType, Status};
use exchange::change::Change;
use exchange::command::Command;
use exchange::id::{GameId, SeriesId, TeamId};
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::world::{START, World, event_of, market_id, new_event, outcome_id};

fn text(characters: usize) -> Text {
    Text::from("ö".repeat(characters))
}

#[test]
fn create_event_makes_a_draft_with_two_listings_for_each_market() {
    for engine in [Engine::Clob, Engine::Amm] {
        let mut world = World::new();
        let mut new = new_event(EventKind::Grouped, engine, 200, &["a", "b"]);
        new.currencies = vec![Currency::Ngn];
        world.system(Command::CreateEvent(new.clone())).expect("a new event");
        assert_eq!(world.changes(), [Change::EventCreated { event: event_of("a") }]);

        let catalogue = world.exchange.catalogue();
        let event = catalogue.event(catalogue.find_event(event_of("a")).expect("by id"));
        assert_eq!(catalogue.find_event_by_slug("a-event"), catalogue.find_event(event_of("a")));
        assert_eq!((event.status, event.created_at, event.markets.len()), (Status::Draft, START, 2));
        assert_eq!((&event.details, &event.currencies), (&new.details, &new.currencies));
        assert_eq!(catalogue.listings().count(), 4);
        for (name, index) in ["a", "b"].into_iter().zip(&event.markets) {
            let market = catalogue.market(*index);
            assert_eq!((market.id, market.status, market.settlement), (market_id(name), Status::Draft, None));
            assert_eq!(catalogue.find_outcome(outcome_id(name, Outcome::No)), Some((*index, Outcome::No)));
            for currency in Currency::ALL {
                let listing = world.listing_index(name, currency);
                assert_eq!(world.exchange.ledger().collateral(listing), Money::ZERO);
                let has_book = engine == Engine::Clob && new.currencies.contains(&currency);
                assert_eq!(catalogue.listing(listing).book().is_some(), has_book);
                assert_eq!(catalogue.listing(listing).pool(), None);
            }
        }
    }
}

#[test]
fn create_event_accepts_the_bounds_of_every_number() {
    let mut world = World::new();
    let names: Vec<String> = (0..100).map(|number| format!("m{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut new = new_event(EventKind::Combined, Engine::Clob, 1_000, &names);
    new.slug = Text::from("a".repeat(120));
    new.details.title = text(300);
    new.details.closing_date = Some(START + Span::seconds(1));
    new.details.resolution_date = Some(START + Span::seconds(1));
    new.markets[7].details.order_min.usd = Money::ORDER_MAX;
    assert!(world.system(Command::CreateEvent(new)).is_ok());
    let mut far = new_event(EventKind::Single, Engine::Clob, 0, &["far"]);
    far.details.closing_date = Some(Time::MAX);
    assert!(world.system(Command::CreateEvent(far)).is_ok());
}

#[test]
fn create_event_refuses_what_is_malformed_by_itself() {
    type Spoil = fn(&mut NewEvent);
    let table: &[(&str, Spoil)] = &[
        ("slug", |new| new.slug = Text::from("")),
        ("slug", |new| new.slug = Text::from("a".repeat(121))),
        ("slug", |new| new.slug = Text::from("Upper")),
        ("slug", |new| new.slug = Text::from("with space")),
        ("slug", |new| new.slug = Text::from("ümlaut")),
        ("title", |new| new.details.title = Text::from("")),
        ("title", |new| new.details.title = text(301)),
        ("description", |new| new.details.description = text(10_001)),
        ("category", |new| new.details.category = Text::from("")),
        ("subcategory", |new| new.details.subcategory = text(61)),
        ("image_url", |new| new.details.image_url = text(2_001)),
        ("hashtags", |new| new.details.hashtags = vec![Text::from("x"); 51]),
        ("country_codes", |new| new.details.country_codes = vec![Text::from("")]),
        ("closing_date", |new| new.details.closing_date = Some(START)),
        ("closing_date", |new| new.details.closing_date = Some(Time::MAX + Span::seconds(1))),
        ("opening_date", |new| new.details.opening_date = Some(Time::from_seconds(-1))),
        ("opening_date", |new| {
            new.details.opening_date = Some(START + Span::seconds(2));
            new.details.closing_date = Some(START + Span::seconds(1));
        }),
        ("resolution_date", |new| {
            new.details.closing_date = Some(START + Span::seconds(2));
            new.details.resolution_date = Some(START + Span::seconds(1));
        }),
        ("currencies", |new| new.currencies = vec![]),
        ("currencies", |new| new.currencies = vec![Currency::Usd, Currency::Usd]),
        ("markets", |new| new.kind = EventKind::Single),
        ("markets", |new| drop(new.markets.pop())),
        ("markets", |new| new.markets = vec![new.markets[0].clone(); 101]),
        ("market title", |new| new.markets[1].details.title = Text::from("")),
        ("yes_label", |new| new.markets[1].details.yes_label = Text::from("")),
        ("no_label", |new| new.markets[1].details.no_label = Text::from("YES")),
        ("rules", |new| new.markets[1].details.rules = text(10_001)),
        ("order_min", |new| new.markets[1].details.order_min.usd = Money::new(999_999)),
        ("order_min", |new| new.markets[1].details.order_min.ngn = Money::new(99_999_999)),
        ("order_min", |new| new.markets[1].details.order_min.ngn = Money::ORDER_MAX + Money::new(1)),
        ("prop line", |new| {
            new.markets[1].details.prop = Some(Prop { line: Some(-1), direction: None, team: None });
        }),
        ("link", |new| new.link = EventLink::Series { series: SeriesId::new(1), start: START }),
    ];
    let mut world = World::new();
    for (place, (expected, spoil)) in table.iter().enumerate() {
        let mut new = new_event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
        spoil(&mut new);
        match world.system(Command::CreateEvent(new)) {
            Err(Reject::InvalidField { field, .. }) => assert_eq!(field, *expected, "row {place}"),
            other => panic!("row {place}, {expected}: {other:?}"),
        }
        assert_eq!((world.changes(), world.exchange.catalogue().events().len()), (&[][..], 0));
    }
}

#[test]
fn create_event_refuses_names_that_are_taken_or_unknown() {
    let mut world = World::new();
    world.draft(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
    let game = EventLink::Game { game: GameId::new(9), market_type: SportMarketType::TotalGoals };
    type Spoil = Box<dyn Fn(&mut NewEvent)>;
    let table: [(Reject, Spoil); 6] = [
        (Reject::DuplicateId, Box::new(|new| new.id = event_of("a"))),
        (Reject::DuplicateId, Box::new(|new| new.markets[0].id = market_id("b"))),
        (Reject::DuplicateId, Box::new(|new| new.markets[0].id = new.markets[1].id)),
        (Reject::DuplicateSlug, Box::new(|new| new.slug = Text::from("a-event"))),
        (Reject::GameNotFound, Box::new(move |new| new.link = game)),
        (
            Reject::TeamNotFound,
            Box::new(|new| {
                new.markets[0].details.prop =
                    Some(Prop { line: None, direction: None, team: Some(TeamId::new(9)) });
            }),
        ),
    ];
    for (expected, spoil) in table {
        let mut new = new_event(EventKind::Grouped, Engine::Clob, 0, &["c", "d"]);
        spoil(&mut new);
        assert_eq!(world.system(Command::CreateEvent(new)), Err(expected));
        assert_eq!(world.exchange.catalogue().events().len(), 1);
    }
    let fresh = new_event(EventKind::Grouped, Engine::Clob, 0, &["c", "d"]);
    assert!(world.system(Command::CreateEvent(fresh)).is_ok());
}
