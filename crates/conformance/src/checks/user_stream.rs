//! The stream of an account: every message carries its credentials.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::Probe;
use crate::shapes;

const SECTION: &str = "Streams, as public clients know them";
const USER: &str = "/ws/v1/user";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "user_stream.no_auth",
        section: SECTION,
        source: Source::PublicClients,
        title: "A message without auth, or with an unknown key, gets an error.",
        endpoints: &[],
        needs: Needs::Nothing,
        run: no_auth,
    },
    Check {
        id: "user_stream.orders",
        section: SECTION,
        source: Source::PublicClients,
        title: "The channel orders is acknowledged for the owner of a key.",
        endpoints: &[],
        needs: Needs::Key,
        run: orders,
    },
];

fn no_auth(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    let mut socket = probe.open(USER)?;
    let unknown = "pk_live_00000000000000000000000000000000";
    for message in [
        json!({"type": "subscribe", "channel": "orders", "marketIds": [market.id]}),
        json!({"type": "subscribe", "channel": "orders", "marketIds": [market.id], "auth": {"apiKey": unknown}}),
        json!({"type": "ping"}),
    ] {
        let answer = socket.ask(&message.to_string(), "error")?;
        probe.message(&format!("the answer to {message}"), &answer, &shapes::STREAM_ERROR);
    }
    Ok(())
}

fn orders(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, key) = (probe.book()?, probe.key()?);
    let mut socket = probe.open(USER)?;
    let auth = json!({"apiKey": key.public});
    let message = json!({"type": "subscribe", "channel": "orders", "marketIds": [market.id], "auth": auth});
    let answer = socket.ask(&message.to_string(), "subscribed")?;
    probe.message("subscribed", &answer, &shapes::SUBSCRIBED);
    let room = answer.text("room").unwrap_or_default();
    let fits = room.starts_with("orders:") && room.ends_with(market.id.as_str());
    probe.expect(fits, "subscribed.room", format!("orders:USER:{}", market.id), room);
    socket.ask(&json!({"type": "ping", "auth": auth}).to_string(), "pong")?;
    Ok(())
}
