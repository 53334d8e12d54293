//! Parses client messages; an error is one sentence for the client. `parse_request` checks the message alone; `missing`
//! checks whether a room's subject exists.

use api::Word;
use api::stream::{Channel, ClientMessage};
use api::terms;
use exchange::id::{EventId, MarketId, UserId};
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use exchange::text::Text;
use exchange::{Exchange, Shelf};
use uuid::Uuid;

use super::access::{AUTH_REQUIRED, Denied, StreamCaller};
use super::room::{Endpoint, Room};
use crate::app::App;
use crate::history::RetiredName;
use crate::view::event;
use crate::view::words::{ToApi, ToExchange};

/// Markets in one message. Public clients rely on this limit.
const MARKETS_MAX: usize = 10;
const EVENTS_MAX: usize = 50;
const SYMBOLS_MAX: usize = 50;
const GAMES_MAX: usize = 50;
/// How much of a client's text an error repeats; the longest room name fits.
const ECHO_CHARACTERS_MAX: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClientRequest {
    Subscribe(ParsedItems<Room>),
    /// By room name.
    Unsubscribe(String),
    CancelOnDisconnect(bool),
    Ping,
}

/// Several items of a message, each parsed or in error.
pub(super) type ParsedItems<T> = Vec<Result<T, Fault>>;

/// An error in a message, or in one room of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) room: Option<String>,
    /// The client presented wrong credentials.
    pub(super) is_wrong_proof: bool,
}

impl Fault {
    pub(super) fn about(room: &str, message: String) -> Fault {
        Fault { room: Some(echo(room)), ..Fault::from(message) }
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault { message, room: None, is_wrong_proof: false }
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Fault {
        Fault::from(message.to_owned())
    }
}

impl From<Denied> for Fault {
    fn from(denied: Denied) -> Fault {
        match denied {
            Denied::Missing(message) => Fault::from(message),
            Denied::Wrong(message) => Fault { is_wrong_proof: true, ..Fault::from(message) },
        }
    }
}

impl ClientRequest {
    /// The message's cost in messages: subscribing to several rooms takes as much work as separate subscriptions.
    pub(super) fn cost(&self) -> u32 {
        match self {
            ClientRequest::Subscribe(rooms) => u32::try_from(rooms.len()).unwrap_or(u32::MAX).max(1),
            ClientRequest::Unsubscribe(_) | ClientRequest::CancelOnDisconnect(_) | ClientRequest::Ping => 1,
        }
    }

