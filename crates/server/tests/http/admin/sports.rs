//! Leagues, teams and games from a file, the linked events of a game, and its result.

use serde_json::{Value, json};
use stage::node::{get, number, text};

use super::Office;

fn data() -> Value {
    json!({
        "leagues": [{"key": "lagos-cup", "name": "Lagos Cup", "shortName": "LC", "sport": "soccer"}],
        "teams": [
            {"slug": "lions", "name": "Lions", "shortCode": "LIO", "sport": "soccer", "league": "lagos-cup"},
            {"slug": "sharks", "name": "Sharks", "shortCode": "SHA", "sport": "soccer", "league": "lagos-cup"},
        ],
        "games": [{
            "slug": "final", "sport": "soccer", "league": "lagos-cup", "home": "lions", "away": "sharks",
            "startDate": "2030-02-01T19:00:00+01:00", "utcOffsetMinutes": 60,
        }],
    })
}

async fn open_final(office: &Office) -> Vec<String> {
    office.post("/admin/v1/sports/import", data()).await.expect(200);
    let wanted = json!({"engine": "CLOB", "currencies": ["USD"], "spreads": [1.5], "totals": [1.5, 2.5]});
    let made = office.post("/admin/v1/sports/games/final/events", wanted).await.expect(201);
    let slugs: Vec<String> = made["events"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|event| text(&event["slug"]).to_owned())
        .collect();
    assert_eq!(slugs.len(), 3);
    for slug in &slugs {
        office.post(&format!("/admin/v1/events/{slug}/open"), Value::Null).await.expect(200);
    }
    slugs
}

/// Trading on the game ends.
async fn kick_off(office: &Office) {
    let mut live = data();
    live["games"][0]["status"] = json!("LIVE");
    office.post("/admin/v1/sports/import", live).await.expect(200);
}

#[tokio::test]
async fn an_import_names_things_by_key_and_slug_and_replaces_what_it_knows() {
    let office = Office::open().await;
    let counts = office.post("/admin/v1/sports/import", data()).await.expect(200);
    assert_eq!(counts, json!({"leagues": 1, "teams": 2, "games": 1}));
    let first = office.get("/admin/v1/sports").await.expect(200);
    assert_eq!(first["games"][0]["home"], "lions");
    let renamed = json!({"teams": [{
        "slug": "lions", "name": "Lagos Lions", "shortCode": "LIO", "sport": "soccer", "league": "lagos-cup",
    }]});
    office.post("/admin/v1/sports/import", renamed).await.expect(200);
    let second = office.get("/admin/v1/sports").await.expect(200);
    let lions = |sports: &Value| {
        sports["teams"]
            .as_array()
            .expect("rows")
            .iter()
            .find(|team| team["slug"] == "lions")
            .cloned()
            .expect("lions")
    };
    assert_eq!(lions(&second)["name"], "Lagos Lions");
    assert_eq!(lions(&second)["teamId"], lions(&first)["teamId"]);
    let mut lost = data();
    lost["games"][0]["home"] = json!("tigers");
    let refused = office.post("/admin/v1/sports/import", lost).await.refused(400, "bad_request");
    assert!(text(&refused["message"]).contains("games[0].home"), "{refused}");
    office.post("/admin/v1/sports/games/none/events", json!({})).await.refused(400, "bad_request");
}

#[tokio::test]
async fn an_import_sets_the_score_and_the_clock_of_a_live_game() {
    let office = Office::open().await;
    let mut live = data();
    live["games"][0]["score"] = json!({"home": 1, "away": 0});
    let refused = office.post("/admin/v1/sports/import", live.clone()).await.refused(400, "bad_request");
    assert!(text(&refused["message"]).contains("is of a game that is live"), "{refused}");
    live["games"][0]["status"] = json!("LIVE");
    live["games"][0]["clock"] = json!("63'");
    office.post("/admin/v1/sports/import", live).await.expect(200);
    for game in [
        office.get("/admin/v1/sports").await.expect(200)["games"][0].clone(),
        office.stage.ask(get("/v1/pm/sports/games")).await.expect(200)["games"][0].clone(),
    ] {
        assert_eq!(
            (&game["score"], &game["clock"]),
            (&json!({"home": 1, "away": 0}), &json!("63'")),
            "{game}"
        );
    }
    office.post("/admin/v1/sports/import", data()).await.expect(200);
    let game = office.stage.ask(get("/v1/pm/sports/games")).await.expect(200)["games"][0].clone();
    assert!(game.get("score").is_none() && game.get("clock").is_none(), "{game}");
}

#[tokio::test]
async fn a_result_ends_all_events_of_its_game_and_its_preview_showed_the_payouts() {
    let office = Office::open().await;
    let slugs = open_final(&office).await;
    let event = office.get(&format!("/admin/v1/events/{}", slugs[0])).await.expect(200);
    let market = text(&event["markets"][0]["marketId"]);
    let stage = &office.stage;
    let mint = json!({"quantity": 7});
    stage.write(&stage.alice.key, "POST", &format!("/v1/pm/markets/{market}/mint"), &mint).await.expect(200);
    let score = json!({"home": 2, "away": 1});
    let early = office.post("/admin/v1/sports/games/final/result", score.clone()).await;
    early.unprocessable("GAME_NOT_STARTED");
    kick_off(&office).await;
    for slug in &slugs {
        assert_eq!(office.get(&format!("/admin/v1/events/{slug}")).await.expect(200)["status"], "closed");
    }
    let preview = office.post("/admin/v1/sports/games/final/preview", score.clone()).await.expect(200);
    assert_eq!(number(&preview["totals"][0]["amount"]), 7.0);
    let ended = office.post("/admin/v1/sports/games/final/result", score.clone()).await.expect(200);
    assert!(
        ended["events"].as_array().expect("rows").iter().all(|event| event["status"] == "resolved"),
        "{ended}"
    );
    let game = office.get("/admin/v1/sports").await.expect(200)["games"][0].clone();
    assert_eq!((&game["status"], &game["score"]), (&json!("FINISHED"), &score));
    office.post("/admin/v1/sports/games/final/result", score).await.refused(400, "bad_request");
}

#[tokio::test]
async fn a_result_is_proposed_first_where_two_are_required() {
    let office = Office::open().await;
    let slugs = open_final(&office).await;
    kick_off(&office).await;
    office.two_required().await;
    let score = json!({"home": 0, "away": 0});
    office.post("/admin/v1/sports/games/final/result", score.clone()).await.unprocessable("NEEDS_PROPOSAL");
    let proposal = json!({"score": score, "evidence": {"link": "https://example.org/final"}});
    let proposed = office.post("/admin/v1/sports/games/final/propose", proposal).await.expect(201);
    let path = format!(
        "/v1/pm/events/{}/resolution",
        text(&office.get(&format!("/admin/v1/events/{}", slugs[1])).await.expect(200)["eventId"])
    );
    let public = office.stage.ask(get(&path)).await.expect(200);
    assert_eq!(public["proposal"]["verdict"], json!({"type": "game_result", "outcomes": [], "score": score}));
    let finalise = format!("/admin/v1/proposals/{}/finalise", text(&proposed["proposalId"]));
    office.send(&office.approver, "POST", &finalise, Value::Null).await.expect(200);
    for slug in slugs {
        assert_eq!(office.get(&format!("/admin/v1/events/{slug}")).await.expect(200)["status"], "resolved");
    }
}
