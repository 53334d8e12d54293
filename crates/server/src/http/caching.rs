//! Answers that a caller may keep: a tag of what is in them, 304 when the caller has it already, and how long it may be
//! kept. And compression of those that can be large.
//!
//! For public data only. What is personal is never stored; `envelope` says so over anything that is said here.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

use super::{Answered, json};

/// How soon what was answered may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// At once: prices. It may be kept, and must be asked for again with its tag.
    Live,
    /// Rarely: names, dates.
    Slow,
}

impl Freshness {
    const fn cache_control(self) -> &'static str {
        match self {
            Freshness::Live => "public, no-cache",
            Freshness::Slow => "public, max-age=10",
        }
    }
}

/// 200 with a JSON body and its tag, or 304 without a body for a caller that has this very one.
pub fn ok_tagged(headers: &HeaderMap, freshness: Freshness, body: &impl Serialize) -> Answered {
    let bytes = match serde_json::to_vec(body) {
        Ok(bytes) => bytes,
        // Says what is wrong, once, where all JSON is written.
        Err(_) => return Ok(json(StatusCode::OK, body)),
    };
    let tag = tag_of(&bytes);
    let mut response = if is_known(headers, &tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        super::json_bytes(StatusCode::OK.as_u16(), bytes)
    };
    let fields = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        fields.insert(header::ETAG, tag);
    }
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(freshness.cache_control()));
    Ok(response)
}

/// Weak, since the same content may be sent compressed or not.
fn tag_of(bytes: &[u8]) -> String {
    // No secret and no proof: a tag tells one version of a page from the next.
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

/// What is smaller is sent as it is: it fits into a few packets, and compressing it costs more than it saves.
const COMPRESSED_FROM_BYTES: u64 = 4_096;

/// Compression for routes with large answers, if the caller takes it.
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
