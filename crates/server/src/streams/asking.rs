//! What a client's message asks for, or one sentence about what is wrong with it.

use api::Word;
use api::stream::{Channel, ClientMessage};
use api::terms;
use exchange::Exchange;
use exchange::id::{EventId, MarketId, UserId};
use exchange::index::UserIndex;
use exchange::numbers::Currency;
use exchange::text::Text;
use uuid::Uuid;

use super::access::{AUTH_REQUIRED, Caller};
use super::room::{Endpoint, Room};
use crate::app::App;
use crate::view::event;
use crate::view::words::ToExchange;

/// Markets in one message. Public clients know this bound.
const MARKETS_MAX: usize = 10;
const SYMBOLS_MAX: usize = 50;
/// What of a wrong word is said back.
const ECHO_CHARACTERS_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// With the last sequence that the client has of these rooms.
    Subscribe(Vec<Room>, Option<u64>),
    /// By the room's name.
    Unsubscribe(String),
    CancelOnDisconnect(bool),
    Ping,
}

/// Reads a message that came in at an endpoint. `caller` is who sent it, where that is asked for.
pub(super) fn asked(
    app: &App,
    endpoint: Endpoint,
    caller: Option<&Caller>,
    message: &ClientMessage,
) -> Result<Asked, String> {
    match message.message_type.as_deref() {
        Some("ping") => Ok(Asked::Ping),
        Some("subscribe") => {
            let rooms = rooms(app, channel(endpoint, message)?, caller, message)?;
            Ok(Asked::Subscribe(rooms, message.resume_from))
        }
        Some("unsubscribe") => {
            let room = message.room.clone().filter(|room| !room.is_empty());
            room.map(Asked::Unsubscribe).ok_or_else(|| "Room name is required".to_owned())
        }
        Some("cancelOnDisconnect") => cancel_on_disconnect(endpoint, message).map(Asked::CancelOnDisconnect),
        Some(other) => Err(format!("Unknown message type: {}", echo(other))),
        None => {
            Err("Message type is required: subscribe, unsubscribe, cancelOnDisconnect or ping".to_owned())
        }
    }
}

/// Only where it is known whose orders these are.
fn cancel_on_disconnect(endpoint: Endpoint, message: &ClientMessage) -> Result<bool, String> {
    if endpoint != Endpoint::User {
        let door = Endpoint::User.path();
        return Err(format!("cancelOnDisconnect is not available here: connect to {door}"));
    }
    message.enabled.ok_or_else(|| "enabled is required: true or false".to_owned())
}

/// So much of what a client wrote as is good to say back.
pub(super) fn echo(text: &str) -> String {
    text.chars().take(ECHO_CHARACTERS_MAX).collect()
}

fn channel(endpoint: Endpoint, message: &ClientMessage) -> Result<Channel, String> {
    let named = message.channel.as_deref().ok_or("Channel is required to subscribe")?;
    let channel = Channel::find(named).ok_or_else(|| format!("Unknown channel: {}", echo(named)))?;
    let doors = Endpoint::of(channel);
    if doors.contains(&endpoint) {
        Ok(channel)
    } else {
        let doors: Vec<&str> = doors.iter().map(|door| door.path()).collect();
        Err(format!("Channel {channel} is not available here: connect to {}", doors.join(" or ")))
    }
}

fn rooms(
    app: &App,
    channel: Channel,
    caller: Option<&Caller>,
    message: &ClientMessage,
) -> Result<Vec<Room>, String> {
    match channel {
        Channel::Activity => activity(&app.shared.read(), message).map(|room| vec![room]),
        Channel::Prices => {
            let event = public_event(&app.shared.read(), channel, message)?;
            Ok(vec![Room::Prices { event }])
        }
        Channel::Orderbook => {
            let currency = currency(message)?;
            let markets = markets(&app.shared.read(), channel, message)?;
            Ok(markets.into_iter().map(|market| Room::Orderbook { market, currency }).collect())
        }
        Channel::UserTrades => user_trades(&app.shared.read(), message).map(|room| vec![room]),
        Channel::Orders => {
            let user = own(caller.ok_or(AUTH_REQUIRED)?, channel, message)?;
            let markets = markets(&app.shared.read(), channel, message)?;
            Ok(markets.into_iter().map(|market| Room::Orders { user, market }).collect())
        }
        Channel::AssetPrices => asset_prices(app, message),
        Channel::Changes => match caller {
            Some(caller) => {
                let user = own(caller, channel, message)?;
                Ok(vec![Room::AccountChanges { user }])
            }
            None => {
                let currency = currency(message)?.unwrap_or(Currency::Usd);
                let markets = markets(&app.shared.read(), channel, message)?;
                Ok(markets.into_iter().map(|market| Room::MarketChanges { market, currency }).collect())
            }
        },
    }
}

