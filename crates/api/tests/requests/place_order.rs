//! Placing one order.

use api::decimal::{Money, Price, Shares, Slippage};
use api::request::{PlaceOrder, Sizing};
use api::terms::{Currency, OrderType, Side, StpMode, TimeInForce};
use api::timestamp::Timestamp;

use crate::requests::{OUTCOME, accept, check_refusals};

#[test]
fn place_order_reads_every_field() {
    let order: PlaceOrder = accept(
        r#"{"side":"SELL","outcomeId":$,"amount":100.25,"type":"LIMIT","currency":"NGN","price":0.65,"timeInForce":"GTD",
            "postOnly":true,"stpMode":"CANCEL_BOTH","maxSlippage":7,"expiresAt":"2026-07-28T23:42:38+01:00",
            "clientOrderId":"mm-001","outcome":"YES","unknown":{"a":[1]}}"#,
    );
    let expected = PlaceOrder {
        side: Side::Sell,
        outcome_id: OUTCOME,
        sizing: Sizing::Amount(Money::from_units(100_250_000)),
        order_type: OrderType::Limit,
        currency: Currency::Ngn,
        price: Some(Price::from_cents(65)),
        time_in_force: Some(TimeInForce::Gtd),
        post_only: true,
        stp_mode: StpMode::CancelBoth,
        // Ignored on a LIMIT order.
        max_slippage: None,
        expires_at: Some(Timestamp::parse("2026-07-28T22:42:38Z").unwrap()),
        client_order_id: Some("mm-001".to_owned()),
    };
    assert_eq!(order, expected);
}

#[test]
fn place_order_has_the_defaults_of_the_specification() {
    let order: PlaceOrder =
        accept(r#"{"side":"BUY","outcomeId":$,"quantity":10.00005,"type":"MARKET","maxSlippage":0.05}"#);
    let expected = PlaceOrder {
        side: Side::Buy,
        outcome_id: OUTCOME,
        sizing: Sizing::Quantity(Shares::from_units(100_001)),
        order_type: OrderType::Market,
        currency: Currency::Usd,
        price: None,
        time_in_force: None,
        post_only: false,
        stp_mode: StpMode::Skip,
        max_slippage: Some(Slippage::from_units(500)),
        expires_at: None,
        client_order_id: None,
    };
    assert_eq!(order, expected);
    let with_nulls: PlaceOrder = accept(
        r#"{"side":"BUY","outcomeId":$,"amount":null,"quantity":10.00005,"type":"MARKET","currency":null,"price":null,
            "timeInForce":null,"postOnly":null,"stpMode":null,"maxSlippage":0.05,"expiresAt":null,"clientOrderId":null}"#,
    );
    assert_eq!(with_nulls, expected);
}

#[test]
fn place_order_falls_back_to_skip_for_an_unknown_stp_mode() {
    for (text, expected) in [
        ("SKIP", StpMode::Skip),
        ("CANCEL_OLDEST", StpMode::CancelOldest),
        ("CANCEL_NEWEST", StpMode::CancelNewest),
        ("CANCEL_BOTH", StpMode::CancelBoth),
        ("cancel_both", StpMode::Skip),
        ("EXPIRE_MAKER", StpMode::Skip),
        ("", StpMode::Skip),
    ] {
        let text = format!(r#"{{"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET","stpMode":"{text}"}}"#);
        assert_eq!(accept::<PlaceOrder>(&text).stp_mode, expected, "{text}");
    }
}

#[test]
fn place_order_ignores_the_price_of_a_market_order() {
    for price in ["0", "0.655", "-3", "17", "1e39"] {
        let text = format!(r#"{{"side":"BUY","outcomeId":$,"amount":1,"type":"MARKET","price":{price}}}"#);
        assert_eq!(accept::<PlaceOrder>(&text).price, None);
    }
}

#[test]
fn place_order_refuses_what_is_missing_or_of_the_wrong_kind() {
    check_refusals::<PlaceOrder>(&[
        ("{}", "side: is required"),
        (r#"{"side":"BUY"}"#, "outcomeId: is required"),
        (r#"{"side":"BUY","outcomeId":$,"amount":1}"#, "type: is required"),
        (r#"{"side":"BUY","outcomeId":$,"type":"MARKET"}"#, "amount: is required, or quantity instead"),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"quantity":1}"#,
            "amount and quantity: give one of them, not both",
        ),
        (r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":0}"#, "amount: must be above 0"),
        (r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":-5}"#, "amount: must be above 0"),
        (r#"{"side":"BUY","outcomeId":$,"type":"MARKET","quantity":-0}"#, "quantity: must be above 0"),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":"1"}"#,
            "amount: must be a number, not a string",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":[]}"#,
            "amount: must be a number, not a list",
        ),
        (r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1e20}"#, "amount: is too large"),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1e50}"#,
            "amount: has an exponent out of range (at most 40 either way)",
        ),
        (
            r#"{"side":"buy","outcomeId":$,"type":"MARKET","amount":1}"#,
            r#"side: invalid value: string "buy", expected BUY or SELL"#,
        ),
        (r#"{"side":1,"outcomeId":$}"#, "side: invalid type: integer `1`, expected BUY or SELL"),
        (r#"{"side":{"BUY":null},"outcomeId":$}"#, "side: invalid type: object, expected BUY or SELL"),
        (
            r#"{"side":"BUY","outcomeId":"abc"}"#,
            "outcomeId: must be a UUID, such as 01980d2f-7c1e-7a64-9a53-3f7d2b8c1e00",
        ),
        (r#"{"side":"BUY","outcomeId":7}"#, "outcomeId: invalid type: integer `7`, expected a string"),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"STOP","amount":1}"#,
            r#"type: invalid value: string "STOP", expected LIMIT or MARKET"#,
        ),
    ]);
}

#[test]
fn place_order_refuses_values_out_of_range() {
    check_refusals::<PlaceOrder>(&[
        (r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1}"#, "price: is required for a LIMIT order"),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1,"price":0.655}"#,
            "price: must be a whole number of cents, such as 0.65",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1,"price":1}"#,
            "price: must be between 0.01 and 0.99",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1,"price":"0.5"}"#,
            "price: must be a number, not a string",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1,"price":0.5,"timeInForce":"GTD"}"#,
            "expiresAt: is required for a GTD order",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"LIMIT","amount":1,"price":0.5,"timeInForce":"GTD","expiresAt":"soon"}"#,
            "expiresAt: must be an RFC 3339 time, such as 2026-07-28T23:42:38Z",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"timeInForce":"IOC"}"#,
            r#"timeInForce: invalid value: string "IOC", expected GTC, GTD, FAK or FOK"#,
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"postOnly":"yes"}"#,
            r#"postOnly: invalid type: string "yes", expected a boolean"#,
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"maxSlippage":1.0001}"#,
            "maxSlippage: must be between 0 and 1",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"maxSlippage":-0.1}"#,
            "maxSlippage: must be between 0 and 1",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"clientOrderId":"a b"}"#,
            "clientOrderId: must be 1 to 64 letters, digits, _ or -",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"clientOrderId":""}"#,
            "clientOrderId: must be 1 to 64 letters, digits, _ or -",
        ),
        (
            r#"{"side":"BUY","outcomeId":$,"type":"MARKET","amount":1,"currency":"EUR"}"#,
            r#"currency: invalid value: string "EUR", expected USD or NGN"#,
        ),
    ]);
}
