//! The life of a single order, and refusals of placements.

use serde_json::{Value, json};

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, number, unknown_id};
use crate::shapes;

const SECTION: &str = "Endpoints: Quote and orders";
const PLACE: &str = "POST /v1/pm/events/{eventId}/markets/{marketId}/orders";
const CANCEL: &str = "DELETE /v1/pm/orders/{orderId}";
const GET: &str = "GET /v1/pm/orders/{orderId}";
const LIST: &str = "GET /v1/pm/orders";

const RESTS: &str = "places a limit order at 0.01 that rests, and cancels it";

const fn ordering(
    id: &'static str,
    endpoints: &'static [&'static str],
    needs: Needs,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section: SECTION, title, endpoints, needs, run }
}

pub(super) const CHECKS: &[Check] = &[
    ordering(
        "orders.rest",
        &[PLACE, GET, LIST, CANCEL],
        Needs::Money(RESTS),
        "A limit order rests, is read, is listed, and is cancelled.",
        rest,
    ),
    ordering(
        "orders.cancelled_twice",
        &[PLACE, CANCEL],
        Needs::Money(RESTS),
        "A cancelled order cannot be cancelled again.",
        cancelled_twice,
    ),
    ordering(
        "orders.defaults",
        &[PLACE],
        Needs::Money(RESTS),
        "An unknown stpMode means SKIP, and a GTD order keeps its expiry.",
        defaults,
    ),
    ordering(
        "orders.post_only",
        &[PLACE],
        Needs::Money("places a postOnly order at the best ask, which must be rejected"),
        "A postOnly order that would cross is rejected.",
        post_only,
    ),
    ordering(
        "orders.market",
        &[PLACE],
        Needs::Money("buys shares in a book for the least amount"),
        "A market order on a book takes at once and spends at most its amount.",
        market,
    ),
    ordering(
        "orders.pool",
        &[PLACE, CANCEL],
        Needs::Money("buys shares from a pool for the least amount"),
        "An order on a pool is filled at once and cannot be cancelled.",
        pool,
    ),
    ordering(
        "orders.refusals",
        &[PLACE],
        Needs::Money("sends malformed orders of 5 USD, which must be refused, until one is accepted"),
        "Malformed placements are refused.",
        refusals,
    ),
    ordering("orders.unknown", &[PLACE], Needs::Key, "A placement in an unknown market is 404.", unknown),
    Check {
        section: "Authentication",
        ..ordering(
            "orders.of_others",
            &[GET, CANCEL],
            Needs::TwoKeys("places a limit order at 0.01 that rests, and cancels it"),
            "An order of another account is neither read nor cancelled.",
            of_others,
        )
    },
];

const CENT: Decimal = Decimal::hundredths(1);

fn rest(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let before = probe.balance()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let place = "the placed order";
    probe.text_is(place, &order, "marketId", &market.id);
    probe.text_is(place, &order, "outcome", "YES");
    probe.text_is(place, &order, "side", "BUY");
    probe.text_is(place, &order, "orderType", "LIMIT");
    probe.text_is(place, &order, "type", "GTC");
    probe.text_is(place, &order, "stpMode", "SKIP");
    let size = market.minimum.divided_by(CENT).unwrap_or_default();
    probe.number_is(place, &order, "amount", market.minimum);
    probe.number_is(place, &order, "price", CENT);
    probe.number_is(place, &order, "size", size);
    probe.number_is(place, &order, "filledSize", Decimal::ZERO);
    probe.number_is(place, &order, "remainingSize", size);
    probe.number_is(place, &order, "quantity", Decimal::ZERO);
    let held = probe.balance()?;
    if let (Some(before), Some(held)) = (before, held) {
        let bound = before - held;
        let expected = market.minimum.to_string();
        probe.expect(bound == market.minimum, "money held for the order", expected, bound.to_string());
    }
    let one = probe.read(&format!("/v1/pm/orders/{id}"))?;
    probe.succeeded(&one, &shapes::LISTED_ORDER)?;
    probe.text_is(&one.request, one.value(), "status", "open");
    let list = probe.read(&format!("/v1/pm/orders?status=open&marketId={}&size=100", market.id))?;
    probe.succeeded(&list, &shapes::ORDERS)?;
    let is_listed = list.value().list("orders").iter().any(|order| order.text("id") == Some(id.as_str()));
    probe.expect(is_listed, &list.request, "the placed order", "it is not listed");
    probe.unrest(market, &id)?;
    let gone = probe.read(&format!("/v1/pm/orders/{id}"))?;
    probe.need(&gone, 200)?;
    probe.text_is(&gone.request, gone.value(), "status", "cancelled");
    let after = probe.balance()?;
    let refunded = before == after;
    probe.expect(refunded, "the balance after the cancel", format!("{before:?}"), format!("{after:?}"));
    Ok(())
}

