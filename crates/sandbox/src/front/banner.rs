//! The banner on every page of a sandbox, so that no one takes its prices and its money for real.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The address of the banner's style.
pub(super) const STYLE_PATH: &str = "/sandbox-banner.css";

const STYLE: &str = "#sandbox-banner{position:sticky;top:0;z-index:10000;padding:6px 12px;text-align:center;\
    font:600 14px/1.4 system-ui,sans-serif;color:#1a1200;background:#ffc83d}\n";
const HEAD: &str = "<link rel=\"stylesheet\" href=\"/sandbox-banner.css\">";
const BANNER: &str = "<div id=\"sandbox-banner\" role=\"note\">Sandbox: money, time and the other traders are \
    simulated.</div>";

/// Whether the client asks for a page. Then the page must arrive whole and uncompressed.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|field| field.to_str().ok());
    accepted.any(|field| field.contains("text/html"))
}

/// Removes the conditions under which the venue would send another form of a page than the whole text.
pub(super) fn ask_for_whole(headers: &mut HeaderMap) {
    headers.remove(header::ACCEPT_ENCODING);
    headers.remove(header::IF_NONE_MATCH);
}

pub(super) fn is_page(status: StatusCode, headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    status == StatusCode::OK
        && kind.is_some_and(|kind| kind.starts_with("text/html"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

/// The page with the banner; another tag would let a browser keep one without.
pub(super) fn mark(page: &Bytes, headers: &mut HeaderMap) -> Bytes {
    headers.remove(header::ETAG);
    headers.remove(header::CONTENT_LENGTH);
    let Ok(text) = std::str::from_utf8(page) else { return page.clone() };
    let with_style = text.replacen("</head>", &format!("{HEAD}</head>"), 1);
    let Some(body) = with_style.find("<body").and_then(|at| Some(at + with_style[at..].find('>')? + 1))
    else {
        return page.clone();
    };
    let (before, after) = with_style.split_at(body);
    [before, BANNER, after].concat().into()
}

pub(super) fn style() -> Response {
    let mut response = Response::new(Body::from(STYLE));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_its_style_in_the_head_and_its_banner_first_in_the_body() {
        let page =
            Bytes::from_static(b"<html><head><title>x</title></head><body class=\"a\"><p>y</p></body>");
        let marked = mark(&page, &mut HeaderMap::new());
        let marked = std::str::from_utf8(&marked).expect("text");
        assert!(marked.contains(&format!("{HEAD}</head>")), "{marked}");
        assert!(marked.contains(&format!("<body class=\"a\">{BANNER}<p>")), "{marked}");
    }
}
