//! The channel `games`: score, clock and status, at once and when they change.

use exchange::catalogue::{Game, GameStatus, Standing};
use exchange::command::{Command, ImportSports, RecordGameResult};
use exchange::governance::Score;
use exchange::id::GameId;
use exchange::text::Text;
use serde_json::{Value, json};
use stage::node::links::DERBY;
use uuid::Uuid;

use crate::hall::Hall;

const PATH: &str = "/ws/v1/markets";

fn derby() -> Uuid {
    Uuid::from_u128(DERBY)
}

fn subscription(games: Value) -> Value {
    json!({"type": "subscribe", "channel": "games", "gameIds": games})
}

/// Imports the derby as it stands now.
async fn stand(hall: &Hall, status: GameStatus, standing: Option<(u16, u16, &str)>) {
    let known = hall.stage.app().reading().state().catalogue().sports().games[&GameId::new(DERBY)].clone();
    let standing = standing
        .map(|(home, away, clock)| Standing { score: Score { home, away }, clock: Text::from(clock) });
    let games = vec![Game { status, standing, ..known }];
    let import = ImportSports { leagues: Vec::new(), teams: Vec::new(), games };
    hall.stage.operate(Command::ImportSports(import)).await;
}

#[tokio::test]
async fn a_game_is_shown_at_once_and_whenever_it_changes() {
    let hall = Hall::open().await;
    hall.stage.import_sports().await;
    let mut reader = hall.subscribed(PATH, subscription(json!([derby(), derby()]))).await;
    reader.acknowledged(&format!("games:{}", derby())).await;
    let first = reader.next().await;
    assert_eq!(first["type"], "game_update");
    assert_eq!(first["data"], json!({"id": derby(), "slug": "derby", "status": "LIVE", "isLive": true}));

    stand(&hall, GameStatus::Live, Some((1, 0, "63'"))).await;
    let scored = reader.next().await;
    assert_eq!(scored["sequence"], json!(hall.stage.seq()));
    assert_eq!(scored["data"]["score"], json!({"home": 1, "away": 0}));
    assert_eq!(scored["data"]["clock"], "63'");
    // An import that changes nothing of it is no message: the next one is the end.
    stand(&hall, GameStatus::Live, Some((1, 0, "63'"))).await;
    let end = RecordGameResult { game: GameId::new(DERBY), score: Score { home: 2, away: 1 } };
    hall.stage.operate(Command::RecordGameResult(end)).await;
    let over = reader.next().await;
    let finished = json!({
        "id": derby(), "slug": "derby", "status": "FINISHED", "isLive": false, "score": {"home": 2, "away": 1},
    });
    assert_eq!(over["data"], finished);
}

#[tokio::test]
async fn unknown_games_are_refused_one_by_one() {
    let hall = Hall::open().await;
    hall.stage.import_sports().await;
    let unknown = Uuid::from_u128(404);
    let mut reader = hall.subscribed(PATH, subscription(json!([unknown, derby()]))).await;
    reader.failed(&format!("Game not found: {unknown}")).await;
    reader.acknowledged(&format!("games:{}", derby())).await;
    reader.next().await;
    reader.send(subscription(json!([]))).await;
    reader.failed("gameIds are required to subscribe to games").await;
    reader.send(subscription(json!(["derby"]))).await;
    reader.failed("gameIds must be UUIDs: derby").await;
    reader.send(subscription(json!(vec![unknown; 51]))).await;
    reader.failed("At most 50 gameIds in one message").await;
}
