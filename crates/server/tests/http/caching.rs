//! Caching: tags, 304, lifetimes; and compression of large bodies.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::Value;
use stage::node::{Answered, Stage, get, limit};

const EVENTS: &str = "/v1/pm/events";

#[tokio::test]
async fn a_body_that_the_caller_has_is_not_sent_again() {
    let stage = Stage::open().await;
    stage.import_sports().await;
    let slug = format!("{EVENTS}/slug/{}", stage.book.slug);
    let series = format!("{EVENTS}/series");
    let paths = [
        EVENTS,
        &stage.book.shown(),
        &slug,
        &series,
        "/v1/pm/sports/leagues",
        "/v1/pm/sports/teams",
        "/v1/pm/sports/games",
    ];
    for path in paths {
        let first = stage.ask(get(path)).await;
        first.expect(200);
        let tag = first.header("etag").expect("a tag").to_owned();
        let again = stage.ask(get(path).header("if-none-match", &tag)).await;
        assert_eq!(
            (again.status, again.bytes.len(), again.header("etag")),
            (304, 0, Some(tag.as_str())),
            "{path}"
        );
        assert_eq!(again.header("cache-control"), first.header("cache-control"), "{path}");
        let other = stage.ask(get(path).header("if-none-match", "\"other\"")).await;
        assert_eq!((other.status, &other.bytes), (200, &first.bytes), "{path}");
    }
}

#[tokio::test]
async fn a_tag_changes_with_what_is_shown() {
    let stage = Stage::open().await;
    let tag = async || stage.ask(get(&stage.book.shown())).await.header("etag").expect("a tag").to_owned();
    let before = tag().await;
    assert_eq!(tag().await, before);
    stage.place(&stage.alice.key, &stage.book, &limit(stage.book.yes, "BUY", 40.0, 0.40)).await;
    assert_ne!(tag().await, before);
    let stale = stage.ask(get(&stage.book.shown()).header("if-none-match", &before)).await;
    assert_eq!(stale.expect(200)["totalOrders"], 1);
}

#[tokio::test]
async fn prices_are_asked_for_again_names_are_kept_for_a_while_and_what_is_personal_is_not_stored() {
    let stage = Stage::open().await;
    let control = |answered: &Answered| answered.header("cache-control").map(str::to_owned);
    assert_eq!(control(&stage.ask(get(EVENTS)).await).as_deref(), Some("public, no-cache"));
    assert_eq!(
        control(&stage.ask(get("/v1/pm/sports/leagues")).await).as_deref(),
        Some("public, max-age=10")
    );
    let personal = stage.read(&stage.alice.key, EVENTS).await;
    assert_eq!(control(&personal).as_deref(), Some("private, no-store"));
    let refused = stage.ask(get(&format!("{EVENTS}?size=0"))).await;
    assert_eq!((refused.status, control(&refused), refused.header("etag")), (400, None, None));
}

#[tokio::test]
async fn a_large_answer_is_compressed_for_those_who_take_it() {
    let stage = Stage::open().await;
    stage.import_sports().await;
    stage.create_soccer_events().await;
    let plain = stage.ask(get(EVENTS)).await;
    assert!(plain.bytes.len() > 4_096 && plain.header("content-encoding").is_none());
    let packed = stage.ask(get(EVENTS).header("accept-encoding", "gzip, deflate")).await;
    assert_eq!((packed.status, packed.header("content-encoding")), (200, Some("gzip")));
    assert!(packed.bytes.len() < plain.bytes.len() / 2, "{} of {}", packed.bytes.len(), plain.bytes.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(packed.bytes.as_slice()).read_to_end(&mut unpacked).expect("a whole stream");
    assert_eq!(unpacked, plain.bytes);
    assert_eq!(packed.header("etag"), plain.header("etag"), "a weak tag is the same for both");
    let varies: Vec<_> =
        packed.headers.get_all("vary").iter().filter_map(|value| value.to_str().ok()).collect();
    assert!(varies.join(",").to_lowercase().contains("accept-encoding"), "{varies:?}");
    let refusing = stage.ask(get(EVENTS).header("accept-encoding", "gzip;q=0, identity")).await;
    assert_eq!((refusing.header("content-encoding"), &refusing.bytes), (None, &plain.bytes));
    let strings = get(EVENTS).header("accept-encoding", "gzip").header("x-number-format", "string");
    let strings = stage.ask(strings).await;
    assert_eq!((strings.status, strings.header("content-encoding")), (200, Some("gzip")));
}

#[tokio::test]
async fn small_answers_and_refusals_are_sent_as_they_are() {
    let stage = Stage::open().await;
    for (path, status) in [(format!("{EVENTS}?size=1"), 200), (format!("{EVENTS}?size=0"), 400)] {
        let answered = stage.ask(get(&path).header("accept-encoding", "gzip")).await;
        assert_eq!((answered.status, answered.header("content-encoding")), (status, None), "{path}");
        let body: Value = serde_json::from_slice(&answered.bytes).expect("plain JSON");
        assert!(body.is_object());
    }
    let answered = stage.ask(get("/health").header("accept-encoding", "gzip")).await;
    assert_eq!(answered.header("content-encoding"), None);
}
