//! What one operator cannot do alone where two persons are required, each by the way that once worked.

use exchange::catalogue::{
    Engine, EventDetails, EventKind, EventLink, Game, GameStatus, NewEvent, NewSeries, SportMarketType,
    Status,
};
use exchange::change::SeriesAlert;
use exchange::command::{
    BreakGlass, CancelMarkets, ChangeRole, Command, ConfirmOperator, CreditWallet, DoOrPropose, EditEvent,
    Finalise, GrowPool, ImportSports, OpenEvent, PolicyChange, PriceRange, RecordGameResult, ResolveMarket,
    RevokeOperator, SuspendOperator, Target, UpgradeRules,
};
use exchange::governance::{Policy, Score, Subject, Verdict};
use exchange::id::{EventId, GameId, Hash32, TeamId, UserId};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::{Actor, Role};
use exchange::numbers::{Cents, Currency, Money, PerCurrency, Ppm};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;
use exchange::{Exchange, Request};

use crate::rules::create_series::{new_series, record, series_id, start_of, tick};
use crate::rules::persons::{agree, command, operator_id, two_required};
use crate::rules::propose::{proposal_id, propose, resolution, stage};
use crate::rules::samples::{new_soccer_events, sports};
use crate::rules::world::{START, World, event_of, id, market_id, market_order, new_event};

pub(crate) const CAP: Money = Money::whole(100);

/// Olga operates, ada and abel approve; two are required above 100 of each currency.
pub(crate) fn two(world: &mut World) {
    world.operator("olga", Role::Operator);
    world.operator("ada", Role::Approver);
    world.operator("abel", Role::Approver);
    require_two(world);
}

pub(crate) fn require_two(world: &mut World) {
    let caps = PerCurrency { usd: CAP, ngn: CAP };
    let policy = Policy { entry_max: caps, day_max: caps, ..two_required() };
    world.run_by("ada", Command::SetPolicy(policy)).expect("the policy");
}

pub(crate) fn finalise(name: &str) -> Command {
    Command::Finalise(Finalise { proposal: proposal_id(name) })
}

pub(crate) fn credit(user: &str, amount: Money, reference: &str) -> Command {
    let (user, reference) = (UserId::new(id(user)), Text::from(reference));
    Command::CreditWallet(CreditWallet { user, currency: Currency::Usd, amount, reference })
}

fn pool_series(name: &str, seed: Money) -> Command {
    let (engine, currencies) = (Engine::Amm, vec![Currency::Usd]);
    let seed = PerCurrency { usd: seed, ngn: Money::ZERO };
    Command::CreateSeries(NewSeries { engine, currencies, seed, ..new_series(name) })
}

#[test]
fn a_series_above_the_caps_is_proposed() {
    let mut world = World::new();
    world.wait(Span::seconds(1));
    two(&mut world);
    let series = pool_series("btc", Money::whole(101));
    let refused = Reject::OverEntryCap { currency: Currency::Usd, max: CAP };
    assert_eq!(world.run_by("olga", series.clone()), Err(refused));
    agree(&mut world, "olga", "ada", series).expect("agreed");
    assert_eq!(world.exchange.catalogue().find_series(series_id("btc")).expect("a series").creator, None);
}

#[test]
fn the_seeds_of_a_series_count_against_the_day_of_its_creator() {
    let mut world = World::new();
    world.wait(Span::seconds(1));
    world.credit("house", Currency::Usd, Money::whole(10_000));
    two(&mut world);
    world.run_by("olga", pool_series("btc", Money::whole(60))).expect("within the cap");
    for interval in 1..=3 {
        record(&mut world, start_of(interval), 100);
        tick(&mut world, start_of(interval) + Span::seconds(1));
    }
    assert_eq!(world.exchange.catalogue().events().len(), 1, "60, and not 120 a day");
    let series = world.exchange.catalogue().find_series(series_id("btc")).expect("a series");
    assert!(
        series.alerts.iter().all(|alert| alert.reason == SeriesAlert::OverCap) && series.alerts.len() == 2
    );
    let over = world.run_by("olga", credit("house", Money::whole(41), "more"));
    assert_eq!(over, Err(Reject::OverDayCap { currency: Currency::Usd, left: Money::whole(40) }));
    world.now = START + Span::days(1);
    record(&mut world, START + Span::days(1), 100);
    tick(&mut world, START + Span::days(1) + Span::seconds(1));
    assert_eq!(world.exchange.catalogue().events().len(), 2, "another day");
}

