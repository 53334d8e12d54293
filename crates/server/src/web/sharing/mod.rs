//! Everything that other sites show of an event: tags for link previews (`tags`), card images (`cards`), an embedded page
//! (`embed`), oEmbed (`oembed`), a feed of new events (`rss`) and a calendar of closings (`calendar`).
//!
//! Absolute addresses come from the setting `--public-url` alone, never from a request: a forged `Host` must not end up
//! in a cache or a feed. Without the setting only the embedded page is served. Nothing here knows who is asking: no
//! handler looks at a cookie, a key or a session.

mod addresses;
mod calendar;
#[cfg(feature = "cards")]
mod cards;
mod embed;
mod feeds;
mod markup;
mod oembed;
mod rss;
mod tags;

use std::sync::Arc;

use api::error::ErrorBody;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::get;
use exchange::Exchange;
use exchange::id::EventId;
use exchange::index::EventIndex;
use http::HeaderMap;

#[cfg(feature = "cards")]
pub(super) use cards::Cards;
#[cfg(feature = "cards")]
pub use cards::{CARD_ROWS, CARDS_MAX};

use super::assets;
use super::build::PageKind;
use crate::app::App;
use crate::edge::meter;
use crate::history::RetiredName;
use crate::http::caching::compression;
use crate::http::{Answered, Failure};
use crate::view;
use crate::view::shared_event::{SharedEvent, shared};
use addresses::Addresses;

/// The name of the venue in previews and feeds.
const SITE: &str = "Bellwether";

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/embed/{event}", get(embed::embed))
        .route("/oembed", get(oembed::oembed))
        .route("/feeds/events.rss", get(rss::new_events).layer(compression()))
        .route("/feeds/closings.ics", get(calendar::closings).layer(compression()))
        .route("/cards/{card}", get(card))
}

/// The traders' page. With a public address it names the feeds and, at the address of an event, describes the event.
pub(super) async fn trader_page(app: &App, path: &str, headers: &HeaderMap) -> Response {
    let Some(addresses) = Addresses::of(app) else { return assets::entry(PageKind::Trader, headers) };
    let event = match event_name(path) {
        // The page is complete without tags, so neither an empty bucket nor a failed lookup refuses it.
        Some(name) if meter::current().is_some_and(|meter| meter.pay_for_addition()) => {
            find(app, name).await.unwrap_or_default()
        }
        _ => None,
    };
    assets::marked_page(&tags::tags(addresses, event.as_ref()), headers)
}

/// The event in `/events/EVENT`, if it can be the name of one.
fn event_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix("/events/")?;
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!name.is_empty() && name.bytes().all(is_legal)).then_some(name)
}

/// An event by slug or id, in memory or retired; `None` for a draft.
async fn find(app: &App, name: &str) -> Result<Option<SharedEvent>, Failure> {
    let known = app.reading().with_retired(vec![retired_name(name)]).await?;
    let found = known.first(|exchange| index_of(exchange, name));
    Ok(found.map(|(exchange, index)| shared(exchange, index)))
}

fn index_of(exchange: &Exchange, name: &str) -> Option<EventIndex> {
    match retired_name(name) {
        RetiredName::Event(id) => view::event::find(exchange, id),
        _ => view::event::find_by_slug(exchange, name),
    }
}

fn retired_name(name: &str) -> RetiredName {
    match api::identifier::parse(name) {
        Ok(id) => RetiredName::Event(EventId::new(id.as_u128())),
        Err(_) => RetiredName::Slug(name.to_owned()),
    }
}

fn event_not_found() -> Failure {
    ErrorBody::not_found("Event not found").into()
}

fn no_public_url() -> Failure {
    ErrorBody::not_found("This venue has no public address (--public-url)").into()
}

/// A card image. The build decides whether there are any.
#[cfg(feature = "cards")]
async fn card(state: State<Arc<App>>, card: Path<String>, headers: HeaderMap) -> Answered {
    cards::card(state, card, headers).await
}

#[cfg(not(feature = "cards"))]
async fn card(State(_): State<Arc<App>>, Path(_): Path<String>, _: HeaderMap) -> Answered {
    Err(ErrorBody::not_found("This build has no card images: it lacks the feature `cards`").into())
}
