//! Generates the workload from a fixed seed: 45 % passive limits, 25 % crossing limits, 30 % cancels of a random live
//! order.
//!
//! It keeps a simple model of the book, which determines which prices cross and which orders are live. The model is
//! deliberately not one of the contestants.

use std::collections::VecDeque;

use super::contestant::{Order, Side, TICK_MAX};
use super::workload::{Operation, SET_UP_RECORDS, Workload};
use load::random::Random;

const SEED: u64 = 0x0062_656c_6c77_6574;
const TICK_MIDDLE: u32 = 50;
const QUANTITY_MAX: u32 = 110;
/// How far the limit of a crossing order may be beyond the best price. With less the book grows, with more it empties;
/// at seven its final size is close to the initial one.
const THROUGH_MAX: u32 = 7;

/// Generates the workload; the same one every time.
pub(crate) fn generate(operations: usize) -> Workload {
    let mut generator = Generator { random: Random::new(SEED), model: Model::default(), records: Vec::new() };
    for _ in 0..SET_UP_RECORDS {
        generator.set_up();
    }
    for _ in 0..operations {
        match generator.random.below(100) {
            0..45 => generator.passive(),
            45..70 => generator.crossing(),
            _ => generator.cancel(),
        }
    }
    Workload { records: generator.records }
}

/// `count` orders that never cross, spread evenly over the ticks.
pub(crate) fn spread(count: u32) -> impl Iterator<Item = Order> {
    let mut random = Random::new(SEED);
    (0..count).map(move |id| {
        let side = any_side(&mut random);
        let price = 1 + random.below(TICK_MIDDLE - 1);
        Order {
            id,
            side,
            price: match side {
                Side::Buy => price,
                Side::Sell => TICK_MIDDLE + price,
            },
            quantity: any_quantity(&mut random),
        }
    })
}

struct Generator {
    random: Random,
    model: Model,
    records: Vec<Operation>,
}

impl Generator {
    fn set_up(&mut self) {
        let side = any_side(&mut self.random);
        let distance = self.random.below(TICK_MIDDLE - 1);
        let price = match side {
            Side::Buy => TICK_MIDDLE - 1 - distance,
            Side::Sell => TICK_MIDDLE + 1 + distance,
        };
        self.add(side, price);
    }

    /// A passive order between the far end of its side and the other side's best price.
    fn passive(&mut self) {
        let mut side = any_side(&mut self.random);
        let room = |model: &Model, side| match side {
            Side::Buy => model.best(Side::Sell).map_or(TICK_MAX, |best| best - 1),
            Side::Sell => TICK_MAX - model.best(Side::Buy).unwrap_or(0),
        };
        if room(&self.model, side) == 0 {
            side = side.opposite();
        }
        let distance = self.random.below(room(&self.model, side));
        let price = match side {
            Side::Buy => 1 + distance,
            Side::Sell => TICK_MAX - distance,
        };
        self.add(side, price);
    }

    /// A crossing order that reaches a few ticks beyond the other side's best price; the remainder rests.
    fn crossing(&mut self) {
        let mut side = any_side(&mut self.random);
        if self.model.best(side.opposite()).is_none() {
            side = side.opposite();
        }
        let Some(best) = self.model.best(side.opposite()) else {
            return self.passive();
        };
        let through = self.random.below(THROUGH_MAX + 1);
        let price = match side {
            Side::Buy => (best + through).min(TICK_MAX),
            Side::Sell => best.saturating_sub(through).max(1),
        };
        self.add(side, price);
    }

    fn cancel(&mut self) {
        let live = self.model.live.len() as u32;
        if live == 0 {
            return self.passive();
        }
        let id = self.model.live[self.random.below(live) as usize];
        self.model.remove(id);
        self.records.push(Operation::Cancel(id));
        self.model.orders.push(None);
    }