fn result(home: u16, away: u16) -> Subject {
    Subject::GameResult { game: GameId::new(id("game")), score: Score { home, away } }
}

fn game(world: &World) -> Game {
    world.exchange.catalogue().sports().games[&GameId::new(id("game"))].clone()
}

fn import(world: &mut World, game: Game) -> Result<Reply, Reject> {
    let (leagues, teams) = (Vec::new(), Vec::new());
    world.run_by("olga", Command::ImportSports(ImportSports { leagues, teams, games: vec![game] }))
}

/// A game with its three events, open until it begins in three days.
fn match_day() -> (World, Vec<EventId>) {
    match_day_under(Exchange::RULES_VERSION)
}

fn match_day_under(rules: u32) -> (World, Vec<EventId>) {
    let mut world = World::under_rules(rules);
    world.system(sports()).expect("sports");
    let Ok(Reply::Events(events)) = world.system(Command::CreateSoccerEvents(new_soccer_events())) else {
        panic!("three events")
    };
    for event in &events {
        world.system(Command::OpenEvent(OpenEvent { event: *event })).expect("open");
    }
    two(&mut world);
    (world, events)
}

fn statuses(world: &World, events: &[EventId]) -> Vec<Status> {
    let catalogue = world.exchange.catalogue();
    let status = |event: &EventId| catalogue.event(catalogue.find_event(*event).expect("an event")).status;
    events.iter().map(status).collect()
}

#[test]
fn the_sides_of_a_game_are_fixed_from_its_events_on() {
    let (mut world, _) = match_day();
    let known = game(&world);
    let turned = Game { home: known.away, away: known.home, ..known.clone() };
    assert_eq!(import(&mut world, turned.clone()), Err(Reject::GameFixed));
    for changed in [
        Game { home: TeamId::new(id("greens")), ..known.clone() },
        Game { sport: Text::from("rugby"), ..known.clone() },
    ] {
        assert!(import(&mut world, changed).is_err());
    }
    assert_eq!(import(&mut world, Game { is_popular: !known.is_popular, ..known }), Ok(Reply::Done));
    let mut alone = World::new();
    alone.system(sports()).expect("sports");
    alone.operator("olga", Role::Operator);
    assert_eq!(import(&mut alone, turned), Ok(Reply::Done), "nobody could trade on it yet");
}

#[test]
fn a_result_that_would_decide_otherwise_than_proposed_is_not_finalised() {
    let (mut world, events) = match_day();
    world.now = START + Span::days(3);
    world.run_by("olga", propose("p", result(2, 0))).expect("proposed");
    // The owner of the machine decides one market in between.
    let catalogue = world.exchange.catalogue();
    let winner = catalogue.event(catalogue.find_event(events[0]).expect("an event")).markets[0];
    let market = catalogue.market(winner).id;
    world.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No })).expect("resolved");
    assert_eq!(world.run_by("ada", finalise("p")), Err(Reject::VerdictChanged));
    let proposal = world.exchange.governance().proposal(proposal_id("p")).expect("it still stands").clone();
    assert_eq!(proposal.verdicts.map(|verdicts| verdicts.len()), Some(3), "it carries what it decides");
}

#[test]
fn an_operator_fills_neither_the_places_of_others_nor_those_of_verdicts() {
    let mut world = stage();
    require_two(&mut world);
    for n in 0..100 {
        let spam = propose(&format!("spam {n}"), command(credit("alice", Money::whole(101), &n.to_string())));
        world.run_by("olga", spam).expect("one of a hundred");
    }
    let one_more = propose("more", command(credit("alice", Money::whole(101), "more")));
    assert_eq!(world.run_by("olga", one_more.clone()), Err(Reject::TooManyProposals));
    world.run_by("ada", one_more).expect("another operator");
    world.run_by("olga", propose("verdict", resolution(&[("m", Outcome::Yes)]))).expect("a verdict");
    let revoke = Command::RevokeOperator(RevokeOperator { operator: operator_id("olga") });
    agree(&mut world, "ada", "abel", revoke).expect("revoked");
    let left: Vec<_> = world.exchange.governance().proposals().map(|proposal| proposal.id).collect();
    assert_eq!(left, [proposal_id("more")], "those of a revoked operator end");
}

