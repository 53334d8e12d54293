//! `matchcore` 0.4: levels in a `BTreeMap`, orders in a hash map, cancelled orders left in the queue.
//!
//! Its fills differ from all others: version 0.4.0 matches a crossing limit order without its limit
//! (`submit_crossable_order`), so it trades beyond its price.

use matchcore::{
    CancelCmd, Command, CommandKind, CommandMeta, CommandOutcome, CommandReport, LimitOrder, NewOrder,
    OrderBook, OrderFlags, OrderId, OrderKind, Price, Quantity, QuantityPolicy, SequenceNumber, SubmitCmd,
    TimeInForce, Timestamp,
};

use super::contestant::{Contestant, Order, Resting, Side, Tally};

#[derive(Debug)]
pub(crate) struct Matchcore {
    book: OrderBook,
    sequence: u64,
}

impl Default for Matchcore {
    fn default() -> Self {
        Self { book: OrderBook::new("BENCH"), sequence: 0 }
    }
}

impl Contestant for Matchcore {
    fn add(&mut self, order: Order, tally: &mut impl Tally) {
        // It numbers orders by command, which matches the workload's ids.
        assert_eq!(self.sequence, u64::from(order.id), "one record, one command");
        let side = match order.side {
            Side::Buy => matchcore::Side::Buy,
            Side::Sell => matchcore::Side::Sell,
        };
        let limit = LimitOrder::new(
            Price(u64::from(order.price)),
            QuantityPolicy::Standard { quantity: Quantity(u64::from(order.quantity)) },
            OrderFlags::new(side, false, TimeInForce::Gtc),
        );
        let outcome = self.execute(CommandKind::Submit(SubmitCmd { order: NewOrder::Limit(limit) }));
        let CommandOutcome::Applied(CommandReport::Submit(effects)) = outcome else {
            panic!("matchcore refused {order:?}");
        };
        let Some(result) = effects.target_order().match_result() else {
            return;
        };
        for trade in result.trades() {
            let maker = trade.maker_order_id().0 as u32;
            let (price, quantity) = (trade.price().0 as u32, trade.quantity().0 as u32);
            tally.fill(order.id, maker, price, quantity);
        }
    }

    fn cancel(&mut self, id: u32) {
        self.execute(CommandKind::Cancel(CancelCmd {
            order_id: OrderId(u64::from(id)),
            order_kind: OrderKind::Limit,
        }));
    }

    fn resting(&self) -> Resting {
        let orders = self.book.limit().orders();
        Resting {
            orders: Some(orders.len() as u64),
            quantity: orders.values().map(|order| order.total_quantity().0).sum(),
        }
    }
}

impl Matchcore {
    fn execute(&mut self, kind: CommandKind) -> CommandOutcome {
        let sequence_number = SequenceNumber(self.sequence);
        self.sequence += 1;
        self.book.execute(&Command { meta: CommandMeta { sequence_number, timestamp: Timestamp(0) }, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::super::contestant::Totals;
    use super::*;

    /// Documents the defect named in the report; if this fails, a newer version has fixed it.
    #[test]
    fn a_limit_order_that_crosses_trades_on_past_its_limit() {
        let mut book = Matchcore::default();
        let mut totals = Totals::default();
        for (id, side, price, quantity) in
            [(0, Side::Sell, 50, 5), (1, Side::Sell, 51, 5), (2, Side::Buy, 50, 10)]
        {
            book.add(Order { id, side, price, quantity }, &mut totals);
        }
        assert_eq!(totals, Totals { trades: 2, volume: 10 });
    }
}
