//! The expected behaviour of an amend: shrink in place, or take at the new price and go to the end of the queue.

use exchange::book::naive::{Own, Taker, Walk, Want};
use exchange::change::OrderCause;
use exchange::order::{Amendment, OrderStatus, Outcome, Side};

use super::effect::open_status;
use super::{Effect, Open, Shadow, base, fee_on, yes_price};
use crate::counts::{Counts, Rare};

#[derive(Clone, Debug)]
pub struct AmendForecast {
    /// The order before it takes anything.
    order: Open,
    walk: Walk,
    cancels: Vec<u128>,
    in_place: bool,
    crosses_in_batch: bool,
    pub need: i64,
    /// The holds of the order and of the orders that it cancels.
    pub released: i64,
}

impl Shadow {
    /// `None` if the order is not open.
    pub fn forecast_amend(&self, amendment: &Amendment, batch: &[u128]) -> Option<AmendForecast> {
        let old = self.orders.get(&amendment.order.as_u128())?;
        let price = amendment.new_price.map_or(old.price, |price| price.cents().into());
        let size = amendment.new_size.map_or(old.size, |size| size.units());
        let order = Open { price, size, ..old.clone() };
        if price == old.price && size <= old.size {
            let walk = Walk::default();
            let (in_place, crosses_in_batch) = (true, false);
            let cancels = Vec::new();
            return Some(AmendForecast {
                order,
                walk,
                cancels,
                in_place,
                crosses_in_batch,
                need: 0,
                released: 0,
            });
        }
        let taker = Taker {
            user: old.user,
            side: old.book_side(),
            in_no: old.outcome == Outcome::No,
            limit: yes_price(old.outcome, price),
            want: Want::Shares(size - old.filled),
            base: base(old.listing.currency()),
            own: Own::Skip,
        };
        let walk = self.books.get(&old.listing)?.walk(&taker);
        let mut cancels = Vec::new();
        let mut crosses_in_batch = false;
        if price != old.price {
            cancels = self.own_crossers(old.user, old.listing, taker.side, taker.limit);
            crosses_in_batch = cancels.iter().any(|id| batch.contains(id));
            cancels.retain(|id| !batch.contains(id));
        }
        let rest = size - old.filled - walk.shares;
        let (cash, shares) = self.released(&cancels, old.outcome);
        let (need, released) = match old.side {
            Side::Buy => {
                let fee = fee_on(old.fee_rate, old.taker_value + walk.value)
                    - fee_on(old.fee_rate, old.taker_value);
                (walk.value + fee + rest * price * base(old.listing.currency()), cash + old.held_cash())
            }
            Side::Sell => (walk.shares + rest, shares + old.remaining()),
        };
        Some(AmendForecast { order, walk, cancels, in_place: false, crosses_in_batch, need, released })
    }

    pub fn amend(&mut self, forecast: AmendForecast, counts: &mut Counts) -> Vec<Effect> {
        let AmendForecast { mut order, walk, cancels, in_place, crosses_in_batch, .. } = forecast;
        counts.note_if(crosses_in_batch, Rare::AmendCrossesInBatch);
        counts.note_if(!cancels.is_empty(), Rare::AmendCancelsOwn);
        counts.note_if(!walk.fills.is_empty(), Rare::AmendTakes);
        if in_place {
            if let Some(book) = self.books.get_mut(&order.listing) {
                book.reduce(order.id, order.remaining());
            }
            let effect = Effect::order(&order, OrderCause::Amended, open_status(&order));
            self.orders.insert(order.id, order);
            return vec![effect];
        }
        let mut effects = Vec::new();
        self.forget(order.id);
        self.cancel_own(&cancels, &mut effects);
        self.take(&mut order, &walk.fills, &mut effects);
        counts.note_if(order.remaining() == 0, Rare::AmendFillsFully);
        let status = if order.remaining() == 0 { OrderStatus::Filled } else { open_status(&order) };
        effects.push(Effect::order(&order, OrderCause::Amended, status));
        if order.remaining() > 0 {
            self.rest(order);
        }
        effects
    }
}
