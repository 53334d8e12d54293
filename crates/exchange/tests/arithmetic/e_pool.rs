//! E. The pool: every trade rounds towards it; bounds, seeds and shown prices.

use exchange::numbers::{Currency, FeeRate, Money, Ppm, Shares, Slippage};
use exchange::order::{Outcome, Side};
use exchange::pool::{Pool, PoolTrade, PoolWant, Reserves};

use crate::rules::world::price;

const EVEN: (i64, i64) = (100_000_000, 100_000_000);
const AFTER_BUY: (i64, i64) = (99_029_127, 100_980_392);
const SKEWED: (i64, i64) = (30_000_000, 70_000_000);

fn reserves((own, other): (i64, i64)) -> Reserves {
    Reserves { own, other }
}

fn pool((yes, no): (i64, i64)) -> Pool {
    Pool { yes: Shares::new(yes), no: Shares::new(no), seeded: Shares::ZERO }
}

/// A YES trade by money in dollars.
fn trade(pool_of: (i64, i64), side: Side, amount: i64, fee: u16) -> PoolTrade {
    let (want, fee) = (PoolWant::Amount(Money::new(amount)), FeeRate::new(fee).expect("a fee"));
    pool(pool_of).quote(side, Outcome::Yes, want, fee, Currency::Usd).expect("the pool has that much")
}

/// Sets, shares, value, fee, amount, and the reserves after.
fn numbers(trade: &PoolTrade) -> (i64, i64, i64, i64, i64, (i64, i64)) {
    let after = (trade.after.own, trade.after.other);
    (
        trade.sets.units(),
        trade.shares.units(),
        trade.value.units(),
        trade.fee.units(),
        trade.amount().units(),
        after,
    )
}

#[test]
fn example_34_a_buy_by_sets_rounds_towards_the_pool() {
    let (out, after) = reserves((1_003, 997)).shares_for_sets(10).expect("a trade");
    assert_eq!((out, after), (19, reserves((994, 1_007))));
}

#[test]
fn example_35_by_sets_and_by_shares_agree() {
    let start = reserves((1_003, 997));
    let sets = |trade: Option<(i64, Reserves)>| trade.expect("a trade").0;
    assert_eq!(sets(start.shares_to_receive(10)), 21);
    assert_eq!(sets(start.sets_for_selling(21)), 10);
    assert_eq!(sets(start.sets_for_selling(20)), 9);
    assert_eq!(sets(start.sets_for_buying(20)), 11);
}

#[test]
fn example_36_a_buy_of_100_dollars() {
    let expected = (980_392, 1_951_265, 98_039_200, 1_960_784, 99_999_984, AFTER_BUY);
    assert_eq!(numbers(&trade(EVEN, Side::Buy, 100_000_000, 200)), expected);
}

#[test]
fn example_37_selling_it_all_back_brings_one_set_unit_less() {
    let (sets, _) = reserves(AFTER_BUY).sets_for_selling(1_951_265).expect("a trade");
    assert_eq!(sets, 980_391);
}

#[test]
fn example_38_a_sale_of_50_dollars() {
    let expected = (510_204, 1_013_091, 51_020_400, 1_020_408, 49_999_992, (99_532_014, 100_470_188));
    assert_eq!(numbers(&trade(AFTER_BUY, Side::Sell, 50_000_000, 200)), expected);
}

#[test]
fn example_39_a_buy_in_naira_moves_as_many_shares() {
    let (want, fee) = (PoolWant::Amount(Money::whole(10_000)), FeeRate::new(200).expect("a fee"));
    let trade = pool(EVEN).quote(Side::Buy, Outcome::Yes, want, fee, Currency::Ngn).expect("a trade");
    assert_eq!(numbers(&trade), (980_392, 1_951_265, 9_803_920_000, 196_078_400, 9_999_998_400, AFTER_BUY));
}

#[test]
fn example_40_a_buy_of_250_50_from_a_skewed_pool() {
    let expected = (2_492_537, 3_524_037, 249_253_700, 1_246_269, 250_499_969, (28_968_500, 72_492_537));
    assert_eq!(numbers(&trade(SKEWED, Side::Buy, 250_500_000, 50)), expected);
}

#[test]
fn example_41_a_sale_of_250_50_from_the_same() {
    let expected = (2_517_587, 3_636_807, 251_758_700, 1_258_794, 250_499_906, (31_119_220, 67_482_413));
    assert_eq!(numbers(&trade(SKEWED, Side::Sell, 250_500_000, 50)), expected);
}