    /// The room of the message, if it is about exactly one.
    pub(super) fn room(&self) -> Option<String> {
        match self {
            ClientRequest::Subscribe(rooms) => match rooms.as_slice() {
                [Ok(room)] => Some(echo(&room.to_string())),
                _ => None,
            },
            ClientRequest::Unsubscribe(room) => Some(echo(room)),
            ClientRequest::CancelOnDisconnect(_) | ClientRequest::Ping => None,
        }
    }
}

/// Parses a message received at an endpoint. `caller` is its sender, if authenticated.
pub(super) fn parse_request(
    endpoint: Endpoint,
    caller: Option<&StreamCaller>,
    message: &ClientMessage,
) -> Result<ClientRequest, Fault> {
    match message.message_type.as_deref() {
        Some("ping") => Ok(ClientRequest::Ping),
        Some("subscribe") => {
            rooms(endpoint, channel(endpoint, message)?, caller, message).map(ClientRequest::Subscribe)
        }
        Some("unsubscribe") => {
            let room = message.room.clone().filter(|room| !room.is_empty());
            room.map(ClientRequest::Unsubscribe).ok_or_else(|| "Room name is required".into())
        }
        Some("cancelOnDisconnect") => {
            cancel_on_disconnect(endpoint, message).map(ClientRequest::CancelOnDisconnect)
        }
        Some(other) => Err(format!("Unknown message type: {}", echo(other)).into()),
        None => Err("Message type is required: subscribe, unsubscribe, cancelOnDisconnect or ping".into()),
    }
}

/// Only at the endpoint where the user is known.
fn cancel_on_disconnect(endpoint: Endpoint, message: &ClientMessage) -> Result<bool, Fault> {
    if endpoint != Endpoint::User {
        let allowed = Endpoint::User.path();
        return Err(format!("cancelOnDisconnect is not available here: connect to {allowed}").into());
    }
    message.enabled.ok_or_else(|| "enabled is required: true or false".into())
}

/// Truncates a client's text for an error message.
pub(super) fn echo(text: &str) -> String {
    text.chars().take(ECHO_CHARACTERS_MAX).collect()
}

fn channel(endpoint: Endpoint, message: &ClientMessage) -> Result<Channel, Fault> {
    let named = message.channel.as_deref().ok_or("Channel is required to subscribe")?;
    let channel = Channel::find(named).ok_or_else(|| format!("Unknown channel: {}", echo(named)))?;
    let endpoints = Endpoint::of(channel);
    if endpoints.contains(&endpoint) {
        Ok(channel)
    } else {
        let endpoints: Vec<&str> = endpoints.iter().map(|allowed| allowed.path()).collect();
        Err(format!("Channel {channel} is not available here: connect to {}", endpoints.join(" or ")).into())
    }
}

/// The rooms that a message names, without duplicates. Their subjects may not exist.
fn rooms(
    endpoint: Endpoint,
    channel: Channel,
    caller: Option<&StreamCaller>,
    message: &ClientMessage,
) -> Result<ParsedItems<Room>, Fault> {
    let named = match channel {
        Channel::Activity => activity(message)?,
        Channel::Prices => each(events(channel, message)?, |event| Room::Prices { event }),
        Channel::Orderbook => {
            let currency = currency(message)?;
            each(required_markets(channel, message)?, |market| Room::Orderbook { market, currency })
        }
        Channel::UserTrades => {
            let named = message.user_id.as_deref().ok_or("userId is required to subscribe to user_trades")?;
            let user = id(named).ok_or("userId must be a UUID")?.to_exchange();
            vec![Ok(Room::UserTrades { user })]
        }
        Channel::Orders => {
            let user = own(caller.ok_or(AUTH_REQUIRED)?, channel, message)?;
            each(required_markets(channel, message)?, |market| Room::Orders { user, market })
        }
        Channel::AssetPrices => symbols(message)?,
        Channel::Games => games(message)?,
        Channel::Changes if endpoint == Endpoint::User => {
            let user = own(caller.ok_or(AUTH_REQUIRED)?, channel, message)?;
            vec![Ok(Room::AccountChanges { user })]
        }
        Channel::Changes => {
            let currency = currency(message)?.unwrap_or(Currency::Usd);
            each(required_markets(channel, message)?, |market| Room::MarketChanges { market, currency })
        }
    };
    let mut once = Vec::with_capacity(named.len());
    for room in named {
        if !once.contains(&room) {
            once.push(room);
        }
    }
    Ok(once)
}

fn each<T>(named: ParsedItems<T>, room: impl Fn(T) -> Room) -> ParsedItems<Room> {
    named.into_iter().map(|named| named.map(&room)).collect()
}

/// The sender's id. Refuses a message that names another user.
fn own(caller: &StreamCaller, channel: Channel, message: &ClientMessage) -> Result<UserId, Fault> {
    if message.user_id.as_deref().is_some_and(|named| id(named) != Some(caller.user.to_api())) {
        return Err(format!("userId is not yours: {channel} are for their owner alone").into());
    }
    Ok(caller.user)
}

/// Whole events, or some markets of a single event.
fn activity(message: &ClientMessage) -> Result<ParsedItems<Room>, Fault> {
    let (events, markets) = (events(Channel::Activity, message)?, markets(message)?);
    if markets.is_empty() {
        return Ok(each(events, |event| Room::Activity { event, market: None }));
    }
    match <[Result<EventId, Fault>; 1]>::try_from(events) {
        Ok([event]) => {
            let event = event?;
            Ok(each(markets, |market| Room::Activity { event, market: Some(market) }))
        }
        Err(_) => Err("One eventId alone goes with marketIds".into()),
    }
}

fn events(channel: Channel, message: &ClientMessage) -> Result<ParsedItems<EventId>, Fault> {
    let events = ids("eventId", EVENTS_MAX, message.event_id.as_deref(), message.event_ids.as_deref())?;
    if events.is_empty() {
        return Err(format!("eventId or eventIds are required to subscribe to {channel}").into());
    }
    Ok(events)
}

fn required_markets(channel: Channel, message: &ClientMessage) -> Result<ParsedItems<MarketId>, Fault> {
    let markets = markets(message)?;
    if markets.is_empty() {
        return Err(format!("marketIds are required to subscribe to {channel}").into());
    }
    Ok(markets)
}

fn markets(message: &ClientMessage) -> Result<ParsedItems<MarketId>, Fault> {
    ids("marketId", MARKETS_MAX, message.market_id.as_deref(), message.market_ids.as_deref())
}

/// The ids of a field and of the list field with the plural name.
fn ids<T>(key: &str, most: usize, one: Option<&str>, many: Option<&[String]>) -> Result<ParsedItems<T>, Fault>
where
    Uuid: ToExchange<T>,
{
    let many = many.unwrap_or_default();
    if many.len() > most {
        return Err(format!("At most {most} {key}s in one message").into());
    }
    let read = |named: &str, otherwise: String| {
        id(named).map(ToExchange::to_exchange).ok_or_else(|| Fault::from(otherwise))
    };
    let one = one.map(|named| read(named, format!("{key} must be a UUID")));
    let many = many.iter().map(|named| read(named, format!("{key}s must be UUIDs: {}", echo(named))));
    Ok(one.into_iter().chain(many).collect())
}

fn currency(message: &ClientMessage) -> Result<Option<Currency>, Fault> {
    let Some(named) = message.currency.as_deref() else { return Ok(None) };
    let found = terms::Currency::find_in_any_case(named);
    let currency = found.ok_or_else(|| format!("currency must be {}", terms::Currency::choices()))?;
    Ok(Some(currency.to_exchange()))
}

fn symbols(message: &ClientMessage) -> Result<ParsedItems<Room>, Fault> {
    let named = message.symbols.as_deref().unwrap_or_default();
    if named.is_empty() {
        return Err("Symbols required to subscribe to asset prices".into());
    }
    if named.len() > SYMBOLS_MAX {
        return Err(format!("At most {SYMBOLS_MAX} symbols in one message").into());
    }
    Ok(named.iter().map(|symbol| Ok(Room::AssetPrices { symbol: Text::from(symbol.as_str()) })).collect())
}

fn games(message: &ClientMessage) -> Result<ParsedItems<Room>, Fault> {
    let games = ids("gameId", GAMES_MAX, None, message.game_ids.as_deref())?;
    if games.is_empty() {
        return Err("gameIds are required to subscribe to games".into());
    }
    Ok(each(games, |game| Room::Game { game }))
}

/// The names of a room's subject that may be found in history.
pub(super) fn retired_names(room: &Room) -> Vec<RetiredName> {
    match room {
        Room::Activity { event, .. } | Room::Prices { event } => vec![RetiredName::Event(*event)],
        Room::Orderbook { market, .. } | Room::Orders { market, .. } | Room::MarketChanges { market, .. } => {
            vec![RetiredName::Market(*market)]
        }
        Room::UserTrades { .. }
        | Room::AssetPrices { .. }
        | Room::Game { .. }
        | Room::AccountChanges { .. }
        | Room::Access { .. } => Vec::new(),
    }
}

/// The error if a room's subject does not exist, in memory or on the shelf, or is not public.
pub(super) fn missing(app: &App, room: &Room, shelf: &Shelf) -> Option<Fault> {
    let exchange = app.reading().state();
    let either = |is_there: &dyn Fn(&Exchange) -> bool| is_there(&exchange) || is_there(shelf);
    let has_event = |id: EventId| either(&|exchange| event::find(exchange, id).is_some());
    let has_market = |id: MarketId| either(&|exchange| event::is_public_market(exchange, id));
    let lacks = match room {
        Room::Activity { event, .. } | Room::Prices { event } if !has_event(*event) => {
            format!("Event not found: {}", event.to_api())
        }
        Room::Activity { event, market: Some(market) }
            if !either(&|exchange| is_market_of(exchange, *market, *event)) =>
        {
            format!("Market not found in this event: {}", market.to_api())
        }
        Room::Orderbook { market, .. } | Room::Orders { market, .. } | Room::MarketChanges { market, .. }
            if !has_market(*market) =>
        {
            format!("Market not found: {}", market.to_api())
        }
        Room::UserTrades { user } if !is_trader(&exchange, *user) => {
            format!("User not found: {}", user.to_api())
        }
        Room::AssetPrices { symbol } if !app.feeds().is_priced(&exchange, symbol) => {
            format!("Unsupported symbol: {}", echo(symbol))
        }
        Room::Game { game } if !exchange.catalogue().sports().games.contains_key(game) => {
            format!("Game not found: {}", game.to_api())
        }
        _ => return None,
    };
    Some(Fault::about(&room.to_string(), lacks))
}

fn is_market_of(exchange: &Exchange, market: MarketId, event: EventId) -> bool {
    let catalogue = exchange.catalogue();
    let home = catalogue.find_market(market).map(|index| catalogue.market(index).event);
    home.is_some_and(|home| catalogue.event(home).id == event)
}

fn is_trader(exchange: &Exchange, user: UserId) -> bool {
    exchange.directory().find(user).is_some_and(|index| index != UserIndex::HOUSE)
}

fn id(text: &str) -> Option<Uuid> {
    api::identifier::parse(text).ok()
}
