//! HTTP caching of pages: entity tags, 304 responses and `Cache-Control`; and compression of large ones. Endpoints say it in
//! their rows (`edge/freshness.rs`).

use api::json::WriteJson;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use super::{Answered, written};
pub(crate) use crate::edge::freshness::{Freshness, tag_of};
use crate::edge::freshness::{is_known, known_tags};

const JSON: &str = "application/json";

/// 200 with a JSON body and its tag, or 304 without a body if the client's `If-None-Match` has that tag.
pub fn ok_tagged(headers: &HeaderMap, freshness: Freshness, body: &impl WriteJson) -> Answered {
    Ok(tagged(headers, freshness, JSON, written(body)))
}

/// Like `ok_tagged`, for a body of another kind.
pub(crate) fn ok_bytes_tagged(
    headers: &HeaderMap,
    freshness: Freshness,
    content: &'static str,
    bytes: impl Into<Bytes>,
) -> Answered {
    Ok(tagged(headers, freshness, content, bytes))
}

fn tagged(
    headers: &HeaderMap,
    freshness: Freshness,
    content: &'static str,
    bytes: impl Into<Bytes>,
) -> Response {
    let bytes = bytes.into();
    unless_known(headers, &tag_of(&bytes), freshness.cache_control(), || {
        let mut response = Response::new(Body::from(bytes));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
        response
    })
}

/// The response that has a tag, or 304 without making it if the client's `If-None-Match` has the tag.
pub(crate) fn unless_known(
    headers: &HeaderMap,
    tag: &str,
    cache_control: &'static str,
    make: impl FnOnce() -> Response,
) -> Response {
    let mut response = if known_tags(headers).is_some_and(|known| is_known(&known, tag)) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        make()
    };
    let fields = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        fields.insert(header::ETAG, tag);
    }
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    response
}

/// Smaller responses fit into a few packets; compressing them costs more than it saves.
const COMPRESSED_FROM_BYTES: u16 = 4_096;

/// Compression for routes with large responses, if the client accepts it.
pub fn compression() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(COMPRESSED_FROM_BYTES))
}
