//! Snapshots and deltas of a market and of an account.

use api::decimal::{Percent, Price};
use api::response::*;
use api::stream::StreamOrderCause;
use api::terms::*;
use api::timestamp::OptionalDate;

use super::{
    amm_order, announced, clob_order, date, event_resolution, id, money, shares, trades, unit_price,
};

fn message<T>(data: T, room: &str, previous_sequence: Option<u64>) -> ChangeMessage<T> {
    ChangeMessage {
        kind: if previous_sequence.is_some() { ChangeKind::Delta } else { ChangeKind::Snapshot },
        room: room.to_owned(),
        data,
        sequence: previous_sequence.map_or(812, |previous| previous + 3),
        previous_sequence,
        timestamp: 1_785_282_158_000,
    }
}

pub fn market_changes() -> MarketChangeList {
    let level = |cents, units| ChangedLevel { price: Price::from_cents(cents), quantity: shares(units) };
    let nothing = MarketChanges {
        market_id: id(2),
        event_id: id(1),
        currency: Currency::Usd,
        engine: Engine::Clob,
        status: None,
        prices: None,
        terms: None,
        bids: Vec::new(),
        asks: Vec::new(),
        last_trade: None,
        resolution: None,
        trades: Vec::new(),
    };
    let prices = MarketPrices {
        outcome1_price: unit_price(715_000),
        outcome2_price: unit_price(285_000),
        yes_buy_price: unit_price(730_000),
        no_buy_price: unit_price(0),
    };
    let terms = |announced_terms| MarketTerms {
        fee_percentage: Percent::from_units(200),
        minimum_order_amount: money(1_000_000),
        announced_terms,
    };
    let past = event_resolution();
    let snapshot = MarketChanges {
        status: Some(Status::Open),
        prices: Some(prices),
        terms: Some(terms(None)),
        bids: vec![level(70, 2_000_001), level(69, 10_000)],
        resolution: Some(ChangedResolution {
            proposal: None,
            last_verdict: None,
            resolved_outcome: None,
            yes_payout: None,
            settled_at: OptionalDate(None),
        }),
        ..nothing.clone()
    };
    let delta = MarketChanges {
        status: Some(Status::Resolved),
        prices: Some(prices),
        terms: Some(terms(Some(announced()))),
        bids: vec![level(70, 0)],
        asks: vec![level(73, 5)],
        last_trade: Some(LastTrade { price: Price::from_cents(70), side: Side::Sell }),
        resolution: Some(ChangedResolution {
            proposal: past.proposal,
            last_verdict: past.verdicts.into_iter().next(),
            resolved_outcome: Some(OutcomeSide::Yes),
            yes_payout: Some(unit_price(1_000_000)),
            settled_at: date(60),
        }),
        trades: trades().data,
        ..nothing
    };
    let room = format!("changes:{}:USD", id(2));
    let changes = vec![message(snapshot, &room, None), message(delta, &room, Some(812))];
    MarketChangeList { room, sequence: 815, head: 840, changes }
}

pub fn account_changes() -> AccountChangeList {
    let nothing = AccountChanges {
        user_id: id(20),
        orders: Vec::new(),
        fills: Vec::new(),
        wallets: Vec::new(),
        positions: Vec::new(),
    };
    let wallet = ChangedWallet {
        currency: Currency::Ngn,
        available_balance: money(1_000_000_000_001),
        pending_balance: money(0),
    };
    let position = ChangedPosition {
        market_id: id(2),
        outcome_id: id(3),
        outcome: OutcomeSide::Yes,
        currency: Currency::Usd,
        balance: shares(100_001),
        available_balance: shares(1),
        cost: money(7_200_072),
    };
    let fill = AccountFill {
        trade_id: id(30),
        order_id: id(10),
        market_id: id(2),
        outcome_id: id(3),
        outcome: OutcomeSide::Yes,
        side: Side::Buy,
        price: Price::from_cents(72),
        quantity: shares(100_001),
        amount: money(7_200_072),
        fee: money(144_002),
        role: FillRole::Taker,
        match_type: MatchType::Mint,
        currency: Currency::Usd,
    };
    let snapshot = AccountChanges {
        orders: vec![ChangedOrder { cause: None, order: Order::Clob(clob_order()) }],
        wallets: vec![wallet],
        positions: vec![position],
        ..nothing.clone()
    };
    let placed = ChangedOrder { cause: Some(StreamOrderCause::Placed), order: Order::Amm(amm_order()) };
    let delta = AccountChanges { orders: vec![placed], fills: vec![fill], ..nothing };
    let room = format!("changes:{}", id(20));
    let changes = vec![message(snapshot, &room, None), message(delta, &room, Some(812))];
    AccountChangeList { room, sequence: 815, head: 815, changes }
}
