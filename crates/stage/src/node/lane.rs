//! Requests through a socket and a lane, in place of a direct call of the router. A request that is not for a lane takes
//! the way to hyper.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use http::{HeaderMap, HeaderName, HeaderValue};
use server::app::App;
use server::http::admission::Admission;
use server::http::serving::{Timeouts, serve_with_lanes};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::{Answered, Draft};

/// Set by `cargo xtask test` for a second run of these tests.
pub fn is_on() -> bool {
    std::env::var_os("BELLWETHER_TEST_LANES").is_some()
}

/// Whether a request arrives as it is: a parser trims values, and hyper refuses a long head before the router.
pub fn can_carry(draft: &Draft) -> bool {
    let bytes: usize = draft.headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    let is_trimmed = |value: &[u8]| value.trim_ascii().len() == value.len();
    bytes + draft.path.len() < 30 << 10 && draft.headers.iter().all(|(_, value)| is_trimmed(value))
}

/// A listener with lanes.
pub struct Listening {
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Listening {
    pub async fn open(app: &Arc<App>, router: Router) -> Listening {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        let admission = Arc::new(Admission::unlimited());
        let serving =
            serve_with_lanes(listener, app.clone(), router, Timeouts::default(), admission, stopped);
        let serving = tokio::spawn(serving.expect("threads for lanes"));
        Listening { address, stop, serving }
    }

    pub async fn end(self) {
        self.stop.send(true).expect("a server that listens");
        self.serving.await.expect("no panic");
    }
}

pub async fn ask(app: &Arc<App>, router: Router, draft: Draft) -> Answered {
    ask_each(app, router, [draft]).await.pop().expect("an answer")
}

/// Sends requests one after another over one connection. Starts a listener of its own, because a test may stop its node
/// at any time.
pub async fn ask_each(
    app: &Arc<App>,
    router: Router,
    drafts: impl IntoIterator<Item = Draft>,
) -> Vec<Answered> {
    let listening = Listening::open(app, router).await;
    let mut stream = BufReader::new(TcpStream::connect(listening.address).await.expect("a connection"));
    let mut answered = Vec::new();
    for draft in drafts {
        stream.write_all(&wire(&draft)).await.expect("a server that reads");
        answered.push(read(&mut stream, &draft.method).await);
    }
    drop(stream);
    listening.end().await;
    answered
}

fn wire(draft: &Draft) -> Vec<u8> {
    let mut bytes = format!("{} {} HTTP/1.1\r\n", draft.method, draft.path).into_bytes();
    let has = |name: &str| draft.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
    if !has("host") {
        bytes.extend(b"host: test\r\n");
    }
    for (name, value) in &draft.headers {
        bytes.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    if !has("content-length") {
        bytes.extend(format!("content-length: {}\r\n", draft.body.len()).into_bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(&draft.body);
    bytes
}

async fn read(stream: &mut BufReader<TcpStream>, method: &str) -> Answered {
    let status = line(stream).await;
    let status = status.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let mut headers = HeaderMap::new();
    loop {
        let line = line(stream).await;
        let Some((name, value)) = line.split_once(": ") else { break };
        let name: HeaderName = name.parse().expect("a name");
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).expect("a value"));
    }
    let length = headers.get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
    let bytes = match length {
        _ if method == "HEAD" || matches!(status, 204 | 304) => Vec::new(),
        Some(length) => take(stream, length).await,
        None if headers.contains_key("transfer-encoding") => chunks(stream).await,
        None => Vec::new(),
    };
    Answered { status, headers, bytes }
}

async fn chunks(stream: &mut BufReader<TcpStream>) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let length = usize::from_str_radix(&line(stream).await, 16).expect("the length of a chunk");
        bytes.extend(take(stream, length).await);
        line(stream).await;
        if length == 0 {
            return bytes;
        }
    }
}

async fn take(stream: &mut BufReader<TcpStream>, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await.expect("a whole body");
    bytes
}

/// A line without its end.
async fn line(stream: &mut BufReader<TcpStream>) -> String {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line).await.expect("a line");
    String::from_utf8_lossy(&line).trim_end().to_owned()
}
