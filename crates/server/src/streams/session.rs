//! One WebSocket connection: reads the client's messages, sends the queued ones, and ends when either side closes.
//!
//! Each connection has one task, which never waits for the client without a time limit. A turn takes the queued
//! messages, writes them together and reads what the client has sent. Before every write it checks the callers'
//! credentials again if keys or sessions have changed.

use std::collections::{HashMap, HashSet};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use api::json::{Decimals, WriteJson, WriteMembers};
use api::stream::{
    Answer, CancelOnDisconnect, ClientMessage, Connected, ErrorMessage, Pong, Subscribed, TextOrNumber,
    Unsubscribed,
};
use exchange::Shelf;
use exchange::id::UserId;
use exchange::numbers::Currency;
use futures_util::{SinkExt, StreamExt};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};
use uuid::Uuid;

use super::access::{self, StreamCaller};
use super::client_request::{ClientRequest, Fault, ParsedItems, echo, missing, parse_request, retired_names};
use super::disconnecting::ArmedConnection;
use super::frames::EncodedMessage;
use super::metering::{ChargeResult, MessageLimit, Metered};
use super::outbox::{Ending, Outbox, Slot, TOO_SLOW};
use super::outgoing::Outgoing;
use super::room::{Endpoint, Room};
use super::{Admitted, composing};
use crate::app::App;
use crate::http::serving::UpgradedConnection;
use crate::identifiers::connection_id;

/// How many bytes of messages are taken in one turn: as much as the kernel passes on at once.
const TURN_BYTES: usize = 64 << 10;
/// The cost of a message with wrong credentials, to slow down guessing.
const WRONG_PROOF_COST: u32 = 10;
const ID_CHARACTERS_MAX: usize = 64;

/// Code 1012, service restart: the client connects again, to another node where there are several.
const STOPPING: Ending = Ending { code: 1012, reason: "the exchange is stopping: reconnect" };
const IDLE: Ending = Ending { code: 1008, reason: "no answer to a ping" };
const UNREADABLE: Ending = Ending { code: 1002, reason: "a message that cannot be read, or is too long" };
const FLOODING: Ending = Ending { code: 1008, reason: "too many messages" };
const REVOKED: Ending = Ending { code: 1008, reason: "the key or the session is no longer valid" };

/// How a session ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionEnd {
    /// The connection is lost; there is nothing more to send.
    Lost,
    /// The client has sent a close frame, and gets one back.
    Left,
    /// We close it, and send the reason.
    Closed(Ending),
}

type Socket = WebSocketStream<Metered>;

struct Session {
    app: Arc<App>,
    endpoint: Endpoint,
    /// The connection's id in the greeting.
    client_id: Uuid,
    /// The user logged in on the page that connected.
    visitor: Option<StreamCaller>,
    outbox: Arc<Outbox>,
    /// The messages of this turn. Kept here, because the turn may be cancelled while a frame is partly written.
    outgoing: Outgoing,
    /// Whether the library has nothing to write. A message of the client may have left a pong.
    is_flushed: bool,
    /// The joined rooms, and the caller who joined each.
    rooms: HashMap<Room, Option<StreamCaller>>,
    /// All users that the connection has authenticated as.
    names: HashSet<UserId>,
    /// The users whose orders are cancelled when it ends.
    armed: ArmedConnection,
    /// The keys version at the last check of the callers' credentials.
    keys_version: u64,
}

/// Serves a connection until it ends. `admitted` and `upgraded` are dropped then.
pub(super) async fn run(
    app: Arc<App>,
    endpoint: Endpoint,
    visitor: Option<StreamCaller>,
    decimals: Decimals,
    mut socket: Socket,
    admitted: Admitted,
    upgraded: Option<Arc<UpgradedConnection>>,
) {
    let armed = ArmedConnection::new(app.clone());
    let mut session = Session::new(app, endpoint, visitor, decimals, armed);
    session.queue(&Connected::new(session.client_id, session.now_millis()));
    let over = tokio::select! {
        biased;
        () = stopped(upgraded.as_deref()) => SessionEnd::Closed(STOPPING),
        over = session.serve(&mut socket) => over,
    };
    session.unsubscribe_all();
    // Before the close frame is sent, which may take a while.
    session.armed.end().await;
    session.close(socket, over).await;
    drop((session, admitted, upgraded));
}

