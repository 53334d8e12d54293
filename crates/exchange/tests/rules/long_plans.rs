//! Orders that take from more resting orders than are planned before the funds are checked: fills, money and refusals are
//! those of a plain walk over a naive book.

use exchange::book::naive::{self, NaiveBook, Own, Walk, Want};
use exchange::change::Change;
use exchange::command::{AmendOrders, Command, DebitWallet, Request};
use exchange::id::{OrderId, UserId};
use exchange::invariants;
use exchange::numbers::{Currency, FeeRate, Money, Price, Shares};
use exchange::order::{
    Amendment, Item, NewOrder, OrderKind, OrderRecord, OrderStatus, Outcome, SelfTrade, Side, Sizing,
    TimeInForce,
};
use exchange::quote::Quote;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;

use crate::book::Random;
use crate::rules::quoted_orders;
use crate::rules::world::{World, id, key_of, limit};

/// Fills that are planned before the funds are checked.
const SHORT: usize = 64;
const SEEDS: u64 = 150;
/// In basis points.
const FEE: u16 = 150;
const MAKERS: [&str; 3] = ["ann", "ben", "cem"];
const TAKER: &str = "tom";
/// The taker's number in the naive book; a maker's is its place above.
const TOM: u32 = 9;

/// The order of a test takes from one side of the book: which orders rest there, and how it takes from them.
#[derive(Clone, Copy, Debug)]
enum Shape {
    BuyYes,
    BuyNo,
    SellYes,
}

impl Shape {
    const fn taking(self) -> (Outcome, Side, naive::Side) {
        match self {
            Shape::BuyYes => (Outcome::Yes, Side::Buy, naive::Side::Bid),
            Shape::BuyNo => (Outcome::No, Side::Buy, naive::Side::Ask),
            Shape::SellYes => (Outcome::Yes, Side::Sell, naive::Side::Ask),
        }
    }

    /// The outcome that the resting orders buy.
    const fn rests(self) -> Outcome {
        match self {
            Shape::BuyYes => Outcome::No,
            Shape::BuyNo | Shape::SellYes => Outcome::Yes,
        }
    }
}

struct Stage {
    world: World,
    naive: NaiveBook,
    shape: Shape,
    /// The cost of taking everything, without fees.
    worth: i64,
    /// The number of orders placed to rest.
    orders: u32,
}

impl Stage {
    /// A book with 90 to 300 orders on one side, at prices of its outcome from 0.30 to 0.49.
    fn new(random: &mut Random, rules: u32, shape: Shape) -> Stage {
        let mut stage = Stage::empty(rules, shape);
        let levels = 1 + random.below(20);
        // Own orders: none, many, or few, so that the first is often far behind.
        let own_one_in = [u64::MAX, 8, 150][random.below(3) as usize];
        for _ in 0..90 + random.below(210) {
            let is_own = random.below(own_one_in) == 0;
            let owner = if is_own { TOM } else { random.below(3) as u32 };
            // The taker's own orders are large, so that much of its money is held by what it is about to cancel.
            let shares = if is_own { 200 } else { 4 + random.below(20) as i64 };
            let (cents, size) = (30 + random.below(levels) as u8, Shares::whole(shares));
            stage.rest(owner, cents, size);
        }
        stage
    }

    fn empty(rules: u32, shape: Shape) -> Stage {
        let mut world = World::under_rules(rules);
        world.clob("m", FEE);
        for name in MAKERS {
            world.rich_user(name, Money::whole(1_000_000), Money::ZERO);
        }
        world.rich_user(TAKER, Money::whole(1_000_000), Money::ZERO);
        Stage { world, naive: NaiveBook::default(), shape, worth: 0, orders: 0 }
    }

