//! Quotes, complete sets, and cancelling everything.

use api::decimal::Money;
use api::request::{BurnSets, CancelAfter, CancelAll, MintSets, Quote, Sizing};
use api::terms::{Currency, Side};

use crate::{OUTCOME, accept, check_refusals};

#[test]
fn quote_takes_an_amount_or_a_quantity() {
    let quote: Quote = accept(r#"{"side":"BUY","outcomeId":$,"amount":100}"#);
    let expected = Quote {
        side: Side::Buy,
        outcome_id: OUTCOME,
        sizing: Sizing::Amount(Money::from_units(100_000_000)),
        currency: Currency::Usd,
    };
    assert_eq!(quote, expected);
    check_refusals::<Quote>(&[
        (r#"{"side":"BUY","outcomeId":$}"#, "missing field `amount`: give either `amount` or `quantity`"),
        (r#"{"side":"BUY","outcomeId":$,"amount":0}"#, "amount: must be above 0"),
    ]);
}

#[test]
fn cancel_all_takes_any_conditions_and_means_everything_without_a_body() {
    assert_eq!(accept::<CancelAll>("{}"), CancelAll::default());
    assert_eq!(CancelAll::read(b""), Ok(CancelAll::default()));
    for body in [" ", "\n", "null", "[]", "\"\""] {
        assert!(CancelAll::read(body.as_bytes()).is_err(), "{body:?}");
    }
    let all: CancelAll = accept(r#"{"marketId":$,"currency":"NGN"}"#);
    assert_eq!(all, CancelAll { market_id: Some(OUTCOME), event_id: None, currency: Some(Currency::Ngn) });
    check_refusals::<CancelAll>(&[
        ("null", "The body must be a JSON object"),
        (r#"{"marketId":""}"#, "marketId: must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00"),
    ]);
}

#[test]
fn cancel_all_refuses_a_condition_that_it_would_pass_over() {
    let known = "expected one of `marketId`, `eventId`, `currency`";
    check_refusals::<CancelAll>(&[
        (r#"{"market":$}"#, &format!("market: unknown field `market`, {known}")),
        (r#"{"marketId":$,"outcomeId":$}"#, &format!("outcomeId: unknown field `outcomeId`, {known}")),
        (r#"{"marketId":null}"#, "marketId: invalid type: null, expected a string"),
        (r#"{"eventId":null}"#, "eventId: invalid type: null, expected a string"),
        (r#"{"currency":null}"#, "currency: invalid type: null, expected USD or NGN"),
    ]);
}

#[test]
fn cancel_after_takes_whole_seconds() {
    assert_eq!(accept::<CancelAfter>(r#"{"seconds":60}"#), CancelAfter { seconds: 60 });
    for body in
        ["{}", r#"{"seconds":-1}"#, r#"{"seconds":1.5}"#, r#"{"seconds":"60"}"#, r#"{"seconds":null}"#]
    {
        assert!(api::read::read::<CancelAfter>(body.as_bytes()).is_err(), "{body}");
    }
}

#[test]
fn mint_and_burn_take_money() {
    let mint: MintSets = accept(r#"{"quantity":10,"marketId":"ignored"}"#);
    assert_eq!(mint, MintSets { amount: Money::from_units(10_000_000), currency: Currency::Usd });
    let burn: BurnSets = accept(r#"{"quantity":0.5,"currency":"NGN"}"#);
    assert_eq!(burn, BurnSets { amount: Money::from_units(500_000), currency: Currency::Ngn });
    check_refusals::<MintSets>(&[
        ("{}", "missing field `quantity`"),
        (r#"{"quantity":0}"#, "quantity: must be above 0"),
        (r#"{"quantity":0.0000001}"#, "quantity: must be above 0"),
        (r#"{"quantity":null}"#, "quantity: must be a number, not null"),
    ]);
}
