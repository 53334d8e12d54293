//! `rust_ob` 2.5: one tree node and one shared cell per order, prices as `Decimal`.

use rust_ob::{Decimal, OrderBook};

use super::contestant::{Contestant, Order, Resting, Side, Tally};

#[derive(Debug)]
pub(crate) struct RustOb {
    book: OrderBook<u32>,
}

impl Default for RustOb {
    fn default() -> Self {
        Self { book: OrderBook::new() }
    }
}

impl Contestant for RustOb {
    fn add(&mut self, order: Order, tally: &mut impl Tally) {
        let side = match order.side {
            Side::Buy => rust_ob::Side::Buy,
            Side::Sell => rust_ob::Side::Sell,
        };
        let (price, quantity) = (Decimal::from(order.price), Decimal::from(order.quantity));
        let matches = self
            .book
            .process_limit_order(order.id, side, price, quantity)
            .expect("ids are new and quantities positive");
        // The last match is the taker's own total.
        let Some((_, makers)) = matches.split_last() else {
            return;
        };
        for maker in makers {
            let quantity = whole(maker.quantity);
            tally.fill(order.id, maker.order, whole(maker.cost) / quantity, quantity);
        }
    }

    fn cancel(&mut self, id: u32) {
        // Cancelling an order that is gone does nothing.
        let _ = self.book.cancel_order(id);
    }

    fn resting(&self) -> Resting {
        // The orders are visible only through `Display`: a heading, then one row each.
        let printed = self.book.to_string();
        let rows = printed.lines().skip(1);
        let quantity = |row: &str| {
            let column = row.split_whitespace().last().expect("rows have columns");
            column.parse::<u64>().expect("quantities are whole")
        };
        Resting { orders: Some(rows.clone().count() as u64), quantity: rows.map(quantity).sum() }
    }
}

/// The magnitude of a `Decimal` that holds an integer below 2^32.
fn whole(decimal: Decimal) -> u32 {
    decimal.mantissa().unsigned_abs() as u32
}
