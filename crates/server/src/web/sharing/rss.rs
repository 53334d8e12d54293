//! `/feeds/events.rss`: new events, for feed readers (RSS 2.0).

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use api::Timestamp;
use axum::extract::{Request, State};
use uuid::Uuid;

use super::addresses::Addresses;
use super::markup::Escaped;
use super::{SITE, feeds, no_public_url, tags};
use crate::app::App;
use crate::event_lists::ListOrder;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_bytes_tagged};
use crate::view::shared_event::SharedEvent;
use crate::view::words::ToApi;

pub(super) const PATH: &str = "/feeds/events.rss";
pub(super) const CONTENT: &str = "application/rss+xml; charset=utf-8";
pub(super) const TITLE: &str = "New events";

pub(super) async fn new_events(State(app): State<Arc<App>>, request: Request) -> Answered {
    let addresses = Addresses::of(&app).ok_or_else(no_public_url)?;
    let (parts, _) = request.into_parts();
    let events = feeds::events(&app, &feeds::query(parts.uri.query())?, ListOrder::Newest).await?;
    ok_bytes_tagged(&parts.headers, Freshness::Slow, CONTENT, feed(addresses, &events))
}

fn feed(addresses: Addresses<'_>, events: &[SharedEvent]) -> String {
    let items: String = events.iter().map(|event| item(addresses, event)).collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>{SITE}: {TITLE}</title>
<link>{site}</link>
<description>Questions that were opened on {SITE}.</description>
<language>en</language>
<ttl>5</ttl>
<atom:link href="{itself}" rel="self" type="application/rss+xml" />
{items}</channel>
</rss>
"#,
        site = Escaped(&addresses.at("/")),
        itself = Escaped(&addresses.at(PATH)),
    )
}

fn item(addresses: Addresses<'_>, event: &SharedEvent) -> String {
    // The id and not the address: the public address of a venue may change, its events do not.
    let id: Uuid = event.id.to_api();
    format!(
        "<item>\n<title>{}</title>\n<link>{}</link>\n<guid isPermaLink=\"false\">urn:uuid:{id}</guid>\n\
         <pubDate>{}</pubDate>\n<category>{}</category>\n<description>{}</description>\n</item>\n",
        Escaped(&event.title),
        Escaped(&addresses.event(&event.slug)),
        date(event.created_at),
        Escaped(&event.category),
        // Readers take a description for HTML, so that markup in it is escaped twice.
        Escaped(&Escaped(&tags::description(event)).to_string()),
    )
}

/// RFC 822 with a year of four digits.
fn date(at: Timestamp) -> String {
    let seconds = u64::try_from(at.micros().div_euclid(1_000_000)).unwrap_or_default();
    httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use api::Timestamp;

    use super::date;

    #[test]
    fn a_date_has_its_weekday_and_is_in_gmt() {
        let at = Timestamp::parse("2026-07-28T23:42:38.5Z").expect("a time");
        assert_eq!(date(at), "Tue, 28 Jul 2026 23:42:38 GMT");
    }
}
