//! Answers with the files of the web pages: content type, ETag, cache control.
//!
//! Files whose path contains a content hash are cached forever; all others are revalidated by ETag. Text is compressed
//! once, at the first request. `build` has the files.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::sync::LazyLock;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use parking_lot::RwLock;

use crate::http::Failure;
use crate::http::caching::{is_known, tag_of};

use super::build::{File, PageKind};

/// For the page and everything it loads: nothing from other origins, no inline code, no framing.
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

const GUARDS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The place of `index.html` where link previews and feeds are written.
pub(super) const MARK: &str = "<!-- sharing -->";

const HTML: &str = "text/html; charset=utf-8";

/// Smaller bodies are not worth compressing.
const COMPRESSED_FROM_BYTES: usize = 1_024;

/// Compressed texts by path; none for those that did not get smaller.
static SHORT: LazyLock<RwLock<HashMap<String, Option<Bytes>>>> = LazyLock::new(RwLock::default);

/// One of the pages.
pub(super) fn entry(kind: PageKind, headers: &HeaderMap) -> Response {
    match kind.page() {
        Some(page) => {
            respond(kind.path(), &page.tag, HTML, Bytes::from_static(page.text.as_bytes()), headers)
        }
        None => Failure::from(api::error::ErrorBody::internal()).into_response(),
    }
}

/// The traders' page with `tags`, which must be escaped, at its mark.
pub(super) fn marked_page(tags: &str, headers: &HeaderMap) -> Response {
    let page = PageKind::Trader.page().and_then(|page| page.text.split_once(MARK));
    let Some((before, after)) = page else {
        return entry(PageKind::Trader, headers);
    };
    let whole = Bytes::from([before, tags, after].concat());
    let short = if takes_gzip(headers) { pack(&whole) } else { None };
    let tag = tag_of(&whole);
    build(Content { tag: &tag, kind: HTML, cache_control: "no-cache", whole, short }, headers)
}

/// A file by request path. The pages themselves are not served here.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let File { path, bytes, tag } = super::build::file(path.strip_prefix('/')?)?;
    Some(respond(&path, &tag, kind_of(&path), bytes, headers))
}

/// 200 with the content, or 304 if the browser has it. `path` is the key of the compressed copy.
pub(super) fn respond(
    path: &str,
    tag: &str,
    kind: &'static str,
    whole: Bytes,
    headers: &HeaderMap,
) -> Response {
    let short = if takes_gzip(headers) { short(path, kind, &whole) } else { None };
    build(Content { tag, kind, cache_control: cache_control(path), whole, short }, headers)
}

/// Like `respond`, for a file that is embedded compressed. It is unpacked for a browser that does not take gzip.
pub(super) fn respond_packed(
    kind: &'static str,
    packed: &'static [u8],
    headers: &HeaderMap,
) -> Option<Response> {
    let (whole, short) = match takes_gzip(headers) {
        true => (Bytes::new(), Some(Bytes::from_static(packed))),
        false => (unpack(packed)?, None),
    };
    Some(build(Content { tag: &tag_of(packed), kind, cache_control: "no-cache", whole, short }, headers))
}

fn unpack(packed: &[u8]) -> Option<Bytes> {
    let mut whole = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut whole).ok()?;
    Some(whole.into())
}

/// A text or a picture, and how long it is kept.
struct Content<'a> {
    tag: &'a str,
    kind: &'static str,
    cache_control: &'static str,
    whole: Bytes,
    /// Compressed, if the browser takes that and it is shorter.
    short: Option<Bytes>,
}

fn build(content: Content<'_>, headers: &HeaderMap) -> Response {
    let Content { tag, kind, cache_control, whole, short } = content;
    let mut response = Response::new(Body::empty());
    let fields = response.headers_mut();
    if short.is_some() {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if is_text(kind) {
        fields.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    for (name, value) in GUARDS {
        fields.insert(name, HeaderValue::from_static(value));
    }
    fields.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    let is_known = is_known(headers, tag);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        fields.insert(header::ETAG, tag);
    }
    if is_known {
        fields.remove(header::CONTENT_ENCODING);
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.body_mut() = Body::from(short.unwrap_or(whole));
    }
    response
}

/// Paths under `assets` and `pictures` contain a content hash, so a path never changes its content.
fn cache_control(path: &str) -> &'static str {
    let is_hashed = ["assets/", "pictures/"].iter().any(|folder| path.starts_with(folder));
    if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
}

fn short(path: &str, kind: &str, whole: &Bytes) -> Option<Bytes> {
    if !is_text(kind) || whole.len() < COMPRESSED_FROM_BYTES {
        return None;
    }
    if let Some(known) = SHORT.read().get(path) {
        return known.clone();
    }
    let packed = pack(whole);
    SHORT.write().insert(path.to_owned(), packed.clone());
    packed
}

/// The compressed bytes, if they are fewer.
fn pack(whole: &Bytes) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(whole).and_then(|()| encoder.finish());
    packed.ok().filter(|packed| packed.len() < whole.len()).map(Bytes::from)
}

/// RFC 9110, Accept-Encoding: gzip or `*`, with a weight other than 0.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let fields = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|field| field.to_str().ok());
    let weight = |parameters: &str| {
        let weight = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q="));
        weight.is_none_or(|weight| weight.bytes().any(|digit| matches!(digit, b'1'..=b'9')))
    };
    let mut takes_all = false;
    for coding in fields.flat_map(|field| field.split(',')) {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => return weight(parameters),
            "*" => takes_all = weight(parameters),
            _ => {}
        }
    }
    takes_all
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => HTML,
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn is_text(kind: &str) -> bool {
    kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_traders_page_has_one_mark_in_its_head() {
        let page = &PageKind::Trader.page().expect("a page").text;
        assert_eq!(page.matches(MARK).count(), 1);
        assert!(page.split(MARK).next().is_some_and(|before| !before.contains("</head>")));
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        for path in ["assets/index-4f2a.js", "pictures/4f2a.jpg"] {
            assert!(cache_control(path).ends_with("immutable"));
        }
        for path in ["index.html", "operator.html", "favicon.svg"] {
            assert_eq!(cache_control(path), "no-cache");
        }
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (field, expected) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000, *", false),
            ("*;q=0", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(field));
            assert_eq!(takes_gzip(&headers), expected, "{field}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_long_text_is_made_short_once_and_a_short_one_or_a_picture_never() {
        let long = Bytes::from("word ".repeat(1_000));
        let packed = short("a-test.js", kind_of("a-test.js"), &long).expect("a shorter one");
        assert!(packed.len() < long.len() / 10);
        assert_eq!(
            short("a-test.js", kind_of("a-test.js"), &long).map(|bytes| bytes.as_ptr()),
            Some(packed.as_ptr())
        );
        assert_eq!(short("b-test.js", kind_of("b-test.js"), &Bytes::from("word")), None);
        assert_eq!(short("c-test.png", kind_of("c-test.png"), &long), None);
    }
}
