//! The way in: which origins may connect, how many connections an address has, and the handshake.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use api::error::{ErrorBody, ErrorKind};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{ConnectInfo, State};
use axum::routing::{MethodRouter, get};
use axum::{Extension, Router};
use http::{HeaderMap, Method, header};

use super::access::Caller;
use super::room::Endpoint;
use super::{Turned, access, session};
use crate::app::App;
use crate::http::page::{self, Brought, Cookie};
use crate::http::serving::TakenOver;
use crate::http::{Answered, Failure};

/// Longest message of a client.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;
/// What a client is read by; a longer message makes room for itself. The library fills all of it with zeros at every look, so
/// that its usual 128 KiB would cost several times what sending a message does, and as much memory for each connection.
const READ_BYTES: usize = 2 * 1024;
/// When a connection that was one too many may be tried again.
const RETRY_SECONDS: u64 = 5;

/// The three endpoints.
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route(Endpoint::Markets.path(), entrance(Endpoint::Markets))
        .route(Endpoint::User.path(), entrance(Endpoint::User))
        .route(Endpoint::Realtime.path(), entrance(Endpoint::Realtime))
}

type Address = Option<Extension<ConnectInfo<SocketAddr>>>;
type Taken = Option<Extension<Arc<TakenOver>>>;
type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// The way into one endpoint.
fn entrance(endpoint: Endpoint) -> MethodRouter<Arc<App>> {
    get(
        move |State(app): State<Arc<App>>,
              headers: HeaderMap,
              address: Address,
              taken: Taken,
              upgrade: Upgrade| async move { enter(app, endpoint, &headers, address, taken, upgrade) },
    )
}

fn enter(
    app: Arc<App>,
    endpoint: Endpoint,
    headers: &HeaderMap,
    address: Address,
    taken: Taken,
    upgrade: Upgrade,
) -> Answered {
    let upgrade = upgrade.map_err(|_| ErrorBody::bad_request("Connect with WebSocket, version 13"))?;
    if !may_connect(headers, &app.streams.settings().origins) {
        return Err(ErrorBody::new(ErrorKind::Forbidden, "Pages of this origin may not connect").into());
    }
    let address = address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(info)| info.0.ip());
    let admitted = app.streams.admit(address).map_err(turned)?;
    let upgrade = upgrade
        .max_message_size(MESSAGE_BYTES_MAX)
        .max_frame_size(MESSAGE_BYTES_MAX)
        .read_buffer_size(READ_BYTES);
    let taken = taken.map(|Extension(taken)| taken);
    let visitor = visitor(&app, headers);
    Ok(upgrade.on_upgrade(move |socket| session::run(app, endpoint, visitor, socket, admitted, taken)))
}

/// Who is logged in on the page that connects. A script cannot add a header here, but a browser always says which page
/// connects, so it must have said so: other pages that may connect still have to name a key.
fn visitor(app: &App, headers: &HeaderMap) -> Option<Caller> {
    let is_secure = app.web.is_secure();
    let Brought::One(token) = page::find_cookie(headers, Cookie::Session.name(is_secure)) else {
        return None;
    };
    // Judged like a write: what says nothing about where it began is not believed.
    page::began_here(&Method::POST, headers, is_secure).then(|| access::by_cookie(app, token)).flatten()
}

fn turned(why: Turned) -> Failure {
    match why {
        Turned::TooMany => {
            ErrorBody::rate_limit("Too many connections from this address", RETRY_SECONDS).into()
        }
        Turned::Silent => ErrorBody::unavailable("The streams have failed", RETRY_SECONDS).into(),
    }
}

/// A browser says which page connects. That one must come from here or be named in the settings; programs say nothing.
fn may_connect(headers: &HeaderMap, named: &[String]) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return true };
    let (Ok(origin), None) = (origin.to_str(), origins.next()) else { return false };
    page::is_own_origin(origin, headers, false)
        || named.iter().any(|named| named.eq_ignore_ascii_case(origin))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_page_connects_from_here_or_from_where_the_settings_say() {
        let named = ["https://app.example.org".to_owned()];
        for (origin, expected) in [
            (None, true),
            (Some("http://127.0.0.1:8080"), true),
            (Some("https://127.0.0.1:8080"), true),
            (Some("https://APP.example.org"), true),
            (Some("http://app.example.org"), false),
            (Some("http://127.0.0.1:8081"), false),
            (Some("https://127.0.0.1:8080.example.org"), false),
            (Some("null"), false),
            (Some(""), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8080"));
            headers.extend(origin.map(|origin| (header::ORIGIN, HeaderValue::from_static(origin))));
            assert_eq!(may_connect(&headers, &named), expected, "{origin:?}");
        }
        let mut twice = HeaderMap::new();
        twice.append(header::ORIGIN, HeaderValue::from_static("https://app.example.org"));
        twice.append(header::ORIGIN, HeaderValue::from_static("https://evil.example.org"));
        assert!(!may_connect(&twice, &named));
    }
}
