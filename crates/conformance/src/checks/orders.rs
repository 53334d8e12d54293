//! The life of a single order, and refusals of placements.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, REFUSALS, number, unknown_id};
use crate::shapes;
use crate::wire::Call;
use crate::world::Market;

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
    Check { id, section: SECTION, source: Source::Specification, title, endpoints, needs, run }
}

pub(super) const CHECKS: &[Check] = &[
    ordering(
        "orders.rest",
        &[PLACE, CANCEL],
        Needs::Money(RESTS),
        "A limit order rests with its price and size, GTC and SKIP by default, and is cancelled.",
        rest,
    ),
    Check {
        source: Source::PublicClients,
        ..ordering(
            "orders.read",
            &[GET, LIST, CANCEL, "GET /v1/wallet/assets"],
            Needs::Money(RESTS),
            "A resting order is read and listed, its money is held, and a cancel returns it.",
            read,
        )
    },
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
        "An unknown stpMode means SKIP; postOnly and GTD are kept.",
        defaults,
    ),
    ordering(
        "orders.expiry",
        &[PLACE],
        Needs::Money("places a GTD order at 0.01 that expires after 3 seconds"),
        "A GTD order has expired some seconds after its time.",
        expiry,
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
        &[PLACE, CANCEL, "DELETE /v1/pm/orders/batch"],
        Needs::Money("buys shares from a pool for the least amount"),
        "An order on a pool is filled at once and cannot be cancelled; a batch says UNSUPPORTED_ENGINE.",
        pool,
    ),
    ordering(
        "orders.refusals",
        &[PLACE],
        Needs::Money("sends malformed orders of 5 USD, which must be refused, until one is accepted"),
        "Malformed placements are refused.",
        refusals,
    ),
    ordering("orders.unknown", &[PLACE], Needs::Key, "A placement in an unknown market is refused.", unknown),
    Check {
        section: "Authentication",
        ..ordering(
            "orders.of_others",
            &[CANCEL, "DELETE /v1/pm/orders/batch"],
            Needs::TwoKeys(RESTS),
            "An order of another account is not cancelled, singly or in a batch.",
            of_others,
        )
    },
    Check {
        section: "Authentication",
        source: Source::PublicClients,
        ..ordering(
            "orders.read_others",
            &[GET],
            Needs::TwoKeys(RESTS),
            "An order of another account is 404 not_found.",
            read_others,
        )
    },
];

/// How far ahead an expiry is set, and how long and how often its effect is awaited.
const EXPIRY_SECONDS: i64 = 3;
const EXPIRY_POLLS: usize = 40;
const EXPIRY_WAIT: Duration = Duration::from_millis(500);

const CENT: Decimal = Decimal::hundredths(1);

fn rest(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let place = "the placed order";
    probe.text_is(place, &order, "marketId", &market.id);
    probe.text_is(place, &order, "outcome", "YES");
    probe.text_is(place, &order, "side", "BUY");
    probe.text_is(place, &order, "orderType", "LIMIT");
    probe.text_is(place, &order, "type", "GTC");
    probe.text_is(place, &order, "stpMode", "SKIP");
    probe.number_is(place, &order, "amount", market.minimum);
    probe.number_is(place, &order, "price", CENT);
    // How an amount becomes a size is not stated; it never buys more than the amount.
    let most = market.minimum.divided_by(CENT).unwrap_or_default();
    let size = order.decimal("size").unwrap_or_default();
    let fits = size > Decimal::ZERO && size <= most;
    probe.expect(fits, format!("{place}.size"), format!("above 0 and at most {most}"), size.to_string());
    probe.number_is(place, &order, "filledSize", Decimal::ZERO);
    probe.number_is(place, &order, "remainingSize", size);
    probe.number_is(place, &order, "quantity", Decimal::ZERO);
    probe.unrest(market, &id)?;
    Ok(())
}

fn read(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let before = probe.balance()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let cost = order.decimal("size").unwrap_or_default() * CENT;
    let bound = before - probe.balance()?;
    let holds = bound >= cost && cost > Decimal::ZERO;
    probe.expect(holds, "money held for the order", format!("at least {cost}"), bound.to_string());
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
    probe.expect(before == after, "the balance after the cancel", before.to_string(), after.to_string());
    Ok(())
}

