//! B. The fee: rounded up, over all that an order has taken; and the budget that leaves room for it.

use exchange::numbers::{FeeRate, Money};

fn rate(basis_points: u16) -> FeeRate {
    FeeRate::new(basis_points).expect("a fee rate")
}

#[test]
fn example_08_a_fee_is_rounded_up() {
    for (value, fee) in [(1, 1), (50, 1), (5_000, 100), (456_765, 9_136)] {
        assert_eq!(rate(200).on(Money::new(value)), Money::new(fee), "{value}");
    }
}

#[test]
fn example_09_many_fills_cost_what_one_fill_costs() {
    let rate = rate(200);
    let mut taken = Money::ZERO;
    let mut fees = Vec::new();
    for value in [333, 333, 334] {
        fees.push(rate.on_next_fill(taken, Money::new(value)).units());
        taken += Money::new(value);
    }
    assert_eq!(fees, [7, 7, 6]);
    assert_eq!(rate.on(taken).units(), 20);
    let alone = |value| rate.on(Money::new(value)).units();
    assert_eq!((alone(333), alone(334)), (7, 7));
}

#[test]
fn example_10_a_budget_leaves_exactly_the_room_for_its_fee() {
    let budget = Money::new(100_000_000);
    for (basis_points, spendable) in [(200, 98_039_215), (0, 100_000_000), (700, 93_457_943)] {
        let spent = rate(basis_points).spendable(budget);
        assert_eq!(spent, Money::new(spendable), "{basis_points}");
        assert_eq!(spent + rate(basis_points).on(spent), budget, "{basis_points}");
    }
}

#[test]
fn example_11_a_unit_more_of_budget_may_buy_nothing_more() {
    assert_eq!(rate(200).spendable(Money::new(51)), Money::new(50));
    assert_eq!(rate(200).spendable(Money::new(52)), Money::new(50));
}

#[test]
fn a_seller_never_receives_more_than_the_budget_and_one_more_unit_would() {
    for basis_points in [0, 1, 50, 200, 333, 1_000] {
        for budget in (1..500).chain([70_560_000, 100_000_000, 999_999_999]) {
            let (rate, budget) = (rate(basis_points), Money::new(budget));
            let gross = rate.sellable(budget);
            let more = gross + Money::new(1);
            assert!(gross - rate.on(gross) <= budget, "{basis_points} {budget}");
            assert!(more - rate.on(more) > budget, "{basis_points} {budget}");
        }
    }
}
