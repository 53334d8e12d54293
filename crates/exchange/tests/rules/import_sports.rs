//! `ImportSports`: replaces known entries, adds new ones, and accepts all of them or none.

use exchange::Exchange;
use exchange::catalogue::{Game, GameStatus, League, Standing, Team};
use exchange::change::Change;
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{CancelMarkets, Command, ImportSports, RecordGameResult, Target, UpgradeRules};
use exchange::governance::Score;
use exchange::id::{GameId, LeagueId, TeamId};
use exchange::numbers::Cents;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::samples::new_soccer_events;
use crate::rules::world::{START, World, id};

pub(crate) fn league(name: &str) -> League {
    League {
        id: LeagueId::new(id(name)),
        key: Text::from(name),
        name: Text::from(name),
        short_name: Text::from(name),
        sport: Text::from("soccer"),
        image_url: Text::default(),
    }
}

pub(crate) fn team(name: &str) -> Team {
    Team {
        id: TeamId::new(id(name)),
        sport: Text::from("soccer"),
        name: Text::from(name),
        slug: Text::from(name.to_lowercase()),
        short_code: Text::from("ABC"),
        league: LeagueId::new(id("epl")),
        image_url: Text::default(),
        is_popular: true,
    }
}

/// Starts two hours after every test begins.
pub(crate) fn game(name: &str, home: &str, away: &str) -> Game {
    Game {
        id: GameId::new(id(name)),
        slug: Text::from(name),
        sport: Text::from("soccer"),
        league: LeagueId::new(id("epl")),
        home: TeamId::new(id(home)),
        away: TeamId::new(id(away)),
        start: START + Span::hours(2),
        status: GameStatus::Unplayed,
        is_popular: false,
        utc_offset_minutes: 60,
        score: None,
        standing: None,
        is_unpaid: None,
    }
}

pub(crate) fn import(leagues: &[League], teams: &[Team], games: &[Game]) -> Command {
    Command::ImportSports(ImportSports {
        leagues: leagues.to_vec(),
        teams: teams.to_vec(),
        games: games.to_vec(),
    })
}

/// One league, two teams, one game.
pub(crate) fn stage() -> World {
    let mut world = World::new();
    let first =
        import(&[league("epl")], &[team("Arsenal"), team("Chelsea")], &[game("derby", "Arsenal", "Chelsea")]);
    world.system(first).expect("an import");
    world
}

#[test]
fn import_sports_adds_what_is_new_and_replaces_what_is_known() {
    let mut world = stage();
    assert_eq!(world.changes(), [Change::SportsImported]);
    let mut live = game("derby", "Arsenal", "Chelsea");
    live.status = GameStatus::Live;
    let second = game("return", "Chelsea", "Arsenal");
    world.system(import(&[], &[], &[live.clone(), second.clone()])).expect("an import");
    let sports = world.exchange.catalogue().sports();
    assert_eq!((sports.leagues.len(), sports.teams.len(), sports.games.len()), (1, 2, 2));
    assert_eq!((&sports.games[&live.id], &sports.games[&second.id]), (&live, &second));
}

fn standing(home: u16, away: u16, clock: &str) -> Option<Standing> {
    Some(Standing { score: Score { home, away }, clock: Text::from(clock) })
}

#[test]
fn import_sports_shows_how_a_live_game_stands_until_its_result() {
    let mut world = stage();
    let mut live = game("derby", "Arsenal", "Chelsea");
    for (home, away, clock) in [(0, 0, "1'"), (1, 0, "63'"), (1_000, 1_000, "")] {
        (live.status, live.standing) = (GameStatus::Live, standing(home, away, clock));
        world.system(import(&[], &[], &[live.clone()])).expect("an import");
        assert_eq!(world.exchange.catalogue().sports().games[&live.id], live);
    }
    let score = Score { home: 2, away: 0 };
    let result = RecordGameResult { game: live.id, score };
    world.system(Command::RecordGameResult(result)).expect("a result");
    world.system(import(&[], &[], &[live.clone()])).expect("a late import");
    let over = &world.exchange.catalogue().sports().games[&live.id];
    assert_eq!((over.status, over.score, &over.standing), (GameStatus::Finished, Some(score), &None));
}

