//! Cancel-only mode, set by an operator or by a nearly full disk. Commands that add risk are refused, all others
//! pass.

use exchange::command::{Command, SetCancelOnly};
use exchange::governance::CancelOnlyCause;
use serde_json::json;
use server::low_disk::{Floor, check, check_node};
use stage::node::{Stage, get, limit, text};

const FLOOR: Floor = Floor(1 << 20);

#[tokio::test]
async fn a_disk_that_is_nearly_full_leaves_only_cancelling_until_there_is_room_again() {
    let stage = Stage::open().await;
    let bid = limit(stage.book.yes, "BUY", 40.0, 0.40);
    let resting = stage.place(&stage.alice.key, &stage.book, &bid).await;
    check(stage.app(), FLOOR, 1 << 21).await;
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["cancelOnly"], false);

    check(stage.app(), FLOOR, 1 << 19).await;
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["cancelOnly"], true);
    assert!(stage.metrics().await.text().contains("\nbellwether_cancel_only 1\n"));
    assert!(stage.metrics().await.text().contains("\nbellwether_disk_low 1\n"));
    let before = (stage.seq(), stage.digest());
    check(stage.app(), FLOOR, 1 << 19).await;
    assert_eq!((stage.seq(), stage.digest()), before, "a repetition changes nothing");

    let refused = stage.write(&stage.alice.key, "POST", &stage.book.orders(), &bid).await;
    assert_eq!(refused.header("retry-after"), Some("30"));
    let body = refused.refused(503, "service_unavailable");
    assert_eq!(
        (text(&body["code"]), &body["retryAfter"], &body["outcome"]),
        ("CANCEL_ONLY", &json!(30), &json!(null))
    );
    stage
        .write(&stage.alice.key, "POST", &stage.book.mint(), &json!({"quantity": 1}))
        .await
        .refused(503, "service_unavailable");
    assert_eq!((stage.seq(), stage.digest()), before, "a refusal does not fill the disk further");
    let path = format!("/v1/pm/orders/{}", text(&resting["id"]));
    stage.write_empty(&stage.alice.key, "DELETE", &path).await.expect(200);

    check(stage.app(), FLOOR, (1 << 20) + (1 << 18)).await;
    assert!(stage.metrics().await.text().contains("\nbellwether_disk_low 0\n"));
    stage.place(&stage.alice.key, &stage.book, &bid).await;
}

#[tokio::test]
async fn the_disk_of_a_node_on_a_shared_log_changes_no_mode_of_the_venue() {
    let stage = Stage::open().await;
    let seq = stage.seq();
    check_node(stage.app(), FLOOR, (1 << 20) - 1);
    assert!(stage.app().is_disk_low());
    check_node(stage.app(), FLOOR, 1 << 20);
    assert!(stage.app().is_disk_low(), "a quarter more is needed");
    check_node(stage.app(), FLOOR, (1 << 20) + (1 << 18));
    assert!(!stage.app().is_disk_low());
    assert_eq!(stage.seq(), seq, "no command was written");
}

#[tokio::test]
async fn an_operators_cancel_only_stays_when_the_disk_has_room_again() {
    let stage = Stage::open().await;
    stage.operate(Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::Operator, on: true })).await;
    check(stage.app(), FLOOR, 1).await;
    check(stage.app(), FLOOR, u64::MAX).await;
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["cancelOnly"], true);
    stage
        .operate(Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::Operator, on: false }))
        .await;
    assert_eq!(stage.ask(get("/ready")).await.expect(200)["cancelOnly"], false);
}
