//! C. Market orders by money, walked level by level: fills, value, fee, what the wallet moves by, completeness.

use exchange::change::Change;
use exchange::numbers::{Currency, Money, Shares, Slippage};
use exchange::order::{OrderStatus, Outcome, Side};

use crate::arithmetic::BOOK;
use crate::rules::script::Script;
use crate::rules::world::{market_order, price};

/// The result of a MARKET order of Alice, who has plenty of everything.
#[derive(Debug, PartialEq, Eq)]
struct Walk {
    /// Own price in cents and share units of each fill.
    fills: Vec<(u8, i64)>,
    value: i64,
    fee: i64,
    wallet: i64,
    status: OrderStatus,
}

fn walk_on(stage: &str, outcome: Outcome, side: Side, amount: Money) -> Walk {
    let mut script = Script::after(stage);
    script.run("alice has 1000 sets\n alice has 1000 USD");
    let before = script.world.free("alice", Currency::Usd);
    let order =
        script.world.place("alice", market_order("a1", "rain", outcome, side, amount)).expect("an order");
    let fill = |change: &Change| match change {
        Change::Trade(trade) => Some((trade.taker.price.cents(), trade.size.units())),
        _ => None,
    };
    let fills: Vec<(u8, i64)> = script.world.changes().iter().filter_map(fill).collect();
    // By money, an order's size is its filled shares, and nothing remains.
    assert_eq!((order.terms.size, order.remaining()), (order.terms.filled, Shares::ZERO));
    assert_eq!(order.terms.filled.units(), fills.iter().map(|fill| fill.1).sum::<i64>());
    assert_eq!(order.terms.amount, amount);
    Walk {
        fills,
        value: order.terms.value.units(),
        fee: order.terms.fee.units(),
        wallet: (script.world.free("alice", Currency::Usd) - before).units(),
        status: order.status,
    }
}

fn walk(outcome: Outcome, side: Side, cents: i64) -> Walk {
    walk_on(BOOK, outcome, side, Money::new(cents * 10_000))
}

fn filled(fills: &[(u8, i64)], value: i64, fee: i64, wallet: i64) -> Walk {
    Walk { fills: fills.to_vec(), value, fee, wallet, status: OrderStatus::Filled }
}

fn cancelled(fills: &[(u8, i64)], value: i64, fee: i64, wallet: i64) -> Walk {
    Walk { status: OrderStatus::Cancelled, ..filled(fills, value, fee, wallet) }
}

#[test]
fn example_12_a_buy_of_100_takes_a_level_and_part_of_the_next() {
    let fills = [(50, 1_000_000), (52, 923_831)];
    let expected = filled(&fills, 98_039_212, 1_960_785, -99_999_997);
    assert_eq!(walk(Outcome::Yes, Side::Buy, 10_000), expected);
}

#[test]
fn example_13_a_buy_of_50_stays_within_the_best_level() {
    assert_eq!(
        walk(Outcome::Yes, Side::Buy, 5_000),
        filled(&[(50, 980_392)], 49_019_600, 980_392, -49_999_992)
    );
}

#[test]
fn example_14_a_buy_of_51_empties_the_best_level_to_the_unit() {
    assert_eq!(
        walk(Outcome::Yes, Side::Buy, 5_100),
        filled(&[(50, 1_000_000)], 50_000_000, 1_000_000, -51_000_000)
    );
}

const WHOLE_SIDE: [(u8, i64); 2] = [(50, 1_000_000), (52, 2_000_000)];

#[test]
fn example_15_a_buy_that_empties_the_side_to_the_unit_is_complete() {
    let expected = filled(&WHOLE_SIDE, 154_000_000, 3_080_000, -157_080_000);
    assert_eq!(walk(Outcome::Yes, Side::Buy, 15_708), expected);
}

#[test]
fn example_16_a_buy_of_more_than_the_side_is_cancelled_with_its_fills() {
    let expected = cancelled(&WHOLE_SIDE, 154_000_000, 3_080_000, -157_080_000);
    assert_eq!(walk(Outcome::Yes, Side::Buy, 20_000), expected);
}

#[test]
fn example_17_a_buy_of_no_walks_the_mirrored_bids() {
    let fills = [(52, 1_500_000), (55, 364_349)];
    let expected = filled(&fills, 98_039_195, 1_960_784, -99_999_979);
    assert_eq!(walk(Outcome::No, Side::Buy, 10_000), expected);
}

#[test]
fn example_18_a_sale_of_100_brings_in_no_more_than_that_after_its_fee() {
    let fills = [(48, 1_500_000), (45, 667_573)];
    let expected = filled(&fills, 102_040_785, 2_040_816, 99_999_969);
    assert_eq!(walk(Outcome::Yes, Side::Sell, 10_000), expected);
}

#[test]
fn example_19_a_sale_that_empties_the_best_level_is_complete() {
    let expected = filled(&[(48, 1_500_000)], 72_000_000, 1_440_000, 70_560_000);
    assert_eq!(walk(Outcome::Yes, Side::Sell, 7_056), expected);
}

#[test]
fn example_20_a_sale_of_more_than_all_bids_is_cancelled_with_its_fills() {
    let expected = cancelled(&[(48, 1_500_000), (45, 3_000_000)], 207_000_000, 4_140_000, 202_860_000);
    assert_eq!(walk(Outcome::Yes, Side::Sell, 30_000), expected);
}

#[test]
fn example_21_a_buy_at_99_cents_pays_more_with_its_fee_than_it_can_win() {
    let stage = "market rain clob fee 2%
        bob has 200 sets
        bob sells YES 200 shares at 0.99";
    let expected = filled(&[(99, 990_295)], 98_039_205, 1_960_785, -99_999_990);
    assert_eq!(walk_on(stage, Outcome::Yes, Side::Buy, Money::whole(100)), expected);
}

#[test]
fn example_22_a_slippage_bound_is_rounded_to_the_cent_inside() {
    for (basis_points, buy, sell) in [(500, 54, 50), (100, 52, 52)] {
        let slippage = Slippage::new(basis_points).expect("a slippage");
        assert_eq!(slippage.buy_bound(price(52)), price(buy), "{basis_points}");
        assert_eq!(slippage.sell_bound(price(52)), price(sell), "{basis_points}");
    }
}
