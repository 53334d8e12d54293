//! An endpoint that answers by a script, one line for each request; the last line is repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

#[derive(Clone, Debug)]
pub enum Line {
    /// A whole answer with this status and body.
    Answer(u16, String),
    /// Nothing, while the connection stays open.
    Silence,
    /// The head and half of the body, then nothing.
    HalfAnAnswer,
    /// A head that promises no length, and a body that never ends.
    Endless,
    /// Closes the connection without a response.
    HangUp,
    /// Bytes that are no HTTP response, for every request.
    Nonsense,
}

/// A good answer.
pub fn good(price: &str) -> Line {
    Line::Answer(200, format!("{{\"price\": {price}}}"))
}

#[derive(Debug)]
pub struct Endpoint {
    pub url: String,
    asked: Arc<AtomicUsize>,
    /// Requests beyond the first line wait for a permit each, so that a test controls the script.
    go_on: Arc<Semaphore>,
    task: JoinHandle<()>,
}

impl Endpoint {
    pub async fn open(script: Vec<Line>) -> Endpoint {
        let endpoint = Endpoint::open_held(script).await;
        endpoint.go_on.add_permits(100_000);
        endpoint
    }

    /// Like `open`, but each request after the first line waits for `let_one_pass`.
    pub async fn open_held(script: Vec<Line>) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/price?of=BTC", listener.local_addr().expect("an address"));
        let (asked, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
        let task = tokio::spawn(serve(listener, script, asked.clone(), go_on.clone()));
        Endpoint { url, asked, go_on, task }
    }

    pub fn let_one_pass(&self) {
        self.go_on.add_permits(1);
    }

    /// Requests received.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Acquire)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, script: Vec<Line>, asked: Arc<AtomicUsize>, go_on: Arc<Semaphore>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        let number = asked.fetch_add(1, Ordering::AcqRel);
        let line = script.get(number).or(script.last()).cloned().expect("a script");
        let go_on = go_on.clone();
        tokio::spawn(async move {
            if let Ok(permit) = go_on.acquire().await {
                permit.forget();
                // The feed may have closed the connection.
                let _ = answer(stream, line).await;
            }
        });
    }
}

async fn answer(mut stream: TcpStream, line: Line) -> std::io::Result<()> {
    if matches!(line, Line::Nonsense) {
        // Waits for the first byte of any request.
        stream.read_u8().await?;
        stream.write_all(b"good morning\r\n\r\n").await?;
        stream.shutdown().await?;
        // Closing a connection with unread data resets it, and the response may be lost.
        return stream.read_to_end(&mut Vec::new()).await.map(|_| ());
    }
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let close = "connection: close\r\n";
    match line {
        Line::Answer(status, body) => {
            let location = if status == 302 { "location: /elsewhere\r\n" } else { "" };
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status} As Asked\r\n{close}{location}content-length: {length}\r\n\r\n");
            stream.write_all(format!("{head}{body}").as_bytes()).await
        }
        Line::Silence => std::future::pending().await,
        Line::HalfAnAnswer => {
            let half = format!("HTTP/1.1 200 OK\r\n{close}content-length: 20\r\n\r\n{{\"price\": 1");
            stream.write_all(half.as_bytes()).await?;
            std::future::pending().await
        }
        Line::Endless => {
            stream.write_all(format!("HTTP/1.1 200 OK\r\n{close}\r\n[").as_bytes()).await?;
            loop {
                stream.write_all(&[b' '; 4096]).await?;
            }
        }
        Line::HangUp | Line::Nonsense => Ok(()),
    }
}