/// Waits for the listener's stop, if it has one.
async fn stopped(upgraded: Option<&UpgradedConnection>) {
    match upgraded {
        Some(upgraded) => {
            // A dropped sender counts as a stop, too.
            let _ = upgraded.stopping.clone().wait_for(|stop| *stop).await;
        }
        None => std::future::pending().await,
    }
}

impl Session {
    fn new(
        app: Arc<App>,
        endpoint: Endpoint,
        visitor: Option<StreamCaller>,
        decimals: Decimals,
        armed: ArmedConnection,
    ) -> Session {
        let client = app.streams().clients.fetch_add(1, Ordering::Relaxed);
        let settings = app.streams().settings();
        let outbox = Arc::new(Outbox::new(client, settings.events_waiting_max, decimals));
        let keys_version = app.reading().shared().keys_version();
        let (rooms, names, client_id) = (HashMap::new(), HashSet::new(), connection_id());
        Session {
            app,
            endpoint,
            client_id,
            visitor,
            outbox,
            outgoing: Outgoing::default(),
            is_flushed: true,
            rooms,
            names,
            armed,
            keys_version,
        }
    }

    async fn serve(&mut self, socket: &mut Socket) -> SessionEnd {
        let (ping_after, idle_max) = {
            let settings = self.app.streams().settings();
            (settings.ping_after, settings.idle_max)
        };
        let (mut last_received, mut is_pinged) = (Instant::now(), false);
        // One timer for all iterations: a new one per message would cost more than the message.
        let mut silence = pin!(sleep_until(last_received + ping_after));
        loop {
            let has_more = match self.outbox.take(&mut self.outgoing, TURN_BYTES) {
                Ok(has_more) => has_more,
                Err(ending) => return SessionEnd::Closed(ending),
            };
            // Checked after taking the messages: nothing that was queued when a key was revoked is sent.
            if !self.is_access_valid() {
                return SessionEnd::Closed(REVOKED);
            }
            if !self.outgoing.is_empty() {
                let messages = self.outgoing.take_messages();
                self.app.streams().messages.fetch_add(messages, Ordering::Relaxed);
            }
            if !self.outgoing.is_empty() {
                if let Err(over) = self.send(socket).await {
                    return over;
                }
                self.outbox.note_written();
            }
            let outbox = self.outbox.clone();
            tokio::select! {
                biased;
                received = socket.next() => {
                    self.is_flushed = false;
                    (last_received, is_pinged) = (Instant::now(), false);
                    silence.as_mut().reset(last_received + ping_after);
                    let limit = &mut socket.get_mut().limit;
                    match received {
                        Some(Ok(message)) => {
                            if let Err(over) = self.receive(message, limit).await {
                                return over;
                            }
                        }
                        Some(Err(_)) if limit.is_exhausted() => return SessionEnd::Closed(FLOODING),
                        Some(Err(_)) => return SessionEnd::Closed(UNREADABLE),
                        None => return SessionEnd::Lost,
                    }
                }
                () = std::future::ready(()), if has_more => {}
                () = outbox.changed() => {}
                () = silence.as_mut() => {
                    if is_pinged {
                        return SessionEnd::Closed(IDLE);
                    }
                    (is_pinged, self.is_flushed) = (true, false);
                    silence.as_mut().reset(last_received + idle_max);
                    let ping = socket.send(Message::Ping(bytes::Bytes::new()));
                    if timeout(self.app.streams().settings().send_max, ping).await.is_err() {
                        return SessionEnd::Closed(TOO_SLOW);
                    }
                }
            }
        }
    }

    /// Writes the messages of this turn. Fails if the client reads nothing for too long, or if its queue overflows
    /// meanwhile.
    async fn send(&mut self, socket: &mut Socket) -> Result<(), SessionEnd> {
        let Session { app, outbox, outgoing, is_flushed, .. } = self;
        let send_max = app.streams().settings().send_max;
        let writing = async {
            if !*is_flushed {
                // A pong of the library may be partly written.
                in_time(send_max, socket.flush()).await?;
                *is_flushed = true;
            }
            while !outgoing.is_empty() {
                in_time(send_max, outgoing.write(socket.get_mut())).await?;
            }
            Ok::<(), SessionEnd>(())
        };
        tokio::select! {
            biased;
            written = writing => written,
            ending = outbox.ended() => Err(SessionEnd::Closed(ending)),
        }
    }

