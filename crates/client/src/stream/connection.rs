//! A WebSocket that comes back: a task connects, reads, and waits longer after each failure.
//!
//! The task reports what happens in one queue, so its reader sees messages and losses in their order. The reader decides
//! what to send after each opening. Instructions name their connection: a late instruction is ignored.

use std::time::Duration;

use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{self, Message};

use crate::retry::{backoff, jitter};
use crate::trust::{Liveness, OpenConnection};

/// The longest time to connect, with the handshakes.
const CONNECT_MAX: Duration = Duration::from_secs(10);

/// When a silent connection counts as dead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    silence: Duration,
    /// A ping follows the first silence; a second silence ends the connection.
    is_pinging: bool,
}

/// Twice the interval of the exchange's heartbeats.
pub(super) const WITH_HEARTBEATS: Patience = Patience { silence: Duration::from_secs(10), is_pinging: false };
/// Channels without changes have no heartbeats, so a quiet connection is pinged.
pub(super) const WITHOUT_HEARTBEATS: Patience =
    Patience { silence: Duration::from_secs(15), is_pinging: true };

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

/// An instruction to the task.
#[derive(Debug)]
pub(super) enum Instruction {
    Send(String),
    /// Data arrived: the next failure is the first again.
    IsWorking,
    /// End this connection and open another. `failures` in a row, this one included, set the wait.
    Restart {
        reason: String,
        failures: u32,
    },
}

/// The reader's end of a connection. The task ends when it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    /// Each with the number of its connection.
    instructions: UnboundedSender<(u64, Instruction)>,
    reports: Receiver<Report>,
    open: OpenConnection,
    /// Openings that the reader has taken: the number of the connection that it reads.
    opened: u64,
    /// The reader has ended this connection. Its last messages are not for the reader any more.
    is_restarting: bool,
}

impl Connection {
    /// Starts the task. Needs a running tokio runtime.
    pub(super) fn start(url: String, patience: Patience) -> Connection {
        let (connection, keeper) = Connection::with_keeper(url, patience);
        tokio::spawn(async move {
            let (gone, open) = (keeper.reports.clone(), keeper.open.clone());
            tokio::select! {
                () = gone.closed() => {}
                () = keeper.run() => {}
            }
            open.set(0);
        });
        connection
    }

    /// Both ends, without a running task.
    fn with_keeper(url: String, patience: Patience) -> (Connection, Keeper) {
        let (instructions, received) = unbounded_channel();
        let (sender, reports) = channel(WAITING_MAX);
        let open = OpenConnection::default();
        let connection =
            Connection { instructions, reports, open: open.clone(), opened: 0, is_restarting: false };
        let keeper =
            Keeper { url, patience, instructions: received, reports: sender, open, opened: 0, failures: 0 };
        (connection, keeper)
    }

    /// The next report. Safe to cancel.
    pub(super) async fn next(&mut self) -> Report {
        loop {
            let ended = || Report::Refused("the stream has ended".to_owned());
            let report = self.reports.recv().await.unwrap_or_else(ended);
            match &report {
                Report::Text(_) if self.is_restarting => continue,
                Report::Text(_) => {}
                Report::Opened => {
                    self.opened += 1;
                    self.is_restarting = false;
                }
                Report::Lost { .. } | Report::Refused(_) => self.is_restarting = false,
            }
            return report;
        }
    }

    /// The liveness of the connection that is read now.
    pub(super) fn liveness(&self) -> Liveness {
        Liveness::new(self.open.clone(), self.opened)
    }

    /// Sends a message, if the connection is still open then.
    pub(super) fn send(&self, message: String) {
        self.instruct(Instruction::Send(message));
    }

    pub(super) fn is_working(&self) {
        self.instruct(Instruction::IsWorking);
    }

    /// Ends the connection that is read now. Its remaining messages are dropped.
    pub(super) fn restart(&mut self, reason: String, failures: u32) {
        self.is_restarting = true;
        self.instruct(Instruction::Restart { reason, failures });
    }

    fn instruct(&self, instruction: Instruction) {
        // A task that has ended has reported why.
        let _ = self.instructions.send((self.opened, instruction));
    }
}

/// The task.
#[derive(Debug)]
struct Keeper {
    url: String,
    patience: Patience,
    instructions: UnboundedReceiver<(u64, Instruction)>,
    reports: Sender<Report>,
    open: OpenConnection,
    /// Connections so far: the number of the last one.
    opened: u64,
    failures: u32,
}