fn cancelled_twice(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    probe.unrest(market, &id)?;
    let again = probe.delete(&format!("/v1/pm/orders/{id}"))?;
    probe.refused(&again, &[400, 404, 409, 422], None);
    Ok(())
}

fn defaults(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let order = probe.rest(market, CENT, &json!({"stpMode": "NO_SUCH_MODE", "postOnly": true}))?;
    probe.text_is("the placed order", &order, "stpMode", "SKIP");
    let is_kept = order.boolean("postOnly") == Some(true);
    probe.expect(is_kept, "the placed order.postOnly", "true", order.shown());
    probe.unrest(market, order.text("id").unwrap_or_default())?;
    let expires = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)).to_string();
    let order = probe.rest(market, CENT, &json!({"timeInForce": "GTD", "expiresAt": expires}))?;
    probe.text_is("the placed order", &order, "type", "GTD");
    probe.unrest(market, order.text("id").unwrap_or_default())?;
    Ok(())
}

fn post_only(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for market in probe.world.books.iter().take(20) {
        let (_, ask) = probe.best(market)?;
        if ask >= Decimal::ONE {
            continue;
        }
        probe.bind(market.minimum)?;
        let body = json!({
            "side": "BUY", "outcomeId": market.outcomes[0], "type": "LIMIT", "postOnly": true,
            "amount": number(market.minimum), "price": number(ask),
        });
        let answer = probe.write("POST", &market.orders(), &body)?;
        probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
        let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
        probe.text_is(&answer.request, &order, "status", "rejected");
        probe.number_is(&answer.request, &order, "filledSize", Decimal::ZERO);
        match order.text("status") {
            Some("rejected") => probe.release(market.minimum),
            _ => probe.opened(order.text("id").unwrap_or_default(), false),
        }
        return Ok(());
    }
    Err(Stop::not_tried("no open CLOB market in USD has an ask"))
}

fn market(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for market in probe.world.books.iter().take(20) {
        let (_, ask) = probe.best(market)?;
        if ask >= Decimal::ONE {
            continue;
        }
        probe.bind(market.minimum)?;
        let before = probe.balance()?;
        let amount = number(market.minimum);
        let body = json!({
            "side": "BUY", "outcomeId": market.outcomes[0], "type": "MARKET", "amount": amount, "maxSlippage": 0.5,
        });
        let answer = probe.write("POST", &market.orders(), &body)?;
        probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
        let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
        probe.text_is(&answer.request, &order, "type", "FAK");
        let has_ended = matches!(order.text("status"), Some("filled" | "cancelled"));
        probe.expect(has_ended, &answer.request, "filled, or cancelled with a remainder", order.shown());
        if let (Some(before), Some(after)) = (before, probe.balance()?) {
            let spent = before - after;
            let holds = spent <= market.minimum && spent >= Decimal::ZERO;
            probe.expect(holds, "money spent", format!("at most {}", market.minimum), spent.to_string());
        }
        return Ok(());
    }
    Err(Stop::not_tried("no open CLOB market in USD has an ask"))
}