    /// Sends the close frame, and waits a moment for the client to read it.
    async fn close(&mut self, mut socket: Socket, over: SessionEnd) {
        let Session { app, outbox, outgoing, .. } = self;
        let streams = app.streams();
        if over == SessionEnd::Closed(TOO_SLOW) {
            streams.dropped.fetch_add(1, Ordering::Relaxed);
        }
        let closing = async {
            outgoing.abandon();
            while over != SessionEnd::Lost && !outgoing.is_empty() {
                outgoing.write(socket.get_mut()).await?;
            }
            match over {
                SessionEnd::Lost => return Ok(()),
                // The library has prepared the reply.
                SessionEnd::Left => socket.flush().await?,
                SessionEnd::Closed(Ending { code, reason }) => {
                    tracing::debug!(client = outbox.client, reason, "closing a stream");
                    let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::from_static(reason) };
                    socket.send(Message::Close(Some(frame))).await?;
                }
            }
            socket.into_inner().finish().await?;
            Ok::<(), tungstenite::Error>(())
        };
        // A client that does not read it sees the connection close.
        let _ = timeout(streams.settings().close_max, closing).await;
    }

    async fn receive(&mut self, message: Message, limit: &mut MessageLimit) -> Result<(), SessionEnd> {
        if let Message::Close(_) = message {
            return Err(SessionEnd::Left);
        }
        match (limit.take(1), message) {
            (ChargeResult::Exhausted, _) => return Err(SessionEnd::Closed(FLOODING)),
            (ChargeResult::Refused, Message::Text(text)) => self.refuse(&text, limit),
            (ChargeResult::Refused, Message::Binary(_)) => self.fail(&too_many(limit), None),
            (ChargeResult::Passed, Message::Text(text)) => self.handle(&text, limit).await,
            (ChargeResult::Passed, Message::Binary(_)) => {
                self.fail(&"Messages are JSON text, not binary".into(), None);
            }
            (_, Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
        }
        Ok(())
    }

    /// Refuses a message over the rate limit; the error names its room and id, if it can be parsed.
    fn refuse(&self, text: &str, limit: &MessageLimit) {
        let message = read(text).unwrap_or_default();
        let room = parse_request(self.endpoint, None, &message).ok().and_then(|request| request.room());
        self.fail(&Fault { room, ..too_many(limit) }, message.id.as_ref());
    }

    async fn handle(&mut self, text: &str, limit: &mut MessageLimit) {
        let message = match read(text) {
            Ok(message) => message,
            Err(fault) => return self.fail(&fault, None),
        };
        if let Err(fault) = self.carry_out(&message, limit).await {
            if fault.is_wrong_proof {
                limit.charge_debt(WRONG_PROOF_COST - 1);
            }
            self.fail(&fault, message.id.as_ref());
        }
    }

    async fn carry_out(&mut self, message: &ClientMessage, limit: &mut MessageLimit) -> Result<(), Fault> {
        let caller = match self.endpoint {
            Endpoint::User => Some(access::identify(&self.app, message.auth.as_ref(), self.visitor)?),
            Endpoint::Markets | Endpoint::Realtime => None,
        };
        let request = parse_request(self.endpoint, caller.as_ref(), message)?;
        // One token is already charged.
        if limit.take(request.cost() - 1) != ChargeResult::Passed {
            return Err(Fault { room: request.room(), ..too_many(limit) });
        }
        let (id, timestamp) = (message.id.as_ref(), self.now_millis());
        match request {
            ClientRequest::Ping => self.answer(Pong { timestamp }, id),
            ClientRequest::Subscribe(rooms) => self.subscribe(rooms, caller, message.resume_from, id).await,
            ClientRequest::Unsubscribe(room) => self.unsubscribe(&room, id)?,
            ClientRequest::CancelOnDisconnect(enabled) => {
                let caller = caller.ok_or(access::AUTH_REQUIRED)?;
                self.arm(caller, message, enabled).await?;
            }
        }
        Ok(())
    }

    /// Arms or disarms the connection, and responds after the exchange has decided.
    async fn arm(
        &mut self,
        caller: StreamCaller,
        message: &ClientMessage,
        enabled: bool,
    ) -> Result<(), Fault> {
        let body = format!("cancelOnDisconnect.{enabled}.{}", self.client_id);
        let proven = access::prove(&self.app, caller, message.auth.as_ref(), &body)?;
        self.watch_access(caller.user);
        self.armed.set(proven, enabled).await?;
        let timestamp = self.now_millis();
        self.answer(CancelOnDisconnect { enabled, timestamp }, message.id.as_ref());
        Ok(())
    }

    /// Subscribes to notifications about this user's keys and sessions.
    fn watch_access(&mut self, user: UserId) {
        if self.names.insert(user) {
            self.app.streams().rooms.subscribe(&Room::Access { user }, &self.outbox);
        }
    }

    /// Joins every room that it can, and reports an error for each other.
    async fn subscribe(
        &mut self,
        rooms: ParsedItems<Room>,
        caller: Option<StreamCaller>,
        resume_from: Option<u64>,
        id: Option<&TextOrNumber>,
    ) {
        for room in rooms {
            let entered = match room {
                Ok(room) => self.subscribe_to(room, caller, resume_from, id).await,
                Err(fault) => Err(fault),
            };
            if let Err(fault) = entered {
                self.fail(&fault, id);
            }
        }
    }

    async fn subscribe_to(
        &mut self,
        room: Room,
        caller: Option<StreamCaller>,
        resume_from: Option<u64>,
        id: Option<&TextOrNumber>,
    ) -> Result<(), Fault> {
        let shelf = self.app.reading().shelf_of(retired_names(&room)).await;
        let shelf = shelf.map_err(|_| Fault::about(&room.to_string(), HISTORY_BEHIND.to_owned()))?;
        if let Some(fault) = missing(&self.app, &room, &shelf) {
            return Err(fault);
        }
        let (name, rooms_max) = (room.to_string(), self.app.streams().settings().rooms_max);
        if self.rooms.len() >= rooms_max && !self.rooms.contains_key(&room) {
            return Err(Fault::about(&name, format!("At most {rooms_max} subscriptions on one connection")));
        }
        if let Some(StreamCaller { user, .. }) = caller {
            self.watch_access(user);
        }
        let is_resumable = room.is_resumable();
        if is_resumable {
            // A second subscription starts again: drop what is queued of the first.
            self.app.streams().rooms.unsubscribe(&room, &self.outbox);
        }
        self.answer(Subscribed::new(&name, self.now_millis()), id);
        if is_resumable {
            self.app.streams().changes.subscribe(&room, &self.outbox, resume_from, &shelf);
        } else {
            self.app.streams().rooms.subscribe(&room, &self.outbox);
            // After joining, so that no change is lost in between.
            self.queue_snapshots(&room, &shelf);
        }
        self.rooms.insert(room, caller);
        Ok(())
    }

    /// Queues a snapshot of a room's subject, for rooms that have snapshots.
    fn queue_snapshots(&self, room: &Room, shelf: &Shelf) {
        let shared = self.app.reading().shared();
        let put = |part, sequence, frame: &EncodedMessage| {
            self.outbox.snapshot(&Slot { room: room.clone(), part }, sequence, frame);
        };
        match room {
            Room::Orderbook { market, currency } => {
                let currency = currency.unwrap_or(Currency::Usd);
                if let Some(seen) = composing::read_books(shared, shelf, *market, currency) {
                    let (sequence, frames) = composing::books(seen, currency);
                    (0..).zip(&frames).for_each(|(part, frame)| put(part, sequence, frame));
                }
            }
            Room::Prices { event } => {
                if let Some(seen) = composing::read_prices(shared, shelf, *event) {
                    put(0, seen.sequence, &composing::prices(&seen));
                }
            }
            Room::AssetPrices { symbol } => {
                if let Some((sequence, frame)) = composing::last_asset_price(shared, symbol) {
                    put(0, sequence, &frame);
                }
            }
            Room::Game { game } => {
                if let Some(seen) = composing::read_game(shared, *game) {
                    put(0, seen.sequence, &composing::game(&seen));
                }
            }
            Room::Activity { .. }
            | Room::UserTrades { .. }
            | Room::Orders { .. }
            | Room::MarketChanges { .. }
            | Room::AccountChanges { .. }
            | Room::Access { .. } => {}
        }
    }

    fn unsubscribe(&mut self, name: &str, id: Option<&TextOrNumber>) -> Result<(), Fault> {
        let room = self.rooms.keys().find(|room| room.to_string() == name).cloned();
        let room = room.ok_or_else(|| Fault::about(name, format!("Not subscribed to: {}", echo(name))))?;
        self.rooms.remove(&room);
        self.app.streams().rooms.unsubscribe(&room, &self.outbox);
        self.answer(Unsubscribed::new(name, self.now_millis()), id);
        Ok(())
    }

    fn unsubscribe_all(&mut self) {
        let rooms = self.rooms.drain().map(|(room, _)| room);
        for room in rooms.chain(self.names.drain().map(|user| Room::Access { user })) {
            self.app.streams().rooms.unsubscribe(&room, &self.outbox);
        }
    }

    /// Whether all callers of its rooms and its arming are still valid. Costs one atomic load while no key has changed.
    fn is_access_valid(&mut self) -> bool {
        let mut callers = self.rooms.values().flatten().chain(self.armed.callers());
        // Read the version before the state: a change in between then causes another check.
        let version = self.app.reading().shared().keys_version();
        let is_valid = if version == self.keys_version {
            !callers.any(|caller| caller.is_over(self.app.now()))
        } else {
            let (exchange, now) = (self.app.reading().state(), self.app.now());
            callers.all(|caller| caller.is_valid(&exchange, now))
        };
        self.keys_version = version;
        is_valid
    }

    /// Responds to a client's message.
    fn answer(&self, message: impl WriteJson + WriteMembers, id: Option<&TextOrNumber>) {
        self.queue(&Answer { message, id });
    }

    fn fail(&self, fault: &Fault, id: Option<&TextOrNumber>) {
        let Fault { message, room, .. } = fault;
        self.answer(ErrorMessage::new(message, room.as_deref(), self.now_millis()), id);
    }

    fn queue(&self, message: &impl WriteJson) {
        self.outbox.answer(&EncodedMessage::without_decimals(message));
    }

    fn now_millis(&self) -> i64 {
        self.app.now().micros().div_euclid(1_000)
    }
}

