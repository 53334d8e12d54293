//! `lobster` 0.7: an arena of orders, a vector of slots per price in a `BTreeMap`.

use lobster::{OrderBook, OrderEvent, OrderType};

use super::contestant::{Contestant, Order, Resting, Side, Tally};

#[derive(Debug, Default)]
pub(crate) struct Lobster {
    book: OrderBook,
}

impl Contestant for Lobster {
    fn add(&mut self, order: Order, tally: &mut impl Tally) {
        let event = self.book.execute(OrderType::Limit {
            id: u128::from(order.id),
            side: match order.side {
                Side::Buy => lobster::Side::Bid,
                Side::Sell => lobster::Side::Ask,
            },
            qty: u64::from(order.quantity),
            price: u64::from(order.price),
        });
        let (OrderEvent::Filled { fills, .. } | OrderEvent::PartiallyFilled { fills, .. }) = event else {
            return;
        };
        for fill in fills {
            let (price, quantity) = (fill.price as u32, fill.qty as u32);
            tally.fill(order.id, fill.order_2 as u32, price, quantity);
        }
    }

    fn cancel(&mut self, id: u32) {
        self.book.execute(OrderType::Cancel { id: u128::from(id) });
    }

    fn resting(&self) -> Resting {
        let depth = self.book.depth(usize::from(u8::MAX));
        let levels = depth.bids.iter().chain(&depth.asks);
        Resting { orders: None, quantity: levels.map(|level| level.qty).sum() }
    }
}
