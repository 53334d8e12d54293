//! The operators' contract in both directions: a client writes requests and reads responses with the server's types.

use api::Timestamp;
use api::admin::Amounts;
use api::admin::request::{
    CancelOrdersOf, CreateEvent, CreateMarket, CreateUser, EditEvent, GivenVerdict, SuspendUser, Transfer,
};
use api::admin::response::{EventState, MarketState};
use api::decimal::{Money, Percent, UnitPrice};
use api::json::{WriteJson, to_vec};
use api::read::read;
use api::response::MarketResolution;
use api::terms::{Currency, Engine, EventType, Status};
use api::timestamp::OptionalDate;
use serde::de::DeserializeOwned;
use uuid::Uuid;

fn json(value: &impl WriteJson) -> String {
    String::from_utf8(to_vec(value)).expect("UTF-8")
}

fn check_both_ways<T: WriteJson + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T, text: &str) {
    assert_eq!(json(value), text);
    assert_eq!(read::<T>(text.as_bytes()).as_ref(), Ok(value));
}

#[test]
fn a_request_keeps_every_digit() {
    let transfer = Transfer {
        currency: Currency::Usd,
        amount: Money::parse("4611686018427.387903").expect("an amount"),
        reference: "a \"b\"".to_owned(),
    };
    let text = r#"{"currency":"USD","amount":4611686018427.387903,"reference":"a \"b\""}"#;
    check_both_ways(&transfer, text);
}

#[test]
fn a_request_omits_fields_without_a_value() {
    check_both_ways(&EditEvent::default(), "{}");
    check_both_ways(&CancelOrdersOf::default(), "{}");
    check_both_ways(&SuspendUser::default(), r#"{"keepOrders":false}"#);
    check_both_ways(&Amounts { usd: None, ngn: Some(Money::ZERO) }, r#"{"NGN":0}"#);
    let called_off = GivenVerdict { outcomes: None, yes_price: Money::parse("0.5").ok() };
    check_both_ways(&called_off, r#"{"yesPrice":0.5}"#);
}

#[test]
fn a_description_of_an_event_is_read_as_it_was_written() {
    let market = CreateMarket {
        title: "Rain?".to_owned(),
        yes_label: None,
        no_label: None,
        rules: Some("The gauge decides".to_owned()),
        image_url: None,
        image128_url: None,
        fee_percentage: Percent::parse("2").ok(),
        minimum_order_amount: Some(Amounts { usd: Money::parse("5").ok(), ngn: None }),
    };
    let event = CreateEvent {
        slug: "rain".to_owned(),
        title: "Rain?".to_owned(),
        event_type: EventType::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        category: "weather".to_owned(),
        subcategory: None,
        description: None,
        resolution_source: None,
        additional_context: None,
        image_url: None,
        image128_url: None,
        hashtags: Vec::new(),
        country_codes: Vec::new(),
        opening_date: None,
        closing_date: Timestamp::parse("2031-01-01T00:00:00Z").ok(),
        resolution_date: None,
        markets: vec![market],
    };
    let text = concat!(
        r#"{"slug":"rain","title":"Rain?","type":"single","engine":"CLOB","currencies":["USD"],"#,
        r#""category":"weather","closingDate":"2031-01-01T00:00:00Z","markets":[{"title":"Rain?","#,
        r#""rules":"The gauge decides","feePercentage":2,"minimumOrderAmount":{"USD":5}}]}"#
    );
    check_both_ways(&event, text);
}

#[test]
fn a_response_is_read_as_it_was_written() {
    let market = MarketState {
        market_id: Uuid::from_u128(2),
        title: "Rain?".to_owned(),
        status: Status::Resolved,
        outcome1_id: Uuid::from_u128(3),
        outcome2_id: Uuid::from_u128(4),
        yes_price: UnitPrice::parse("0.509604").expect("a price"),
    };
    let event = EventState {
        event_id: Uuid::from_u128(1),
        slug: "rain".to_owned(),
        status: Status::Resolved,
        markets: vec![market],
    };
    assert_eq!(read(json(&event).as_bytes()), Ok(event));
    let resolution = MarketResolution {
        market_id: Uuid::from_u128(2),
        title: "Rain?".to_owned(),
        rules: String::new(),
        status: Status::Open,
        yes_payout: None,
        settled_at: OptionalDate(None),
    };
    assert_eq!(read(json(&resolution).as_bytes()), Ok(resolution));
}

#[test]
fn a_new_account_is_shown_without_its_password() {
    let create = CreateUser {
        email: "ada@example.org".to_owned(),
        tag: "ada".to_owned(),
        password: Some("correct horse".to_owned()),
    };
    assert_eq!(format!("{create:?}"), "CreateUser { .. }");
    assert!(create.check().is_ok());
    assert!(CreateUser { password: Some("short".to_owned()), ..create }.check().is_err());
}
