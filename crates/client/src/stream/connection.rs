//! A WebSocket that comes back: a task connects, reads, and waits longer after each failure.
//!
//! The task reports what happens in one queue, so its reader sees messages and losses in their order. The reader decides
//! what to send after each opening.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::retry::{backoff, jitter};

/// Twice the interval of the exchange's heartbeats: a longer silence means that the connection is dead.
pub(super) const SILENCE: Duration = Duration::from_secs(10);
/// Twice the interval of the exchange's pings: channels without changes have no heartbeats.
pub(super) const SILENCE_WITHOUT_HEARTBEATS: Duration = Duration::from_secs(120);

/// Messages that wait for the reader. Beyond that, the exchange's limits on slow readers apply.
const WAITING_MAX: usize = 1_024;

/// A report of the task.
#[derive(Debug)]
pub(super) enum Report {
    /// Connected; the greeting follows as a text.
    Opened,
    /// A message of the exchange.
    Text(String),
    /// The connection ended, or was not established. The task tries again after `wait`.
    Lost { reason: String, wait: Duration },
    /// The exchange refuses this stream for good. The task has ended.
    Refused(String),
}

/// An order to the task.
#[derive(Debug)]
enum Order {
    Send(String),
    /// Data arrived: the next failure is the first again.
    IsWorking,
    /// End this connection and open another.
    Restart(String),
}

/// The reader's end of a connection. The task ends when it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    orders: UnboundedSender<Order>,
    reports: Receiver<Report>,
}

impl Connection {
    /// Starts the task. Needs a running tokio runtime.
    pub(super) fn start(url: String, silence: Duration) -> Connection {
        let (orders, received) = unbounded_channel();
        let (sender, reports) = channel(WAITING_MAX);
        tokio::spawn(async move {
            let gone = sender.clone();
            let keeper = Keeper { url, silence, orders: received, reports: sender, failures: 0 };
            tokio::select! {
                () = gone.closed() => {}
                () = keeper.run() => {}
            }
        });
        Connection { orders, reports }
    }

    /// The next report. Safe to cancel.
    pub(super) async fn next(&mut self) -> Report {
        let ended = || Report::Refused("the stream has ended".to_owned());
        self.reports.recv().await.unwrap_or_else(ended)
    }

    /// Sends a message, if the connection is still open then.
    pub(super) fn send(&self, message: String) {
        self.order(Order::Send(message));
    }

    pub(super) fn is_working(&self) {
        self.order(Order::IsWorking);
    }

    pub(super) fn restart(&self, reason: String) {
        self.order(Order::Restart(reason));
    }

    fn order(&self, order: Order) {
        // A task that has ended has reported why.
        let _ = self.orders.send(order);
    }
}

/// The task.
struct Keeper {
    url: String,
    silence: Duration,
    orders: UnboundedReceiver<Order>,
    reports: Sender<Report>,
    failures: u32,
}

/// Why a connection ended.
enum End {
    Lost(String),
    Refused(String),
    /// The reader is gone.
    Unread,
}

impl Keeper {
    async fn run(mut self) {
        loop {
            let reason = match self.keep().await {
                End::Lost(reason) => reason,
                End::Refused(reason) => {
                    self.report(Report::Refused(reason)).await;
                    return;
                }
                End::Unread => return,
            };
            self.failures += 1;
            let wait = backoff(self.failures, jitter());
            if !self.report(Report::Lost { reason, wait }).await {
                return;
            }
            sleep(wait).await;
            // Orders for the connection that has ended.
            while self.orders.try_recv().is_ok() {}
        }
    }

    /// Runs one connection.
    async fn keep(&mut self) -> End {
        let mut socket = match timeout(self.silence, connect_async(&self.url)).await {
            Ok(Ok((socket, _))) => socket,
            Ok(Err(error)) => return not_accepted(&error),
            Err(_) => return End::Lost(format!("no connection within {:?}", self.silence)),
        };
        if !self.report(Report::Opened).await {
            return End::Unread;
        }
        loop {
            tokio::select! {
                order = self.orders.recv() => match order {
                    None => return End::Unread,
                    Some(Order::IsWorking) => self.failures = 0,
                    Some(Order::Restart(reason)) => return End::Lost(reason),
                    Some(Order::Send(text)) => {
                        if let Err(error) = socket.send(Message::text(text)).await {
                            return End::Lost(error.to_string());
                        }
                    }
                },
                received = timeout(self.silence, socket.next()) => match received {
                    Ok(received) => match text_of(received) {
                        Ok(Some(text)) => {
                            if !self.report(Report::Text(text)).await {
                                return End::Unread;
                            }
                        }
                        Ok(None) => {}
                        Err(reason) => return End::Lost(reason),
                    },
                    Err(_) => return End::Lost(format!("silent for {:?}", self.silence)),
                },
            }
        }
    }

    /// Whether there still is a reader.
    async fn report(&self, report: Report) -> bool {
        self.reports.send(report).await.is_ok()
    }
}

type Received = Option<Result<Message, tungstenite::Error>>;

/// The text of a message; none for a ping, which the library answers.
fn text_of(received: Received) -> Result<Option<String>, String> {
    match received {
        Some(Ok(Message::Text(text))) => Ok(Some(text.to_string())),
        Some(Ok(Message::Close(frame))) => {
            let words = frame.map(|frame| format!("closed with {} {}", frame.code, frame.reason));
            Err(words.unwrap_or_else(|| "closed".to_owned()).trim_end().to_owned())
        }
        Some(Ok(_)) => Ok(None),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("the connection ended".to_owned()),
    }
}

/// A refusal with a status of the client's fault would be repeated; everything else may pass.
fn not_accepted(error: &tungstenite::Error) -> End {
    match error {
        tungstenite::Error::Http(response) => {
            let status = response.status();
            let is_passing = status.is_server_error() || matches!(status.as_u16(), 408 | 429);
            if is_passing {
                End::Lost(format!("status {status}"))
            } else {
                End::Refused(format!("status {status}"))
            }
        }
        error => End::Lost(error.to_string()),
    }
}
