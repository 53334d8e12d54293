//! Card images: one rendering per event and minute, charged before the work.

use stage::node::{Answered, Stage, get, traded};

use super::{open_odd, shared};

const CARD: &str = "/cards/the-book.png";

/// Tokens that the network has left.
fn left(answered: &Answered) -> u64 {
    let header = answered.header("ratelimit").expect("a charge");
    let rest = header.strip_prefix("\"public\";r=").expect("the public bucket");
    rest.split(';').next().and_then(|left| left.parse().ok()).expect("a number")
}

#[track_caller]
fn is_card(answered: &Answered) {
    assert_eq!(
        (answered.status, answered.header("content-type")),
        (200, Some("image/png")),
        "{}",
        answered.text()
    );
    assert_eq!(answered.header("cache-control"), Some("public, max-age=60"));
    assert!(answered.bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(answered.bytes[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((number(16), number(20)), (1_200, 630));
}

#[tokio::test]
async fn a_card_is_drawn_once_a_minute() {
    let stage = shared().await;
    let first = stage.ask(get(CARD)).await;
    is_card(&first);
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!(stage.ask(get(CARD).header("if-none-match", &tag)).await.status, 304);
    // The price moves within the minute: the picture of the minute stays.
    let (alice, bob, book) = (&stage.alice.key, &stage.bob.key, &stage.book);
    stage.place(alice, book, &stage::node::limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.clock.advance_seconds(30);
    stage.place(bob, book, &stage::node::limit(book.no, "BUY", 60.0, 0.60)).await;
    assert_eq!(stage.ask(get(CARD)).await.bytes, first.bytes);
    stage.clock.advance_seconds(30);
    let second = stage.ask(get(CARD)).await;
    is_card(&second);
    assert_ne!(second.bytes, first.bytes, "a new minute has a new picture, with the new price");
    assert_eq!(stage.ask(get(CARD)).await.bytes, second.bytes);
}

#[tokio::test]
async fn clients_that_ask_at_the_same_time_get_one_picture_and_pay_for_it() {
    let stage = shared().await;
    let (a, b, c) = tokio::join!(stage.ask(get(CARD)), stage.ask(get(CARD)), stage.ask(get(CARD)));
    for answered in [&a, &b, &c] {
        is_card(answered);
        assert_eq!(answered.bytes, a.bytes);
    }
}

#[tokio::test]
async fn a_new_picture_is_charged_like_a_list_before_it_is_drawn() {
    let stage = shared().await;
    let before = left(&stage.ask(get("/version")).await);
    let drawn = stage.ask(get(CARD)).await;
    is_card(&drawn);
    assert_eq!(before - left(&drawn), 10, "250 rows are 10 tokens");
    let kept = stage.ask(get(CARD)).await;
    assert_eq!(left(&drawn) - left(&kept), 1, "a picture of this minute costs a request");

    // With fewer tokens than a picture costs, nothing is drawn.
    while left(&stage.ask(get("/version")).await) > 5 {}
    let refused = stage.ask(get("/cards/the-pool.png")).await;
    refused.refused(429, "rate_limit");
    let kept = stage.ask(get(CARD)).await;
    is_card(&kept);
    stage.clock.advance_seconds(1);
    let before = left(&stage.ask(get("/version")).await);
    let drawn = stage.ask(get("/cards/the-pool.png")).await;
    is_card(&drawn);
    assert_eq!(before - left(&drawn), 10, "the refused request had drawn nothing");
}

#[tokio::test]
async fn a_card_has_the_week_of_a_traded_market_and_any_title() {
    let stage = shared().await;
    let untraded = stage.ask(get(CARD)).await;
    traded(&stage).await;
    stage.clock.advance_seconds(60);
    let with_line = stage.ask(get(CARD)).await;
    is_card(&with_line);
    assert_ne!(untraded.bytes, with_line.bytes);
    open_odd(&stage).await;
    is_card(&stage.ask(get("/cards/odd.png")).await);
}

#[tokio::test]
async fn other_names_have_no_card() {
    let stage = shared().await;
    for path in
        ["/cards/none.png", "/cards/the-hidden.png", "/cards/the-book", "/cards/the-book.svg", "/cards/"]
    {
        stage.ask(get(path)).await.refused(404, "not_found");
    }
    let without = Stage::open().await;
    without.ask(get(CARD)).await.refused(404, "not_found");
}
