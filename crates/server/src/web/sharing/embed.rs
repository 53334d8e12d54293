//! `/embed/EVENT`: an event's title, outcomes and prices, for a frame on another site.
//!
//! The page has no ticket and no link to an account. Its script only reads the page again; it uses neither cookies nor
//! storage, and the page is complete without it. Only this page may be framed: every other page keeps
//! `frame-ancestors 'none'`.

use std::sync::Arc;

use api::Timestamp;
use axum::extract::{Path, State};
use http::{HeaderMap, HeaderValue, header};

use super::addresses::Addresses;
use super::markup::Escaped;
use super::{SITE, event_not_found, find};
use crate::app::App;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_bytes_tagged};
use crate::view::shared_event::{SharedEvent, SharedOutcome};
use crate::web::WebOrigin;

const CONTENT: &str = "text/html; charset=utf-8";

pub(super) async fn embed(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Answered {
    let event = find(&app, &name).await?.ok_or_else(event_not_found)?;
    let address = match Addresses::of(&app) {
        Some(addresses) => addresses.event(&event.slug),
        None => format!("/events/{}", event.slug),
    };
    let mut response = ok_bytes_tagged(&headers, Freshness::Live, CONTENT, page(&event, &address))?;
    let fields = response.headers_mut();
    if let Ok(policy) = HeaderValue::try_from(policy(app.web().embed_origins())) {
        fields.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    fields.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Only the page's own style, script and requests, and frames on the allowed sites.
fn policy(origins: &[WebOrigin]) -> String {
    let ancestors = match origins {
        [] => "*".to_owned(),
        origins => origins.iter().map(WebOrigin::as_str).collect::<Vec<_>>().join(" "),
    };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors {ancestors}"
    )
}

fn page(event: &SharedEvent, address: &str) -> String {
    let outcomes: String = event.outcomes.iter().map(outcome).collect();
    format!(
        r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>{title}</title>
    <link rel="canonical" href="{address}" />
    <link rel="stylesheet" href="/embed.css" />
    <script src="/embed.js" defer></script>
  </head>
  <body>
    <main>
      <h1><a href="{address}" target="_blank" rel="noopener">{title}</a></h1>
      <ul>{outcomes}
      </ul>
      <p>{note} · <span>{SITE}</span></p>
    </main>
  </body>
</html>
"#,
        title = Escaped(&event.title),
        address = Escaped(address),
        note = note(event),
    )
}

fn outcome(outcome: &SharedOutcome) -> String {
    format!(
        "\n        <li><span>{}</span> <strong>{}</strong> <span>{}</span></li>",
        Escaped(&outcome.label),
        Escaped(&outcome.chance),
        Escaped(&outcome.price)
    )
}

/// When trading closes, or that it has.
pub(super) fn note(event: &SharedEvent) -> String {
    match (event.ended(), event.closes_at) {
        (Some(ended), _) => ended.to_owned(),
        (None, Some(at)) => format!("Closes {}", minute(at)),
        (None, None) => "Open".to_owned(),
    }
}

/// `2026-07-28 23:42 UTC`.
fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    let (date, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{date} {} UTC", time.get(..5).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_allowed_everywhere_or_on_the_named_sites() {
        assert!(policy(&[]).ends_with("; frame-ancestors *"));
        let origins = ["https://a.example.org", "https://b.example.org:8443"];
        let origins = origins.map(|origin| origin.parse().expect("an origin"));
        let policy = policy(&origins);
        assert!(policy.ends_with("; frame-ancestors https://a.example.org https://b.example.org:8443"));
        assert!(!policy.contains("unsafe"), "{policy}");
    }

    #[test]
    fn a_time_is_shown_to_the_minute() {
        assert_eq!(minute(Timestamp::from_micros(1_785_282_158_123_456)), "2026-07-28 23:42 UTC");
    }
}
