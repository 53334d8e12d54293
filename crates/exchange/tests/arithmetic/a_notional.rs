//! A. Notional and size: a book's money never rounds, and a limit order's size is fixed by its amount.

use exchange::numbers::{Currency, Money, Shares};

use crate::rules::world::price;

fn notional(shares: i64, cents: u8, currency: Currency) -> i64 {
    Shares::new(shares).value_at(price(cents).into(), currency).units()
}

/// Size in share units and what of the amount it uses.
fn size(amount: Money, cents: u8, currency: Currency) -> (i64, i64) {
    let size = Shares::affordable(amount, price(cents).into(), currency);
    (size.units(), size.value_at(price(cents).into(), currency).units())
}

#[test]
fn example_01_a_notional_in_dollars_is_exact() {
    assert_eq!(notional(12_345, 37, Currency::Usd), 456_765);
}

#[test]
fn example_02_a_notional_in_naira_is_a_hundred_times_that() {
    assert_eq!(notional(12_345, 37, Currency::Ngn), 45_676_500);
}

#[test]
fn example_03_the_smallest_share_unit_has_a_whole_price() {
    assert_eq!(notional(1, 99, Currency::Ngn), 9_900);
}

#[test]
fn example_04_a_limit_of_ten_dollars_at_30_cents_leaves_ten_units_unused() {
    assert_eq!(size(Money::whole(10), 30, Currency::Usd), (333_333, 9_999_990));
    assert_eq!(Money::whole(10).units() - 9_999_990, 10);
}

#[test]
fn example_05_a_limit_of_a_hundred_naira_at_one_cent_is_a_hundred_shares() {
    assert_eq!(size(Money::whole(100), 1, Currency::Ngn), (1_000_000, 100_000_000));
}

#[test]
fn example_06_a_limit_of_a_hundred_naira_at_37_cents_rounds_its_size_down() {
    assert_eq!(size(Money::whole(100), 37, Currency::Ngn), (27_027, 99_999_900));
}

#[test]
fn example_07_a_limit_of_one_dollar_at_99_cents_is_a_little_over_a_share() {
    assert_eq!(size(Money::whole(1), 99, Currency::Usd), (10_101, 999_999));
}
