//! The lifecycle's table, cell by cell through the commands, and how an event's status follows its markets'.

use exchange::catalogue::{Action, Engine, EventKind, Status};
use exchange::change::Change;
use exchange::command::{
    CancelMarkets, CloseTrading, Command, OpenEvent, PauseTrading, ResolveMarket, ResumeTrading, Target,
};
use exchange::numbers::Cents;
use exchange::order::Outcome;
use exchange::reject::Reject;

use crate::rules::world::{World, event_of, id, market_id};

/// The status of a market and of its event.
pub(crate) fn statuses(world: &World, market: &str) -> (Status, Status) {
    let catalogue = world.exchange.catalogue();
    let market = catalogue.market(catalogue.find_market(market_id(market)).expect("a known market"));
    (market.status, catalogue.event(market.event).status)
}

/// The status changes of the last request, as they were reported.
pub(crate) fn reported(world: &World) -> Vec<Change> {
    let is_status =
        |change: &&Change| matches!(change, Change::MarketStatus { .. } | Change::EventStatus { .. });
    world.changes().iter().filter(is_status).cloned().collect()
}

pub(crate) fn market_status(market: &str, status: Status) -> Change {
    Change::MarketStatus { market: market_id(market), status }
}

pub(crate) fn event_status(market: &str, status: Status) -> Change {
    Change::EventStatus { event: event_of(market), status }
}

/// The command that carries an action out on one market; only whole events open.
fn command(action: Action, market: &str, target: Target) -> Command {
    match action {
        Action::Open => Command::OpenEvent(OpenEvent { event: event_of(market) }),
        Action::Pause => Command::PauseTrading(PauseTrading { target }),
        Action::Resume => Command::ResumeTrading(ResumeTrading { target }),
        Action::Close => Command::CloseTrading(CloseTrading { target }),
        Action::Resolve => {
            Command::ResolveMarket(ResolveMarket { market: market_id(market), outcome: Outcome::Yes })
        }
        Action::Cancel => Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF }),
    }
}

/// A world with one market in this status.
pub(crate) fn world_in(status: Status, engine: Engine) -> World {
    let mut world = World::new();
    if status == Status::Draft {
        world.draft(EventKind::Single, engine, 0, &["m"]);
        return world;
    }
    world.event(EventKind::Single, engine, 0, &["m"]);
    let way: &[Action] = match status {
        Status::Draft | Status::Open => &[],
        Status::Paused => &[Action::Pause],
        Status::Closed => &[Action::Close],
        Status::Resolved => &[Action::Close, Action::Resolve],
        Status::Cancelled => &[Action::Cancel],
    };
    for action in way {
        world.system(command(*action, "m", Target::Market(market_id("m")))).expect("a step on the way");
    }
    world
}

const NO: Option<Status> = None;
/// Rows: the status before, in the order of `Status::ALL`. Columns: open, pause, resume, close, resolve, cancel.
#[rustfmt::skip]
const TABLE: [[Option<Status>; 6]; 6] = [
    /* draft     */ [Some(Status::Open), NO, NO, NO, NO, Some(Status::Cancelled)],
    /* open      */ [NO, Some(Status::Paused), NO, Some(Status::Closed), NO, Some(Status::Cancelled)],
    /* paused    */ [NO, NO, Some(Status::Open), Some(Status::Closed), NO, Some(Status::Cancelled)],
    /* closed    */ [NO, NO, NO, NO, Some(Status::Resolved), Some(Status::Cancelled)],
    /* resolved  */ [NO, NO, NO, NO, NO, NO],
    /* cancelled */ [NO, NO, NO, NO, NO, NO],
];

#[test]
fn every_cell_of_the_lifecycle_table_holds_for_a_market_and_for_an_event() {
    for (from, row) in Status::ALL.into_iter().zip(TABLE) {
        let before = world_in(from, Engine::Clob);
        assert_eq!(statuses(&before, "m"), (from, from));
        for (action, expected) in Action::ALL.into_iter().zip(row) {
            for target in [Target::Market(market_id("m")), Target::Event(event_of("m"))] {
                let mut world = before.clone();
                let result = world.system(command(action, "m", target));
                let after = expected.unwrap_or(from);
                assert_eq!(statuses(&world, "m"), (after, after), "{from:?} {action:?} {target:?}");
                match expected {
                    Some(_) => {
                        assert!(result.is_ok(), "{from:?} {action:?}: {result:?}");
                        assert_eq!(reported(&world), [market_status("m", after), event_status("m", after)]);
                    }
                    None => {
                        assert_eq!(result, Err(Reject::StatusNotAllowed { status: from }), "{action:?}");
                        assert_eq!(world.changes(), []);
                    }
                }
            }
        }
    }
}

