//! The cost of one answer or one body, for callgrind: `json_cost CASE COUNT`. Subtract a run with COUNT 0.

use std::hint::black_box;

use api::decimal::{Money, Price, Shares, UnitPrice};
use api::json::{Decimals, WriteJson, Writer};
use api::read::read;
use api::request::{BatchAmend, BatchCancel, BatchPlace, PlaceOrder};
use api::response::{
    BatchCancelResponse, BatchCancelResult, BatchPlaceResponse, BatchPlaceResult, Book, BookLevel, ClobOrder,
    Order, PlaceOrderResponse,
};
use api::terms::{Currency, OrderStatus, OrderType, OutcomeSide, Side, StpMode, TimeInForce};
use api::timestamp::{OptionalDate, Timestamp};
use uuid::Uuid;

const ID: Uuid = Uuid::from_u128(0x0198_0d2f_7c1e_7a64_9a53_3f7d_2b8c_1e00);

fn order() -> ClobOrder<'static> {
    ClobOrder {
        id: ID,
        market_id: ID,
        user_id: ID,
        outcome: OutcomeSide::Yes,
        side: Side::Buy,
        order_type: OrderType::Limit,
        applied_time_in_force: TimeInForce::Gtc,
        status: OrderStatus::PartialFilled,
        amount: Money::from_units(70_000_000),
        price: Price::from_cents(65),
        size: Shares::from_units(1_076_923),
        filled_size: Shares::from_units(450_000),
        remaining_size: Shares::from_units(626_923),
        avg_fill_price: UnitPrice::from_units(640_556),
        fee: Money::from_units(626_001),
        post_only: false,
        stp_mode: StpMode::Skip,
        quantity: Shares::from_units(450_000),
        created_at: Timestamp::from_micros(1_785_282_158_454_123),
        updated_at: Timestamp::from_micros(1_785_282_158_454_123),
        event_id: ID,
        outcome_id: ID,
        outcome_label: "YES".into(),
        currency: Currency::Usd,
        time_in_force: TimeInForce::Gtc,
        expires_at: OptionalDate(None),
        client_order_id: Some("mm-001".into()),
    }
}

fn book() -> Book {
    let level = |cents: u8| BookLevel {
        price: Price::from_cents(cents),
        quantity: Shares::from_units(12_345_600 + i64::from(cents)),
        total: Money::from_units(7_654_321),
    };
    Book {
        market_id: ID,
        outcome_id: ID,
        timestamp: Timestamp::from_micros(1_785_282_158_454_123),
        bids: (40..50).map(level).collect(),
        asks: (51..61).map(level).collect(),
        last_traded_price: Some(Price::from_cents(50)),
        last_traded_side: Some(Side::Buy),
    }
}

fn write(value: &impl WriteJson, decimals: Decimals, count: u64) {
    let mut bytes = Vec::with_capacity(32 * 1024);
    for _ in 0..count {
        bytes.clear();
        let mut out = Writer::new(bytes, decimals);
        black_box(value).write_json(&mut out);
        bytes = out.into_bytes();
        black_box(&bytes);
    }
}

/// An unknown key at the beginning makes a body take the general path.
fn body(text: &str, plain: bool) -> Vec<u8> {
    let text = text.replace('$', &format!("\"{ID}\""));
    if plain { text.into_bytes() } else { text.replacen('{', "{\"x\":1,", 1).into_bytes() }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let case = arguments.next().expect("a case");
    let count: u64 = arguments.next().and_then(|count| count.parse().ok()).expect("a count");
    let (form, name) = case.split_once('-').expect("quick-NAME or general-NAME");
    let quick = form == "quick";
    // The general form of an answer has strings.
    let decimals = if quick { Decimals::Numbers } else { Decimals::Strings };
    let item = r#"{"side":"BUY","outcomeId":$,"amount":100.25,"type":"LIMIT","price":0.65,"currency":"USD","clientOrderId":"mm-001"}"#;
    let list = |key: &str, item: &str, count| format!("{{\"{key}\":[{}]}}", vec![item; count].join(","));
    match name {
        "place" => write(&PlaceOrderResponse::from(Order::Clob(order())), decimals, count),
        "batch" => {
            let results =
                (0..20).map(|index| BatchPlaceResult::new(index, Some("mm-001".into()), Ok(order())));
            write(&BatchPlaceResponse::from(results.collect::<Vec<_>>()), decimals, count);
        }
        "cancels" => {
            let results = (0..20).map(|_| BatchCancelResult::new(ID, Ok(())));
            write(&BatchCancelResponse::from(results.collect::<Vec<_>>()), decimals, count);
        }
        "book" => write(&vec![book()], decimals, count),
        "read_place" => {
            let body = body(item, true);
            for _ in 0..count {
                let order = if quick { PlaceOrder::read(black_box(&body)) } else { read(black_box(&body)) };
                black_box(order.expect("valid"));
            }
        }
        "read_batch" => {
            let body = body(&list("orders", item, 20), quick);
            (0..count).for_each(|_| drop(black_box(BatchPlace::read(black_box(&body)).expect("valid"))));
        }
        "read_amend" => {
            let body = body(&list("items", r#"{"orderId":$,"newPrice":0.5,"newSize":15}"#, 20), quick);
            (0..count).for_each(|_| drop(black_box(BatchAmend::read(black_box(&body)).expect("valid"))));
        }
        "read_cancel" => {
            let body = body(&list("orderIds", "$", 20), quick);
            (0..count).for_each(|_| drop(black_box(BatchCancel::read(black_box(&body)).expect("valid"))));
        }
        other => panic!("no case {other}"),
    }
}