    /// Adds an order that buys the outcome of the resting side at this price.
    fn rest(&mut self, owner: u32, cents: u8, size: Shares) {
        let name = format!("rest {}", self.orders);
        self.orders += 1;
        let order = limit(&name, "m", self.shape.rests(), Side::Buy, size, cents);
        let owner_name = MAKERS.get(owner as usize).copied().unwrap_or(TAKER);
        let request =
            Request { actor: key_of(owner_name), idempotency: None, command: Command::PlaceOrder(order) };
        self.world.exchange.apply(self.world.now, &request).expect("decidable").expect("an order");
        let (side, yes) = match self.shape.rests() {
            Outcome::Yes => (naive::Side::Bid, i64::from(cents)),
            Outcome::No => (naive::Side::Ask, 100 - i64::from(cents)),
        };
        self.naive.rest(side, yes, owner, id(&name), size.units());
        let taken_at = if matches!(self.shape, Shape::SellYes) { 100 } else { 100 - i64::from(cents) };
        if owner != TOM {
            self.worth += size.units() * taken_at;
        }
    }

    /// Leaves the taker between a twentieth of what it needs to take everything, and a quarter more than that.
    fn leave_funds(&mut self, random: &mut Random) {
        let part = 5 + random.below(120) as i64;
        let needed = Money::new(self.worth / 100 * part);
        match self.shape {
            Shape::SellYes => {
                self.world.mint(TAKER, "m", Currency::Usd, needed).expect("sets");
            }
            Shape::BuyYes | Shape::BuyNo => {
                let surplus = self.world.free(TAKER, Currency::Usd) - needed;
                let debit = DebitWallet {
                    user: UserId::new(id(TAKER)),
                    currency: Currency::Usd,
                    amount: surplus,
                    reference: Text::from("surplus"),
                };
                self.world.system(Command::DebitWallet(debit)).expect("a debit");
            }
        }
    }

    /// What the taker may give: free money, or free shares of the outcome that it sells.
    fn have(&self) -> i64 {
        match self.shape {
            Shape::BuyYes | Shape::BuyNo => self.world.free(TAKER, Currency::Usd).units(),
            Shape::SellYes => {
                let listing = self.world.listing_index("m", Currency::Usd);
                let position = self.world.exchange.position(self.world.user_index(TAKER), listing);
                position.map_or(0, |position| position.yes.free.units())
            }
        }
    }

    fn own_hold(&self, order: u128) -> i64 {
        self.world.exchange.order(OrderId::new(order)).expect("a resting order").held_cash().units()
    }

    fn walk(&self, limit: i64, want: Want, own: Own) -> Walk {
        let (outcome, _, side) = self.shape.taking();
        let in_no = outcome == Outcome::No;
        self.naive.walk(&naive::Taker { user: TOM, side, in_no, limit, want, base: 1, own })
    }

    /// The fills of the last request, as the naive book names them.
    fn fills(&self) -> Vec<naive::Fill> {
        let of = |change: &Change| match change {
            Change::Trade(trade) => {
                let price = i64::from(trade.maker.outcome.yes_price(trade.maker.price).cents());
                Some(naive::Fill { id: trade.maker.order.as_u128(), shares: trade.size.units(), price })
            }
            _ => None,
        };
        self.world.changes().iter().filter_map(of).collect()
    }
}

fn fee() -> FeeRate {
    FeeRate::new(FEE).expect("a fee")
}

/// A taker of random terms with a limit that most resting orders are within.
fn random_order(random: &mut Random, stage: &Stage) -> NewOrder {
    let (outcome, side, _) = stage.shape.taking();
    // The resting orders buy at 30 to 49: a buyer of the other outcome pays 51 to 70, a seller gets 30 to 49.
    let cents = match side {
        Side::Buy => 60 + random.below(12) as u8,
        Side::Sell => 30 + random.below(8) as u8,
    };
    let size = Shares::new(600_000 + random.below(60_000_000) as i64);
    let mut order = limit("taking", "m", outcome, side, size, cents);
    order.time_in_force =
        Some([TimeInForce::Gtc, TimeInForce::Fak, TimeInForce::Fok][random.below(3) as usize]);
    order.self_trade =
        [SelfTrade::Skip, SelfTrade::CancelOldest, SelfTrade::CancelNewest, SelfTrade::CancelBoth]
            [random.below(4) as usize];
    if random.below(3) == 0 {
        order.kind = OrderKind::Market;
        order.time_in_force = Some([TimeInForce::Fak, TimeInForce::Fok][random.below(2) as usize]);
        let cents = if side == Side::Buy { 60 } else { 40 };
        order.sizing = Sizing::Amount(Money::new(size.units() * cents));
    }
    order
}