#[test]
fn the_commands_table_is_the_catalogues_table() {
    for (from, row) in Status::ALL.into_iter().zip(TABLE) {
        for (action, expected) in Action::ALL.into_iter().zip(row) {
            assert_eq!(from.after(action), expected, "{from:?} {action:?}");
        }
    }
}

#[test]
fn an_action_on_an_event_reaches_the_markets_that_allow_it_and_no_others() {
    let mut world = World::new();
    world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b", "c"]);
    let event = Target::Event(event_of("a"));
    world
        .system(Command::CloseTrading(CloseTrading { target: Target::Market(market_id("b")) }))
        .expect("b closes");
    assert_eq!(
        reported(&world),
        [market_status("b", Status::Closed)],
        "the event stays open and says nothing"
    );

    world.system(Command::PauseTrading(PauseTrading { target: event })).expect("a and c pause");
    let expected = [
        market_status("a", Status::Paused),
        market_status("c", Status::Paused),
        event_status("a", Status::Paused),
    ];
    assert_eq!(reported(&world), expected);

    world
        .system(Command::ResumeTrading(ResumeTrading { target: Target::Market(market_id("c")) }))
        .expect("c resumes");
    assert_eq!(reported(&world), [market_status("c", Status::Open), event_status("a", Status::Open)]);

    world
        .system(Command::CancelMarkets(CancelMarkets { target: event, yes: Cents::HALF }))
        .expect("all three are cancelled");
    assert_eq!(statuses(&world, "b"), (Status::Cancelled, Status::Cancelled));
    assert_eq!(reported(&world).len(), 4);
    let refused = Err(Reject::StatusNotAllowed { status: Status::Cancelled });
    assert_eq!(world.system(Command::CloseTrading(CloseTrading { target: event })), refused);
}

#[test]
fn an_events_status_is_the_liveliest_of_its_markets() {
    use Action::{Cancel, Close, Pause, Resolve};
    let table: [(&[Action], &[Action], Status); 10] = [
        (&[], &[Close], Status::Open),
        (&[], &[Pause], Status::Open),
        (&[Pause], &[Close], Status::Paused),
        (&[Pause], &[Cancel], Status::Paused),
        (&[Close], &[Close], Status::Closed),
        (&[Close], &[Cancel], Status::Closed),
        (&[Close], &[Close, Resolve], Status::Closed),
        (&[Close, Resolve], &[Cancel], Status::Resolved),
        (&[Close, Resolve], &[Close, Resolve], Status::Resolved),
        (&[Cancel], &[Cancel], Status::Cancelled),
    ];
    for (first, second, expected) in table {
        let mut world = World::new();
        world.event(EventKind::Grouped, Engine::Clob, 0, &["a", "b"]);
        for (market, actions) in [("a", first), ("b", second)] {
            for action in actions {
                world
                    .system(command(*action, market, Target::Market(market_id(market))))
                    .expect("an allowed step");
            }
        }
        assert_eq!(statuses(&world, "a").1, expected, "{first:?} {second:?}");
        let event = world.exchange.catalogue().find_event(event_of("a")).expect("the event");
        let resolved_at = world.exchange.catalogue().event(event).resolved_at;
        assert_eq!(resolved_at.is_some(), expected == Status::Resolved);
    }
}

#[test]
fn an_action_on_what_does_not_exist_is_refused() {
    let mut world = World::new();
    let event = exchange::id::EventId::new(id("nothing"));
    for action in [Action::Pause, Action::Resume, Action::Close, Action::Cancel] {
        let on_market = command(action, "nothing", Target::Market(market_id("nothing")));
        assert_eq!(world.system(on_market), Err(Reject::MarketNotFound));
        assert_eq!(
            world.system(command(action, "nothing", Target::Event(event))),
            Err(Reject::EventNotFound)
        );
    }
    let resolve =
        Command::ResolveMarket(ResolveMarket { market: market_id("nothing"), outcome: Outcome::No });
    assert_eq!(world.system(resolve), Err(Reject::MarketNotFound));
    assert_eq!(world.system(Command::OpenEvent(OpenEvent { event })), Err(Reject::EventNotFound));
}