#[test]
fn import_sports_judges_slugs_by_what_they_would_be_afterwards() {
    let mut world = stage();
    let (mut arsenal, mut chelsea) = (team("Arsenal"), team("Chelsea"));
    (arsenal.slug, chelsea.slug) = (chelsea.slug, arsenal.slug);
    assert_eq!(world.system(import(&[], &[arsenal.clone()], &[])), Err(Reject::DuplicateSlug));
    assert!(world.system(import(&[], &[arsenal, chelsea], &[])).is_ok(), "together they exchange them");
}

#[test]
fn import_sports_refuses_each_broken_rule_and_takes_nothing_of_it() {
    let invalid = |field, rule| Reject::InvalidField { field, rule };
    let spoilt_team = |spoil: fn(&mut Team)| {
        let mut spoilt = team("Everton");
        spoil(&mut spoilt);
        import(&[league("cup")], &[spoilt], &[])
    };
    let spoilt_game = |spoil: fn(&mut Game)| {
        let mut spoilt = game("cup-game", "Arsenal", "Chelsea");
        spoil(&mut spoilt);
        import(&[league("cup")], &[], &[spoilt])
    };
    let spoilt_league = |spoil: fn(&mut League)| {
        let mut spoilt = league("cup");
        spoil(&mut spoilt);
        import(&[spoilt], &[], &[])
    };
    let size = invalid("slug", "is neither empty nor too long");
    let letters = invalid("slug", "consists of lowercase letters, digits and hyphens");
    let date = invalid("start", "lies between 1970 and 9999");
    let table = [
        (import(&vec![league("cup"); 1_001], &[], &[]), Reject::BatchSize { max: 1_000 }),
        (
            spoilt_league(|league| league.key = Text::default()),
            invalid("league key", "has 1 to 60 characters"),
        ),
        (
            spoilt_league(|league| league.name = Text::default()),
            invalid("league name", "has 1 to 100 characters"),
        ),
        (spoilt_league(|league| league.key = Text::from("epl")), invalid("league key", "is used once")),
        (spoilt_team(|team| team.slug = Text::default()), size.clone()),
        (spoilt_team(|team| team.slug = Text::from("A B")), letters),
        (spoilt_team(|team| team.name = Text::default()), invalid("team name", "has 1 to 100 characters")),
        (spoilt_team(|team| team.sport = Text::default()), invalid("sport", "has 1 to 60 characters")),
        (spoilt_team(|team| team.league = LeagueId::new(9)), Reject::LeagueNotFound),
        (spoilt_team(|team| team.slug = Text::from("arsenal")), Reject::DuplicateSlug),
        (spoilt_game(|game| game.slug = Text::from("a".repeat(101))), size),
        (spoilt_game(|game| game.slug = Text::from("derby")), Reject::DuplicateSlug),
        (spoilt_game(|game| game.league = LeagueId::new(9)), Reject::LeagueNotFound),
        (spoilt_game(|game| game.home = TeamId::new(9)), Reject::TeamNotFound),
        (spoilt_game(|game| game.away = TeamId::new(9)), Reject::TeamNotFound),
        (spoilt_game(|game| game.away = game.home), invalid("away", "differs from home")),
        (spoilt_game(|game| game.start = Time::MAX + Span::seconds(1)), date),
        (
            spoilt_game(|game| game.utc_offset_minutes = 841),
            invalid("utc_offset_minutes", "is at most 14 hours"),
        ),
    ];
    assert_refused(table);
}

#[test]
fn import_sports_refuses_a_score_of_a_game_that_is_not_live_or_too_large() {
    let invalid = |field, rule| Reject::InvalidField { field, rule };
    let spoilt_game = |spoil: fn(&mut Game)| {
        let mut spoilt = game("cup-game", "Arsenal", "Chelsea");
        spoil(&mut spoilt);
        import(&[league("cup")], &[], &[spoilt])
    };
    assert_refused([
        (
            spoilt_game(|game| game.standing = standing(0, 0, "1'")),
            invalid("score", "is of a game that is live"),
        ),
        (
            spoilt_game(|game| {
                (game.status, game.standing) = (GameStatus::Live, standing(0, 1_001, "1'"));
            }),
            invalid("score", "has at most 1000 goals a team"),
        ),
        (
            spoilt_game(|game| {
                (game.status, game.standing) = (GameStatus::Live, standing(0, 0, &"a".repeat(61)));
            }),
            invalid("clock", "has at most 60 characters"),
        ),
    ]);
}

