//! The reported form of an order, in changes and replies: complete, and with public ids.

use super::OrderState;
use crate::id::{MarketId, UserId};
use crate::numbers::{Currency, Ppm, Shares};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderStatus {
    Open,
    PartialFilled,
    Filled,
    Cancelled,
    Rejected,
    Expired,
}

impl OrderStatus {
    pub const fn is_open(self) -> bool {
        matches!(self, OrderStatus::Open | OrderStatus::PartialFilled)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRecord {
    pub user: UserId,
    pub market: MarketId,
    pub currency: Currency,
    pub status: OrderStatus,
    pub terms: OrderState,
}

impl OrderRecord {
    /// The quantity still on the book.
    pub fn remaining(&self) -> Shares {
        if self.status.is_open() { self.terms.remaining() } else { Shares::ZERO }
    }

    pub fn average_price(&self) -> Ppm {
        Ppm::average(self.terms.value, self.terms.filled, self.currency)
    }
}
