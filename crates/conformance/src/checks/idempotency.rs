//! Repeated batches under an `Idempotency-Key`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::{Probe, number, unknown_id};
use crate::shapes;
use crate::wire::{Answer, Call};
use crate::world::{Market, rows};

const SECTION: &str = "Limits: Idempotency";
const PLACE: &[&str] = &["POST /v1/pm/orders/batch"];
const CANCEL: &[&str] = &["DELETE /v1/pm/orders/batch"];

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "idempotency.replay",
        section: SECTION,
        source: Source::Specification,
        title: "A repeated batch gets the first answer, marked as a replay.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: replay,
    },
    Check {
        id: "idempotency.other_body",
        section: SECTION,
        source: Source::Specification,
        title: "A key that is used again with another body is 422.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: other_body,
    },
    Check {
        id: "idempotency.malformed",
        section: SECTION,
        source: Source::Specification,
        title: "A key of more than 255 characters, or of others than letters, digits, _ and -, is refused.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: malformed,
    },
    Check {
        id: "idempotency.place",
        section: SECTION,
        source: Source::PublicClients,
        title: "A repeated batch places its order once.",
        endpoints: PLACE,
        needs: Needs::Money("places a limit order at 0.01 twice under one key, and cancels the one order"),
        run: place,
    },
];

fn send(probe: &mut Probe<'_>, method: &str, key: &str, body: &Value) -> Result<Answer, Stop> {
    let text = body.to_string();
    let call = Call::new(method, "/v1/pm/orders/batch").body(&text).signed(probe.key()?);
    probe.send(&call.header("Idempotency-Key", key))
}

/// Compares a replay with the first answer.
fn compare_replay(probe: &mut Probe<'_>, first: &Answer, again: &Answer) {
    probe.status(again, first.status);
    let header = again.header("idempotent-replayed").unwrap_or("absent").to_owned();
    probe.expect(header == "true", format!("{}: Idempotent-Replayed", again.request), "true", header);
    let is_first = first.header("idempotent-replayed").is_none_or(|value| value != "true");
    probe.expect(
        is_first,
        format!("{}: Idempotent-Replayed", first.request),
        "not on the first answer",
        "true",
    );
    probe.expect(first.json == again.json, &again.request, first.shown(), again.shown());
}

fn replay(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, body) = (unknown_id(), json!({"orderIds": [unknown_id()]}));
    let first = send(probe, "DELETE", &key, &body)?;
    probe.succeeded(&first, &shapes::CANCELLED_BATCH)?;
    let again = send(probe, "DELETE", &key, &body)?;
    compare_replay(probe, &first, &again);
    Ok(())
}

fn other_body(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let key = unknown_id();
    let first = send(probe, "DELETE", &key, &json!({"orderIds": [unknown_id()]}))?;
    probe.need(&first, 200)?;
    let other = send(probe, "DELETE", &key, &json!({"orderIds": [unknown_id()]}))?;
    probe.refused(&other, &[422], None);
    Ok(())
}

fn malformed(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for key in ["x".repeat(256), "not allowed".to_owned(), "a.b".to_owned()] {
        let mut answer = send(probe, "DELETE", &key, &json!({"orderIds": [unknown_id()]}))?;
        answer.request = format!("{} with a key of {} characters", answer.request, key.len());
        probe.refused(&answer, &[400, 422], None);
    }
    Ok(())
}

fn place(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    // A server that ignores the key places two orders.
    probe.bind(market.minimum + market.minimum)?;
    let before = open_ids(probe, market)?;
    let body = json!({"orders": [{
        "outcomeId": market.outcomes[0], "side": "BUY", "type": "LIMIT", "price": 0.01,
        "amount": number(market.minimum),
    }]});
    let key = unknown_id();
    let first = send(probe, "POST", &key, &body)?;
    probe.ledger.note_orders(&first, false);
    if !first.is_success() {
        probe.release(market.minimum + market.minimum);
    }
    probe.succeeded(&first, &shapes::PLACED_BATCH)?;
    let id = first.value().text("results/0/order/id").unwrap_or_default().to_owned();
    let again = send(probe, "POST", &key, &body)?;
    probe.ledger.note_orders(&again, false);
    compare_replay(probe, &first, &again);
    let after = open_ids(probe, market)?;
    let new: Vec<&String> = after.difference(&before).collect();
    let is_one = new == [&id];
    probe.expect(is_one, "new open orders of the market", format!("only {id}"), format!("{new:?}"));
    if is_one {
        probe.release(market.minimum);
    }
    probe.unrest(market, &id)?;
    Ok(())
}

/// The caller's open orders in a market.
fn open_ids(probe: &Probe<'_>, market: &Market) -> Result<BTreeSet<String>, Stop> {
    let listed = probe.read(&format!("/v1/pm/orders?status=open&marketId={}&size=100", market.id))?;
    if listed.status != 200 {
        return Err(Stop::not_tried(format!("open orders cannot be listed: {}", listed.shown())));
    }
    let orders = rows(listed.value(), "orders").iter();
    Ok(orders.filter_map(|order| order.text("id").map(str::to_owned)).collect())
}
