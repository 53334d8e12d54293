//! A WebSocket connection to one of the three streams.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::check::{Difference, Stop};
use crate::json::{Json, shorten};
use crate::wire::{BODY_MAX, Wire};

const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long an answer to a message may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// An open stream.
pub(crate) struct Socket<'a> {
    wire: &'a Wire,
    path: String,
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    waiting: VecDeque<Json>,
}

impl<'a> Socket<'a> {
    /// Connects. The address may carry a query string.
    pub fn open(wire: &'a Wire, path: &str) -> Result<Socket<'a>, Stop> {
        let url = wire.stream_url(path);
        let bounds =
            WebSocketConfig::default().max_message_size(Some(BODY_MAX)).max_frame_size(Some(BODY_MAX));
        let connecting =
            async { timeout(CONNECT_MAX, connect_async_with_config(url, Some(bounds), false)).await };
        let connected = wire.runtime.block_on(connecting);
        let seen = match connected {
            Ok(Ok((stream, _))) => {
                return Ok(Socket { wire, path: path.to_owned(), stream, waiting: VecDeque::new() });
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer".to_owned(),
        };
        Err(Stop::Broken(Difference {
            what: path.to_owned(),
            expected: "a WebSocket connection".to_owned(),
            seen,
        }))
    }

    /// The path, for reports.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Sends a text.
    pub fn say(&mut self, text: &str) -> Result<(), Stop> {
        let sent = self.wire.runtime.block_on(self.stream.send(Message::text(text.to_owned())));
        sent.map_err(|error| self.broken("an open connection", &error.to_string()))
    }

    /// The next message, or `None` after `patience` without one.
    pub fn hear(&mut self, patience: Duration) -> Result<Option<Json>, Stop> {
        let end = Instant::now() + patience;
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Ok(Some(message));
            }
            let left = end.saturating_duration_since(Instant::now());
            let stream = &mut self.stream;
            let next = self.wire.runtime.block_on(async { timeout(left, stream.next()).await });
            match next {
                Err(_) => return Ok(None),
                Ok(Some(Ok(Message::Text(text)))) => self.take(&text)?,
                Ok(Some(Ok(Message::Close(frame)))) => {
                    let reason = frame.map(|frame| format!("closed: {} {}", frame.code, frame.reason));
                    return Err(
                        self.broken("an open connection", &reason.unwrap_or_else(|| "closed".to_owned()))
                    );
                }
                Ok(Some(Ok(_))) => {}
                Ok(Some(Err(error))) => return Err(self.broken("an open connection", &error.to_string())),
                Ok(None) => return Err(self.broken("an open connection", "it ended")),
            }
        }
    }

    /// The next message that `wanted` accepts; others are passed over. Ends after `patience` even if other messages never
    /// stop.
    pub fn hear_until(
        &mut self,
        patience: Duration,
        wanted: impl Fn(&Json) -> bool,
    ) -> Result<Option<Json>, Stop> {
        let end = Instant::now() + patience;
        loop {
            match self.hear(end.saturating_duration_since(Instant::now()))? {
                None => return Ok(None),
                Some(message) if wanted(&message) => return Ok(Some(message)),
                Some(_) if Instant::now() >= end => return Ok(None),
                Some(_) => {}
            }
        }
    }

    /// The next message of a type.
    pub fn hear_type(&mut self, patience: Duration, name: &str) -> Result<Option<Json>, Stop> {
        self.hear_until(patience, |message| message.text("type") == Some(name))
    }

    /// Sends a message and waits for an answer of a type.
    pub fn ask(&mut self, text: &str, name: &str) -> Result<Json, Stop> {
        self.say(text)?;
        match self.hear_type(PATIENCE, name)? {
            Some(message) => Ok(message),
            None => Err(self.broken(&format!("{name} after {}", shorten(text)), "nothing within 10 seconds")),
        }
    }

    /// A frame may hold several messages, one on each line.
    fn take(&mut self, text: &str) -> Result<(), Stop> {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let message =
                Json::parse(line.as_bytes()).map_err(|_| self.broken("messages in JSON", &shorten(line)))?;
            self.waiting.push_back(message);
        }
        Ok(())
    }

    fn broken(&self, expected: &str, seen: &str) -> Stop {
        Stop::Broken(Difference {
            what: self.path.clone(),
            expected: expected.to_owned(),
            seen: seen.to_owned(),
        })
    }
}