fn own_of(mode: SelfTrade) -> Own {
    match mode {
        SelfTrade::Skip => Own::Skip,
        SelfTrade::CancelOldest => Own::CancelOldest,
        SelfTrade::CancelNewest => Own::CancelNewest,
        SelfTrade::CancelBoth => Own::CancelBoth,
    }
}

/// What the rules say about an order whose walk is known.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Rejected,
    Unfunded { need: i64, have: i64 },
    Goes { rest: i64 },
}

fn expect(stage: &Stage, order: &NewOrder, walk: &Walk) -> Expected {
    if (order.time_in_force == Some(TimeInForce::Fok) && !walk.complete)
        || (walk.stopped_at_own && walk.fills.is_empty())
    {
        return Expected::Rejected;
    }
    let (Sizing::Quantity(size), Some(TimeInForce::Gtc), false) =
        (order.sizing, order.time_in_force, walk.stopped_at_own)
    else {
        return funded(stage, order, walk, 0);
    };
    funded(stage, order, walk, size.units() - walk.shares)
}

fn funded(stage: &Stage, order: &NewOrder, walk: &Walk, rest: i64) -> Expected {
    let cents = i64::from(order.price.map_or(0, Price::cents));
    let (need, released) = match order.side {
        Side::Buy => {
            let released: i64 = walk.cancels.iter().map(|own| stage.own_hold(*own)).sum();
            (walk.value + fee().on(Money::new(walk.value)).units() + rest * cents, released)
        }
        Side::Sell => (walk.shares + rest, 0),
    };
    let have = stage.have() + released;
    if need > have { Expected::Unfunded { need, have } } else { Expected::Goes { rest } }
}

fn refusal(reject: &Reject) -> (i64, i64) {
    match reject {
        Reject::InsufficientBalance { need, have } => (need.units(), have.units()),
        Reject::InsufficientShares { need, have } => (need.units(), have.units()),
        other => panic!("the only other refusal is for funds, not {other:?}"),
    }
}

/// Counts of what happened, so that no case is missed by all seeds.
#[derive(Debug, Default)]
struct Seen {
    long: u32,
    gone: u32,
    refused: u32,
    rejected: u32,
}

fn place_one(random: &mut Random, rules: u32, shape: Shape, seen: &mut Seen) {
    let mut stage = Stage::new(random, rules, shape);
    stage.leave_funds(random);
    let order = random_order(random, &stage);
    place_and_compare(stage, &order, rules, seen);
}

