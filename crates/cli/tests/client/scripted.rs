//! A server that answers with a script: it records each request, and sends the planned reply.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A reply to one request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// A status and a body.
    Answer(u16, String),
    /// The connection ends without an answer.
    Drop,
    /// The connection ends in the middle of an answer.
    Cut,
    /// The connection stays open, and no answer comes.
    Silence,
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) line: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// A running server. It ends with the test's runtime.
pub(crate) struct Scripted {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Scripted {
    /// The last reply is sent to every further request.
    pub(crate) async fn start(replies: Vec<Reply>) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, replies.clone(), Arc::clone(&shared)));
            }
        });
        Scripted { url, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("no panic").clone()
    }
}

/// Answers the requests of one connection.
async fn serve(stream: TcpStream, replies: Vec<Reply>, seen: Arc<Mutex<Vec<Seen>>>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await {
        let number = {
            let mut seen = seen.lock().expect("no panic");
            seen.push(request);
            seen.len()
        };
        let (status, body, surplus) = match &replies[number.min(replies.len()) - 1] {
            Reply::Answer(status, body) => (*status, body.as_str(), 0),
            Reply::Drop => return,
            Reply::Cut => (200, "{}", 5),
            Reply::Silence => return std::future::pending().await,
        };
        let length = body.len() + surplus;
        let head = format!("HTTP/1.1 {status} x\r\nlocation: /elsewhere\r\ncontent-length: {length}\r\n\r\n");
        let is_written = stream.write_all(format!("{head}{body}").as_bytes()).await.is_ok();
        if !is_written || surplus > 0 {
            return;
        }
    }
}

/// The next request; none at the end of the connection.
async fn read(stream: &mut BufReader<TcpStream>) -> Option<Seen> {
    let line = read_line(stream).await?;
    let mut headers = BTreeMap::new();
    loop {
        let header = read_line(stream).await?;
        match header.split_once(':') {
            Some((name, value)) => headers.insert(name.to_lowercase(), value.trim().to_owned()),
            None => break,
        };
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().expect("a length"));
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen { line, headers, body: String::from_utf8(body).expect("UTF-8") })
}

async fn read_line(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    let count = stream.read_line(&mut line).await.ok()?;
    (count > 0).then(|| line.trim_end().to_owned())
}
