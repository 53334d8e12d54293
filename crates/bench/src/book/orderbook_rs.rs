//! `orderbook-rs` 0.15: concurrent skip lists and maps, for many threads on one book.

use orderbook_rs::{Id, OrderBook, TimeInForce};

use super::contestant::{Contestant, Order, Resting, Side, Tally};

pub(crate) struct OrderbookRs {
    book: OrderBook<()>,
}

impl Default for OrderbookRs {
    fn default() -> Self {
        Self { book: OrderBook::new("BENCH") }
    }
}

impl Contestant for OrderbookRs {
    fn add(&mut self, order: Order, tally: &mut impl Tally) {
        let side = match order.side {
            Side::Buy => orderbook_rs::Side::Buy,
            Side::Sell => orderbook_rs::Side::Sell,
        };
        let (_, trades) = self
            .book
            .add_limit_order_with_result(
                Id::Sequential(u64::from(order.id)),
                u128::from(order.price),
                u64::from(order.quantity),
                side,
                TimeInForce::Gtc,
                None,
            )
            .expect("ids are new and quantities positive");
        let Some(trades) = trades else {
            return;
        };
        for trade in trades.match_result.trades().as_vec() {
            let Id::Sequential(maker) = trade.maker_order_id() else {
                panic!("every order was given a number");
            };
            let price = trade.price().as_u128() as u32;
            tally.fill(order.id, maker as u32, price, trade.quantity().as_u64() as u32);
        }
    }

    fn cancel(&mut self, id: u32) {
        // Cancelling an order that is gone does nothing.
        let _ = self.book.cancel_order(Id::Sequential(u64::from(id)));
    }

    fn resting(&self) -> Resting {
        let orders = self.book.get_all_orders();
        Resting {
            orders: Some(orders.len() as u64),
            quantity: orders.iter().map(|order| order.visible_quantity().as_u64()).sum(),
        }
    }
}
