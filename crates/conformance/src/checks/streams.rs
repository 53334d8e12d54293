//! The public streams: greeting, subscriptions, messages, errors.
//!
//! The specification shows no streams, so these are the facts that public clients of this API rely on.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::Probe;
use crate::shapes;
use crate::socket::{PATIENCE, Socket};

const SECTION: &str = "Streams, as public clients know them";
const MARKETS: &str = "/ws/v1/markets";
const REALTIME: &str = "/ws/v1/realtime";

const fn streaming(
    id: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (source, needs) = (Source::PublicClients, Needs::Nothing);
    Check { id, section: SECTION, source, title, endpoints: &[], needs, run }
}

pub(super) const CHECKS: &[Check] = &[
    streaming("streams.connected", "Each of the three streams greets a connection.", connected),
    streaming("streams.ping", "A ping gets a pong.", ping),
    streaming("streams.prices", "The channel prices is acknowledged and sends price_update.", prices),
    streaming("streams.books", "The channel orderbook is acknowledged and sends orderbook_update.", books),
    streaming("streams.activity", "The channel activity is acknowledged with its room.", activity),
    streaming("streams.unsubscribe", "A room is left with unsubscribe.", unsubscribe),
    streaming("streams.assets", "The channel asset_prices is acknowledged and sends asset_price.", assets),
    streaming("streams.errors", "A wrong message gets an error, and the connection stays open.", errors),
    Check {
        needs: Needs::Money("places a limit order at 0.01 that rests, and cancels it"),
        ..streaming("streams.book_change", "A book is sent again when it has changed.", book_change)
    },
];

/// Connects and takes the greeting.
fn greeted<'a>(probe: &mut Probe<'a>, path: &str) -> Result<Socket<'a>, Stop> {
    let mut socket = probe.open(path)?;
    match socket.hear(PATIENCE)? {
        Some(greeting) => probe.message(&format!("{path}: the first message"), &greeting, &shapes::CONNECTED),
        None => probe.differ(path, "a message connected", "nothing within 10 seconds"),
    }
    Ok(socket)
}

/// Subscribes, and compares the room of the answer.
fn subscribe(probe: &mut Probe<'_>, socket: &mut Socket<'_>, message: &str, room: &str) -> Result<(), Stop> {
    let answer = socket.ask(message, "subscribed")?;
    let place = format!("{}: subscribed", socket.path());
    probe.message(&place, &answer, &shapes::SUBSCRIBED);
    let seen = answer.text("room").unwrap_or_default();
    let fits = seen == room || seen.starts_with(&format!("{room}:"));
    probe.expect(fits, format!("{place}.room"), room, seen);
    Ok(())
}

fn connected(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in [MARKETS, "/ws/v1/user", REALTIME] {
        greeted(probe, path)?;
    }
    Ok(())
}

