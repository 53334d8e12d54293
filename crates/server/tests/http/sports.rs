//! Leagues, teams and games with their filters, and the events of a game.

use serde_json::{Value, json};
use stage::node::links::{ARSENAL, DERBY, MADRID};
use stage::node::{Stage, get, keys, text};
use uuid::Uuid;

/// The values of a key, row by row.
async fn listed(stage: &Stage, path: &str, rows: &str, key: &str) -> Vec<String> {
    let shown = stage.ask(get(path)).await.expect(200);
    let rows = shown[rows].as_array().expect("rows");
    assert!(rows.len() as u64 <= shown["pagination"]["totalCount"].as_u64().expect("a count"));
    rows.iter().map(|row| text(&row[key]).to_owned()).collect()
}

#[tokio::test]
async fn leagues_are_listed_by_name() {
    let stage = Stage::open().await;
    assert_eq!(stage.ask(get("/v1/pm/sports/leagues")).await.expect(200), json!({"leagues": []}));
    stage.import_sports().await;
    let shown = stage.ask(get("/v1/pm/sports/leagues")).await.expect(200);
    let england = json!({
        "name": "England - Premier League", "key": "england-premier-league", "shortName": "EPL",
        "imageUrl": "/leagues/england-premier-league.svg", "sport": "soccer",
    });
    assert_eq!((&shown["leagues"][0], shown["leagues"].as_array().map(Vec::len)), (&england, Some(2)));
}

#[tokio::test]
async fn teams_are_filtered_by_league_and_sport() {
    let stage = Stage::open().await;
    stage.import_sports().await;
    let names =
        async |query: &str| listed(&stage, &format!("/v1/pm/sports/teams?{query}"), "teams", "name").await;
    let (all, english) = (["Arsenal", "Chelsea", "Madrid"], ["Arsenal", "Chelsea"]);
    assert_eq!(names("").await, all);
    for league in
        ["England%20-%20Premier%20League", "england+-+premier+league", "england-premier-league", "EPL", "epl"]
    {
        assert_eq!(names(&format!("league={league}")).await, english, "{league}");
    }
    assert_eq!(names("league=Premier").await, [""; 0], "a league is named whole");
    assert_eq!(names("sport=SOCCER").await, all);
    assert_eq!(names("sport=chess").await, [""; 0]);
    assert_eq!(names("league=LL&sport=soccer").await, ["Madrid"]);
    assert_eq!(names("size=2&page=2").await, ["Madrid"]);
    let shown = stage.ask(get("/v1/pm/sports/teams?size=2&page=2")).await.expect(200);
    assert_eq!(shown["pagination"], json!({"page": 2, "size": 2, "lastPage": 2, "totalCount": 3}));
    assert_eq!(
        shown["teams"][0],
        json!({
            "id": Uuid::from_u128(MADRID), "sport": "soccer", "name": "Madrid", "slug": "madrid", "shortCode": "MAD",
            "league": "Spain - La Liga", "imageUrl": "", "isPopular": false,
        })
    );
}

#[tokio::test]
async fn games_are_filtered_by_league_sport_and_team() {
    let stage = Stage::open().await;
    stage.import_sports().await;
    let slugs =
        async |query: &str| listed(&stage, &format!("/v1/pm/sports/games?{query}"), "games", "slug").await;
    let both = ["derby", "return"];
    assert_eq!(slugs("").await, both, "the first to start comes first");
    assert_eq!(slugs("league=EPL").await, both);
    assert_eq!(slugs("league=LL").await, [""; 0]);
    assert_eq!(slugs("sport=Soccer").await, both);
    assert_eq!(slugs("sport=chess").await, [""; 0]);
    assert_eq!(slugs("team=arsenal").await, both);
    assert_eq!(slugs(&format!("team={}", Uuid::from_u128(ARSENAL))).await, both);
    assert_eq!(slugs("team=madrid").await, [""; 0]);
    assert_eq!(slugs("team=nobody").await, [""; 0]);
    assert_eq!(slugs("slug=return").await, ["return"]);
    assert_eq!(slugs("slug=derby&league=LL").await, [""; 0]);
    assert_eq!(slugs("ended=false").await, both);
    assert_eq!(slugs("ended=true").await, [""; 0]);
    assert_eq!(slugs("league=EPL&team=chelsea&sport=soccer&size=1&page=2").await, ["return"]);
    let shown = stage.ask(get("/v1/pm/sports/games?size=1")).await.expect(200);
    assert_eq!(shown["pagination"], json!({"page": 1, "size": 1, "lastPage": 2, "totalCount": 2}));
    let game = &shown["games"][0];
    assert_eq!(
        keys(game),
        [
            "awayTeam",
            "awayTeamId",
            "homeTeam",
            "homeTeamId",
            "id",
            "isLive",
            "isPopular",
            "league",
            "slug",
            "sport",
            "startDate",
            "status"
        ]
    );
    assert_eq!((text(&game["startDate"]), text(&game["status"])), ("2030-01-01T03:00:00+01:00", "LIVE"));
    assert_eq!((&game["isLive"], &game["isPopular"]), (&json!(true), &json!(true)));
    assert_eq!(
        (&game["homeTeamId"], text(&game["homeTeam"]["name"])),
        (&json!(Uuid::from_u128(ARSENAL)), "Arsenal")
    );
    assert_eq!(text(&game["awayTeam"]["slug"]), "chelsea");
}

#[tokio::test]
async fn the_events_of_a_game_are_found_by_its_slug() {
    let stage = Stage::open().await;
    stage.import_sports().await;
    stage.create_soccer_events().await;
    let shown: Value = stage.ask(get("/v1/pm/events?sportGameSlug=derby")).await.expect(200);
    let events = shown["events"].as_array().expect("events");
    let kinds: Vec<_> = events.iter().map(|event| text(&event["sportMarketType"])).collect();
    assert_eq!(kinds, ["TOTAL_GOALS", "GOAL_SPREAD", "TEAM_H2H_3WAY"]);
    for event in events {
        assert_eq!((text(&event["sportGameSlug"]), text(&event["status"])), ("derby", "open"));
        assert_eq!(event["sportGameId"], json!(Uuid::from_u128(DERBY)));
    }
    assert_eq!(events[2]["markets"][0]["propTeam"]["name"], "Arsenal");
    assert_eq!(
        (&events[0]["markets"][1]["propLine"], &events[0]["markets"][1]["propTeam"]),
        (&json!(2.5), &Value::Null)
    );
}

#[tokio::test]
async fn a_page_out_of_range_is_refused() {
    let stage = Stage::open().await;
    let long = format!("league={}", "x".repeat(101));
    for query in ["size=101", "size=0", "page=0", "page=x", &long] {
        for rows in ["teams", "games"] {
            stage.ask(get(&format!("/v1/pm/sports/{rows}?{query}"))).await.refused(400, "bad_request");
        }
    }
}