    fn add(&mut self, side: Side, price: u32) {
        let order =
            Order { id: self.records.len() as u32, side, price, quantity: any_quantity(&mut self.random) };
        self.records.push(Operation::Add(order));
        self.model.add(order);
    }
}

/// A live order: its remainder, and its index in `live`.
struct Live {
    order: Order,
    position: usize,
}

struct Model {
    /// By id, which is the index of the record.
    orders: Vec<Option<Live>>,
    live: Vec<u32>,
    /// By side and tick, oldest first. Ids of dead orders stay until they reach the front.
    queues: [Vec<VecDeque<u32>>; 2],
    counts: [[u32; TICK_MAX as usize + 1]; 2],
}

impl Default for Model {
    fn default() -> Self {
        let queues = vec![VecDeque::new(); TICK_MAX as usize + 1];
        Self {
            orders: Vec::new(),
            live: Vec::new(),
            queues: [queues.clone(), queues],
            counts: [[0; TICK_MAX as usize + 1]; 2],
        }
    }
}

impl Model {
    fn best(&self, side: Side) -> Option<u32> {
        let counts = &self.counts[side as usize];
        let mut ticks = 1..=TICK_MAX;
        let occupied = |tick: &u32| counts[*tick as usize] > 0;
        match side {
            Side::Buy => ticks.rfind(occupied),
            Side::Sell => ticks.find(occupied),
        }
    }

    fn add(&mut self, mut order: Order) {
        assert_eq!(order.id as usize, self.orders.len(), "ids are record indexes");
        self.orders.push(None);
        while order.quantity > 0 {
            let Some(price) = self.best(order.side.opposite()) else {
                break;
            };
            let crosses = match order.side {
                Side::Buy => price <= order.price,
                Side::Sell => price >= order.price,
            };
            if !crosses {
                break;
            }
            self.fill_oldest(&mut order, price);
        }
        if order.quantity > 0 {
            self.rest(order);
        }
    }

    fn fill_oldest(&mut self, taker: &mut Order, price: u32) {
        let queue = &mut self.queues[taker.side.opposite() as usize][price as usize];
        let id = *queue.front().expect("an occupied level has a queue");
        let Some(maker) = &mut self.orders[id as usize] else {
            queue.pop_front();
            return;
        };
        let quantity = taker.quantity.min(maker.order.quantity);
        taker.quantity -= quantity;
        maker.order.quantity -= quantity;
        if maker.order.quantity == 0 {
            self.remove(id);
        }
    }

    fn rest(&mut self, order: Order) {
        let (side, price) = (order.side as usize, order.price as usize);
        self.queues[side][price].push_back(order.id);
        self.counts[side][price] += 1;
        self.orders[order.id as usize] = Some(Live { order, position: self.live.len() });
        self.live.push(order.id);
    }

    fn remove(&mut self, id: u32) {
        let gone = self.orders[id as usize].take().expect("the order is live");
        self.counts[gone.order.side as usize][gone.order.price as usize] -= 1;
        self.live.swap_remove(gone.position);
        if let Some(&moved) = self.live.get(gone.position) {
            let moved = self.orders[moved as usize].as_mut();
            moved.expect("listed orders are live").position = gone.position;
        }
    }
}

fn any_side(random: &mut Random) -> Side {
    match random.below(2) {
        0 => Side::Buy,
        _ => Side::Sell,
    }
}

fn any_quantity(random: &mut Random) -> u32 {
    1 + random.below(QUANTITY_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workload_has_the_stated_mix() {
        let workload = generate(100_000);
        let cancels = workload.measured().iter();
        let cancels = cancels.filter(|operation| matches!(operation, Operation::Cancel(_)));
        assert!((29_000..31_000).contains(&cancels.count()));
        assert!(workload.set_up().iter().all(|operation| matches!(operation, Operation::Add(_))));
    }

    #[test]
    fn the_workload_is_the_same_every_time() {
        assert_eq!(generate(5_000).records, generate(5_000).records);
    }
}