fn cancelled_twice(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    probe.unrest(market, &id)?;
    let again = probe.delete(&format!("/v1/pm/orders/{id}"))?;
    probe.refused(&again, REFUSALS, None);
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

fn expiry(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.quiet_book()?;
    let expires = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(EXPIRY_SECONDS);
    let order = probe.rest(market, CENT, &json!({"timeInForce": "GTD", "expiresAt": expires.to_string()}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let mut seen = String::new();
    for _ in 0..EXPIRY_POLLS {
        thread::sleep(EXPIRY_WAIT);
        seen = probe.order(&id)?.text("status").unwrap_or_default().to_owned();
        if seen != "open" {
            break;
        }
    }
    probe.expect(seen == "expired", "the order after its expiresAt", "expired", seen.as_str());
    if seen == "open" {
        probe.unrest(market, &id)?;
        return Ok(());
    }
    probe.closed(&id);
    probe.release(market.minimum);
    Ok(())
}

fn post_only(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, ask) = asked(probe)?;
    probe.bind(market.minimum)?;
    let body = json!({
        "side": "BUY", "outcomeId": market.outcomes[0], "type": "LIMIT", "postOnly": true,
        "amount": number(market.minimum), "price": number(ask),
    });
    let answer = probe.place(false, &market.orders(), &body)?;
    if !answer.is_success() {
        probe.release(market.minimum);
    }
    probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
    let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
    probe.text_is(&answer.request, &order, "status", "rejected");
    probe.number_is(&answer.request, &order, "filledSize", Decimal::ZERO);
    if order.text("status") == Some("rejected") {
        probe.closed(order.text("id").unwrap_or_default());
        probe.release(market.minimum);
    }
    Ok(())
}

/// A market with a book, and its best ask.
fn asked<'a>(probe: &Probe<'a>) -> Result<(&'a Market, Decimal), Stop> {
    for market in probe.world.books.iter().take(20) {
        let (_, ask) = probe.best(market)?;
        if ask < Decimal::ONE {
            return Ok((market, ask));
        }
    }
    Err(Stop::not_tried("no open CLOB market in USD has an ask"))
}

fn market(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, _) = asked(probe)?;
    probe.bind(market.minimum)?;
    let before = probe.balance().ok();
    let amount = number(market.minimum);
    let body = json!({
        "side": "BUY", "outcomeId": market.outcomes[0], "type": "MARKET", "amount": amount, "maxSlippage": 0.5,
    });
    let answer = probe.place(false, &market.orders(), &body)?;
    if !answer.is_success() {
        probe.release(market.minimum);
    }
    probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
    let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
    probe.text_is(&answer.request, &order, "type", "FAK");
    let has_ended = matches!(order.text("status"), Some("filled" | "cancelled"));
    probe.expect(has_ended, &answer.request, "filled, or cancelled with a remainder", order.shown());
    if has_ended {
        probe.closed(order.text("id").unwrap_or_default());
    }
    if let (Some(before), Ok(after)) = (before, probe.balance()) {
        let spent = before - after;
        let holds = spent <= market.minimum && spent >= Decimal::ZERO;
        probe.expect(holds, "money spent", format!("at most {}", market.minimum), spent.to_string());
    }
    Ok(())
}

fn pool(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool()?;
    probe.bind(market.minimum)?;
    let amount = number(market.minimum);
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[1], "type": "MARKET", "amount": amount});
    let answer = probe.place(false, &market.orders(), &body)?;
    if !answer.is_success() {
        probe.release(market.minimum);
    }
    probe.succeeded(&answer, &shapes::PLACED_ON_POOL)?;
    let order = answer.value().at("order").cloned().unwrap_or(Json::Null);
    probe.text_is(&answer.request, &order, "status", "filled");
    probe.text_is(&answer.request, &order, "outcome", "NO");
    let spent = order.decimal("amount").unwrap_or_default();
    let (what, most) = (format!("{}: amount", answer.request), format!("at most {}", market.minimum));
    probe.expect(spent <= market.minimum, what, most, spent.to_string());
    let id = order.text("id").unwrap_or_default().to_owned();
    probe.closed(&id);
    let cancel = probe.delete(&format!("/v1/pm/orders/{id}"))?;
    probe.refused(&cancel, REFUSALS, None);
    let batch = probe.write("DELETE", "/v1/pm/orders/batch", &json!({"orderIds": [id]}))?;
    probe.succeeded(&batch, &shapes::CANCELLED_BATCH)?;
    probe.text_is(&batch.request, batch.value(), "results/0/error/code", "UNSUPPORTED_ENGINE");
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
        let mut answer = probe.place(false, &market.orders(), &body)?;
        answer.request = format!("{} with {body}", answer.request);
        probe.refused(&answer, REFUSALS, None);
        if answer.is_success() {
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
    let answer = probe.place(false, &path, &body)?;
    probe.refused(&answer, REFUSALS, None);
    Ok(())
}

fn of_others(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, second) = (probe.quiet_book()?, probe.second_key()?);
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let path = format!("/v1/pm/orders/{id}");
    let cancel = probe.send(&Call::new("DELETE", &path).signed(second))?;
    probe.refused(&cancel, &[400, 401, 403, 404, 409, 422], None);
    let batch = probe.write_as(second, "DELETE", "/v1/pm/orders/batch", &json!({"orderIds": [id]}))?;
    probe.succeeded(&batch, &shapes::CANCELLED_BATCH)?;
    probe.text_is(&batch.request, batch.value(), "results/0/error/code", "ORDER_NOT_FOUND");
    // The owner's cancel succeeds, so the order was still there.
    probe.unrest(market, &id)?;
    Ok(())
}

fn read_others(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (market, second) = (probe.quiet_book()?, probe.second_key()?);
    let order = probe.rest(market, CENT, &json!({}))?;
    let id = order.text("id").unwrap_or_default().to_owned();
    let read = probe.send(&Call::new("GET", &format!("/v1/pm/orders/{id}")).reader(second))?;
    probe.refused(&read, &[404], Some("not_found"));
    probe.unrest(market, &id)?;
    Ok(())
}
