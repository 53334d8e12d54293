//! `EditEvent`: drafts only, whole details at once, each market once.

use exchange::catalogue::{Engine, EventDetails, EventKind, MarketDetails};
use exchange::change::Change;
use exchange::command::{CancelMarkets, Command, EditEvent, MarketEdit, OpenEvent, Target};
use exchange::id::EventId;
use exchange::numbers::{Cents, FeeRate};
use exchange::reject::Reject;
use exchange::text::Text;

use crate::rules::world::{START, World, event_of, id, market_id};

fn details(title: &str) -> EventDetails {
    EventDetails { title: Text::from(title), category: Text::from("news"), ..EventDetails::default() }
}

fn edit(market: &str, title: &str) -> MarketEdit {
    let fee_rate = FeeRate::new(300).expect("a rate");
    let details = MarketDetails { title: Text::from(title), fee_rate, ..MarketDetails::default() };
    MarketEdit { market: market_id(market), details }
}

fn command(event: EventId, title: &str, markets: &[MarketEdit]) -> Command {
    Command::EditEvent(EditEvent { event, details: details(title), markets: markets.to_vec(), over: None })
}

fn stage() -> World {
    let mut world = World::new();
    world.draft(EventKind::Grouped, Engine::Clob, 0, &["a", "b", "c"]);
    world.draft(EventKind::Single, Engine::Clob, 0, &["other"]);
    world
}

#[test]
fn edit_event_replaces_the_details_of_a_draft_and_of_the_markets_it_names() {
    let mut world = stage();
    let before = world.exchange.catalogue().clone();
    let edits = [edit("c", "third"), edit("a", "first")];
    world.system(command(event_of("a"), "new title", &edits)).expect("an edited draft");
    assert_eq!(world.changes(), [Change::EventEdited { event: event_of("a") }]);

    let catalogue = world.exchange.catalogue();
    let event = catalogue.event(catalogue.find_event(event_of("a")).expect("the event"));
    assert_eq!(event.details, details("new title"));
    assert_eq!(&*event.slug, "a-event");
    let market = |name| catalogue.market(catalogue.find_market(market_id(name)).expect("a market"));
    assert_eq!((&market("a").details, &market("c").details), (&edits[1].details, &edits[0].details));
    assert_eq!(market("b"), before.market(before.find_market(market_id("b")).expect("b")));
}

#[test]
fn edit_event_refuses_what_a_new_event_may_not_be_and_changes_nothing() {
    let mut late = details("late");
    late.closing_date = Some(START);
    let mut same_labels = edit("a", "first");
    same_labels.details.no_label = Text::from("YES");
    let on_a = |details, markets| {
        Command::EditEvent(EditEvent { event: event_of("a"), details, markets, over: None })
    };
    let invalid = |field, rule| Reject::InvalidField { field, rule };
    let table = [
        (command(EventId::new(id("nothing")), "t", &[]), Reject::EventNotFound),
        (command(event_of("a"), "", &[]), invalid("title", "has 1 to 300 characters")),
        (on_a(late, vec![]), invalid("closing_date", "lies in the future")),
        (on_a(details("t"), vec![same_labels]), invalid("no_label", "differs from yes_label")),
        (command(event_of("a"), "t", &[edit("a", "")]), invalid("market title", "has 1 to 300 characters")),
        (
            command(event_of("a"), "t", &[edit("a", "x"), edit("a", "y")]),
            invalid("markets", "names each market once"),
        ),
        (command(event_of("a"), "t", &[edit("b", "x"), edit("other", "y")]), Reject::MarketNotFound),
        (command(event_of("a"), "t", &[edit("nothing", "y")]), Reject::MarketNotFound),
    ];
    let mut world = stage();
    let before = format!("{:?}", world.exchange.catalogue());
    for (command, expected) in table {
        assert_eq!(world.system(command), Err(expected));
        assert_eq!(world.changes(), []);
        assert_eq!(format!("{:?}", world.exchange.catalogue()), before);
    }
}

#[test]
fn edit_event_refuses_what_is_no_draft_any_more() {
    let mut world = stage();
    let cancel =
        Command::CancelMarkets(CancelMarkets { target: Target::Market(market_id("b")), yes: Cents::HALF });
    world.system(cancel).expect("b is cancelled");
    assert_eq!(world.system(command(event_of("a"), "t", &[edit("b", "x")])), Err(Reject::NotDraft));
    assert!(world.system(command(event_of("a"), "t", &[edit("a", "x")])).is_ok());
    world.system(Command::OpenEvent(OpenEvent { event: event_of("a") })).expect("open");
    assert_eq!(world.system(command(event_of("a"), "t", &[])), Err(Reject::NotDraft));
}
