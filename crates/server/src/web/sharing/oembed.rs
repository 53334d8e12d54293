//! `/oembed` (oembed.com, version 1.0): a frame with the embedded page, for sites that turn a link into a preview.

use std::sync::Arc;

use api::error::ErrorBody;
use api::json::WriteJson;
use api::query::RawQuery;
use axum::extract::{Request, State};

use super::addresses::Addresses;
use super::markup::Escaped;
use super::tags::CARD_SIZE;
use super::{SITE, event_not_found, find, no_public_url};
use crate::app::App;
use crate::http::Answered;
use crate::http::caching::{Freshness, ok_tagged};

/// The frame's size in pixels, unless the site has less room.
const WIDTH: u32 = 480;
const HEIGHT: u32 = 240;
/// How long a site may keep the response, in seconds.
const CACHE_AGE: u32 = 3_600;

/// Spec of oEmbed, Response parameters: names are in snake case.
#[derive(Debug, WriteJson)]
struct Oembed {
    version: &'static str,
    r#type: &'static str,
    provider_name: &'static str,
    provider_url: String,
    title: String,
    html: String,
    width: u32,
    height: u32,
    cache_age: u32,
    #[serde(flatten)]
    thumbnail: Option<Thumbnail>,
}

#[derive(Debug, WriteJson)]
struct Thumbnail {
    thumbnail_url: String,
    thumbnail_width: u32,
    thumbnail_height: u32,
}

pub(super) async fn oembed(State(app): State<Arc<App>>, request: Request) -> Answered {
    let addresses = Addresses::of(&app).ok_or_else(no_public_url)?;
    let (parts, _) = request.into_parts();
    let query = RawQuery::parse(parts.uri.query().unwrap_or_default())?;
    if !query.text("format")?.unwrap_or("json").eq_ignore_ascii_case("json") {
        return Err(ErrorBody::bad_request("format must be json").into());
    }
    let width = query.at_most("maxwidth", 1, WIDTH)?.unwrap_or(WIDTH);
    let height = query.at_most("maxheight", 1, HEIGHT)?.unwrap_or(HEIGHT);
    let address = query.text("url")?.ok_or_else(|| ErrorBody::bad_request("url is required"))?;
    let name = addresses.event_named_by(address).ok_or_else(event_not_found)?;
    let event = find(&app, name).await?.ok_or_else(event_not_found)?;
    let embed = addresses.embed(&event.slug);
    let (thumbnail_width, thumbnail_height) = CARD_SIZE;
    let thumbnail = addresses.card(&event.slug);
    let oembed = Oembed {
        version: "1.0",
        r#type: "rich",
        provider_name: SITE,
        provider_url: addresses.at("/"),
        html: format!(
            "<iframe src=\"{}\" title=\"{}\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" \
             loading=\"lazy\" referrerpolicy=\"no-referrer\"></iframe>",
            Escaped(&embed),
            Escaped(&event.title)
        ),
        title: event.title,
        width,
        height,
        cache_age: CACHE_AGE,
        thumbnail: thumbnail.map(|url| Thumbnail { thumbnail_url: url, thumbnail_width, thumbnail_height }),
    };
    ok_tagged(&parts.headers, Freshness::Slow, &oembed)
}
