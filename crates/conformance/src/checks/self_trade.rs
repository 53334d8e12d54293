//! Self-trade prevention: an order that meets an order of its own account.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, number};
use crate::shapes;

const SECTION: &str = "Endpoints: Quote and orders, stpMode";
const PLACE: &[&str] = &["POST /v1/pm/events/{eventId}/markets/{marketId}/orders"];
const PLAN: &str =
    "mints a few sets, places a bid and an own order that meets it in a gap of a book, and undoes both";

const fn meeting(
    id: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints: PLACE, needs: Needs::Money(PLAN), run }
}

pub(super) const CHECKS: &[Check] = &[
    meeting("self_trade.skip", "SKIP leaves both orders on the book.", skip),
    meeting(
        "self_trade.cancel_oldest",
        "CANCEL_OLDEST cancels the resting order, and the new one stays.",
        cancel_oldest,
    ),
    meeting(
        "self_trade.cancel_newest",
        "CANCEL_NEWEST rejects the new order, and the resting one stays.",
        cancel_newest,
    ),
    meeting(
        "self_trade.cancel_both",
        "CANCEL_BOTH cancels the resting order and rejects the new one.",
        cancel_both,
    ),
];

fn skip(probe: &mut Probe<'_>) -> Result<(), Stop> {
    meet(probe, "SKIP", "open", "open")
}

fn cancel_oldest(probe: &mut Probe<'_>) -> Result<(), Stop> {
    meet(probe, "CANCEL_OLDEST", "cancelled", "open")
}

fn cancel_newest(probe: &mut Probe<'_>) -> Result<(), Stop> {
    meet(probe, "CANCEL_NEWEST", "open", "rejected")
}

fn cancel_both(probe: &mut Probe<'_>) -> Result<(), Stop> {
    meet(probe, "CANCEL_BOTH", "cancelled", "rejected")
}

/// Places a bid and an own offer at a price between the best bid and the best ask, and compares the states of both.
fn meet(probe: &mut Probe<'_>, mode: &str, maker_status: &str, taker_status: &str) -> Result<(), Stop> {
    let (market, price) = probe.gap()?;
    let sets = market.minimum.divided_by(price).unwrap_or_default().rounded_up(Decimal::ONE);
    // Both, before anything is sent.
    probe.bind(sets + market.minimum)?;
    probe.release(sets + market.minimum);
    probe.mint(false, market, sets)?;
    let maker = probe.rest(market, price, &json!({}))?;
    let maker = maker.text("id").unwrap_or_default().to_owned();
    let body = json!({
        "side": "SELL", "outcomeId": market.outcomes[0], "type": "LIMIT", "price": number(price),
        "amount": number(market.minimum), "stpMode": mode,
    });
    let answer = probe.place(false, &market.orders(), &body)?;
    probe.succeeded(&answer, &shapes::PLACED_ON_BOOK)?;
    let taker = answer.value().at("order").cloned().unwrap_or(Json::Null);
    let id = taker.text("id").unwrap_or_default().to_owned();
    let place = format!("the new order with {mode}");
    probe.text_is(&place, &taker, "stpMode", mode);
    probe.text_is(&place, &taker, "status", taker_status);
    probe.number_is(&place, &taker, "filledSize", Decimal::ZERO);
    let seen = probe.order(&maker)?;
    probe.text_is(&format!("the resting order with {mode}"), &seen, "status", maker_status);
    for (id, status) in [(&maker, seen.text("status")), (&id, taker.text("status"))] {
        if matches!(status, Some("cancelled" | "rejected" | "filled" | "expired")) {
            probe.closed(id);
            continue;
        }
        let cancelled = probe.delete(&format!("/v1/pm/orders/{id}"))?;
        probe.need_success(&cancelled)?;
        probe.closed(id);
    }
    probe.release(market.minimum);
    probe.burn(false, market, sets)?;
    Ok(())
}
