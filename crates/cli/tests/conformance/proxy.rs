//! A proxy in front of a server that changes chosen answers, on HTTP and on streams.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, Request, State};
use axum::response::Response;
use futures_util::{SinkExt, StreamExt};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message as Upstream;

/// An answer on its way back.
pub(crate) struct Reply {
    /// Method and path with its query.
    pub(crate) request: String,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

/// A change that the proxy makes.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Nothing,
    /// An answer.
    Reply(fn(&mut Reply)),
    /// A header of requests, removed.
    Request(&'static str),
    /// A message of a stream.
    Message(fn(&mut Value)),
}

/// A running proxy.
pub(crate) struct Proxy {
    pub(crate) url: String,
    change: Arc<Mutex<Change>>,
    /// Dropped last: its end stops the proxy.
    _runtime: Runtime,
}

#[derive(Clone)]
struct Shared {
    upstream: String,
    change: Arc<Mutex<Change>>,
}

impl Shared {
    fn change(&self) -> Change {
        *self.change.lock().expect("no panic while held")
    }
}

impl Proxy {
    pub(crate) fn start(upstream: &str) -> Proxy {
        let runtime = Runtime::new().expect("a runtime");
        let change = Arc::new(Mutex::new(Change::Nothing));
        let shared = Shared { upstream: upstream.to_owned(), change: Arc::clone(&change) };
        let listening = tokio::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let listener = runtime.block_on(listening).expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(handle).with_state(shared);
        runtime.spawn(async move { axum::serve(listener, router).await });
        Proxy { url, change, _runtime: runtime }
    }

    pub(crate) fn plant(&self, change: Change) {
        *self.change.lock().expect("no panic while held") = change;
    }
}

async fn handle(State(shared): State<Shared>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    if parts.headers.contains_key("sec-websocket-key") {
        let path = parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
        let upgrade: WebSocketUpgrade =
            WebSocketUpgrade::from_request_parts(&mut parts, &()).await.expect("an upgrade");
        return upgrade.on_upgrade(move |socket| stream(shared, path, socket));
    }
    let bytes = body.collect().await.expect("a whole body").to_bytes().to_vec();
    let change = shared.change();
    if let Change::Request(header) = change {
        parts.headers.remove(header);
    }
    let path = parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default();
    let name = format!("{} {path}", parts.method);
    parts.uri = format!("{}{path}", shared.upstream).parse().expect("an address");
    for header in ["host", "content-length", "accept-encoding"] {
        parts.headers.remove(header);
    }
    let request = http::Request::from_parts(parts, bytes);
    let mut reply = tokio::task::spawn_blocking(move || ask(name, request)).await.expect("an answer");
    if let Change::Reply(change) = change {
        change(&mut reply);
    }
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    let body = if reply.body.is_null() { Vec::new() } else { reply.body.to_string().into_bytes() };
    response.body(Body::from(body)).expect("a response")
}

/// Asks the server. A body that is not JSON becomes a text.
fn ask(name: String, request: http::Request<Vec<u8>>) -> Reply {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .build()
        .into();
    let mut response = agent.run(request).expect("an answer");
    let text = response.body_mut().read_to_string().expect("a text");
    let kept = |name: &str| !matches!(name, "content-length" | "transfer-encoding" | "connection");
    let headers = response.headers().iter().filter(|(name, _)| kept(name.as_str()));
    Reply {
        request: name,
        status: response.status().as_u16(),
        headers: headers
            .map(|(name, value)| (name.to_string(), value.to_str().expect("a text").to_owned()))
            .collect(),
        body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
    }
}

/// Passes messages on, both ways, and changes those of the server.
async fn stream(shared: Shared, path: String, mut client: WebSocket) {
    let url = format!("{}{path}", shared.upstream.replacen("http", "ws", 1));
    let (mut server, _) = connect_async(url).await.expect("a stream");
    loop {
        tokio::select! {
            said = client.recv() => match said {
                Some(Ok(Message::Text(text))) => {
                    let sent = server.send(Upstream::text(text.to_string())).await;
                    if sent.is_err() { return; }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            heard = server.next() => match heard {
                Some(Ok(Upstream::Text(text))) => {
                    let mut message: Value = serde_json::from_str(&text).expect("JSON");
                    if let Change::Message(change) = shared.change() {
                        change(&mut message);
                    }
                    let sent = client.send(Message::Text(message.to_string().into())).await;
                    if sent.is_err() { return; }
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            },
        }
    }
}
