//! Accepts WebSocket connections: checks their origin, limits their number per network, and performs the handshake.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use api::error::{ErrorBody, ErrorKind};
use api::json::Decimals;
use api::query::StreamQuery;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::routing::{MethodRouter, get};
use http::{HeaderMap, Method, header};
use hyper::upgrade::OnUpgrade;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use uuid::Uuid;

use super::access::StreamCaller;
use super::metering::{MessageLimit, Metered};
use super::room::Endpoint;
use super::{ConnectionRefusal, access, session};
use crate::app::App;
use crate::http::page::{self, Cookie, FoundCookie};
use crate::http::serving::UpgradedConnection;
use crate::http::{Answered, Failure};
use crate::limits::Network;
use crate::view::words::ToApi;

/// The maximum length of a client's message.
pub const MESSAGE_BYTES_MAX: usize = 16 * 1024;
/// The read buffer; it grows for longer messages. The library zeroes all of it whenever it looks for bytes, which is
/// twice for every sent message: its default of 128 KiB would cost several times as much as the message.
const READ_BYTES: usize = 512;
/// When a refused client may retry.
const RETRY_SECONDS: u64 = 5;

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route(Endpoint::Markets.path(), route(Endpoint::Markets))
        .route(Endpoint::User.path(), route(Endpoint::User))
        .route(Endpoint::Realtime.path(), route(Endpoint::Realtime))
}

fn route(endpoint: Endpoint) -> MethodRouter<Arc<App>> {
    get(move |State(app): State<Arc<App>>, request: Request| async move { upgrade(app, endpoint, request) })
}

fn upgrade(app: Arc<App>, endpoint: Endpoint, mut request: Request) -> Answered {
    let answer = create_response_with_body(&request, Body::empty).ok();
    let upgrade = request.extensions_mut().remove::<OnUpgrade>();
    let (Some(answer), Some(upgrade)) = (answer, upgrade) else {
        return Err(ErrorBody::bad_request("Connect with WebSocket, version 13").into());
    };
    let StreamQuery { numbers, shown } = StreamQuery::parse(request.uri().query().unwrap_or_default())?;
    if !may_connect(&app, endpoint, request.headers()) {
        return Err(ErrorBody::new(ErrorKind::Forbidden, "Pages of this origin may not connect").into());
    }
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
    let admitted = app.streams().admit(Network::of(address)).map_err(refusal)?;
    let taken = request.extensions_mut().remove::<Arc<UpgradedConnection>>();
    let visitor = visitor(&app, request.headers(), shown);
    let decimals = if numbers.is_some() { Decimals::Strings } else { Decimals::Numbers };
    tokio::spawn(async move {
        // If the client disconnects before the handshake ends, its place is released.
        let Ok(upgraded) = upgrade.await else { return };
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES_MAX))
            .max_frame_size(Some(MESSAGE_BYTES_MAX))
            .read_buffer_size(READ_BYTES);
        let stream = Metered::new(upgraded, MessageLimit::new(app.clone()));
        let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
        session::run(app, endpoint, visitor, decimals, socket, admitted, taken).await;
    });
    Ok(answer)
}

/// The user logged in on the page that connects. A script cannot add a header to a WebSocket handshake, but a browser
/// always sends the page's origin, so it must be our own. Other pages that may connect have to authenticate with a key.
/// A page that shows another user has no visitor: it must not receive what belongs to the session's owner.
fn visitor(app: &App, headers: &HeaderMap, shown: Option<Uuid>) -> Option<StreamCaller> {
    let is_secure = app.web().is_secure();
    let FoundCookie::One(token) = page::find_cookie(headers, Cookie::Session.name(is_secure)) else {
        return None;
    };
    // Judged like a write: without a stated origin the cookie does not count.
    let found = page::is_from_own_page(&Method::POST, headers, is_secure)
        .then(|| access::by_cookie(app, token))
        .flatten();
    found.filter(|caller| shown.is_none_or(|shown| caller.user.to_api() == shown))
}

fn refusal(why: ConnectionRefusal) -> Failure {
    match why {
        ConnectionRefusal::TooMany => {
            ErrorBody::rate_limit("Too many connections from this network", RETRY_SECONDS).into()
        }
        ConnectionRefusal::Full => ErrorBody::unavailable("Too many streams are open", RETRY_SECONDS).into(),
        ConnectionRefusal::HubEnded => {
            ErrorBody::unavailable("The streams have failed", RETRY_SECONDS).into()
        }
    }
}

/// Whether a page may connect, by the origin that the browser sends. Any page may read public data, unless the settings
/// forbid it.
fn may_connect(app: &App, endpoint: Endpoint, headers: &HeaderMap) -> bool {
    let is_public = endpoint != Endpoint::User;
    (is_public && app.web().allows_cross_origin())
        || is_own_or_named(headers, &app.streams().settings().origins)
}

/// Whether the origin is ours or allowed by the settings. Programs other than browsers send none and are accepted.
fn is_own_or_named(headers: &HeaderMap, named: &[String]) -> bool {
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
    fn a_page_connects_from_this_origin_or_from_configured_origins() {
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
            assert_eq!(is_own_or_named(&headers, &named), expected, "{origin:?}");
        }
        let mut twice = HeaderMap::new();
        twice.append(header::ORIGIN, HeaderValue::from_static("https://app.example.org"));
        twice.append(header::ORIGIN, HeaderValue::from_static("https://evil.example.org"));
        assert!(!is_own_or_named(&twice, &named));
    }
}
