//! Batches: place, amend, cancel.

use serde_json::{Value, json};

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, number, unknown_id};
use crate::shapes;
use crate::wire::Answer;
use crate::world::Market;

const SECTION: &str = "Endpoints: Quote and orders";
const PLACE: &str = "POST /v1/pm/orders/batch";
const AMEND: &str = "POST /v1/pm/orders/batch/amend";
const CANCEL: &str = "DELETE /v1/pm/orders/batch";

const fn batch(
    id: &'static str,
    endpoints: &'static [&'static str],
    needs: Needs,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section: SECTION, source: Source::Specification, title, endpoints, needs, run }
}

/// A rule about items or answers that the specification does not show.
const fn hidden(
    id: &'static str,
    endpoints: &'static [&'static str],
    needs: Needs,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { source: Source::PublicClients, ..batch(id, endpoints, needs, title, run) }
}

pub(super) const CHECKS: &[Check] = &[
    batch(
        "batches.cancel",
        &[CANCEL],
        Needs::Money("places two limit orders at 0.01, and cancels them in a batch"),
        "Ids of a batch cancel are decided one by one, and answered in their order.",
        cancel,
    ),
    hidden(
        "batches.place",
        &[PLACE, CANCEL],
        Needs::Money("places two limit orders at 0.01 in a batch, and cancels them in a batch"),
        "Items of a batch are decided one by one, and answered in their order.",
        place_and_cancel,
    ),
    hidden(
        "batches.amend",
        &[AMEND],
        Needs::Money("places a limit order at 0.01, amends it to 0.02, and cancels it"),
        "An amend changes price and size; an omitted field keeps its value.",
        amend,
    ),
    batch(
        "batches.cancel_unknown",
        &[CANCEL],
        Needs::Key,
        "Unknown orders fail with ORDER_NOT_FOUND.",
        cancel_unknown,
    ),
    hidden(
        "batches.amend_unknown",
        &[AMEND],
        Needs::Key,
        "Amends of unknown orders fail one by one.",
        amend_unknown,
    ),
    Check {
        section: "Errors",
        ..batch(
            "batches.cancel_bounds",
            &[CANCEL],
            Needs::Key,
            "A batch cancel of 0, of 101 or of malformed ids is 400 bad_request.",
            cancel_bounds,
        )
    },
    Check {
        section: "Errors",
        ..batch(
            "batches.item_bounds",
            &[PLACE, AMEND],
            Needs::Key,
            "A batch of more than 20 items to place or amend is 400.",
            item_bounds,
        )
    },
    hidden(
        "batches.empty",
        &[PLACE, AMEND],
        Needs::Key,
        "A batch of no items to place or amend is 400.",
        empty,
    ),
    hidden(
        "batches.twenty",
        &[PLACE, AMEND],
        Needs::Key,
        "A batch of 20 items to place or amend is accepted, and each unknown item fails.",
        twenty,
    ),
];

const CENT: Decimal = Decimal::hundredths(1);

/// Compares a summary with the results above it.
fn compare_summary(probe: &mut Probe<'_>, place: &str, value: &Json, succeeded: i64, failed: i64) {
    for (name, count) in [("total", succeeded + failed), ("succeeded", succeeded), ("failed", failed)] {
        probe.number_is(place, value, &format!("summary/{name}"), Decimal::whole(count));
    }
}

fn cancel(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let order = probe.rest(market, CENT, &json!({}))?;
        ids.push(order.text("id").unwrap_or_default().to_owned());
    }
    cancel_all(probe, market, &ids)
}

