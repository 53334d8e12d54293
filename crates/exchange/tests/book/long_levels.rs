//! Long queues, which a large book walks by blocks: the sums of a taker who meets own orders in them are those of the naive
//! book, and the number of steps to them is bounded.

use exchange::book::naive::{self, Entry, Own, Side};
use exchange::book::{Book, BookSide, OwnOrders, OwnResting, Plan, Sweep, Taker, Want};
use exchange::index::OrderSlot;
use exchange::numbers::{Price, Shares};

use super::{MODES, Pair, Random, quick_side, quick_taker, quick_user, random_shares};

/// More than a book without blocks has.
const ORDERS: usize = 17_500;
const SEEDS: u64 = 3;
/// The asks are at these prices.
const PRICES: [i64; 3] = [60, 61, 62];
/// The user who takes.
const TAKER: u32 = 0;

/// Long queues of asks in which one order in `own_one_in` is the taker's.
fn pair(random: &mut Random, own_one_in: u64) -> Pair {
    let mut pair = Pair::default();
    for _ in 0..ORDERS {
        rest(&mut pair, random, own_one_in);
    }
    pair
}

fn rest(pair: &mut Pair, random: &mut Random, own_one_in: u64) {
    let user = if random.below(own_one_in) == 0 { TAKER } else { 1 + random.below(3) as u32 };
    let (price, shares) = (PRICES[random.below(3) as usize], random_shares(random));
    pair.rest(random, Side::Ask, price, user, shares);
}

/// Takes that end at the end of an order of others, or one unit before or behind it.
fn near_an_order(random: &mut Random, makers: &[Entry]) -> naive::Taker {
    let others = makers.iter().filter(|maker| maker.user != TAKER);
    let last = random.below(makers.len() as u64) as usize;
    let (mut shares, mut value) = (0, 0);
    for maker in others.take(last) {
        shares += maker.remaining;
        value += maker.remaining * maker.price;
    }
    let off = random.below(3) as i64 - 1;
    let want = match random.below(2) {
        0 => naive::Want::Shares((shares + off).max(1)),
        _ => naive::Want::Money((value + off * 60).max(1)),
    };
    let own = MODES[random.below(4) as usize].1;
    naive::Taker { user: TAKER, side: Side::Bid, in_no: false, limit: 99, want, base: 1, own }
}

fn sweep(pair: &Pair, taker: &Taker, makers: &[Entry]) -> (Plan, Sweep) {
    let mut own = OwnResting::NONE;
    for order in makers.iter().filter(|order| order.user == TAKER) {
        let slot = OrderSlot::from_slot(order.id as usize);
        let node = pair.nodes[slot.slot()].expect("it rests");
        own.add(Price::clamp(order.price), Shares::new(order.remaining), slot, node);
    }
    let mut plan = Plan::default();
    let sweep = pair.quick.sweep(taker, own, &mut plan);
    (plan, sweep)
}

fn check(pair: &mut Pair, random: &mut Random) {
    let makers = pair.naive.makers(Side::Bid, 99);
    let taker = near_an_order(random, &makers);
    let walk = pair.naive.walk(&taker);
    let quick = quick_taker(&taker);
    let (plan, sweep) = sweep(pair, &quick, &makers);
    let sums = (sweep.shares.units(), sweep.value.units(), sweep.complete, plan.stopped_at_own);
    assert_eq!(sums, (walk.shares, walk.value, walk.complete, walk.stopped_at_own), "{taker:?}");
    let mut cancels: Vec<_> = plan.cancels.iter().map(|slot| slot.slot() as u128).collect();
    let mut expected = walk.cancels.clone();
    cancels.sort_unstable();
    expected.sort_unstable();
    assert_eq!(cancels, expected, "{taker:?}");
    assert!(sweep.steps <= steps_max(makers.len()), "{} steps among {} orders", sweep.steps, makers.len());
    pair.quick.plan(&quick, &mut pair.plan);
    pair.compare(&walk, &taker);
}

