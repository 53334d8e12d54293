//! RSS of new events, and iCal of closings, read as a feed reader and a calendar read them.

use exchange::numbers::Currency;
use roxmltree::{Document, Node};
use serde_json::Value;
use stage::node::{Stage, get};

use super::{CLOSES, ODD_TITLE, VENUE, open_event, open_event_until, open_odd, shared};

fn child<'a>(node: Node<'a, 'a>, name: &str) -> &'a str {
    // A name without a namespace would match `atom:link` as well.
    let is_it = |child: &Node<'_, '_>| child.has_tag_name(name) && child.tag_name().namespace().is_none();
    let mut found = node.children().filter(is_it);
    let text = found.next().unwrap_or_else(|| panic!("no {name}")).text().unwrap_or_default();
    assert!(found.next().is_none(), "two {name}");
    text
}

#[tokio::test]
async fn new_events_are_items_of_a_feed_the_newest_first() {
    let stage = shared().await;
    stage.clock.advance_seconds(3_600);
    let id = open_odd(&stage).await;
    let answered = stage.ask(get("/feeds/events.rss")).await;
    assert_eq!(
        (answered.status, answered.header("content-type")),
        (200, Some("application/rss+xml; charset=utf-8"))
    );
    let text = answered.text();
    let document = Document::parse(&text).expect("well-formed XML");
    let channel = document.root_element().first_element_child().expect("a channel");
    assert_eq!(document.root_element().attribute("version"), Some("2.0"));
    assert_eq!(child(channel, "link"), format!("{VENUE}/"));
    let items: Vec<_> = channel.children().filter(|node| node.has_tag_name("item")).collect();
    assert_eq!(items.len(), 3, "a draft is not public");
    let odd = items[0];
    // A line break becomes a space, and a character that XML cannot contain is gone.
    assert_eq!(child(odd, "title"), ODD_TITLE.replace('\u{8}', "").replace('\n', " "));
    assert_eq!(child(odd, "link"), format!("{VENUE}/events/odd"));
    assert_eq!(child(odd, "guid"), format!("urn:uuid:{id}"));
    assert_eq!(child(odd, "pubDate"), "Tue, 01 Jan 2030 01:00:00 GMT");
    // Readers show a description as HTML: decoded once, it must still be escaped.
    assert!(child(odd, "description").contains("&lt;b&gt;Some&lt;/b&gt; rain."));
    let guid = odd.children().find(|node| node.has_tag_name("guid")).expect("a guid");
    assert_eq!(guid.attribute("isPermaLink"), Some("false"));

    let tag = answered.header("etag").expect("a tag");
    assert_eq!(stage.ask(get("/feeds/events.rss").header("if-none-match", tag)).await.status, 304);
    let filtered = stage.ask(get("/feeds/events.rss?category=weather")).await.text();
    assert_eq!(filtered.matches("<item>").count(), 1);
    assert_eq!(stage.ask(get("/feeds/events.rss?size=2")).await.text().matches("<item>").count(), 2);
    stage.ask(get("/feeds/events.rss?size=0")).await.refused(400, "bad_request");
}

/// A property of iCal, with its value unescaped.
type Property = (String, String);

/// Unfolds and unescapes, and checks the form of every line.
fn entries(calendar: &str) -> Vec<Vec<Property>> {
    assert!(calendar.ends_with("\r\n"), "every line has a break");
    for line in calendar.split_terminator("\r\n") {
        assert!(line.len() <= 75 && !line.contains(['\r', '\n']), "{line:?}");
    }
    let unfolded = calendar.replace("\r\n ", "");
    let lines: Vec<&str> = unfolded.split_terminator("\r\n").collect();
    assert_eq!((lines[0], *lines.last().expect("a line")), ("BEGIN:VCALENDAR", "END:VCALENDAR"));
    assert!(lines.contains(&"VERSION:2.0") && lines.iter().any(|line| line.starts_with("PRODID:")));
    let mut entries = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no property: {line}"));
        match (name, value) {
            ("BEGIN", "VEVENT") => entries.push(Vec::new()),
            ("BEGIN" | "END", _) => {}
            _ => {
                if let Some(entry) = entries.last_mut() {
                    entry.push((name.to_owned(), unescaped(value)));
                }
            }
        }
    }
    entries
}