/// Cancels orders in a batch, with an unknown id as the second.
fn cancel_all(probe: &mut Probe<'_>, market: &Market, ids: &[String]) -> Result<(), Stop> {
    let unknown = unknown_id();
    let mut wanted: Vec<&str> = ids.iter().map(String::as_str).collect();
    wanted.insert(wanted.len().min(1), &unknown);
    let cancelled = probe.write("DELETE", "/v1/pm/orders/batch", &json!({"orderIds": wanted}))?;
    probe.succeeded(&cancelled, &shapes::CANCELLED_BATCH)?;
    let count = i64::try_from(ids.len()).unwrap_or_default();
    compare_summary(probe, &cancelled.request, cancelled.value(), count, 1);
    for (index, id) in wanted.iter().enumerate() {
        probe.text_is(&cancelled.request, cancelled.value(), &format!("results/{index}/orderId"), id);
        let succeeded = cancelled.value().boolean(&format!("results/{index}/success"));
        if succeeded == Some(true) {
            probe.closed(id);
            probe.release(market.minimum);
        }
        let (what, seen) =
            (format!("{}: results[{index}].success", cancelled.request), format!("{succeeded:?}"));
        let expected = *id != unknown;
        probe.expect(succeeded == Some(expected), what, expected.to_string(), seen);
    }
    let code = format!("results/{}/error/code", ids.len().min(1));
    probe.text_is(&cancelled.request, cancelled.value(), &code, "ORDER_NOT_FOUND");
    Ok(())
}

fn place_and_cancel(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    // The second lacks its price, and a server that places it nevertheless binds a third amount.
    let bound = market.minimum + market.minimum + market.minimum;
    probe.bind(bound)?;
    let item = |price: Option<Value>| {
        let mut item = json!({
            "outcomeId": market.outcomes[0], "side": "BUY", "type": "LIMIT", "amount": number(market.minimum),
            "currency": "USD",
        });
        if let Some(price) = price {
            item["price"] = price;
        }
        item
    };
    let body = json!({"orders": [item(Some(json!(0.01))), item(None), item(Some(json!(0.01)))]});
    let placed = probe.place(false, "/v1/pm/orders/batch", &body)?;
    if !placed.is_success() {
        probe.release(bound);
    }
    probe.succeeded(&placed, &shapes::PLACED_BATCH)?;
    let ids: Vec<String> = placed
        .value()
        .list("results")
        .iter()
        .filter_map(|result| result.text("order/id").map(str::to_owned))
        .collect();
    if ids.len() < 3 {
        probe.release(market.minimum);
    }
    compare_summary(probe, &placed.request, placed.value(), 2, 1);
    for (index, expected) in [(0, true), (1, false), (2, true)] {
        let seen = placed.value().boolean(&format!("results/{index}/success"));
        let what = format!("{}: results[{index}].success", placed.request);
        probe.expect(seen == Some(expected), what, expected.to_string(), format!("{seen:?}"));
        probe.number_is(
            &placed.request,
            placed.value(),
            &format!("results/{index}/index"),
            Decimal::whole(index),
        );
    }
    probe.text_is(&placed.request, placed.value(), "results/1/error/code", "BAD_REQUEST");
    cancel_all(probe, market, &ids)
}

fn amend(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let size = order.decimal("size").unwrap_or_default();
    // Half the size at twice the price needs as much money as before.
    let half = size.divided_by(Decimal::whole(2)).unwrap_or_default();
    let smaller = json!({"items": [{"orderId": id, "newPrice": 0.02, "newSize": number(half)}]});
    let answer = probe.write("POST", "/v1/pm/orders/batch/amend", &smaller)?;
    probe.succeeded(&answer, &shapes::AMENDED_BATCH)?;
    compare_summary(probe, &answer.request, answer.value(), 1, 0);
    let amended = answer.value().at("results/0/order").cloned().unwrap_or(Json::Null);
    probe.text_is(&answer.request, &amended, "id", &id);
    probe.number_is(&answer.request, &amended, "price", Decimal::hundredths(2));
    probe.number_is(&answer.request, &amended, "size", half);
    probe.number_is(&answer.request, &amended, "remainingSize", half);
    // Back to where it was, so no money is added; then the price alone, and the size stays.
    let back = json!({"items": [{"orderId": id, "newSize": number(size), "newPrice": 0.01}]});
    let answer = probe.write("POST", "/v1/pm/orders/batch/amend", &back)?;
    probe.succeeded(&answer, &shapes::AMENDED_BATCH)?;
    probe.number_is(&answer.request, answer.value(), "results/0/order/size", size);
    let same = json!({"items": [{"orderId": id, "newPrice": 0.01}]});
    let answer = probe.write("POST", "/v1/pm/orders/batch/amend", &same)?;
    probe.succeeded(&answer, &shapes::AMENDED_BATCH)?;
    probe.number_is(&answer.request, answer.value(), "results/0/order/size", size);
    let neither = probe.write("POST", "/v1/pm/orders/batch/amend", &json!({"items": [{"orderId": id}]}))?;
    probe.succeeded(&neither, &shapes::AMENDED_BATCH)?;
    probe.text_is(&neither.request, neither.value(), "results/0/error/code", "BAD_REQUEST");
    probe.unrest(market, &id)?;
    Ok(())
}