fn pool(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool()?;
    probe.bind(market.minimum)?;
    let amount = number(market.minimum);
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[1], "type": "MARKET", "amount": amount});
    let answer = probe.write("POST", &market.orders(), &body)?;
    probe.succeeded(&answer, &shapes::PLACED_ON_POOL)?;
    let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
    probe.text_is(&answer.request, &order, "status", "filled");
    probe.text_is(&answer.request, &order, "outcome", "NO");
    let spent = order.decimal("amount").unwrap_or_default();
    let holds = spent <= market.minimum;
    probe.expect(
        holds,
        format!("{}: amount", answer.request),
        format!("at most {}", market.minimum),
        spent.to_string(),
    );
    let id = order.text("id").unwrap_or_default();
    let cancel = probe.delete(&format!("/v1/pm/orders/{id}"))?;
    probe.refused(&cancel, &[400, 404, 409, 422], None);
    Ok(())
}

/// Bodies that no server may accept.
fn malformed(outcome: &str) -> Vec<Value> {
    let whole = json!({"side": "BUY", "outcomeId": outcome, "type": "LIMIT", "amount": 5, "price": 0.01});
    let with = |name: &str, value: Value| {
        let mut body = whole.clone();
        body[name] = value;
        body
    };
    let without = |name: &str| {
        let mut body = whole.clone();
        if let Value::Object(members) = &mut body {
            members.remove(name);
        }
        body
    };
    vec![
        without("side"),
        without("outcomeId"),
        without("type"),
        without("amount"),
        without("price"),
        with("side", json!("HOLD")),
        with("type", json!("STOP")),
        with("price", json!(0)),
        with("price", json!(1)),
        with("price", json!(-0.5)),
        with("amount", json!(0.5)),
        with("amount", json!(-5)),
        with("currency", json!("XXX")),
        with("timeInForce", json!("SOON")),
        // GTD needs an expiry.
        with("timeInForce", json!("GTD")),
        json!({"side": "BUY", "outcomeId": outcome, "type": "MARKET", "amount": 5, "maxSlippage": 1.5}),
    ]
}

fn refusals(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    probe.bind(Decimal::whole(5))?;
    for body in malformed(&market.outcomes[0]) {
        let mut answer = probe.write("POST", &market.orders(), &body)?;
        if answer.status == 200 {
            let id = answer.value().text("order/id").unwrap_or_default().to_owned();
            probe.opened(&id, false);
        }
        let is_accepted = answer.status == 200;
        answer.request = format!("{} with {body}", answer.request);
        probe.refused(&answer, &[400, 422], None);
        if is_accepted {
            // A further one could spend more than is bound.
            return Ok(());
        }
    }
    probe.release(Decimal::whole(5));
    Ok(())
}

fn unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let path = format!("/v1/pm/events/{}/markets/{}/orders", unknown_id(), unknown_id());
    let body = json!({"side": "BUY", "outcomeId": unknown_id(), "type": "LIMIT", "amount": 5, "price": 0.01});
    let answer = probe.write("POST", &path, &body)?;
    probe.refused(&answer, &[404], Some("not_found"));
    Ok(())
}

fn of_others(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, second) = (probe.quiet_book()?, probe.second_key()?);
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let path = format!("/v1/pm/orders/{id}");
    let read = probe.send(&crate::wire::Call::new("GET", &path).reader(second))?;
    probe.refused(&read, &[404], Some("not_found"));
    let cancel = probe.send(&crate::wire::Call::new("DELETE", &path).signed(second))?;
    probe.refused(&cancel, &[404], Some("not_found"));
    let batch = json!({"orderIds": [id]});
    let answer = probe.write_as(second, "DELETE", "/v1/pm/orders/batch", &batch)?;
    probe.succeeded(&answer, &shapes::CANCELLED_BATCH)?;
    probe.text_is(&answer.request, answer.value(), "results/0/error/code", "ORDER_NOT_FOUND");
    probe.unrest(market, &id)?;
    Ok(())
}
