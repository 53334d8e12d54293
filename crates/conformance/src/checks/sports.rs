//! Leagues, teams and games.

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::probe::{Probe, REFUSALS};
use crate::shape::Kind;
use crate::shapes;

const TEAMS: &[&str] = &["GET /v1/pm/sports/teams"];
const GAMES: &[&str] = &["GET /v1/pm/sports/games"];

const fn sports(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (section, source) = ("Endpoints: Sports data", Source::Specification);
    Check { id, section, source, title, endpoints, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        source: Source::PublicClients,
        ..sports(
            "sports.leagues",
            &["GET /v1/pm/sports/leagues"],
            "The list of leagues has their names.",
            leagues,
        )
    },
    sports("sports.teams", TEAMS, "The list of teams has pages, of 50 rows by default.", teams),
    sports(
        "sports.team_filters",
        TEAMS,
        "The filter sport keeps the teams of a sport; an unknown sport or league has none.",
        team_filters,
    ),
    sports("sports.games", GAMES, "The list of games has pages, of 50 rows by default.", games),
    sports(
        "sports.game_filters",
        GAMES,
        "The filter sport keeps the games of a sport; an unknown sport or league has none.",
        game_filters,
    ),
];

fn leagues(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/v1/pm/sports/leagues")?;
    probe.succeeded(&answer, &shapes::LEAGUES)
}

fn teams(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare_list(probe, "/v1/pm/sports/teams", "teams", &shapes::TEAMS)
}

fn games(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare_list(probe, "/v1/pm/sports/games", "games", &shapes::GAMES)
}

fn team_filters(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare_filters(probe, "/v1/pm/sports/teams", "teams", &shapes::TEAMS)
}

fn game_filters(probe: &mut Probe<'_>) -> Result<(), Stop> {
    compare_filters(probe, "/v1/pm/sports/games", "games", &shapes::GAMES)
}

fn compare_list(probe: &mut Probe<'_>, path: &str, rows: &str, kind: &Kind) -> Result<(), Stop> {
    let all = probe.get(path)?;
    probe.succeeded(&all, kind)?;
    probe.number_is(&all.request, all.value(), "pagination/size", Decimal::whole(50));
    super::market_data::compare_pages(probe, &format!("{path}?"), rows)
}

fn compare_filters(probe: &mut Probe<'_>, path: &str, rows: &str, kind: &Kind) -> Result<(), Stop> {
    let all = probe.get(path)?;
    probe.need(&all, 200)?;
    let first = all.value().list(rows).first();
    let Some(sport) = first.and_then(|row| row.text("sport")).filter(|sport| is_plain(sport)) else {
        return Err(Stop::not_tried(format!("the server has no {rows} of a plainly named sport")));
    };
    let filtered = probe.get(&format!("{path}?sport={sport}"))?;
    probe.succeeded(&filtered, kind)?;
    let found = filtered.value().list(rows);
    probe.expect(!found.is_empty(), &filtered.request, format!("the {rows} of this sport"), "none");
    for row in found {
        probe.text_is(&filtered.request, row, "sport", sport);
    }
    for query in ["league=no-such-league", "sport=no-such-sport"] {
        let none = probe.get(&format!("{path}?{query}"))?;
        // Whether an unknown name is an error is not stated.
        if none.status != 200 {
            probe.refused(&none, REFUSALS, None);
            continue;
        }
        probe.succeeded(&none, kind)?;
        probe.number_is(&none.request, none.value(), "pagination/totalCount", Decimal::ZERO);
    }
    Ok(())
}

/// Letters, digits, `-` and `_` only, so that the word needs no escape in a query.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
