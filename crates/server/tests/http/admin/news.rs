//! News on events: attached and removed by operators, read by everyone, also after the event has ended.

use serde_json::{Value, json};
use stage::node::{draft, get, has_keys, text};

use super::{Office, with_token};

async fn news(office: &Office) -> Value {
    let event = office.stage.book.event;
    office.stage.ask(get(&format!("/v1/pm/events/{event}/news"))).await.expect(200)
}

fn note(title: &str) -> Value {
    json!({"title": title, "link": "https://example.org/news"})
}

#[tokio::test]
async fn news_is_shown_newest_first_until_it_is_removed() {
    let mut office = Office::open().await;
    assert_eq!(news(&office).await, json!({"news": []}));
    let path = format!("/admin/v1/events/{}/news", office.stage.book.slug);
    let first = office.post(&path, note("Now")).await.expect(201);
    has_keys(&first, &["id", "title", "link", "publishedAt"]);
    let mut earlier = note("Earlier");
    earlier["publishedAt"] = json!("2025-03-01T12:00:00Z");
    let second = office.post(&path, earlier).await.expect(201);
    assert_eq!(news(&office).await, json!({"news": [first, second]}));
    assert_eq!(office.get(&path).await.expect(200), news(&office).await, "operators see the same");

    office.stage.restart_without_history().await;
    assert_eq!(news(&office).await, json!({"news": [first, second]}), "rebuilt from the journal");
    let gone = format!("{path}/{}", text(&first["id"]));
    let left = office.send(&office.operator, "DELETE", &gone, Value::Null).await.expect(200);
    assert_eq!(left, json!({"news": [second]}));
    assert_eq!(news(&office).await, left);
    office.send(&office.operator, "DELETE", &gone, Value::Null).await.refused(404, "not_found");
    let odd = format!("{path}/what");
    office.send(&office.operator, "DELETE", &odd, Value::Null).await.refused(404, "not_found");
}

#[tokio::test]
async fn at_most_50_notes_of_an_event_are_shown() {
    let office = Office::open().await;
    let path = format!("/admin/v1/events/{}/news", office.stage.book.slug);
    for number in 0..52 {
        office.post(&path, note(&format!("Number {number}"))).await.expect(201);
    }
    let shown = news(&office).await;
    let titles: Vec<&str> =
        shown["news"].as_array().expect("news").iter().map(|note| text(&note["title"])).collect();
    assert_eq!((titles.len(), titles[0], titles[49]), (50, "Number 51", "Number 2"));
}

#[tokio::test]
async fn odd_news_is_refused() {
    let office = Office::open().await;
    let path = format!("/admin/v1/events/{}/news", office.stage.book.slug);
    for link in ["http://example.org", "javascript:alert(1)", "https://", ""] {
        office.post(&path, json!({"title": "A", "link": link})).await.refused(400, "bad_request");
    }
    office.post(&path, note("")).await.refused(400, "bad_request");
    office.post(&path, json!({"title": "A"})).await.refused(400, "bad_request");
    let mut ahead = note("A");
    ahead["publishedAt"] = json!("2999-01-01T00:00:00Z");
    office.post(&path, ahead).await.refused(400, "bad_request");
    office.post("/admin/v1/events/no-such/news", note("A")).await.refused(404, "not_found");
    let hidden = format!("/admin/v1/events/{}/news", office.stage.hidden.slug);
    office.post(&hidden, note("A")).await.unprocessable("STATUS_NOT_ALLOWED");
    let by_viewer = with_token(draft("POST", &path).json(&note("A")), &office.viewer);
    assert_eq!(office.ask(by_viewer).await.status, 403);
    let unknown = "/v1/pm/events/00000000-0000-0000-0000-000000000001/news";
    office.stage.ask(get(unknown)).await.refused(404, "not_found");
    let of_a_draft = format!("/v1/pm/events/{}/news", office.stage.hidden.event);
    office.stage.ask(get(&of_a_draft)).await.refused(404, "not_found");
}
