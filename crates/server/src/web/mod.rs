//! The web pages: the built files (`build`, `assets` answers with them), the documents (`guide`), the `pictures`, and cookie sessions of traders
//! (`trader`) and operators (`operator`). `device` recognises browsers that have logged in before. `cookies` writes cookies;
//! `http/page.rs` decides when one counts. `security_txt` publishes the security contact, `reference` has the files of
//! the API's reference. `sharing` has everything that
//! other sites show of an event: link previews, cards, embedded pages, oEmbed, feeds.
//!
//! The pages use the public API like any client: nothing here decides about money, and no API route depends on a page. Why
//! a session and not a key, and how other sites are kept out: docs/web.md.

mod assets;
mod build;
mod cookies;
mod device;
mod guide;
mod operator;
mod origin;
mod pictures;
mod reference;
mod security_txt;
mod settings;
mod sharing;
mod trader;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderMap, Method, header};

pub use origin::{WebOrigin, WebOriginFault};
pub use security_txt::{SecurityContact, SecurityContactFault};
pub use settings::{GuideFile, MakeGuide, Web, WebSettings};
#[cfg(feature = "cards")]
pub use sharing::{CARD_ROWS, CARDS_MAX};

use crate::app::App;
use crate::edge::{Method as RowMethod, Operation};
use crate::http::Answered;
use crate::http::{method_not_allowed, not_found};
use build::PageKind;

/// First path segments of the API: a 404 under them is JSON, also for browsers.
const RESERVED: &[&str] = &[
    "admin", "assets", "cards", "docs", "embed", "feeds", "health", "metrics", "oembed", "pictures", "ready",
    "v1", "version", "web", "ws",
];

/// Routes of the pages that metrics name, with their methods. All others count as `other`.
pub(crate) const COUNTED: [(&str, &str); 8] = [
    ("GET", ROOT),
    ("GET", ASSETS),
    ("GET", pictures::PICTURES),
    ("GET", guide::FIRST_PAGE),
    ("GET", guide::PAGES),
    ("GET", "/web/session"),
    ("POST", "/web/session"),
    ("DELETE", "/web/session"),
];

/// The rows of the traders' page. They are not documented, because API clients do not need them.
pub(crate) const TRADER_PAGES: &[Operation] = &[
    Operation::hidden(RowMethod::Get, ROOT).page(),
    Operation::hidden(RowMethod::Get, ASSETS).page(),
    Operation::hidden(RowMethod::Get, pictures::PICTURES).page(),
    Operation::hidden(RowMethod::Get, "/embed/{event}"),
    Operation::hidden(RowMethod::Get, "/oembed"),
    Operation::hidden(RowMethod::Get, "/feeds/events.rss"),
    Operation::hidden(RowMethod::Get, "/feeds/closings.ics"),
    Operation::hidden(RowMethod::Get, "/cards/{card}"),
    Operation::hidden(RowMethod::Get, "/web/session").own(),
    Operation::hidden(RowMethod::Post, "/web/session").own(),
    Operation::hidden(RowMethod::Delete, "/web/session").own(),
    Operation::hidden(RowMethod::Get, "/.well-known/security.txt"),
    Operation::hidden(RowMethod::Get, reference::FILES).page(),
    Operation::hidden(RowMethod::Get, guide::FIRST_PAGE).page(),
    Operation::hidden(RowMethod::Get, guide::PAGES).page(),
];

/// The rows of the operators' page.
pub(crate) const OPERATOR_PAGES: &[Operation] = &[
    Operation::hidden(RowMethod::Get, ROOT).page(),
    Operation::hidden(RowMethod::Get, ASSETS).page(),
    Operation::hidden(RowMethod::Get, pictures::PICTURES).page(),
    Operation::hidden(RowMethod::Get, "/web/session").own(),
    Operation::hidden(RowMethod::Post, "/web/session").own(),
    Operation::hidden(RowMethod::Delete, "/web/session").own(),
];

const ROOT: &str = "/";
const ASSETS: &str = "/assets/{*path}";

/// The traders' page, its session, the guide, the security contact and sharing, for the public listener. Not in the
/// OpenAPI document, because API clients do not need them.
pub fn trader_pages() -> Router<Arc<App>> {
    Router::new()
        .route(ROOT, get(trader_page))
        .merge(files())
        .merge(sharing::routes())
        .route("/web/session", get(trader::current_session).post(trader::log_in).delete(trader::log_out))
        .route("/.well-known/security.txt", get(security_txt::security_txt))
        .route(reference::FILES, get(reference::file))
        .route(guide::FIRST_PAGE, get(guide::page))
        .route(guide::PAGES, get(guide::page))
        .method_not_allowed_fallback(method_not_allowed)
}

/// The operators' page and its session, for the operators' listener.
pub fn operator_pages() -> Router<Arc<App>> {
    Router::new()
        .route(ROOT, get(|headers: HeaderMap| async move { assets::entry(PageKind::Operator, &headers) }))
        .merge(files())
        .route(
            "/web/session",
            get(operator::current_session).post(operator::log_in).delete(operator::log_out),
        )
        .method_not_allowed_fallback(method_not_allowed)
}

/// Files that both pages load.
fn files() -> Router<Arc<App>> {
    Router::new().route(ASSETS, get(asset)).route(pictures::PICTURES, get(pictures::picture))
}

async fn trader_page(State(app): State<Arc<App>>, request: Request) -> Response {
    sharing::trader_page(&app, request.uri().path(), request.headers()).await
}

async fn asset(request: Request) -> Answered {
    match assets::file(request.uri().path(), request.headers()) {
        Some(response) => Ok(response),
        None => Err(not_found().await),
    }
}

/// The fallback of the public listener.
pub(crate) async fn page_or_not_found(State(app): State<Arc<App>>, request: Request) -> Answered {
    let found = find(&request);
    match found {
        Some(Found::File(response)) => Ok(response),
        Some(Found::Page) => Ok(sharing::trader_page(&app, request.uri().path(), request.headers()).await),
        None => Err(not_found().await),
    }
}

/// Like `page_or_not_found`, for the operators' listener, ahead of the token check: a page has no token yet.
pub async fn operator_page_first(request: Request, next: Next) -> Response {
    match find(&request) {
        Some(Found::File(response)) => response,
        Some(Found::Page) => assets::entry(PageKind::Operator, request.headers()),
        None => next.run(request).await,
    }
}

/// Whether a request that matches no row may be for a page or a file that a page loads, existing or not. All of these are
/// served from memory, except pictures, which are charged again when they are read from their store.
pub(crate) fn may_be_file(request: &Request) -> bool {
    may_be_page(request) && (request.uri().path().contains('.') || wants_html(request.headers()))
}

/// Whether a request that matches no route may be for the page.
fn may_be_page(request: &Request) -> bool {
    let first = request.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(*request.method(), Method::GET | Method::HEAD) && !RESERVED.contains(&first)
}

enum Found {
    File(Response),
    /// A path that the page's own router handles.
    Page,
}

fn find(request: &Request) -> Option<Found> {
    let (path, headers) = (request.uri().path(), request.headers());
    if !may_be_page(request) {
        return None;
    }
    if path.contains('.') {
        return assets::file(path, headers).map(Found::File);
    }
    wants_html(headers).then_some(Found::Page)
}

/// Whether a browser navigates: it then accepts HTML explicitly, unlike programs and scripts.
pub fn wants_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter().filter_map(|field| field.to_str().ok());
    accepted.any(|field| {
        let kinds = field.split(',').filter_map(|kind| kind.split(';').next());
        kinds.into_iter().any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
    })
}