/// Why a connection ended.
#[derive(Debug)]
enum End {
    Lost(String),
    /// The reader ended it.
    Restarted {
        reason: String,
        failures: u32,
    },
    Refused(String),
    /// The reader is gone.
    Unread,
}

impl Keeper {
    async fn run(mut self) {
        loop {
            let end = self.keep().await;
            self.open.set(0);
            let reason = match end {
                End::Lost(reason) => {
                    self.failures += 1;
                    reason
                }
                End::Restarted { reason, failures } => {
                    self.failures = failures.max(self.failures + 1);
                    reason
                }
                End::Refused(reason) => {
                    self.report(Report::Refused(reason)).await;
                    return;
                }
                End::Unread => return,
            };
            let wait = backoff(self.failures, jitter());
            tracing::warn!(url = self.url, reason, ?wait, "a stream is lost and connects again");
            if !self.report(Report::Lost { reason, wait }).await {
                return;
            }
            sleep(wait).await;
        }
    }

    /// Runs one connection.
    async fn keep(&mut self) -> End {
        let socket = match timeout(CONNECT_MAX, connect_async(&self.url)).await {
            Ok(Ok((socket, _))) => socket,
            Ok(Err(error)) => return not_accepted(&error),
            Err(_) => return End::Lost(format!("no connection within {CONNECT_MAX:?}")),
        };
        self.opened += 1;
        self.open.set(self.opened);
        if !self.report(Report::Opened).await {
            return End::Unread;
        }
        self.converse(socket).await
    }

    /// Carries out instructions and reports messages until the connection ends.
    async fn converse<S>(&mut self, mut socket: S) -> End
    where
        S: Stream<Item = Result<Message, tungstenite::Error>>
            + Sink<Message, Error = tungstenite::Error>
            + Unpin,
    {
        let Patience { silence, is_pinging } = self.patience;
        let (mut heard_at, mut is_pinged) = (Instant::now(), false);
        loop {
            tokio::select! {
                // A message that has arrived counts, however late this task runs.
                biased;
                instruction = self.instructions.recv() => {
                    let Some((number, instruction)) = instruction else { return End::Unread };
                    if number != self.opened {
                        continue;
                    }
                    match instruction {
                        Instruction::IsWorking => self.failures = 0,
                        Instruction::Restart { reason, failures } => return End::Restarted { reason, failures },
                        Instruction::Send(text) => {
                            if let Err(reason) = send(&mut socket, Message::text(text), silence).await {
                                return End::Lost(reason);
                            }
                        }
                    }
                }
                received = socket.next() => {
                    match text_of(received) {
                        Ok(Some(text)) => {
                            if !self.report(Report::Text(text)).await {
                                return End::Unread;
                            }
                        }
                        Ok(None) => {}
                        Err(reason) => return End::Lost(reason),
                    }
                    (heard_at, is_pinged) = (Instant::now(), false);
                }
                () = sleep_until(heard_at + silence) => {
                    if !is_pinging || is_pinged {
                        let silent = if is_pinged { silence * 2 } else { silence };
                        return End::Lost(format!("silent for {silent:?}"));
                    }
                    let ping = Message::Ping(tungstenite::Bytes::new());
                    if let Err(reason) = send(&mut socket, ping, silence).await {
                        return End::Lost(reason);
                    }
                    (heard_at, is_pinged) = (Instant::now(), true);
                }
            }
        }
    }

    /// Whether there still is a reader.
    async fn report(&self, report: Report) -> bool {
        self.reports.send(report).await.is_ok()
    }
}

/// Sends a message. A connection that takes none for this long is dead.
async fn send<S>(socket: &mut S, message: Message, longest: Duration) -> Result<(), String>
where
    S: Sink<Message, Error = tungstenite::Error> + Unpin,
{
    match timeout(longest, socket.send(message)).await {
        Ok(sent) => sent.map_err(|error| error.to_string()),
        Err(_) => Err(format!("nothing could be sent for {longest:?}")),
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
            let is_transient = status.is_server_error() || matches!(status.as_u16(), 408 | 429);
            if is_transient {
                End::Lost(format!("status {status}"))
            } else {
                End::Refused(format!("status {status}"))
            }
        }
        error => End::Lost(error.to_string()),
    }
}