fn place_and_compare(mut stage: Stage, order: &NewOrder, rules: u32, seen: &mut Seen) {
    let shape = stage.shape;
    let (outcome, _, side) = shape.taking();
    let any = match side {
        naive::Side::Bid => 99,
        naive::Side::Ask => 1,
    };
    let bound = order.price.filter(|_| order.kind == OrderKind::Limit);
    let bound = bound.map_or(any, |price| i64::from(outcome.yes_price(price).cents()));
    let want = match order.sizing {
        Sizing::Quantity(size) => Want::Shares(size.units()),
        Sizing::Amount(amount) => Want::Money(match order.side {
            Side::Buy => fee().spendable(amount).units(),
            Side::Sell => fee().sellable(amount).units(),
        }),
    };
    let walk = stage.walk(bound, want, own_of(order.self_trade));
    let expected = expect(&stage, order, &walk);
    let (before, held) = (stage.have(), stage.world.held(TAKER, Currency::Usd).units());
    seen.long += u32::from(walk.fills.len() > SHORT);
    let released: i64 = walk.cancels.iter().map(|own| stage.own_hold(*own)).sum();
    let quoted = quoted_orders::quote(&stage.world, TAKER, order).expect("a quote");
    let result = stage.world.place(TAKER, order.clone());
    let context = format!("{shape:?} under rules {rules}: {order:?}, {} fills", walk.fills.len());
    check_quote(&quoted, &result, &expected, &walk, &context);
    match (&expected, &result) {
        (Expected::Goes { rest }, Ok(record)) => {
            seen.gone += 1;
            assert_eq!(stage.fills(), walk.fills, "{context}");
            check_record(record, &walk, *rest, &context);
            let kept = *rest * order.price.map_or(0, |price| i64::from(price.cents()));
            let cost = walk.value + fee().on(Money::new(walk.value)).units();
            match order.side {
                Side::Buy => assert_eq!(stage.have(), before + released - cost - kept, "{context}"),
                Side::Sell => assert_eq!(stage.have(), before - walk.shares - rest, "{context}"),
            }
        }
        (Expected::Rejected, Ok(record)) => {
            seen.rejected += 1;
            assert_eq!((record.status, stage.fills()), (OrderStatus::Rejected, vec![]), "{context}");
        }
        (Expected::Unfunded { need, have }, Err(reject)) => {
            seen.refused += 1;
            assert_eq!(refusal(reject), (*need, *have), "{context}");
        }
        _ => panic!("{context}: {result:?}, not {expected:?}"),
    }
    if result.is_err() {
        assert_eq!(
            (stage.have(), stage.world.held(TAKER, Currency::Usd).units()),
            (before, held),
            "{context}"
        );
        assert_eq!(stage.world.changes(), [], "{context}");
    }
    invariants::check_all(&stage.world.exchange).expect("a sound state");
}

/// A quote of the order says what the order did, and what it cancelled.
fn check_quote(
    quoted: &Quote,
    result: &Result<OrderRecord, Reject>,
    expected: &Expected,
    walk: &Walk,
    context: &str,
) {
    let order = quoted.order.as_ref().expect("an order");
    let status = result.as_ref().map(|record| record.status).map_err(Clone::clone);
    assert_eq!(order.status, status, "{context}");
    if matches!(expected, Expected::Rejected) {
        return;
    }
    assert_eq!(
        (quoted.quantity.units(), quoted.cost_of_shares.units()),
        (walk.shares, walk.value),
        "{context}"
    );
    assert_eq!(order.own_cancelled, walk.cancels.len(), "{context}");
}

fn check_record(record: &OrderRecord, walk: &Walk, rest: i64, context: &str) {
    let terms = &record.terms;
    assert_eq!((terms.filled.units(), terms.value.units()), (walk.shares, walk.value), "{context}");
    assert_eq!(terms.fee, fee().on(terms.value), "{context}");
    assert_eq!(record.remaining().units(), rest, "{context}");
}

/// An own order at each place around the fills that are planned before the sums, and orders that end around it.
#[test]
fn an_own_order_around_the_last_fill_of_a_short_plan_counts_like_in_a_plain_walk() {
    let mut seen = Seen::default();
    let mut random = Random(1);
    for (levels, shape) in [(1, Shape::BuyYes), (66, Shape::BuyNo), (7, Shape::SellYes)] {
        for own_place in SHORT - 2..SHORT + 4 {
            for wanted in SHORT - 1..SHORT + 5 {
                let mut stage = Stage::empty(4, shape);
                for place in 0..SHORT + 4 {
                    let owner = if place == own_place { TOM } else { 0 };
                    // From the best price down: 49, or from there on.
                    let cents = 49 - (place * levels / (2 * SHORT)) as u8;
                    stage.rest(owner, cents, Shares::whole(10));
                }
                stage.leave_funds(&mut random);
                let mut order = random_order(&mut random, &stage);
                let part = [-1, 0, 1][random.below(3) as usize];
                let size = Shares::new(Shares::whole(10).units() * wanted as i64 + part);
                if let Sizing::Quantity(quantity) = &mut order.sizing {
                    *quantity = size;
                }
                place_and_compare(stage, &order, 4, &mut seen);
            }
        }
    }
    assert!(seen.long > 20 && seen.gone > 10 && seen.refused > 10 && seen.rejected > 5, "{seen:?}");
}