/// One block order by order, and whole blocks before it: two neighbours have more than 128 orders together.
fn steps_max(orders: usize) -> usize {
    512 + 2 * (orders / 128) + 2 * PRICES.len()
}

/// Removes most orders of one price, so that blocks of few orders join.
fn thin_out(pair: &mut Pair, random: &mut Random, price: i64) {
    let makers = pair.naive.makers(Side::Bid, 99);
    for maker in makers.iter().filter(|maker| maker.price == price) {
        match random.below(20) {
            0 => {}
            1 => pair.reduce(random, maker.id as usize),
            _ => pair.remove(maker.id as usize),
        }
    }
}

#[test]
fn sums_in_long_queues_are_those_of_the_naive_book() {
    for seed in 0..SEEDS {
        let mut random = Random(seed);
        let own_one_in = [9_000, 60, 700][seed as usize % 3];
        let mut pair = pair(&mut random, own_one_in);
        for round in 0..4 {
            for _ in 0..12 {
                check(&mut pair, &mut random);
            }
            match round {
                0 => thin_out(&mut pair, &mut random, PRICES[0]),
                1 => thin_out(&mut pair, &mut random, PRICES[2]),
                _ => (0..1_500).for_each(|_| rest(&mut pair, &mut random, own_one_in)),
            }
            pair.check_alike();
        }
        // A taker empties most of the first price, and closes orders from the front.
        let first: i64 =
            pair.quick.levels(quick_side(Side::Ask)).map(|level| level.1.units()).next().expect("a level");
        let want = naive::Want::Shares(first - 5);
        let taker =
            naive::Taker { user: 9, side: Side::Bid, in_no: false, limit: 99, want, base: 1, own: Own::Skip };
        pair.quick.plan(&quick_taker(&taker), &mut pair.plan);
        let walk = pair.naive.walk(&taker);
        pair.compare(&walk, &taker);
        pair.quick.take(&pair.plan.fills);
        pair.naive.take(&walk.fills);
        pair.check_alike();
        for fill in walk.fills.iter().filter(|fill| pair.naive.find(fill.id).is_none()) {
            pair.nodes[fill.id as usize] = None;
        }
        for _ in 0..12 {
            check(&mut pair, &mut random);
        }
    }
}

/// The book of the goals: a command and a quote may not walk 200,000 orders to find one of their own.
#[test]
fn an_own_order_among_two_hundred_thousand_at_one_price_is_found_in_few_steps() {
    let mut book = Book::default();
    let mut nodes = Vec::new();
    let places = 200_000;
    for place in 0..places {
        let user = if place == places / 2 || place == places - 1 { quick_user(TAKER) } else { quick_user(1) };
        let slot = OrderSlot::from_slot(place);
        nodes.push(book.rest(BookSide::Ask, Price::clamp(60), user, slot, Shares::whole(1)));
    }
    let steps = |book: &Book, nodes: &[exchange::book::NodeIndex], own_orders, want: usize| {
        let mut own = OwnResting::NONE;
        for place in [places / 2, places - 1] {
            own.add(Price::clamp(60), Shares::whole(1), OrderSlot::from_slot(place), nodes[place]);
        }
        let taker = Taker {
            user: quick_user(TAKER),
            side: BookSide::Bid,
            in_no: false,
            limit: Price::MAX,
            want: Want::Shares(Shares::whole(want as i64)),
            base: 1,
            own_orders,
        };
        book.sweep(&taker, own, &mut Plan::default()).steps
    };
    for (own_orders, _) in MODES {
        for want in [1, places / 3, places / 2, places / 2 + 1, places - 2, places * 2] {
            let steps = steps(&book, &nodes, own_orders, want);
            assert!(steps <= 1_000, "{steps} steps with {own_orders:?} for {want}");
        }
    }
    // Cancels leave an order in each hundred.
    for place in (0..places - 1).filter(|place| place % 100 != 0) {
        book.remove(nodes[place]);
    }
    for want in [places / 400, places / 200, places] {
        let steps = steps(&book, &nodes, OwnOrders::CancelNewest, want);
        assert!(steps <= steps_max(places / 100), "{steps} steps among the rest for {want}");
    }
}
