//! An order on the book. Closed orders leave memory; their last `OrderRecord` shows how they ended.
//!
//! There may be millions of them, most without a fill and without an expiry, so those parts are allocated only for
//! orders that have them.

use super::{OrderKind, OrderState, OrderStatus, Outcome, SelfTrade, Side, TimeInForce};
use crate::book::NodeIndex;
use crate::id::OrderId;
use crate::index::{ListingIndex, UserIndex};
use crate::numbers::{FeeRate, Money, Price, Shares};
use crate::position::PositionSlot;
use crate::sparse::{Empty, Sparse};
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Debug)]
pub struct Order {
    pub terms: OpenTerms,
    pub user: UserIndex,
    pub listing: ListingIndex,
    pub(crate) position: PositionSlot,
    pub(crate) node: NodeIndex,
}

const _: () = assert!(size_of::<Order>() <= 96, "an open order is small");

/// The terms of an open order, as in `OrderState`.
#[derive(Clone, Debug)]
pub struct OpenTerms {
    pub id: OrderId,
    pub serial: u64,
    pub amount: Money,
    pub size: Shares,
    pub created_at: Time,
    pub client_order_id: Option<Text>,
    pub progress: Sparse<Progress>,
    pub fee_rate: FeeRate,
    pub price: Option<Price>,
    pub outcome: Outcome,
    pub side: Side,
    pub kind: OrderKind,
    pub time_in_force: TimeInForce,
    pub post_only: bool,
    pub self_trade: SelfTrade,
}

/// What happened to an open order so far, and its expiry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub filled: Shares,
    pub value: Money,
    pub taker_value: Money,
    pub fee: Money,
    pub trades: u64,
    /// `None`: at its creation.
    pub updated_at: Option<Time>,
    pub expires_at: Option<Time>,
}

impl Empty for Progress {
    const EMPTY: &'static Progress = &Progress {
        filled: Shares::ZERO,
        value: Money::ZERO,
        taker_value: Money::ZERO,
        fee: Money::ZERO,
        trades: 0,
        updated_at: None,
        expires_at: None,
    };

    fn is_empty_value(&self) -> bool {
        self == Progress::EMPTY
    }
}

impl OpenTerms {
    #[inline]
    pub fn remaining(&self) -> Shares {
        self.size - self.progress.filled
    }

    pub fn updated_at(&self) -> Time {
        self.progress.updated_at.unwrap_or(self.created_at)
    }

    /// The status of a resting order: open, or partially filled.
    pub fn open_status(&self) -> OrderStatus {
        if self.progress.filled == Shares::ZERO { OrderStatus::Open } else { OrderStatus::PartialFilled }
    }

    /// The complete state, for replies and changes.
    pub fn to_state(&self) -> OrderState {
        let progress = &*self.progress;
        OrderState {
            id: self.id,
            serial: self.serial,
            outcome: self.outcome,
            side: self.side,
            kind: self.kind,
            time_in_force: self.time_in_force,
            post_only: self.post_only,
            self_trade: self.self_trade,
            price: self.price,
            fee_rate: self.fee_rate,
            amount: self.amount,
            size: self.size,
            filled: progress.filled,
            value: progress.value,
            taker_value: progress.taker_value,
            fee: progress.fee,
            trades: progress.trades,
            expires_at: progress.expires_at,
            created_at: self.created_at,
            updated_at: self.updated_at(),
            client_order_id: self.client_order_id.clone(),
        }
    }
}

impl From<&OrderState> for OpenTerms {
    fn from(state: &OrderState) -> OpenTerms {
        let is_new = state.filled == Shares::ZERO && state.updated_at == state.created_at;
        let progress = if is_new && state.expires_at.is_none() {
            Sparse::empty()
        } else {
            Sparse::from(Progress {
                filled: state.filled,
                value: state.value,
                taker_value: state.taker_value,
                fee: state.fee,
                trades: state.trades,
                updated_at: Some(state.updated_at).filter(|at| *at != state.created_at),
                expires_at: state.expires_at,
            })
        };
        OpenTerms {
            id: state.id,
            serial: state.serial,
            amount: state.amount,
            size: state.size,
            created_at: state.created_at,
            client_order_id: state.client_order_id.clone(),
            progress,
            fee_rate: state.fee_rate,
            price: state.price,
            outcome: state.outcome,
            side: state.side,
            kind: state.kind,
            time_in_force: state.time_in_force,
            post_only: state.post_only,
            self_trade: state.self_trade,
        }
    }
}

impl Order {
    /// The limit price. Only limit orders rest.
    #[inline]
    pub fn price(&self) -> Price {
        match self.terms.price {
            Some(price) => price,
            None => Price::MIN,
        }
    }

    /// The value of the remainder at the order's price.
    pub fn notional(&self) -> Money {
        self.terms.remaining().value_at(self.price().into(), self.listing.currency())
    }

    /// The money that the order holds: a BUY holds money; a SELL holds `remaining` shares instead.
    pub fn held_cash(&self) -> Money {
        match self.terms.side {
            Side::Buy => self.notional(),
            Side::Sell => Money::ZERO,
        }
    }
}