/// A connection whose task is a test.
#[cfg(test)]
pub(super) struct Scripted {
    keeper: Keeper,
}

#[cfg(test)]
impl Scripted {
    pub(super) fn new() -> (Connection, Scripted) {
        let (connection, keeper) = Connection::with_keeper(String::new(), WITH_HEARTBEATS);
        (connection, Scripted { keeper })
    }

    pub(super) fn open(&mut self) {
        self.keeper.opened += 1;
        self.keeper.open.set(self.keeper.opened);
        self.report(Report::Opened);
    }

    /// Ends the connection, as the task does: copies know it before the report is taken.
    pub(super) fn lose(&mut self, reason: &str) {
        self.keeper.open.set(0);
        self.report(Report::Lost { reason: reason.to_owned(), wait: Duration::ZERO });
    }

    pub(super) fn report(&self, report: Report) {
        self.keeper.reports.try_send(report).expect("a queue with room");
    }

    /// The instructions so far, as the task sees them: those for an earlier connection are left out.
    pub(super) fn instructions(&mut self) -> Vec<Instruction> {
        let mut taken = Vec::new();
        while let Ok((number, instruction)) = self.keeper.instructions.try_recv() {
            if number == self.keeper.opened {
                taken.push(instruction);
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{DuplexStream, duplex};
    use tokio_tungstenite::WebSocketStream;
    use tokio_tungstenite::tungstenite::protocol::Role;

    use super::*;

    /// Both ends of a WebSocket in memory: the client's and the exchange's.
    async fn sockets() -> [WebSocketStream<DuplexStream>; 2] {
        let (client, server) = duplex(4_096);
        [
            WebSocketStream::from_raw_socket(client, Role::Client, None).await,
            WebSocketStream::from_raw_socket(server, Role::Server, None).await,
        ]
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_connection_is_pinged_and_ends_when_no_answer_comes() {
        let [client, mut server] = sockets().await;
        let (_connection, mut keeper) = Connection::with_keeper(String::new(), WITHOUT_HEARTBEATS);
        let began = Instant::now();
        // The exchange answers the first ping, and then reads no more.
        let answering = async {
            let ping = server.next().await.expect("a message").expect("a frame");
            assert!(ping.is_ping());
            server.flush().await.expect("the pong leaves");
            std::future::pending::<()>().await;
        };
        let end = tokio::select! {
            end = keeper.converse(client) => end,
            () = answering => unreachable!("it never ends"),
        };
        assert!(matches!(&end, End::Lost(reason) if reason == "silent for 30s"), "{end:?}");
        assert_eq!(began.elapsed().as_secs(), 45, "15 s, a pong, and two silences");
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_heartbeats_ends_after_ten_silent_seconds() {
        let [client, _server] = sockets().await;
        let (_connection, mut keeper) = Connection::with_keeper(String::new(), WITH_HEARTBEATS);
        let began = Instant::now();
        let end = keeper.converse(client).await;
        assert!(matches!(&end, End::Lost(reason) if reason == "silent for 10s"), "{end:?}");
        assert_eq!(began.elapsed().as_secs(), 10);
    }

    #[tokio::test]
    async fn an_instruction_for_an_earlier_connection_is_ignored() {
        let [client, server] = sockets().await;
        let (mut connection, mut keeper) = Connection::with_keeper(String::new(), WITH_HEARTBEATS);
        keeper.reports.send(Report::Opened).await.expect("a reader");
        connection.next().await;
        connection.restart("for the first".to_owned(), 1);
        keeper.opened = 2;
        keeper.reports.send(Report::Opened).await.expect("a reader");
        connection.next().await;
        connection.restart("for the second".to_owned(), 4);
        let end = keeper.converse(client).await;
        assert!(
            matches!(&end, End::Restarted { reason, failures: 4 } if reason == "for the second"),
            "{end:?}"
        );
        drop(server);
    }

    #[tokio::test]
    async fn messages_after_a_restart_are_dropped_until_the_next_opening() {
        let (mut connection, mut scripted) = Scripted::new();
        scripted.open();
        connection.next().await;
        connection.restart("unreadable".to_owned(), 1);
        scripted.report(Report::Text("late".to_owned()));
        scripted.open();
        scripted.report(Report::Text("new".to_owned()));
        assert!(matches!(connection.next().await, Report::Opened));
        assert!(matches!(connection.next().await, Report::Text(text) if text == "new"));
    }
}