fn ping(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for path in [MARKETS, REALTIME] {
        let mut socket = greeted(probe, path)?;
        let pong = socket.ask(r#"{"type":"ping"}"#, "pong")?;
        probe.message(&format!("{path}: pong"), &pong, &shapes::PONG);
    }
    Ok(())
}

fn prices(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let mut socket = greeted(probe, MARKETS)?;
    let message = json!({"type": "subscribe", "channel": "prices", "eventId": market.event});
    subscribe(probe, &mut socket, &message.to_string(), &format!("prices:{}", market.event))?;
    match socket.hear_type(PATIENCE, "price_update")? {
        Some(update) => {
            probe.message("price_update", &update, &shapes::PRICE_UPDATE);
            probe.text_is("price_update", &update, "data/id", &market.event);
            Ok(())
        }
        None => Err(Stop::not_tried("subscribed, but no price changed within 10 seconds")),
    }
}

fn books(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let mut socket = greeted(probe, MARKETS)?;
    let message = json!({"type": "subscribe", "channel": "orderbook", "marketIds": [market.id]});
    subscribe(probe, &mut socket, &message.to_string(), &format!("orderbook:{}", market.id))?;
    match socket.hear_type(PATIENCE, "orderbook_update")? {
        Some(update) => {
            probe.message("orderbook_update", &update, &shapes::BOOK_UPDATE);
            probe.text_is("orderbook_update", &update, "data/orderbook/marketId", &market.id);
            Ok(())
        }
        None => Err(Stop::not_tried("subscribed, but no book changed within 10 seconds")),
    }
}

fn activity(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let mut socket = greeted(probe, MARKETS)?;
    let all = json!({"type": "subscribe", "channel": "activity", "eventId": market.event});
    subscribe(probe, &mut socket, &all.to_string(), &format!("activity:{}", market.event))?;
    let one = json!({
        "type": "subscribe", "channel": "activity", "eventId": market.event, "marketId": market.id,
    });
    subscribe(probe, &mut socket, &one.to_string(), &format!("activity:{}:{}", market.event, market.id))
}

fn unsubscribe(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let mut socket = greeted(probe, MARKETS)?;
    let room = format!("prices:{}", market.event);
    let message = json!({"type": "subscribe", "channel": "prices", "eventId": market.event});
    subscribe(probe, &mut socket, &message.to_string(), &room)?;
    let message = json!({"type": "unsubscribe", "room": room}).to_string();
    let answer = socket.ask(&message, "unsubscribed")?;
    probe.message("unsubscribed", &answer, &shapes::UNSUBSCRIBED);
    probe.text_is("unsubscribed", &answer, "room", &room);
    Ok(())
}

fn assets(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let symbol = "BTCUSDT";
    let mut socket = greeted(probe, REALTIME)?;
    socket.say(&json!({"type": "subscribe", "channel": "asset_prices", "symbols": [symbol]}).to_string())?;
    let answered = |message: &Json| matches!(message.text("type"), Some("subscribed" | "error"));
    let Some(answer) = socket.hear_until(PATIENCE, answered)? else {
        probe.differ(REALTIME, "subscribed or error", "nothing within 10 seconds");
        return Ok(());
    };
    if answer.text("type") == Some("error") {
        probe.message("error", &answer, &shapes::STREAM_ERROR);
        return Err(Stop::not_tried(format!("the server has no prices of {symbol}")));
    }
    probe.message("subscribed", &answer, &shapes::SUBSCRIBED);
    probe.text_is("subscribed", &answer, "room", &format!("asset_prices:{symbol}"));
    match socket.hear_type(PATIENCE, "asset_price")? {
        Some(price) => {
            probe.message("asset_price", &price, &shapes::ASSET_PRICE);
            Ok(())
        }
        None => Err(Stop::not_tried("subscribed, but no price came within 10 seconds")),
    }
}

fn errors(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let mut socket = greeted(probe, MARKETS)?;
    for message in [
        "{",
        r#"{"type":"no-such-type"}"#,
        r#"{"type":"subscribe","channel":"no-such-channel"}"#,
        r#"{"type":"subscribe","channel":"prices"}"#,
        r#"{"type":"subscribe","channel":"asset_prices","symbols":["BTCUSDT"]}"#,
    ] {
        let answer = socket.ask(message, "error")?;
        probe.message(&format!("the answer to {message}"), &answer, &shapes::STREAM_ERROR);
    }
    socket.ask(r#"{"type":"ping"}"#, "pong")?;
    Ok(())
}

fn book_change(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let mut socket = greeted(probe, MARKETS)?;
    let message = json!({"type": "subscribe", "channel": "orderbook", "marketIds": [market.id]});
    subscribe(probe, &mut socket, &message.to_string(), &format!("orderbook:{}", market.id))?;
    let order = probe.rest(market, Decimal::hundredths(1), &json!({}))?;
    let size = order.decimal("size").unwrap_or_default();
    let has_bid = |message: &Json| {
        let bids = message.list("data/orderbook/bids").iter();
        let at_a_cent = bids.filter(|level| level.decimal("price") == Some(Decimal::hundredths(1)));
        message.text("data/orderbook/outcomeId") == Some(market.outcomes[0].as_str())
            && at_a_cent.filter_map(|level| level.decimal("quantity")).any(|quantity| quantity >= size)
    };
    let update = socket.hear_until(PATIENCE, has_bid)?;
    probe.unrest(market, order.text("id").unwrap_or_default())?;
    if let Some(update) = update {
        probe.message("orderbook_update", &update, &shapes::BOOK_UPDATE);
        return Ok(());
    }
    let books = probe.get(&format!("/v1/pm/books?outcomeId[]={}&depth=10", market.outcomes[0]))?;
    if books.value().list("0/bids").len() >= 10 {
        return Err(Stop::not_tried("the book has ten bids or more, and a stream may show no others"));
    }
    probe.differ(MARKETS, "a book with the new bid at 0.01", "nothing within 10 seconds");
    Ok(())
}