/// Whom a message is about: the one who sent it, whoever else it names.
fn own(caller: &Caller, channel: Channel, message: &ClientMessage) -> Result<UserId, String> {
    let user = caller.user;
    if message.user_id.as_deref().is_some_and(|named| id(named) != Some(user_id(user))) {
        return Err(format!("userId is not yours: {channel} are for their owner alone"));
    }
    Ok(user)
}

fn activity(exchange: &Exchange, message: &ClientMessage) -> Result<Room, String> {
    let event = public_event(exchange, Channel::Activity, message)?;
    let Some(named) = message.market_id.as_deref() else { return Ok(Room::Activity { event, market: None }) };
    let market = MarketId::new(uuid("marketId", named)?.as_u128());
    let catalogue = exchange.catalogue();
    let is_there = catalogue.find_market(market).is_some_and(|index| {
        let home = catalogue.market(index).event;
        catalogue.event(home).id == event
    });
    if is_there {
        Ok(Room::Activity { event, market: Some(market) })
    } else {
        Err("Market not found in this event".to_owned())
    }
}

fn public_event(exchange: &Exchange, channel: Channel, message: &ClientMessage) -> Result<EventId, String> {
    let named = message.event_id.as_deref();
    let named = named.ok_or_else(|| format!("eventId is required to subscribe to {channel}"))?;
    let event: EventId = uuid("eventId", named)?.to_exchange();
    match event::find(exchange, event) {
        Some(_) => Ok(event),
        None => Err("Event not found".to_owned()),
    }
}

/// At least one, each once.
fn markets(exchange: &Exchange, channel: Channel, message: &ClientMessage) -> Result<Vec<MarketId>, String> {
    let named = message.market_ids.as_deref().unwrap_or_default();
    if named.is_empty() {
        return Err(format!("marketIds are required to subscribe to {channel}"));
    }
    if named.len() > MARKETS_MAX {
        return Err(format!("At most {MARKETS_MAX} marketIds in one message"));
    }
    let mut markets = Vec::with_capacity(named.len());
    for named in named {
        let market: MarketId = uuid("marketIds", named)?.to_exchange();
        if !event::is_public_market(exchange, market) {
            return Err(format!("Market not found: {}", echo(named)));
        }
        if !markets.contains(&market) {
            markets.push(market);
        }
    }
    Ok(markets)
}

fn currency(message: &ClientMessage) -> Result<Option<Currency>, String> {
    let Some(named) = message.currency.as_deref() else { return Ok(None) };
    let found = terms::Currency::find_in_any_case(named);
    let currency = found.ok_or_else(|| format!("currency must be {}", terms::Currency::choices()))?;
    Ok(Some(currency.to_exchange()))
}

fn user_trades(exchange: &Exchange, message: &ClientMessage) -> Result<Room, String> {
    let named = message.user_id.as_deref().ok_or("userId is required to subscribe to user_trades")?;
    let user: UserId = uuid("userId", named)?.to_exchange();
    match exchange.directory().find(user) {
        Some(index) if index != UserIndex::HOUSE => Ok(Room::UserTrades { user }),
        _ => Err("User not found".to_owned()),
    }
}

fn asset_prices(app: &App, message: &ClientMessage) -> Result<Vec<Room>, String> {
    let named = message.symbols.as_deref().unwrap_or_default();
    if named.is_empty() {
        return Err("Symbols required to subscribe to asset prices".to_owned());
    }
    if named.len() > SYMBOLS_MAX {
        return Err(format!("At most {SYMBOLS_MAX} symbols in one message"));
    }
    let mut rooms = Vec::with_capacity(named.len());
    for symbol in named {
        let room = Room::AssetPrices { symbol: Text::from(symbol.as_str()) };
        if !is_priced(app, symbol) {
            return Err(format!("Unsupported symbol: {}", echo(symbol)));
        }
        if !rooms.contains(&room) {
            rooms.push(room);
        }
    }
    Ok(rooms)
}

/// Whether a feed brings it, a series needs it, or it was there before.
fn is_priced(app: &App, symbol: &str) -> bool {
    let is_fed = app.feeds.all().iter().any(|feed| *feed.settings.symbol == *symbol);
    let exchange = app.shared.read();
    let catalogue = exchange.catalogue();
    is_fed
        || catalogue.assets().contains_key(&Text::from(symbol))
        || catalogue.series().any(|series| *series.terms.asset_symbol == *symbol)
}

fn uuid(field: &str, text: &str) -> Result<Uuid, String> {
    id(text).ok_or_else(|| format!("{field} must be a UUID"))
}

fn id(text: &str) -> Option<Uuid> {
    api::identifier::parse(text).ok()
}

const fn user_id(user: UserId) -> Uuid {
    Uuid::from_u128(user.as_u128())
}
