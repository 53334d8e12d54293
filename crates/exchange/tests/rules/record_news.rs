//! `RecordNews`: bounds of a note, who may send it, and which events have news.

use exchange::catalogue::{Engine, EventKind, Status};
use exchange::change::Change;
use exchange::command::{Command, NewsNote, RecordNews};
use exchange::id::{EventId, NewsId};
use exchange::identity::Role;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::rules::samples::stage;
use crate::rules::world::{World, event_of};

const NEWS: NewsId = NewsId::new(77);

fn note(at: Time) -> NewsNote {
    NewsNote { at, title: Text::from("Rain expected"), link: Text::from("https://example.org/rain") }
}

fn news(event: EventId, note: Option<NewsNote>) -> Command {
    Command::RecordNews(RecordNews { event, news: NEWS, note })
}

fn open() -> World {
    let mut world = stage();
    world.operator("olga", Role::Operator);
    world
}

fn field_of(refused: Result<Reply, Reject>) -> &'static str {
    match refused {
        Err(Reject::InvalidField { field, .. }) => field,
        other => panic!("no field is refused: {other:?}"),
    }
}

#[test]
fn record_news_reports_a_note_its_change_and_its_removal() {
    let mut world = open();
    let (event, now) = (event_of("rain"), world.exchange.now());
    for note in [Some(note(now)), Some(note(now - Span::hours(5))), None] {
        assert_eq!(world.run_by("olga", news(event, note.clone())), Ok(Reply::Done));
        assert_eq!(world.changes(), [Change::EventNews { event, news: NEWS, note }]);
    }
}

#[test]
fn record_news_bounds_title_link_and_time() {
    let mut world = open();
    let (event, now) = (event_of("rain"), world.exchange.now());
    let mut with = |change: &dyn Fn(&mut NewsNote)| {
        let mut changed = note(now);
        change(&mut changed);
        world.run_by("olga", news(event, Some(changed)))
    };
    let longest = format!("https://{}", "a".repeat(NewsNote::LINK_BYTES_MAX - 8));
    assert_eq!(with(&|note| note.title = Text::from("t".repeat(100))), Ok(Reply::Done));
    assert_eq!(with(&|note| note.link = Text::from(longest.as_str())), Ok(Reply::Done));
    assert_eq!(with(&|note| note.at = Time::ZERO), Ok(Reply::Done));
    for title in [String::new(), "t".repeat(101)] {
        assert_eq!(field_of(with(&|note| note.title = Text::from(title.as_str()))), "title");
    }
    let too_long = format!("{longest}a");
    for link in
        ["", "https://", "http://example.org", "javascript:alert(1)", "https://a b", "https://é", &too_long]
    {
        assert_eq!(field_of(with(&|note| note.link = Text::from(link))), "link", "{link}");
    }
    for at in [Time::from_micros(-1), now + Span::seconds(3_600)] {
        assert_eq!(field_of(with(&|note| note.at = at)), "at");
    }
}

#[test]
fn record_news_needs_a_public_event() {
    let mut world = open();
    let now = world.exchange.now();
    let unknown = news(EventId::new(404), Some(note(now)));
    assert_eq!(world.run_by("olga", unknown), Err(Reject::EventNotFound));
    world.draft(EventKind::Single, Engine::Clob, 0, &["hail"]);
    let refused = world.run_by("olga", news(event_of("hail"), Some(note(now))));
    assert_eq!(refused, Err(Reject::StatusNotAllowed { status: Status::Draft }));
}

#[test]
fn record_news_is_for_operators() {
    let mut world = open();
    world.operator("vera", Role::Viewer);
    let (event, now) = (event_of("rain"), world.exchange.now());
    assert_eq!(world.run_by("vera", news(event, Some(note(now)))), Err(Reject::NotAllowed));
    assert_eq!(world.by("alice", news(event, None)), Err(Reject::NotAllowed));
}

#[test]
fn record_news_comes_with_rules_2() {
    assert_eq!(news(EventId::new(1), None).rules(), 2);
}
