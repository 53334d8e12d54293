//! HTTP caching of public data: entity tags, 304 responses and `Cache-Control`; and compression of large responses.
//!
//! Only for public data. `envelope` overrides `Cache-Control` with `no-store` for personal responses.

use std::hash::{DefaultHasher, Hash, Hasher};

use api::json::WriteJson;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use super::charged::count_unread;
use super::{Answered, written};

const JSON: &str = "application/json";

/// How quickly a response becomes outdated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// At once (prices). A cache must revalidate it with its tag.
    Live,
    /// Slowly (names, dates).
    Slow,
    /// Once a minute (pictures).
    Minute,
}

impl Freshness {
    pub(crate) const fn cache_control(self) -> &'static str {
        match self {
            Freshness::Live => "public, no-cache",
            Freshness::Slow => "public, max-age=10",
            Freshness::Minute => "public, max-age=60",
        }
    }
}

/// 200 with a JSON body and its tag, or 304 without a body if the client's `If-None-Match` has that tag.
pub fn ok_tagged(headers: &HeaderMap, freshness: Freshness, body: &impl WriteJson) -> Answered {
    Ok(tagged(headers, freshness, JSON, count_unread(written(body))))
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
    let mut response = if is_known(headers, tag) {
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

/// A weak tag, because the same content may be sent compressed or not.
pub(crate) fn tag_of(bytes: &[u8]) -> String {
    // A tag only distinguishes versions of a response; it needs no cryptographic hash.
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("W/\"{:x}-{:016x}\"", bytes.len(), hasher.finish())
}

/// RFC 9110, If-None-Match: a list of tags, compared weakly, or `*`.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let wanted = opaque(tag);
    let fields = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|field| field.to_str().ok());
    fields.flat_map(|field| field.split(',')).any(|given| given.trim() == "*" || opaque(given) == wanted)
}

/// Smaller responses fit into a few packets; compressing them costs more than it saves.
const COMPRESSED_FROM_BYTES: u16 = 4_096;

/// Compression for routes with large responses, if the client accepts it.
pub fn compression() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(COMPRESSED_FROM_BYTES))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, header};

    use super::{is_known, tag_of};

    #[test]
    fn a_tag_is_known_in_a_list_weak_or_strong() {
        let tag = tag_of(b"body");
        let strong = tag.trim_start_matches("W/").to_owned();
        let asked = |field: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, field.parse().expect("a field"));
            is_known(&headers, &tag)
        };
        assert!(asked(&tag) && asked(&strong) && asked("*"));
        assert!(asked(&format!("\"other\", {tag}")) && asked(&format!("W/\"a\",{strong} ")));
        assert!(!asked("\"other\"") && !asked("") && !asked(&tag_of(b"bodies")));
        assert!(!is_known(&HeaderMap::new(), &tag));
    }
}
