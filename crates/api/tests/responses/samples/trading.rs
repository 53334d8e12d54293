//! Orders, batches, quotes and sets.

use api::decimal::{Percent, Price, Shares};
use api::response::*;
use api::terms::*;
use api::timestamp::{OptionalDate, Timestamp};

use super::{at, id, money, pagination, shares, unit_price};

pub fn clob_order() -> ClobOrder<'static> {
    ClobOrder {
        id: id(10),
        market_id: id(2),
        user_id: id(20),
        outcome: OutcomeSide::Yes,
        side: Side::Buy,
        order_type: OrderType::Limit,
        applied_time_in_force: TimeInForce::Gtc,
        status: OrderStatus::PartialFilled,
        amount: money(70_000_000),
        price: Price::from_cents(70),
        size: shares(1_000_000),
        filled_size: shares(450_000),
        remaining_size: shares(550_000),
        avg_fill_price: unit_price(695_556),
        fee: money(626_001),
        post_only: false,
        stp_mode: StpMode::Skip,
        quantity: shares(450_000),
        created_at: at(0),
        updated_at: Timestamp::from_micros(1_785_282_158_454_000),
        event_id: id(1),
        outcome_id: id(3),
        outcome_label: "YES".into(),
        currency: Currency::Usd,
        time_in_force: TimeInForce::Gtc,
        expires_at: OptionalDate(None),
        client_order_id: Some("mm-001".into()),
    }
}

pub fn amm_order() -> AmmOrder<'static> {
    AmmOrder {
        id: id(11),
        outcome: OutcomeSide::No,
        side: Side::Sell,
        applied_order_type: OrderType::Market,
        status: OrderStatus::Filled,
        amount: money(49_999_992),
        price: unit_price(503_611),
        quantity: shares(1_013_091),
        currency: Currency::Usd,
        created_at: at(0),
        updated_at: at(0),
        event_id: id(1),
        market_id: id(2),
        user_id: id(20),
        outcome_id: id(4),
        outcome_label: "NO".into(),
        order_type: OrderType::Market,
        size: shares(1_013_091),
        filled_size: shares(1_013_091),
        remaining_size: Shares::ZERO,
        avg_fill_price: unit_price(503_611),
        fee: money(1_020_408),
        post_only: false,
        stp_mode: StpMode::Skip,
        time_in_force: TimeInForce::Fak,
        expires_at: OptionalDate(None),
        client_order_id: None,
    }
}

pub fn orders() -> Orders<'static> {
    let orders = vec![Order::Clob(clob_order()), Order::Amm(amm_order())];
    Orders { orders, pagination: pagination(), next_cursor: None }
}

pub fn item_error() -> ItemError {
    ItemError {
        code: api::error::ItemErrorCode::OrderNotFound,
        message: "Order not found".to_owned(),
        reason: Some("ORDER_NOT_OPEN".into()),
    }
}

pub fn batch_place() -> BatchPlaceResponse<'static> {
    BatchPlaceResponse::from(vec![
        BatchPlaceResult::new(0, Some("mm-001".into()), Ok(clob_order())),
        BatchPlaceResult::new(1, None, Err(ItemError { reason: None, ..item_error() })),
    ])
}

pub fn batch_amend() -> BatchAmendResponse<'static> {
    BatchAmendResponse::from(vec![
        BatchAmendResult::new(0, SentId::Id(id(10)), Ok(clob_order())),
        BatchAmendResult::new(1, SentId::Text("x".into()), Err(item_error())),
    ])
}

pub fn batch_cancel() -> BatchCancelResponse {
    BatchCancelResponse::from(vec![
        BatchCancelResult::new(id(10), Ok(())),
        BatchCancelResult::new(id(11), Err(item_error())),
    ])
}

pub fn quote() -> Quote {
    Quote {
        price: unit_price(509_604),
        current_market_price: unit_price(500_000),
        quantity: shares(1_923_831),
        amount: money(9_999_999_624),
        cost_of_shares: money(9_803_921_200),
        fee: money(196_078_424),
        price_impact_absolute: unit_price(20_000),
        profit_percentage: Percent::from_units(9238),
        currency_base_multiplier: Currency::Ngn.base_multiplier(),
        complete_fill: true,
        trade_goes_over_max_liability: false,
        order: None,
    }
}

pub fn order_quote() -> Quote {
    let order = QuotedOrder {
        resting_size: shares(100_000),
        cancelled_size: shares(0),
        hold: money(5_000_000),
        cancelled_orders: 1,
        status: Some(OrderStatus::PartialFilled),
        refusal: None,
    };
    Quote { order: Some(order), ..quote() }
}

pub fn refused_quote() -> Quote {
    let refusal = QuotedRefusal {
        code: "INSUFFICIENT_BALANCE".into(),
        message: "Insufficient balance: need 255, have 100".to_owned(),
    };
    let order = QuotedOrder {
        resting_size: shares(0),
        cancelled_size: shares(0),
        hold: money(0),
        cancelled_orders: 0,
        status: None,
        refusal: Some(refusal),
    };
    Quote { order: Some(order), ..quote() }
}

pub fn mint() -> MintResult {
    MintResult {
        operation_id: id(50),
        market_id: id(2),
        quantity: shares(100_000),
        outcome1_price: unit_price(650_000),
        outcome2_price: unit_price(350_000),
    }
}

pub fn burn() -> BurnResult {
    BurnResult {
        operation_id: id(51),
        market_id: id(2),
        quantity: shares(100_000),
        outcome1_price: unit_price(650_000),
        outcome2_price: unit_price(350_000),
        proceeds: money(10_000_000),
    }
}
