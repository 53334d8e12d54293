//! The expected effects of a command, reduced to what is compared, and the same effects read from the changes.

use exchange::book::naive::Fill;
use exchange::change::{Change, MatchType, OrderCause};
use exchange::order::{OrderStatus, Side};

use super::{Open, yes_price};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Trade {
        taker: u128,
        maker: u128,
        match_type: MatchType,
        shares: i64,
        yes_price: i64,
        fee: i64,
    },
    Order {
        id: u128,
        cause: OrderCause,
        status: OrderStatus,
        size: i64,
        filled: i64,
        taker_value: i64,
        fee: i64,
    },
}

impl Effect {
    pub(super) fn trade(taker: &Open, maker: &Open, fill: &Fill, fee: i64) -> Effect {
        let match_type = match (taker.side, maker.side) {
            (Side::Buy, Side::Buy) => MatchType::Mint,
            (Side::Sell, Side::Sell) => MatchType::Merge,
            _ => MatchType::Direct,
        };
        Effect::Trade {
            taker: taker.id,
            maker: maker.id,
            match_type,
            shares: fill.shares,
            yes_price: fill.price,
            fee,
        }
    }

    pub(super) fn order(order: &Open, cause: OrderCause, status: OrderStatus) -> Effect {
        let Open { id, size, filled, taker_value, fee, .. } = *order;
        Effect::Order { id, cause, status, size, filled, taker_value, fee }
    }

    pub(super) fn self_trade(order: &Open) -> Effect {
        Effect::order(order, OrderCause::SelfTrade, OrderStatus::Cancelled)
    }

    pub(super) fn maker(order: &Open) -> Effect {
        let status = if order.remaining() == 0 { OrderStatus::Filled } else { OrderStatus::PartialFilled };
        Effect::order(order, OrderCause::Filled, status)
    }

    /// The effect of a change; `None` if the shadow does not predict it.
    pub fn read(change: &Change) -> Option<Effect> {
        match change {
            Change::Trade(trade) => Some(Effect::Trade {
                taker: trade.taker.order.as_u128(),
                maker: trade.maker.order.as_u128(),
                match_type: trade.match_type,
                shares: trade.size.units(),
                yes_price: yes_price(trade.maker.outcome, trade.maker.price.cents().into()),
                fee: trade.taker_fee.units(),
            }),
            Change::Order { record, cause } => Some(Effect::Order {
                id: record.terms.id.as_u128(),
                cause: *cause,
                status: record.status,
                size: record.terms.size.units(),
                filled: record.terms.filled.units(),
                taker_value: record.terms.taker_value.units(),
                fee: record.terms.fee.units(),
            }),
            _ => None,
        }
    }
}

pub(super) fn open_status(order: &Open) -> OrderStatus {
    if order.filled == 0 { OrderStatus::Open } else { OrderStatus::PartialFilled }
}