#[test]
fn example_42_sales_by_shares_bring_the_most_sets_that_fit() {
    for (shares, sets) in [(10_000, 6_999), (1_000_000, 697_891), (12_345_678, 8_306_458)] {
        let (got, _) = reserves(SKEWED).sets_for_selling(shares).expect("a trade");
        assert_eq!(got, sets, "{shares}");
        let (needed, _) = reserves(SKEWED).shares_to_receive(sets + 1).expect("a trade");
        assert!(needed > shares, "one set more would cost more shares");
    }
}

#[test]
fn example_43_buys_by_shares_cost_the_fewest_sets_that_do() {
    for (shares, sets) in [(10_000, 7_001), (1_000_000, 702_092), (12_345_678, 8_946_105)] {
        let (got, _) = reserves(SKEWED).sets_for_buying(shares).expect("a trade");
        assert_eq!(got, sets, "{shares}");
        let (fewer, _) = reserves(SKEWED).shares_for_sets(sets - 1).expect("a trade");
        assert!(fewer < shares, "one set less would buy fewer shares");
    }
}

#[test]
fn example_44_a_buy_of_no_sees_the_reserves_swapped() {
    let (want, fee) = (PoolWant::Amount(Money::whole(100)), FeeRate::new(200).expect("a fee"));
    let before = pool(SKEWED);
    let trade = before.quote(Side::Buy, Outcome::No, want, fee, Currency::Usd).expect("a trade");
    assert_eq!(
        (trade.sets.units(), trade.shares.units(), trade.amount().units()),
        (980_392, 3_195_581, 99_999_984)
    );
    assert_eq!(Ppm::average(trade.value, trade.shares, Currency::Usd).to_string(), "0.306796");
    let after = pool((trade.after.other, trade.after.own));
    let impact = after.price(Outcome::No).distance(before.price(Outcome::No));
    assert_eq!(impact.to_string(), "0.013677");
}

#[test]
fn example_45_a_limit_bounds_the_average_price_before_the_fee() {
    let trade = trade(SKEWED, Side::Buy, 250_500_000, 50);
    assert!(!trade.meets_limit(price(70)));
    assert!(trade.meets_limit(price(71)));
}

#[test]
fn example_46_slippage_bounds_the_average_price_from_the_marginal_one() {
    let trade = trade(SKEWED, Side::Buy, 250_500_000, 50);
    assert!(!trade.meets_slippage(Slippage::new(104).expect("a slippage")));
    assert!(trade.meets_slippage(Slippage::new(105).expect("a slippage")));
}

#[test]
fn example_47_the_largest_buy_ends_at_99_cents_and_one_set_more_is_over() {
    let (out, after) = reserves(EVEN).shares_for_sets(894_987_452).expect("a trade");
    assert_eq!((out, after), (984_937_073, reserves((10_050_379, 994_987_452))));
    assert!(after.in_band());
    assert_eq!(pool((after.own, after.other)).price(Outcome::Yes).to_string(), "0.99");
    let (_, over) = reserves(EVEN).shares_for_sets(894_987_453).expect("a trade");
    assert!(!over.in_band());
}

#[test]
fn example_48_seeds_at_three_prices_and_what_they_can_lose() {
    let rows = [
        (100_000_000, 50, EVEN, 89_949_621),
        (100_000_000, 70, (42_857_143, 100_000_000), 93_420_483),
        (50_000_000, 1, (50_000_000, 505_051), 49_494_949),
    ];
    for (sets, cents, (yes, no), liability) in rows {
        let seed = Pool::seed(Shares::new(sets), price(cents)).expect("a seed");
        assert_eq!((seed.pool.yes.units(), seed.pool.no.units()), (yes, no), "{cents}");
        assert_eq!((seed.left_yes.units(), seed.left_no.units()), (sets - yes, sets - no), "{cents}");
        assert_eq!(seed.pool.max_liability().units(), liability, "{cents}");
    }
}

#[test]
fn example_49_shown_prices_sum_to_one() {
    let rows = [((2, 1), "0.333333", "0.666667"), ((1, 2), "0.666667", "0.333333"), (SKEWED, "0.7", "0.3")];
    for (of, yes, no) in rows {
        let pool = pool(of);
        assert_eq!(pool.price(Outcome::Yes).to_string(), yes);
        assert_eq!(pool.price(Outcome::No).to_string(), no);
    }
}

#[test]
fn example_50_the_price_of_one_share_has_four_exact_decimals() {
    let pool = pool(SKEWED);
    assert_eq!(pool.price_of_one(Outcome::Yes).to_string(), "0.7001");
    assert_eq!(pool.price_of_one(Outcome::No).to_string(), "0.3001");
}
