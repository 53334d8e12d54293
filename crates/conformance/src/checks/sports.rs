//! Leagues, teams and games.

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::probe::Probe;
use crate::shape::Kind;
use crate::shapes;

const SECTION: &str = "Endpoints: Sports data";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "sports.leagues",
        section: SECTION,
        title: "The list of leagues has their names.",
        endpoints: &["GET /v1/pm/sports/leagues"],
        needs: Needs::Nothing,
        run: leagues,
    },
    Check {
        id: "sports.teams",
        section: SECTION,
        title: "The list of teams has 50 rows a page by default, and filters by league and sport.",
        endpoints: &["GET /v1/pm/sports/teams"],
        needs: Needs::Nothing,
        run: teams,
    },
    Check {
        id: "sports.games",
        section: SECTION,
        title: "The list of games has 50 rows a page by default, and filters by league and sport.",
        endpoints: &["GET /v1/pm/sports/games"],
        needs: Needs::Nothing,
        run: games,
    },
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

fn compare_list(probe: &mut Probe<'_>, path: &str, rows: &str, kind: &Kind) -> Result<(), Stop> {
    let all = probe.get(path)?;
    probe.succeeded(&all, kind)?;
    probe.number_is(&all.request, all.value(), "pagination/size", Decimal::whole(50));
    super::market_data::compare_pages(probe, &format!("{path}?"), rows)?;
    let Some(sport) = all.value().text(&format!("{rows}/0/sport")) else {
        return Err(Stop::not_tried(format!("the server has no {rows}, so no filter was tried")));
    };
    let filtered = probe.get(&format!("{path}?sport={sport}"))?;
    probe.succeeded(&filtered, kind)?;
    for row in filtered.value().list(rows) {
        probe.text_is(&filtered.request, row, "sport", sport);
    }
    let none = probe.get(&format!("{path}?league=no-such-league"))?;
    probe.succeeded(&none, kind)?;
    probe.number_is(&none.request, none.value(), "pagination/totalCount", Decimal::ZERO);
    Ok(())
}