#[test]
fn a_long_order_fills_pays_and_is_refused_like_a_plain_walk() {
    for rules in [3, 4] {
        let mut seen = Seen::default();
        for seed in 0..SEEDS {
            for shape in [Shape::BuyYes, Shape::BuyNo, Shape::SellYes] {
                place_one(&mut Random(seed), rules, shape, &mut seen);
            }
        }
        let all = SEEDS as u32 * 3;
        assert!(seen.long > all / 3 && seen.gone > all / 5 && seen.refused > all / 10, "{seen:?}");
        assert!(seen.rejected > all / 20, "{seen:?}");
    }
}

/// An order that rests on the other side and is amended to a price that crosses.
fn amend_one(random: &mut Random, rules: u32, shape: Shape, seen: &mut Seen) {
    let mut stage = Stage::new(random, rules, shape);
    stage.leave_funds(random);
    let (outcome, side, _) = shape.taking();
    let far = if side == Side::Buy { 20 } else { 80 };
    let resting = limit("moved", "m", outcome, side, Shares::whole(10), far);
    stage.world.place(TAKER, resting).expect("an order");
    let hold = stage.own_hold(id("moved"));
    let crossing = random_order(random, &stage);
    let price = crossing.price.expect("a limit");
    let size = Shares::new(600_000 + random.below(20_000_000) as i64);
    let bound = i64::from(outcome.yes_price(price).cents());
    // A new price cancels all own orders that it crosses, and takes from the others.
    let walk = stage.walk(bound, Want::Shares(size.units()), Own::Skip);
    let crossed = stage.walk(bound, Want::Shares(i64::MAX / 1_000), Own::CancelOldest).cancels;
    let released: i64 = crossed.iter().map(|own| stage.own_hold(*own)).sum();
    seen.long += u32::from(walk.fills.len() > SHORT);

    let rest = size.units() - walk.shares;
    let cost = walk.value + fee().on(Money::new(walk.value)).units() + rest * i64::from(price.cents());
    let (need, have) = match side {
        Side::Buy => (cost, stage.have() + hold + released),
        Side::Sell => (walk.shares + rest, stage.have() + Shares::whole(10).units()),
    };
    let amendment =
        Amendment { order: OrderId::new(id("moved")), new_price: Some(price), new_size: Some(size) };
    let command = Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment)] });
    let Ok(Reply::Results(results)) = stage.world.by(TAKER, command) else { panic!("a batch has results") };
    let context = format!("{shape:?} under rules {rules}: {amendment:?}, {} fills", walk.fills.len());
    match &results[0].outcome {
        Ok(reported) => {
            seen.gone += 1;
            assert!(need <= have, "{context}");
            assert_eq!(stage.fills(), walk.fills, "{context}");
            check_record(&reported.record, &walk, rest, &context);
            assert_eq!(stage.have(), have - need, "{context}");
            assert!(
                crossed.iter().all(|own| stage.world.exchange.order(OrderId::new(*own)).is_none()),
                "{context}"
            );
        }
        Err(reject) => {
            seen.refused += 1;
            assert!(
                need > have && refusal(reject) == (need, have),
                "{context}: {reject:?}, {need} of {have}"
            );
        }
    }
}

#[test]
fn a_long_amendment_fills_pays_and_is_refused_like_a_plain_walk() {
    for rules in [3, 4] {
        let mut seen = Seen::default();
        for seed in 0..SEEDS {
            for shape in [Shape::BuyYes, Shape::BuyNo, Shape::SellYes] {
                amend_one(&mut Random(seed), rules, shape, &mut seen);
            }
        }
        let all = SEEDS as u32 * 3;
        assert!(seen.long > all / 3 && seen.gone > all / 5 && seen.refused > all / 10, "{seen:?}");
    }
}
