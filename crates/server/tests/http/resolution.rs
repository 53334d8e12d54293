//! `GET /v1/pm/events/{eventId}/resolution`: the public record of an event's resolution.

use exchange::command::{CancelMarkets, CloseTrading, Command, Finalise, Propose, Target, Withdraw};
use exchange::governance::{Evidence, Ruling, Subject, Verdict};
use exchange::id::{EventId, MarketId, ProposalId};
use exchange::numbers::Cents;
use exchange::order::Outcome;
use exchange::text::Text;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stage::node::{Stage, get, keys, number, text};

async fn resolution(stage: &Stage, event: uuid::Uuid) -> Value {
    stage.ask(get(&format!("/v1/pm/events/{event}/resolution"))).await.expect(200)
}

#[tokio::test]
async fn the_rules_are_published_with_their_hash() {
    let stage = Stage::open().await;
    let shown = resolution(&stage, stage.book.event).await;
    assert_eq!(keys(&shown), ["eventId", "markets", "rules", "rulesSha256", "status", "verdicts"]);
    let digest = Sha256::digest(text(&shown["rules"]).as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown["rulesSha256"], json!(hex));
    assert!(text(&shown["rules"]).contains(&stage.book.market.to_string()), "{shown}");
    assert_ne!(resolution(&stage, stage.pool.event).await["rulesSha256"], shown["rulesSha256"]);
    assert_eq!(keys(&shown["markets"][0]), ["marketId", "rules", "settledAt", "status", "title"]);
}

#[tokio::test]
async fn drafts_and_unknown_events_are_not_found() {
    let stage = Stage::open().await;
    for id in [stage.hidden.event.to_string(), uuid::Uuid::now_v7().to_string(), "no-id".to_owned()] {
        stage.ask(get(&format!("/v1/pm/events/{id}/resolution"))).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn a_proposal_and_its_end_show_roles_and_never_names() {
    let stage = Stage::open().await;
    let (event, market) =
        (EventId::new(stage.book.event.as_u128()), MarketId::new(stage.book.market.as_u128()));
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Event(event) })).await;
    let propose = |id: u128| {
        Command::Propose(Propose {
            id: ProposalId::new(id),
            subject: Subject::Resolution {
                event,
                verdict: Verdict::Outcomes(vec![Ruling { market, outcome: Outcome::Yes }]),
            },
            evidence: Evidence {
                text: Text::from("It was seen."),
                link: Text::from("https://example.org/seen"),
            },
        })
    };
    stage.operate(propose(1)).await;
    let pending = resolution(&stage, stage.book.event).await["proposal"].clone();
    assert_eq!(keys(&pending), ["evidence", "finalFrom", "proposedAt", "proposedBy", "verdict"]);
    assert_eq!(
        pending["verdict"],
        json!({"type": "outcomes", "outcomes": [{"marketId": stage.book.market, "outcome": "YES"}]})
    );
    assert_eq!(pending["evidence"], json!({"text": "It was seen.", "link": "https://example.org/seen"}));
    assert_eq!((&pending["proposedBy"], &pending["finalFrom"]), (&json!("node"), &pending["proposedAt"]));

    let reason = Text::from("The wrong day");
    stage.operate(Command::Withdraw(Withdraw { proposal: ProposalId::new(1), reason })).await;
    stage.operate(propose(2)).await;
    stage.operate(Command::Finalise(Finalise { proposal: ProposalId::new(2) })).await;
    let shown = resolution(&stage, stage.book.event).await;
    assert_eq!((&shown["status"], shown.get("proposal")), (&json!("resolved"), None));
    assert_eq!(number(&shown["markets"][0]["yesPayout"]), 1.0);
    let verdicts = shown["verdicts"].as_array().expect("rows");
    assert_eq!(
        (&verdicts[0]["ending"], &verdicts[0]["reason"]),
        (&json!("withdrawn"), &json!("The wrong day"))
    );
    assert_eq!((&verdicts[1]["ending"], verdicts[1].get("reason")), (&json!("finalised"), None));
    assert_eq!(verdicts[1]["endedBy"], "node");
}

#[tokio::test]
async fn a_cancelled_event_shows_its_price() {
    let stage = Stage::open().await;
    let target = Target::Event(EventId::new(stage.book.event.as_u128()));
    let yes = Cents::new(35).expect("a price");
    stage.operate(Command::CancelMarkets(CancelMarkets { target, yes })).await;
    let shown = resolution(&stage, stage.book.event).await;
    assert_eq!(number(&shown["verdicts"][0]["verdict"]["yesPrice"]), 0.35);
    assert_eq!(number(&shown["markets"][0]["yesPayout"]), 0.35);
}

#[tokio::test]
async fn an_event_of_a_series_shows_the_prices_that_decide_it() {
    use exchange::catalogue::{Interval, SeriesCategory};
    let stage = Stage::open().await;
    stage.create_series("btc-1h", SeriesCategory::Crypto, Interval::Hourly, "BTC").await;
    stage.pass_boundary(Interval::Hourly, "BTC", 96_250_500_000).await;
    stage.pass_boundary(Interval::Hourly, "BTC", 97_000_000_000).await;
    let events = stage.ask(get("/v1/pm/events?seriesSlug=btc-1h&status=closed")).await.expect(200);
    let id = text(&events["events"][0]["id"]).parse().expect("an id");
    let series = resolution(&stage, id).await["series"].clone();
    assert_eq!((&series["seriesSlug"], &series["assetSymbol"]), (&json!("btc-1h"), &json!("BTC")));
    assert_eq!((number(&series["threshold"]), number(&series["closeValue"])), (96_250.5, 97_000.0));
}
