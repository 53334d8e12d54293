//! Repeated batches under an `Idempotency-Key`.

use serde_json::{Value, json};

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::probe::{Probe, number, unknown_id};
use crate::shapes;
use crate::wire::{Answer, Call};

const SECTION: &str = "Limits: Idempotency";
const PLACE: &[&str] = &["POST /v1/pm/orders/batch"];
const CANCEL: &[&str] = &["DELETE /v1/pm/orders/batch"];

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "idempotency.replay",
        section: SECTION,
        title: "A repeated batch gets the first answer, marked as a replay.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: replay,
    },
    Check {
        id: "idempotency.other_body",
        section: SECTION,
        title: "A key that is used again with another body is 422 unprocessable_entity.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: other_body,
    },
    Check {
        id: "idempotency.malformed",
        section: SECTION,
        title: "A key of more than 255 characters, or of others than letters, digits, _ and -, is refused.",
        endpoints: CANCEL,
        needs: Needs::Key,
        run: malformed,
    },
    Check {
        id: "idempotency.place",
        section: SECTION,
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
    probe.expect(first.body == again.body, &again.request, first.shown(), again.shown());
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
    probe.refused(&other, &[422], Some("unprocessable_entity"));
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
    probe.bind(market.minimum)?;
    let body = json!({"orders": [{
        "outcomeId": market.outcomes[0], "side": "BUY", "type": "LIMIT", "price": 0.01,
        "amount": number(market.minimum),
    }]});
    let key = unknown_id();
    let first = send(probe, "POST", &key, &body)?;
    probe.succeeded(&first, &shapes::PLACED_BATCH)?;
    let id = first.value().text("results/0/order/id").unwrap_or_default().to_owned();
    probe.opened(&id, false);
    let again = send(probe, "POST", &key, &body)?;
    compare_replay(probe, &first, &again);
    if let Some(other) = again.value().text("results/0/order/id").filter(|other| *other != id) {
        probe.opened(other, false);
    }
    let listed = probe.read(&format!("/v1/pm/orders?status=open&marketId={}&size=100", market.id))?;
    let at_a_cent = |order: &&crate::json::Json| order.decimal("price") == Some(Decimal::hundredths(1));
    let count = listed.value().list("orders").iter().filter(at_a_cent).count();
    probe.expect(count == 1, &listed.request, "1 order at 0.01", count.to_string());
    probe.unrest(market, &id)?;
    Ok(())
}
