//! The web pages: the built files (`assets`), the documents (`guide`), the `pictures`, and cookie sessions of traders
//! (`trader`) and operators (`operator`). `device` recognises browsers that have logged in before. `cookies` writes
//! cookies; `http/page.rs` decides when one counts. `security_txt` publishes the security contact.
//!
//! The pages use the public API like any client: nothing here decides about money, and no API route depends on a page. Why
//! a session and not a key, and how other sites are kept out: docs/web.md.

mod assets;
mod cookies;
mod device;
mod guide;
mod operator;
mod pictures;
mod security_txt;
mod settings;
mod trader;

use std::sync::Arc;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, Method, header};

pub use security_txt::{SecurityContact, SecurityContactFault};
pub use settings::{FindGuideFile, GuideFile, Web, WebSettings};

use crate::app::App;
use crate::http::Answered;
use crate::http::envelope::{method_not_allowed, not_found};
use assets::PageKind;

/// First path segments of the API: a 404 under them is JSON, also for browsers.
const RESERVED: &[&str] =
    &["admin", "assets", "docs", "health", "metrics", "pictures", "ready", "v1", "version", "web", "ws"];

const ROOT: &str = "/";
const ASSETS: &str = "/assets/{*path}";

/// The traders' page, its session, the guide and the security contact, for the public listener. Not in the OpenAPI
/// document, because API clients do not need them.
pub fn trader_pages() -> Router<Arc<App>> {
    pages(PageKind::Trader)
        .route("/web/session", get(trader::current_session).post(trader::log_in).delete(trader::log_out))
        .route("/.well-known/security.txt", get(security_txt::security_txt))
        .route(guide::FIRST_PAGE, get(guide::page))
        .route(guide::PAGES, get(guide::page))
        .method_not_allowed_fallback(method_not_allowed)
}

/// The operators' page and its session, for the operators' listener.
pub fn operator_pages() -> Router<Arc<App>> {
    pages(PageKind::Operator)
        .route(
            "/web/session",
            get(operator::current_session).post(operator::log_in).delete(operator::log_out),
        )
        .method_not_allowed_fallback(method_not_allowed)
}

fn pages(entry: PageKind) -> Router<Arc<App>> {
    Router::new()
        .route(ROOT, get(move |headers: HeaderMap| async move { assets::entry(entry, &headers) }))
        .route(ASSETS, get(asset))
        .route(pictures::PICTURES, get(pictures::picture))
}

async fn asset(request: Request) -> Answered {
    match assets::file(request.uri().path(), request.headers()) {
        Some(response) => Ok(response),
        None => Err(not_found().await),
    }
}

/// The fallback of the public listener.
pub async fn page_or_not_found(request: Request) -> Answered {
    match find(PageKind::Trader, &request) {
        Some(response) => Ok(response),
        None => Err(not_found().await),
    }
}

/// Like `page_or_not_found`, for the operators' listener, ahead of the token check: a page has no token yet.
pub async fn operator_page_first(request: Request, next: Next) -> Response {
    match find(PageKind::Operator, &request) {
        Some(response) => response,
        None => next.run(request).await,
    }
}

/// Whether a request is for a page or a file that a page loads, existing or not. All of these are served from
/// memory, except pictures, which are charged again when they are read from their store.
pub fn is_file(request: &Request) -> bool {
    match request.extensions().get::<MatchedPath>() {
        Some(route) => {
            matches!(route.as_str(), ROOT | ASSETS | pictures::PICTURES | guide::FIRST_PAGE | guide::PAGES)
        }
        None => {
            let is_named = request.uri().path().contains('.') || wants_html(request.headers());
            may_be_page(request) && is_named
        }
    }
}

/// Whether a request that matches no route may be for the page.
fn may_be_page(request: &Request) -> bool {
    let first = request.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(*request.method(), Method::GET | Method::HEAD) && !RESERVED.contains(&first)
}

/// A file, or the page itself for a path that its own router handles.
fn find(entry: PageKind, request: &Request) -> Option<Response> {
    let (path, headers) = (request.uri().path(), request.headers());
    if !may_be_page(request) {
        return None;
    }
    if path.contains('.') {
        return assets::file(path, headers);
    }
    wants_html(headers).then(|| assets::entry(entry, headers))
}

/// Whether a browser navigates: it then accepts HTML explicitly, unlike programs and scripts.
fn wants_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|field| field.to_str().ok());
    accepted.any(|field| {
        let kinds = field.split(',').filter_map(|kind| kind.split(';').next());
        kinds.into_iter().any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
    })
}
