//! Answers with the files of the web pages: content type, ETag, cache control, and the guards of a browser.
//!
//! Files whose path contains a content hash are cached forever; all others are revalidated by ETag. `build` has the files.

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::http::Failure;
use crate::http::caching::unless_known;
use crate::http::unchanging::Unchanging;

use super::build::{self, PageKind};

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

pub(super) const HTML: &str = "text/html; charset=utf-8";

/// One of the pages.
pub(super) fn entry(kind: PageKind, headers: &HeaderMap) -> Response {
    match kind.page() {
        Some(page) => respond(&page.file, kind.path(), headers),
        None => Failure::from(api::error::ErrorBody::internal()).into_response(),
    }
}

/// The traders' page with `tags`, which must be escaped, at its mark.
pub(super) fn marked_page(tags: &str, headers: &HeaderMap) -> Response {
    let page = PageKind::Trader.page().and_then(|page| page.text.split_once(MARK));
    let Some((before, after)) = page else {
        return entry(PageKind::Trader, headers);
    };
    guarded(Unchanging::new(HTML, [before, tags, after].concat()).respond(headers, "no-cache"))
}

/// A file by request path. The pages themselves are not served here.
pub(super) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let (path, file) = build::file(path.strip_prefix('/')?)?;
    Some(respond(file, path, headers))
}

/// A file that never changes; its path says how long a browser may keep it.
pub(super) fn respond(file: &Unchanging, path: &str, headers: &HeaderMap) -> Response {
    guarded(file.respond(headers, cache_control(path)))
}

/// A picture. Its name contains the hash of its content.
pub(super) fn picture(name: &str, bytes: Bytes, headers: &HeaderMap) -> Response {
    let (tag, cache_control) = (format!("\"{name}\""), cache_control(&format!("pictures/{name}")));
    guarded(unless_known(headers, &tag, cache_control, || {
        let mut response = Response::new(bytes.into());
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
        response
    }))
}

fn guarded(mut response: Response) -> Response {
    for (name, value) in GUARDS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Paths under `assets` and `pictures` contain a content hash, so a path never changes its content.
fn cache_control(path: &str) -> &'static str {
    let is_hashed = ["assets/", "pictures/"].iter().any(|folder| path.starts_with(folder));
    if is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
}

pub(super) fn kind_of(path: &str) -> &'static str {
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
}
