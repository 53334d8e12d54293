//! Rules 8, 9 and 11 on the orders and trades that a command reported.

use std::collections::BTreeMap;

use exchange::change::{Change, MatchType, OrderCause, Trade};
use exchange::numbers::{Money, Shares};
use exchange::order::{OrderKind, OrderRecord, OrderStatus, Side, TimeInForce};

use crate::failure::{Failure, ensure};
use crate::shadow::Open;

pub const NOT_WITH_ONESELF: &str = "8 no user trades with themselves";
pub const MAKERS_PRICE: &str = "8 a fill executes at the maker's price";
pub const WITHIN_LIMIT: &str = "8 a fill is never worse than the limit";
pub const ALL_OR_NOTHING: &str = "8 FOK fills whole or not at all";
pub const POST_ONLY: &str = "8 postOnly never takes";
pub const SIZES: &str = "9 an order's sizes fit its status";
pub const FEE: &str = "11 an order's fee is the rate on all it took, rounded up";
pub const PARTIES: &str = "8 the two parties of a trade fit its match type";

/// `open`: the orders that were resting before the command.
pub fn check_fills(open: &BTreeMap<u128, Open>, changes: &[Change]) -> Result<(), Failure> {
    for (place, change) in changes.iter().enumerate() {
        match change {
            Change::Trade(trade) => check_trade(open, trade, &changes[place..])?,
            Change::Order { record, cause } => check_record(record, *cause, changes)?,
            _ => {}
        }
    }
    Ok(())
}

fn check_trade(open: &BTreeMap<u128, Open>, trade: &Trade, later: &[Change]) -> Result<(), Failure> {
    let detail = || format!("{trade:?}");
    ensure(trade.taker.user != trade.maker.user, NOT_WITH_ONESELF, detail)?;
    let maker_limit = open.get(&trade.maker.order.as_u128()).map(|maker| maker.price);
    ensure(maker_limit == Some(trade.maker.price.cents().into()), MAKERS_PRICE, detail)?;
    let (taker, maker) = (&trade.taker, &trade.maker);
    let fits = match trade.match_type {
        MatchType::Direct => {
            taker.outcome == maker.outcome && taker.side != maker.side && taker.price == maker.price
        }
        MatchType::Mint => taker.side == Side::Buy && maker.side == Side::Buy && complement(trade),
        MatchType::Merge => taker.side == Side::Sell && maker.side == Side::Sell && complement(trade),
    };
    ensure(fits && trade.size > Shares::ZERO, PARTIES, detail)?;
    let limit = later.iter().find_map(|change| match change {
        Change::Order { record, .. } if record.terms.id == taker.order => Some(record.terms.price),
        _ => None,
    });
    let within = match (limit, taker.side) {
        (None, _) => false,
        (Some(None), _) => true,
        (Some(Some(limit)), Side::Buy) => taker.price <= limit,
        (Some(Some(limit)), Side::Sell) => taker.price >= limit,
    };
    ensure(within, WITHIN_LIMIT, detail)
}

fn complement(trade: &Trade) -> bool {
    trade.taker.outcome != trade.maker.outcome && trade.taker.price == trade.maker.price.complement()
}

fn check_record(record: &OrderRecord, cause: OrderCause, changes: &[Change]) -> Result<(), Failure> {
    let terms = &record.terms;
    let detail = || format!("{cause:?}: {record:?}");
    let took =
        changes.iter().any(|change| matches!(change, Change::Trade(trade) if trade.taker.order == terms.id));
    ensure(!terms.post_only || !took, POST_ONLY, detail)?;
    if terms.time_in_force == TimeInForce::Fok {
        let whole = match record.status {
            OrderStatus::Filled => terms.filled == terms.size,
            OrderStatus::Rejected => terms.filled == Shares::ZERO && !took,
            _ => false,
        };
        ensure(whole, ALL_OR_NOTHING, detail)?;
    }
    let (filled, size) = (terms.filled, terms.size);
    let fits = match record.status {
        OrderStatus::Open => filled == Shares::ZERO && size > filled,
        OrderStatus::PartialFilled => filled > Shares::ZERO && size > filled,
        OrderStatus::Filled => filled == size,
        OrderStatus::Rejected => filled == Shares::ZERO && terms.fee == Money::ZERO,
        OrderStatus::Cancelled => filled < size || terms.kind == OrderKind::Market,
        OrderStatus::Expired => filled < size && terms.time_in_force == TimeInForce::Gtd,
    };
    ensure(fits && filled >= Shares::ZERO, SIZES, detail)?;
    let rests_only_if_it_may = !record.status.is_open() || terms.time_in_force.rests();
    ensure(rests_only_if_it_may, SIZES, detail)?;
    let product = i128::from(terms.fee_rate.basis_points()) * i128::from(terms.taker_value.units());
    ensure(i128::from(terms.fee.units()) == (product + 9_999) / 10_000, FEE, detail)
}