#[test]
fn half_an_agreement_ends_with_the_operator_who_made_it() {
    let mut world = stage();
    require_two(&mut world);
    let (suspend, lift) = (
        Command::SuspendOperator(SuspendOperator {
            operator: operator_id("olga"),
            suspended: true,
            until: None,
        }),
        Command::SuspendOperator(SuspendOperator {
            operator: operator_id("olga"),
            suspended: false,
            until: None,
        }),
    );
    world.run_by("olga", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    world.run_by("ada", suspend).expect("suspended");
    assert_eq!(world.run_by("abel", finalise("p")), Err(Reject::ProposerNotActive));
    agree(&mut world, "ada", "abel", lift).expect("reinstated");
    assert_eq!(world.run_by("abel", finalise("p")), Ok(Reply::Done));
}

#[test]
fn break_glass_makes_no_person_of_others_who_are_persons() {
    let mut world = stage();
    require_two(&mut world);
    let (id, name, token_hash) = (operator_id("glass"), Text::from("glass"), Hash32::of("glass"));
    world.system(Command::BreakGlass(BreakGlass { id, name, token_hash })).expect("a rescuer");
    for (place, name) in ["ada", "abel", "olga"].into_iter().enumerate() {
        let operator = operator_id(name);
        let again = [
            Command::ConfirmOperator(ConfirmOperator { operator }),
            Command::ChangeRole(ChangeRole { operator, role: Role::Approver }),
        ];
        for (number, again) in again.into_iter().enumerate() {
            let id = format!("{place} {number}");
            world.run_by("glass", propose(&id, command(again))).expect("proposed");
            world.run_by("glass", finalise(&id)).expect("it decides about operators");
        }
    }
    let directory = world.exchange.directory();
    assert!(!directory.is_same_person(operator_id("ada"), operator_id("abel")));
    assert!(
        directory.is_same_person(operator_id("glass"), operator_id("olga")),
        "it made an approver of olga"
    );
    world.run_by("ada", propose("p", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    assert_eq!(world.run_by("abel", finalise("p")), Ok(Reply::Done));
}

#[test]
fn half_an_agreement_ends_with_the_role_that_it_took() {
    let mut world = stage();
    require_two(&mut world);
    world.operator("abby", Role::Approver);
    let age = PolicyChange { retire_after_seconds: Some(7_200), ..PolicyChange::default() };
    world.run_by("abby", propose("verdict", resolution(&[("m", Outcome::Yes)]))).expect("proposed");
    world.run_by("abby", propose("age", command(Command::ChangePolicy(age)))).expect("proposed");
    let role = |role| Command::ChangeRole(ChangeRole { operator: operator_id("abby"), role });
    agree(&mut world, "ada", "abel", role(Role::Viewer)).expect("demoted");
    assert_eq!(world.run_by("ada", finalise("verdict")), Err(Reject::ProposerNotActive));
    agree(&mut world, "ada", "abel", role(Role::Operator)).expect("promoted");
    assert_eq!(world.run_by("ada", finalise("age")), Err(Reject::ProposerNotActive), "it takes an approver");
    assert_eq!(world.run_by("ada", finalise("verdict")), Ok(Reply::Done));
}

#[test]
fn an_edit_over_a_draft_that_has_changed_is_refused() {
    let mut world = World::new();
    world.draft(EventKind::Single, Engine::Clob, 0, &["m"]);
    let edit = |title: &str, over| {
        let details = EventDetails {
            title: Text::from(title),
            category: Text::from("test"),
            ..EventDetails::default()
        };
        Command::EditEvent(EditEvent { event: event_of("m"), details, markets: Vec::new(), over: Some(over) })
    };
    world.system(edit("first", 0)).expect("over the draft as it was made");
    let last = world.exchange.seq();
    assert_eq!(world.system(edit("second", 0)), Err(Reject::EditedMeanwhile));
    assert_eq!(world.system(edit("second", last)), Ok(Reply::Done));
}

#[test]
fn a_result_comes_after_the_beginning_and_closes_what_trades() {
    let (mut world, events) = match_day();
    assert_eq!(world.run_by("olga", propose("p", result(2, 0))), Err(Reject::GameNotStarted));
    // A market without a closing date would go on trading.
    let begun = Game { status: GameStatus::Live, ..game(&world) };
    import(&mut world, begun).expect("it began earlier");
    assert_eq!(statuses(&world, &events), [Status::Closed; 3]);
    world.run_by("olga", propose("p", result(2, 0))).expect("proposed");
}

#[test]
fn a_recorded_score_takes_two_and_is_corrected_while_it_paid_nobody() {
    let mut world = World::new();
    world.system(sports()).expect("sports");
    two(&mut world);
    world.now = START + Span::days(3);
    let game_id = GameId::new(id("game"));
    let record = |home, away| {
        Command::RecordGameResult(RecordGameResult { game: game_id, score: Score { home, away } })
    };
    assert_eq!(world.run_by("olga", record(9, 0)), Err(Reject::NeedsProposal));
    world.system(record(9, 0)).expect("recorded by the node");
    world.run_by("olga", propose("p", result(1, 0))).expect("a correction");
    world.run_by("ada", finalise("p")).expect("finalised");
    assert_eq!(game(&world).score, Some(Score { home: 1, away: 0 }));
    let again = world.run_by("olga", propose("q", result(1, 0)));
    assert!(matches!(again, Err(Reject::InvalidField { field: "game", .. })), "{again:?}");
}

#[test]
fn a_result_with_two_winners_of_a_combined_event_is_refused_under_rules_4() {
    let (mut world, _) = match_day_under(4);
    // Both markets ask for a draw.
    let (game, market_type) = (GameId::new(id("game")), SportMarketType::TeamH2h3Way);
    let link = EventLink::Game { game, market_type };
    let new = NewEvent { link, ..new_event(EventKind::Combined, Engine::Clob, 0, &["one", "two"]) };
    world.run_by("olga", Command::CreateEvent(new)).expect("a draft");
    world.run_by("olga", Command::OpenEvent(OpenEvent { event: event_of("one") })).expect("open");
    world.now = START + Span::days(3);
    let refused = world.run_by("ada", propose("p", result(1, 1)));
    assert!(matches!(refused, Err(Reject::InvalidField { field: "market", .. })), "{refused:?}");
    let verdict = Verdict::Cancelled { yes: Cents::HALF };
    let event = event_of("one");
    world.run_by("ada", propose("c", Subject::Resolution { event, verdict })).expect("proposed");
    world.run_by("abel", finalise("c")).expect("cancelled");
    world.run_by("ada", propose("q", result(1, 1))).expect("the others have one each");
}

#[test]
fn a_score_that_paid_stays_and_no_event_of_its_game_opens_any_more() {
    let mut world = World::new();
    world.system(sports()).expect("sports");
    let Ok(Reply::Events(events)) = world.system(Command::CreateSoccerEvents(new_soccer_events())) else {
        panic!("three events")
    };
    world.system(Command::OpenEvent(OpenEvent { event: events[0] })).expect("open");
    world.now = START + Span::days(3);
    let game_id = GameId::new(id("game"));
    let record = |home, away| {
        Command::RecordGameResult(RecordGameResult { game: game_id, score: Score { home, away } })
    };
    world.system(record(2, 1)).expect("a result");
    let catalogue = world.exchange.catalogue();
    let details = catalogue.event(catalogue.find_event(events[1]).expect("a draft")).details.clone();
    let details = EventDetails { closing_date: Some(world.now + Span::hours(1)), ..details };
    let edit = EditEvent { event: events[1], details, markets: Vec::new(), over: None };
    world.system(Command::EditEvent(edit)).expect("an edit");
    let open = Command::OpenEvent(OpenEvent { event: events[1] });
    assert_eq!(world.system(open), Err(Reject::GameOver));
    assert_eq!(world.system(record(0, 3)), Err(Reject::GameOver));
}

#[test]
fn trading_follows_the_game() {
    let (mut world, events) = match_day();
    let closes = |world: &World| {
        let catalogue = world.exchange.catalogue();
        catalogue.event(catalogue.find_event(events[0]).expect("an event")).details.closing_date
    };
    let (known, hour) = (game(&world), Span::hours(1));
    for start in [known.start - hour, known.start + hour] {
        import(&mut world, Game { start, ..known.clone() }).expect("moved");
        assert_eq!((closes(&world), statuses(&world, &events)), (Some(start), vec![Status::Open; 3]));
    }
    import(&mut world, Game { status: GameStatus::Postponed, ..known.clone() }).expect("postponed");
    assert_eq!(statuses(&world, &events), [Status::Paused; 3]);
    let past = world.now - hour;
    import(&mut world, Game { start: past, ..known.clone() }).expect("it has begun");
    assert_eq!(statuses(&world, &events), [Status::Closed; 3]);
    for status in [GameStatus::Live, GameStatus::Finished, GameStatus::Cancelled] {
        let (mut world, events) = match_day();
        import(&mut world, Game { status, ..known.clone() }).expect("imported");
        assert_eq!(statuses(&world, &events), [Status::Closed; 3], "{status:?}");
    }
}

#[test]
fn a_cancelled_draft_was_never_opened() {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.draft(EventKind::Single, Engine::Clob, 0, &["draft"]);
    world.clob("open", 0);
    for name in ["draft", "open"] {
        let target = Target::Event(event_of(name));
        let yes = Cents::HALF;
        world.run_by("olga", Command::CancelMarkets(CancelMarkets { target, yes })).expect("cancelled");
    }
    let catalogue = world.exchange.catalogue();
    let hidden = ["draft", "open"]
        .map(|name| catalogue.event(catalogue.find_event(event_of(name)).expect("an event")).never_opened);
    assert_eq!(hidden, [true, false]);
}

#[test]
fn newer_rules_take_two() {
    let mut world = World::new();
    two(&mut world);
    let upgrade = Command::UpgradeRules(UpgradeRules { version: Exchange::RULES_VERSION });
    assert_eq!(world.run_by("ada", upgrade.clone()), Err(Reject::NeedsProposal));
    assert_eq!(agree(&mut world, "ada", "abel", upgrade), Err(Reject::VersionNotNewer));
}

#[test]
fn an_upgrade_to_rules_that_this_build_does_not_know_is_not_decided() {
    let mut world = World::new();
    two(&mut world);
    let version = Exchange::rules_known() + 1;
    let upgrade = Command::UpgradeRules(UpgradeRules { version });
    let (proposal, inner) = (proposal_id("or"), Box::new(upgrade.clone()));
    let either = Command::DoOrPropose(DoOrPropose { proposal, command: inner });
    let actor = Actor::Operator { operator: operator_id("ada") };
    let proposed = propose("p", command(upgrade.clone()));
    for command in [upgrade, proposed.clone(), either] {
        let request = Request { actor, idempotency: None, command };
        let undecidable = world.exchange.apply(world.now, &request).expect_err("another build decides it");
        assert!(undecidable.to_string().contains("asks for rules"), "{undecidable}");
    }
    let older = Request { actor, idempotency: None, command: proposed };
    assert!(Exchange::check_decidable_by(3, &older).is_ok(), "earlier rules refuse it, and every build does");
}

#[test]
fn a_pool_grows_only_at_the_prices_for_which_it_was_meant() {
    let mut world = World::new();
    world.amm("m", 0);
    world.rich_user("alice", Money::whole(10_000), Money::ZERO);
    world.credit("house", Currency::Usd, Money::whole(50_000));
    two(&mut world);
    let grow = |between| {
        let (market, currency, amount) = (market_id("m"), Currency::Usd, Money::whole(50_000));
        Command::GrowPool(GrowPool { market, currency, amount, between })
    };
    let refused = world.run_by("olga", propose("open", command(grow(None))));
    assert!(matches!(refused, Err(Reject::InvalidField { field: "between", .. })), "{refused:?}");
    let range = PriceRange { low: Ppm::new(450_000), high: Ppm::new(520_000) };
    world.run_by("olga", propose("p", command(grow(Some(range))))).expect("proposed");
    let push = market_order("1", "m", Outcome::Yes, Side::Buy, Money::whole(3_000));
    world.place("alice", push).expect("a trade");
    assert!(matches!(world.run_by("ada", finalise("p")), Err(Reject::PriceOutsideRange { .. })));
    let back = market_order("2", "m", Outcome::No, Side::Buy, Money::whole(3_000));
    world.place("alice", back).expect("a trade");
    assert_eq!(world.run_by("ada", finalise("p")), Ok(Reply::Done));
}

#[test]
fn an_operators_retry_is_decided_once() {
    let mut world = World::new();
    world.operator("olga", Role::Operator);
    world.user("alice");
    let request = |body| Request {
        actor: Actor::Operator { operator: operator_id("olga") },
        idempotency: Some(IdempotencyKey { scope: 1, scope_low: 2, body, window: None }),
        command: credit("alice", Money::whole(5), "wire"),
    };
    assert!(matches!(world.request(&request(7)), Ok(Reply::Wallet { .. })));
    let seq = world.exchange.seq();
    assert_eq!(world.request(&request(7)), Ok(Reply::Replayed { seq }));
    assert_eq!(world.request(&request(8)), Err(Reject::IdempotencyMismatch));
    assert_eq!(world.free("alice", Currency::Usd), Money::whole(5));
    let bytes = exchange::codec::encode_snapshot(&world.exchange);
    assert!(exchange::codec::decode_snapshot(&bytes).is_ok());
    world.wait(Span::hours(24));
    world.system(Command::Tick).expect("a tick");
    assert!(world.exchange.memory().is_empty());
}
