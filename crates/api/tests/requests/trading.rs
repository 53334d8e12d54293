//! Quotes, complete sets, and cancelling everything.

use api::decimal::{Money, Price, Slippage};
use api::request::{BurnSets, CancelAfter, CancelAll, MintSets, Quote, QuotedTerms, Sizing};
use api::terms::{Currency, OrderType, Side, StpMode, TimeInForce};

use crate::requests::{OUTCOME, accept, check_refusals};

#[test]
fn quote_takes_an_amount_or_a_quantity() {
    let quote: Quote = accept(r#"{"side":"BUY","outcomeId":$,"amount":100}"#);
    let expected = Quote {
        side: Side::Buy,
        outcome_id: OUTCOME,
        sizing: Sizing::Amount(Money::from_units(100_000_000)),
        currency: Currency::Usd,
        terms: None,
    };
    assert_eq!(quote, expected);
    check_refusals::<Quote>(&[
        (r#"{"side":"BUY","outcomeId":$}"#, "amount: is required, or quantity instead"),
        (r#"{"side":"BUY","outcomeId":$,"amount":0}"#, "amount: must be above 0"),
    ]);
}

#[test]
fn quote_takes_the_other_fields_of_an_order() {
    let terms = |fields: &str| {
        let body = format!(r#"{{"side":"BUY","outcomeId":$,"amount":100{fields}}}"#);
        accept::<Quote>(&body).terms
    };
    let market = QuotedTerms {
        order_type: OrderType::Market,
        price: None,
        time_in_force: None,
        post_only: false,
        stp_mode: StpMode::Skip,
        max_slippage: None,
    };
    let limit = QuotedTerms { order_type: OrderType::Limit, price: Some(Price::from_cents(40)), ..market };
    let absent =
        r#","type":null,"price":null,"timeInForce":null,"postOnly":null,"stpMode":null,"maxSlippage":null"#;
    assert_eq!(terms(absent), None);
    assert_eq!(terms(r#","type":"MARKET""#), Some(market));
    assert_eq!(terms(r#","type":"MARKET","price":0.4"#), Some(market), "a MARKET order ignores its price");
    let slippage = Some(Slippage::from_units(5 * 10_i64.pow(Slippage::PLACES) / 100));
    assert_eq!(terms(r#","maxSlippage":0.05"#), Some(QuotedTerms { max_slippage: slippage, ..market }));
    assert_eq!(terms(r#","price":0.4"#), Some(limit), "a price alone means LIMIT");
    assert_eq!(terms(r#","type":"LIMIT","price":0.4,"maxSlippage":0.05"#), Some(limit));
    let resting = QuotedTerms {
        time_in_force: Some(TimeInForce::Gtd),
        post_only: true,
        stp_mode: StpMode::CancelBoth,
        ..limit
    };
    let fields = r#","type":"LIMIT","price":0.4,"timeInForce":"GTD","postOnly":true,"stpMode":"CANCEL_BOTH""#;
    assert_eq!(terms(fields), Some(resting));
    check_refusals::<Quote>(&[
        (r#"{"side":"BUY","outcomeId":$,"amount":1,"type":"LIMIT"}"#, "price: is required for a LIMIT order"),
        (
            r#"{"side":"BUY","outcomeId":$,"amount":1,"maxSlippage":1.5}"#,
            "maxSlippage: must be between 0 and 1",
        ),
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
        ("{}", "quantity: is required"),
        (r#"{"quantity":0}"#, "quantity: must be above 0"),
        (r#"{"quantity":0.0000001}"#, "quantity: must be above 0"),
        (r#"{"quantity":null}"#, "quantity: must be a number, not null"),
    ]);
}