/// Waits for a write. Fails if the connection is lost, or if the client reads nothing for too long.
async fn in_time<E>(
    send_max: Duration,
    writing: impl Future<Output = Result<(), E>>,
) -> Result<(), SessionEnd> {
    let mut writing = pin!(writing);
    // Sockets accept most writes at once, without a timer.
    let written = match poll_fn(|context| Poll::Ready(writing.as_mut().poll(context))).await {
        Poll::Ready(written) => Ok(written),
        Poll::Pending => timeout(send_max, writing).await,
    };
    match written {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(SessionEnd::Lost),
        Err(_) => Err(SessionEnd::Closed(TOO_SLOW)),
    }
}

/// Sent when history cannot tell whether a room's subject has retired.
const HISTORY_BEHIND: &str = "History cannot be read right now: try again";

/// Parses a message, and checks that its id is short enough to repeat.
fn read(text: &str) -> Result<ClientMessage, Fault> {
    let message: ClientMessage =
        api::read::read(text.as_bytes()).map_err(|fault| format!("Invalid message: {fault}"))?;
    let is_long = |id: &TextOrNumber| id.to_string().chars().count() > ID_CHARACTERS_MAX;
    if message.id.as_ref().is_some_and(is_long) {
        return Err(format!("Invalid message: id has at most {ID_CHARACTERS_MAX} characters").into());
    }
    Ok(message)
}

fn too_many(limit: &MessageLimit) -> Fault {
    let rate = limit.rate();
    format!("Rate limit exceeded: {} messages at once and {} a second", rate.capacity, rate.tokens).into()
}
