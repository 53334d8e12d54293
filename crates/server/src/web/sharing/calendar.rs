//! `/feeds/closings.ics`: which open events close next, for calendars (RFC 5545).

use std::sync::Arc;

use api::Timestamp;
use api::terms::Status;
use axum::extract::{Request, State};
use uuid::Uuid;

use super::addresses::Addresses;
use super::{SITE, feeds, no_public_url};
use crate::app::App;
use crate::event_lists::ListOrder;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_bytes_tagged};
use crate::view::shared_event::SharedEvent;
use crate::view::words::ToApi;

pub(super) const PATH: &str = "/feeds/closings.ics";
pub(super) const CONTENT: &str = "text/calendar; charset=utf-8";
pub(super) const TITLE: &str = "Closing dates";

/// RFC 5545, 3.1: a line has at most this many octets without its break.
const LINE_BYTES_MAX: usize = 75;

pub(super) async fn closings(State(app): State<Arc<App>>, request: Request) -> Answered {
    let addresses = Addresses::of(&app).ok_or_else(no_public_url)?;
    let (parts, _) = request.into_parts();
    let mut query = feeds::query(parts.uri.query())?;
    query.status = Some(Status::Open);
    let events = feeds::events(&app, &query, ListOrder::NextToClose).await?;
    ok_bytes_tagged(&parts.headers, Freshness::Slow, CONTENT, calendar(addresses, &events))
}

fn calendar(addresses: Addresses<'_>, events: &[SharedEvent]) -> String {
    let mut closings: Vec<(Timestamp, &SharedEvent)> =
        events.iter().filter_map(|event| Some((event.closes_at?, event))).collect();
    closings.sort_by_key(|(at, event)| (*at, event.id));
    let mut lines = Lines::default();
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", "-//Bellwether//Closings//EN");
    lines.add("CALSCALE", "GREGORIAN");
    lines.add_text("X-WR-CALNAME", &format!("{SITE}: {TITLE}"));
    lines.add("REFRESH-INTERVAL;VALUE=DURATION", "PT1H");
    for (at, event) in closings {
        lines.add("BEGIN", "VEVENT");
        // RFC 7986, 5.3: a UUID. It never changes, so an entry that moves stays one entry.
        let id: Uuid = event.id.to_api();
        lines.add("UID", &id.to_string());
        // Without a METHOD it is the time of the last change, and an open event keeps its dates.
        lines.add("DTSTAMP", &date(event.created_at));
        lines.add("DTSTART", &date(at));
        lines.add_text("SUMMARY", &format!("Closes: {}", event.title));
        lines.add_text("DESCRIPTION", &event.chances());
        lines.add("URL", &addresses.event(&event.slug));
        lines.add("TRANSP", "TRANSPARENT");
        lines.add("END", "VEVENT");
    }
    lines.add("END", "VCALENDAR");
    lines.text
}

/// Content lines, folded.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    /// A property of the type TEXT.
    fn add_text(&mut self, name: &str, value: &str) {
        self.add(name, &escaped(value));
    }

    /// A property whose value needs no escaping.
    fn add(&mut self, name: &str, value: &str) {
        let line = format!("{name}:{value}");
        let mut bytes = 0;
        for character in line.chars() {
            if bytes + character.len_utf8() > LINE_BYTES_MAX {
                // The space of a continued line counts as its first octet.
                self.text.push_str("\r\n ");
                bytes = 1;
            }
            self.text.push(character);
            bytes += character.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}

/// RFC 5545, 3.3.11. Control characters other than line breaks are not allowed in a text.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            other if other.is_control() => {}
            other => escaped.push(other),
        }
    }
    escaped
}

/// `20260728T234238Z`.
fn date(at: Timestamp) -> String {
    let text = at.to_string();
    let seconds = text.split(['.', 'Z']).next().unwrap_or_default();
    let digits: String = seconds.chars().filter(|character| !matches!(character, '-' | ':')).collect();
    format!("{digits}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_in_the_basic_form_and_in_utc() {
        for text in ["2026-07-28T23:42:38Z", "2026-07-28T23:42:38.123456Z"] {
            assert_eq!(date(Timestamp::parse(text).expect("a time")), "20260728T234238Z");
        }
    }

    #[test]
    fn separators_are_escaped_and_control_characters_go() {
        assert_eq!(escaped("a;b,c\\d\r\ne\u{7}:\"f\""), "a\\;b\\,c\\\\d\\ne:\"f\"");
    }

    #[test]
    fn a_long_line_is_folded_between_characters_and_unfolds_to_itself() {
        for title in ["₦".repeat(80), "a".repeat(300), "aé₦😀".repeat(40), String::new()] {
            let mut lines = Lines::default();
            lines.add_text("SUMMARY", &title);
            for line in lines.text.strip_suffix("\r\n").expect("a break").split("\r\n") {
                assert!(line.len() <= LINE_BYTES_MAX, "{line}");
            }
            assert_eq!(lines.text.replace("\r\n ", ""), format!("SUMMARY:{title}\r\n"));
        }
    }
}