/// Every import is refused with its reason, and changes nothing.
fn assert_refused(table: impl IntoIterator<Item = (Command, Reject)>) {
    let mut world = stage();
    let before = world.exchange.catalogue().sports().clone();
    for (command, expected) in table {
        assert_eq!(world.system(command), Err(expected));
        assert_eq!(world.exchange.catalogue().sports(), &before);
        assert_eq!(world.changes(), []);
    }
}

#[test]
fn import_sports_leaves_what_a_reader_of_the_old_state_holds() {
    let mut world = stage();
    let before = world.exchange.catalogue().sports().clone();
    let (mut moved, mut renamed) = (game("derby", "Arsenal", "Chelsea"), team("Arsenal"));
    (moved.slug, moved.start) = (Text::from("late-derby"), START + Span::hours(3));
    renamed.slug = Text::from("gunners");
    // Of two with one id the later counts.
    let earlier = game("derby", "Arsenal", "Chelsea");
    world.system(import(&[league("cup")], &[renamed.clone()], &[earlier, moved.clone()])).expect("an import");
    let after = world.exchange.catalogue().sports();
    assert_eq!((after.find_game("late-derby"), after.find_game("derby")), (Some(&moved), None));
    assert_eq!((after.find_team("gunners"), after.find_team("arsenal")), (Some(&renamed), None));
    assert_eq!((after.leagues.len(), before.leagues.len()), (2, 1));
    assert_eq!(before.find_game("derby").map(|game| game.start), Some(START + Span::hours(2)));
    assert!(before.find_team("arsenal").is_some() && before.find_game("late-derby").is_none());
}

#[test]
fn import_sports_names_the_first_of_several_broken_rules() {
    let stranger = || game("stranger", "Nobody", "Chelsea");
    let mut homeless = stranger();
    homeless.league = LeagueId::new(9);
    let mut copied = team("Everton");
    copied.slug = Text::from("arsenal");
    let mut twice = league("cup");
    twice.key = Text::from("epl");
    let key = Reject::InvalidField { field: "league key", rule: "is used once" };
    assert_refused([
        (import(&[twice.clone()], &[copied.clone()], &[homeless]), Reject::LeagueNotFound),
        (import(&[twice.clone()], &[copied.clone()], &[stranger()]), Reject::TeamNotFound),
        (import(&[twice], &[copied.clone()], &[]), key),
        (import(&[], &[copied], &[]), Reject::DuplicateSlug),
        (
            import(
                &[],
                &[],
                &[game("a", "Arsenal", "Chelsea"), game("derby", "Chelsea", "Arsenal")].map(|mut game| {
                    game.slug = Text::from("one");
                    game
                }),
            ),
            Reject::DuplicateSlug,
        ),
    ]);
}

/// Every name by which people know a game, each changed alone.
fn renamings() -> Vec<(Command, &'static str)> {
    let with_team = |change: fn(&mut Team)| {
        let mut changed = team("Arsenal");
        change(&mut changed);
        import(&[league("cup")], &[changed], &[])
    };
    let with_league = |change: fn(&mut League)| {
        let mut changed = league("epl");
        change(&mut changed);
        import(&[changed], &[], &[])
    };
    let moved = Game { slug: Text::from("chelsea-arsenal"), ..game("derby", "Arsenal", "Chelsea") };
    vec![
        (with_team(|team| team.name = Text::from("Chelsea")), "Arsenal"),
        (with_team(|team| team.slug = Text::from("the-blues")), "Arsenal"),
        (with_team(|team| team.short_code = Text::from("CHE")), "Arsenal"),
        (with_team(|team| team.sport = Text::from("rugby")), "Arsenal"),
        (with_team(|team| team.league = LeagueId::new(id("cup"))), "Arsenal"),
        (with_league(|league| league.name = Text::from("Under 19")), "epl"),
        (with_league(|league| league.short_name = Text::from("U19")), "epl"),
        (with_league(|league| league.key = Text::from("u19")), "epl"),
        (with_league(|league| league.sport = Text::from("rugby")), "epl"),
        (import(&[], &[], &[moved]), "derby"),
    ]
}