fn cancel_unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let ids = [unknown_id(), unknown_id()];
    let answer = probe.write("DELETE", "/v1/pm/orders/batch", &json!({"orderIds": ids}))?;
    probe.succeeded(&answer, &shapes::CANCELLED_BATCH)?;
    compare_summary(probe, &answer.request, answer.value(), 0, 2);
    for (index, id) in ids.iter().enumerate() {
        probe.text_is(&answer.request, answer.value(), &format!("results/{index}/orderId"), id);
        probe.text_is(
            &answer.request,
            answer.value(),
            &format!("results/{index}/error/code"),
            "ORDER_NOT_FOUND",
        );
    }
    Ok(())
}

fn amend_unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let body = json!({"items": [{"orderId": unknown_id(), "newPrice": 0.5}]});
    let answer = probe.write("POST", "/v1/pm/orders/batch/amend", &body)?;
    probe.succeeded(&answer, &shapes::AMENDED_BATCH)?;
    compare_summary(probe, &answer.request, answer.value(), 0, 1);
    probe.text_is(&answer.request, answer.value(), "results/0/error/code", "ORDER_NOT_FOUND");
    Ok(())
}

fn cancel_bounds(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let many: Vec<String> = (0..101).map(|_| unknown_id()).collect();
    for (name, body) in [
        ("no ids", json!({"orderIds": []})),
        ("101 ids", json!({"orderIds": many})),
        ("a malformed id", json!({"orderIds": ["not-an-id"]})),
        ("no orderIds", json!({})),
    ] {
        let mut answer = probe.write("DELETE", "/v1/pm/orders/batch", &body)?;
        answer.request = format!("{} with {name}", answer.request);
        probe.refused(&answer, &[400], Some("bad_request"));
    }
    Ok(())
}

/// A batch of `count` unknown items on both routes. Nothing is placed or amended.
fn send_items(probe: &Probe<'_>, count: usize) -> Result<[Answer; 2], Stop> {
    let order =
        json!({"outcomeId": unknown_id(), "side": "BUY", "type": "LIMIT", "amount": 5, "price": 0.01});
    let amend = json!({"orderId": unknown_id(), "newPrice": 0.5});
    let send = |path: &str, name: &str, item: Value| {
        let mut answer = probe.write("POST", path, &json!({name: vec![item; count]}))?;
        answer.request = format!("{} with {count} items", answer.request);
        Ok::<_, Stop>(answer)
    };
    Ok([send("/v1/pm/orders/batch", "orders", order)?, send("/v1/pm/orders/batch/amend", "items", amend)?])
}

fn item_bounds(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in send_items(probe, 21)? {
        probe.refused(&answer, &[400], None);
    }
    Ok(())
}

fn empty(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for answer in send_items(probe, 0)? {
        probe.refused(&answer, &[400], None);
    }
    Ok(())
}

fn twenty(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for (answer, kind) in send_items(probe, 20)?.iter().zip([&shapes::PLACED_BATCH, &shapes::AMENDED_BATCH]) {
        probe.succeeded(answer, kind)?;
        compare_summary(probe, &answer.request, answer.value(), 0, 20);
        let count = answer.value().list("results").len();
        probe.expect(count == 20, &answer.request, "20 results", count.to_string());
    }
    Ok(())
}