fn unescaped(value: &str) -> String {
    let mut characters = value.chars();
    let mut text = String::new();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next().expect("an escaped character") {
                'n' | 'N' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    text
}

fn value<'a>(entry: &'a [Property], name: &str) -> &'a str {
    let mut found = entry.iter().filter(|(given, _)| given == name);
    let (_, value) = found.next().unwrap_or_else(|| panic!("no {name} in {entry:?}"));
    assert!(found.next().is_none(), "two {name}");
    value
}

async fn closings(stage: &Stage) -> Vec<Vec<Property>> {
    let answered = stage.ask(get("/feeds/closings.ics")).await;
    assert_eq!(
        (answered.status, answered.header("content-type")),
        (200, Some("text/calendar; charset=utf-8"))
    );
    entries(&answered.text())
}

#[tokio::test]
async fn open_events_with_a_closing_date_are_entries_of_a_calendar() {
    let stage = shared().await;
    assert_eq!(closings(&stage).await.len(), 0, "the first events have no date");
    let id = open_odd(&stage).await;
    let long = "₦ and a long title ".repeat(15);
    open_event(&stage, "long", &long, &["long"], vec![Currency::Usd]).await;
    let first = closings(&stage).await;
    assert_eq!(first.len(), 2);
    let odd = first.iter().find(|entry| value(entry, "UID") == id.to_string()).expect("the odd event");
    assert_eq!(value(odd, "SUMMARY"), format!("Closes: {}", ODD_TITLE.replace('\u{8}', "")));
    assert_eq!(value(odd, "DTSTART"), "20300131T000000Z");
    assert_eq!(value(odd, "DTSTAMP"), "20300101T000000Z");
    assert_eq!(value(odd, "URL"), format!("{VENUE}/events/odd"));
    assert!(first.iter().any(|entry| value(entry, "SUMMARY") == format!("Closes: {long}")));

    // Later, and beside new events, the entries are unchanged.
    stage.clock.advance_seconds(60);
    open_event(&stage, "third", "Third", &["third"], vec![Currency::Usd]).await;
    let second = closings(&stage).await;
    assert_eq!(second.len(), 3);
    for entry in &first {
        assert!(second.contains(entry), "{entry:?}");
    }
    stage.clock.advance_seconds(40 * 24 * 60 * 60);
    // A command lets the time pass.
    stage.create_book("late").await;
    assert_eq!(closings(&stage).await.len(), 0, "a closed event is no entry");
}

#[tokio::test]
async fn the_calendar_has_what_closes_next_however_many_events_are_newer() {
    let stage = shared().await;
    let id = open_odd(&stage).await;
    for number in 0..101 {
        let slug = format!("newer-{number}");
        let closes = CLOSES + 1 + (number * 37) % 101;
        open_event_until(&stage, &slug, &slug, &[&slug], vec![Currency::Usd], closes).await;
        stage.clock.advance_seconds(1);
    }
    let shown = closings(&stage).await;
    assert_eq!(shown.len(), 100);
    assert_eq!(value(&shown[0], "UID"), id.to_string(), "the oldest event closes first");
    let dates: Vec<&str> = shown.iter().map(|entry| value(entry, "DTSTART")).collect();
    assert!(dates.is_sorted(), "{dates:?}");
}

#[tokio::test]
async fn a_feed_is_charged_like_the_list_of_events() {
    let stage = shared().await;
    stage.create_books("many", 60).await;
    let left = |header: Option<&str>| -> u64 {
        let header = header.expect("a charge");
        let rest = header.strip_prefix("\"public\";r=").expect("the public bucket");
        rest.split(';').next().and_then(|left| left.parse().ok()).expect("a number")
    };
    let mut before = left(stage.ask(get("/version")).await.header("ratelimit"));
    // 62 events are 3 tokens: 25 for the first, 25 for each further one.
    for path in ["/feeds/events.rss", "/v1/pm/events?size=62", "/feeds/closings.ics?size=62"] {
        let answered = stage.ask(get(path)).await;
        let after = left(answered.header("ratelimit"));
        assert_eq!(before - after, 3, "{path}");
        before = after;
    }
    while stage.ask(get("/version")).await.status != 429 {}
    let refused: Value = stage.ask(get("/feeds/events.rss")).await.refused(429, "rate_limit");
    assert!(refused["retryAfter"].is_u64(), "{refused}");
}
