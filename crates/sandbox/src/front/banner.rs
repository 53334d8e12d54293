//! The banner on every page of a sandbox, traders' and operators', so that no one takes its prices and its money for real.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use server::web::wants_html;

/// The address of the banner's style.
pub(crate) const STYLE_PATH: &str = "/sandbox-banner.css";

const STYLE: &str = "#sandbox-banner{position:sticky;top:0;z-index:10000;padding:6px 12px;text-align:center;\
    font:600 14px/1.4 system-ui,sans-serif;color:#1a1200;background:#ffc83d}\n";
const HEAD: &str = "<link rel=\"stylesheet\" href=\"/sandbox-banner.css\">";
const BANNER: &str = "<div id=\"sandbox-banner\" role=\"note\">Sandbox: money, time and the other traders are \
    simulated.</div>";

/// Removes from a request for a page the conditions under which the venue would send another form than the whole text.
pub(crate) fn ask_for_whole(headers: &mut HeaderMap) {
    if wants_html(headers) {
        headers.remove(header::ACCEPT_ENCODING);
        headers.remove(header::IF_NONE_MATCH);
    }
}

fn is_page(status: StatusCode, headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    status == StatusCode::OK
        && kind.is_some_and(|kind| kind.starts_with("text/html"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

/// The body of an answer, with the banner if it is a page.
pub(crate) fn mark(status: StatusCode, headers: &mut HeaderMap, body: Bytes) -> Bytes {
    match is_page(status, headers) {
        true => mark_page(&body, headers),
        false => body,
    }
}

/// The page with the banner. Its tag is removed: with it a browser would keep a page without the banner.
fn mark_page(page: &Bytes, headers: &mut HeaderMap) -> Bytes {
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

pub(crate) fn style() -> Response {
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
        let mut headers = HeaderMap::new();
        assert_eq!(mark(StatusCode::OK, &mut headers, page.clone()), page, "not declared as a page");
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let marked = mark(StatusCode::OK, &mut headers, page);
        let marked = std::str::from_utf8(&marked).expect("text");
        assert!(marked.contains(&format!("{HEAD}</head>")), "{marked}");
        assert!(marked.contains(&format!("<body class=\"a\">{BANNER}<p>")), "{marked}");
    }
}