fn link_events(world: &mut World) {
    let new = exchange::command::NewSoccerEvents { game: GameId::new(id("derby")), ..new_soccer_events() };
    world.system(Command::CreateSoccerEvents(new)).expect("events");
}

#[test]
fn names_stay_as_they_are_once_a_game_has_events() {
    for (renaming, name) in renamings() {
        let mut before = stage();
        assert_eq!(before.system(renaming.clone()), Ok(Reply::Done), "a repair before there are events");
        let mut world = stage();
        link_events(&mut world);
        let fixed = Err(Reject::NameFixed { name: Text::from(name) });
        let known = world.exchange.catalogue().sports().clone();
        assert_eq!(world.system(renaming.clone()), fixed);
        assert_eq!(*world.exchange.catalogue().sports(), known, "all or nothing");
        world.exchange = decode_snapshot(&encode_snapshot(&world.exchange)).expect("a snapshot");
        assert_eq!(world.system(renaming), fixed, "after a restart");
    }
}

#[test]
fn what_nobody_trades_on_is_imported_as_before() {
    let mut world = stage();
    world.system(import(&[], &[team("Everton")], &[])).expect("a team");
    link_events(&mut world);
    let pictures = |name: &str| Team {
        image_url: Text::from("https://example.org/crest.png"),
        is_popular: false,
        ..team(name)
    };
    let crest = League { image_url: Text::from("https://example.org/l.png"), ..league("epl") };
    let live = Game { status: GameStatus::Live, ..game("derby", "Arsenal", "Chelsea") };
    let repaired = Team { name: Text::from("Everton FC"), ..team("Everton") };
    let teams = [pictures("Arsenal"), team("Chelsea"), repaired];
    assert_eq!(world.system(import(&[crest], &teams, &[live])), Ok(Reply::Done));
}

#[test]
fn names_are_free_again_once_the_events_have_left() {
    let mut world = stage();
    link_events(&mut world);
    let events: Vec<_> = world.exchange.catalogue().events().map(|(_, event)| event.id).collect();
    for event in events {
        let (target, yes) = (Target::Event(event), Cents::HALF);
        world.system(Command::CancelMarkets(CancelMarkets { target, yes })).expect("a draft is cancelled");
    }
    world.wait(Span::days(30));
    world.system(Command::Tick).expect("retirement");
    assert_eq!(world.exchange.catalogue().events().len(), 0);
    let renamed = Team { name: Text::from("Gunners"), ..team("Arsenal") };
    assert_eq!(world.system(import(&[], &[renamed], &[])), Ok(Reply::Done));
}

#[test]
fn until_rules_4_names_could_change_under_a_game_with_events() {
    for (renaming, _) in renamings() {
        let mut world = World::under_rules(4);
        let teams = [team("Arsenal"), team("Chelsea")];
        world
            .system(import(&[league("epl")], &teams, &[game("derby", "Arsenal", "Chelsea")]))
            .expect("sports");
        link_events(&mut world);
        assert_eq!(world.system(renaming), Ok(Reply::Done));
    }
}

#[test]
fn sides_that_changed_under_the_first_rules_are_the_fixed_ones() {
    let mut world = World::under_rules(3);
    let teams = [team("Arsenal"), team("Chelsea"), team("Everton")];
    world.system(import(&[league("epl")], &teams, &[game("derby", "Arsenal", "Chelsea")])).expect("sports");
    link_events(&mut world);
    world.system(import(&[], &[], &[game("derby", "Everton", "Chelsea")])).expect("under rules 3");
    let version = Exchange::RULES_VERSION;
    world.system(Command::UpgradeRules(UpgradeRules { version })).expect("newer rules");
    let renamed = |name: &str| Team { name: Text::from("Reds"), ..team(name) };
    assert_eq!(
        world.system(import(&[], &[renamed("Everton")], &[])),
        Err(Reject::NameFixed { name: Text::from("Everton") })
    );
    assert_eq!(world.system(import(&[], &[renamed("Arsenal")], &[])), Ok(Reply::Done));
}
