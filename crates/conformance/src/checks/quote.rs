//! Quotes on both engines and in both currencies.

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::probe::{Probe, REFUSALS, number, unknown_id};
use crate::shapes;
use crate::wire::Call;
use crate::world::Market;

const SECTION: &str = "Endpoints: Quote and orders";
const QUOTE: &[&str] = &["POST /v1/pm/events/{eventId}/markets/{marketId}/quote"];

const fn quoting(
    id: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints: QUOTE, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    quoting("quote.book", "A quote of a book adds up: the amount is the cost and the fee.", book),
    quoting("quote.pool", "A quote of a pool adds up: the amount is the cost and the fee.", pool),
    quoting("quote.sell", "A quote of a sale has all fields.", sell),
    quoting("quote.naira", "In NGN the base multiplier is 100 and the price stays between 0 and 1.", naira),
    Check { needs: Needs::Key, ..quoting("quote.key", "A quote may carry a public key.", with_key) },
    quoting("quote.refusals", "Quotes without a side, an outcome or an amount are refused.", refusals),
    quoting("quote.unknown", "A quote of an unknown market is refused.", unknown),
    Check {
        section: "Errors",
        ..quoting("quote.broken_json", "A body that is not JSON is 400 bad_request.", broken)
    },
];

fn compare_quote(probe: &mut Probe<'_>, market: &Market, amount: Decimal) -> Result<(), Stop> {
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[0], "amount": number(amount)});
    let answer = probe.post(&market.quote(), &body)?;
    probe.succeeded(&answer, &shapes::QUOTE)?;
    let quote = answer.value();
    let part = |name: &str| quote.decimal(name).unwrap_or_default();
    let (total, parts) = (part("amount"), part("costOfShares") + part("fee"));
    // The parts may be rounded to cents each.
    let adds_up = total.distance(parts) <= Decimal::hundredths(1);
    probe.expect(
        adds_up,
        format!("{}: amount", answer.request),
        format!("costOfShares + fee = {parts}"),
        total.to_string(),
    );
    probe.expect(
        total <= amount,
        format!("{}: amount", answer.request),
        format!("at most {amount}"),
        total.to_string(),
    );
    probe.number_is(&answer.request, quote, "currencyBaseMultiplier", Decimal::ONE);
    Ok(())
}

fn book(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book()?;
    compare_quote(probe, market, market.minimum + Decimal::ONE)
}

fn pool(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool()?;
    compare_quote(probe, market, market.minimum + Decimal::ONE)
}

fn sell(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool().or_else(|_| probe.book())?;
    let body = json!({"side": "SELL", "outcomeId": market.outcomes[1], "amount": number(market.minimum)});
    let answer = probe.post(&market.quote(), &body)?;
    probe.succeeded(&answer, &shapes::QUOTE)
}

fn naira(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.pool().or_else(|_| probe.book())?;
    let event = probe.get(&format!("/v1/pm/events/{}", market.event))?;
    let currencies = event.value().list("supportedCurrencies").iter();
    if !currencies.map(ToString::to_string).any(|name| name == "\"NGN\"") {
        return Err(Stop::not_tried("the market does not support NGN"));
    }
    let amount = number(market.minimum * Decimal::whole(200));
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[0], "amount": amount, "currency": "NGN"});
    let answer = probe.post(&market.quote(), &body)?;
    probe.succeeded(&answer, &shapes::QUOTE)?;
    probe.number_is(&answer.request, answer.value(), "currencyBaseMultiplier", Decimal::whole(100));
    Ok(())
}

fn with_key(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (key, market) = (probe.key()?, probe.book().or_else(|_| probe.pool())?);
    let amount = number(market.minimum);
    let body = json!({"side": "BUY", "outcomeId": market.outcomes[0], "amount": amount}).to_string();
    let path = market.quote();
    let answer = probe.send(&Call::new("POST", &path).body(&body).reader(key))?;
    probe.succeeded(&answer, &shapes::QUOTE)
}

fn refusals(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let outcome = &market.outcomes[0];
    for body in [
        json!({}),
        json!({"outcomeId": outcome, "amount": 5}),
        json!({"side": "BUY", "amount": 5}),
        json!({"side": "BUY", "outcomeId": outcome}),
        json!({"side": "HOLD", "outcomeId": outcome, "amount": 5}),
        json!({"side": "BUY", "outcomeId": outcome, "amount": 5, "currency": "XXX"}),
    ] {
        let mut answer = probe.post(&market.quote(), &body)?;
        answer.request = format!("{} with {body}", answer.request);
        probe.refused(&answer, REFUSALS, None);
    }
    Ok(())
}

fn unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let path = format!("/v1/pm/events/{}/markets/{}/quote", unknown_id(), unknown_id());
    let answer = probe.post(&path, &json!({"side": "BUY", "outcomeId": unknown_id(), "amount": 5}))?;
    probe.refused(&answer, REFUSALS, None);
    Ok(())
}

fn broken(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let market = probe.book().or_else(|_| probe.pool())?;
    let path = market.quote();
    let answer = probe.send(&Call::new("POST", &path).body("{\"side\":"))?;
    probe.refused(&answer, &[400], Some("bad_request"));
    Ok(())
}
