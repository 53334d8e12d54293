//! F. Sets, cost basis, valuation and cancelled markets, as the exchange itself books them.

use exchange::change::Change;
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::position::Holding;
use exchange::quote::Valuation;

use crate::arithmetic::BOOK;
use crate::rules::script::Script;

fn yes(script: &Script, user: &str) -> Holding {
    let listing = script.world.listing_index("rain", Currency::Usd);
    let position = script.world.exchange.position(script.world.user_index(user), listing);
    *position.expect("a position").yes
}

#[test]
fn example_51_a_mint_in_dollars_charges_whole_set_units_only() {
    let script = Script::after(
        "market rain clob
         alice has 20 USD
         alice mints 10.00005 USD",
    );
    assert_eq!(script.output, "10 sets for 10.00, YES at 0.5\n");
    assert_eq!(script.world.free("alice", Currency::Usd), Money::whole(10));
}

#[test]
fn example_52_a_mint_in_naira_charges_whole_set_units_only() {
    let script = Script::after(
        "market rain clob
         alice has 200 NGN
         alice mints 100.005 NGN",
    );
    assert_eq!(script.output, "1 sets for 100.00, YES at 0.5\n");
    assert_eq!(script.world.free("alice", Currency::Ngn), Money::whole(100));
}

#[test]
fn example_53_a_burn_of_less_than_a_set_unit_is_refused() {
    let script = Script::after(
        "market rain clob
         alice has 1 sets
         alice burns 0.000099 USD",
    );
    assert_eq!(script.output, "refused: NO_WHOLE_SET\n");
}

#[test]
fn example_54_a_mint_splits_its_cost_by_the_shown_price() {
    // Twice as many YES as NO in the pool: YES at one third.
    let script = Script::after(
        "market rain amm
         bob has 10000 sets
         bob sells YES 7071.0679 shares at market
         alice has 10 USD
         alice mints 10 USD
         show position alice",
    );
    let said: Vec<&str> = script.output.lines().collect();
    assert_eq!(said[1], "10 sets for 10.00, YES at 0.333333");
    let holds =
        "alice holds YES 10 (0 held) cost 3.33333 realised 0.00, NO 10 (0 held) cost 6.66667 realised 0.00";
    assert_eq!(said[2], holds);
}

/// Alice's purchases: 100 shares as a taker at 0.50, then 33.3333 as a maker at 0.70.
const PURCHASES: &str = "
    market rain clob fee 2%
    bob has 1000 sets
    bob has 1000 USD
    alice has 1000 USD
    bob sells YES 100 shares at 0.50
    alice buys YES 100 shares at 0.50
    alice buys YES 33.3333 shares at 0.70
    bob sells YES 33.3333 shares at 0.70
";

const FIRST_SALE: &str = "
    bob buys YES 50 shares at 0.60
    alice sells YES 50 shares at market
";

const SALE_OF_ONE_UNIT: &str = "
    bob buys YES 10 shares at 0.70 as b7
    alice sells YES 0.0001 shares at market
    bob cancels b7
";

const LAST_SALE: &str = "
    bob buys YES 100 shares at 0.50
    alice sells YES 83.3332 shares at market
";

/// Shares, cost and realised result, and what Alice has paid less what she received.
fn books(scenario: &[&str]) -> (i64, i64, i64, i64) {
    let script = Script::after(&scenario.concat());
    let holding = yes(&script, "alice");
    let paid = Money::whole(1_000) - script.world.free("alice", Currency::Usd);
    (holding.total().units(), holding.cost.units(), holding.realised.units(), paid.units())
}

#[test]
fn example_55_purchases_cost_their_value_and_fee() {
    assert_eq!(books(&[PURCHASES]), (1_333_333, 74_333_310, 0, 74_333_310));
}

#[test]
fn example_56_a_sale_takes_its_part_of_the_average_cost() {
    let expected = (833_333, 46_458_312, 1_525_002, 44_933_310);
    assert_eq!(books(&[PURCHASES, FIRST_SALE]), expected);
}

#[test]
fn example_57_the_smallest_sale_rounds_its_cost_down() {
    let expected = (833_332, 46_458_257, 1_525_015, 46_458_257 - 1_525_015);
    assert_eq!(books(&[PURCHASES, FIRST_SALE, SALE_OF_ONE_UNIT]), expected);
}

#[test]
fn example_58_the_last_sale_takes_all_the_cost_that_is_left() {
    let expected = (0, 0, -4_099_974, 4_099_974);
    assert_eq!(books(&[PURCHASES, FIRST_SALE, SALE_OF_ONE_UNIT, LAST_SALE]), expected);
}

fn value_of_yes(script: &Script, user: &str) -> Valuation {
    let listing = script.world.listing_index("rain", Currency::Usd);
    script.world.exchange.value_of(script.world.user_index(user), listing, Outcome::Yes)
}

#[test]
fn example_59_a_holding_in_a_pool_is_worth_its_sale_less_the_fee() {
    let script = Script::after(
        "market rain amm fee 2%
         alice has 100 USD
         alice buys YES for 100 USD at market",
    );
    assert_eq!(yes(&script, "alice").cost.units(), 99_999_984);
    let value = value_of_yes(&script, "alice");
    assert_eq!(value.current_value.units(), 98_039_100 - 1_960_782);
    assert_eq!(value.average_price.to_string(), "0.512488");
    assert_eq!(value.sell_price.to_string(), "0.49239");
    assert_eq!(value.percentage_change, -392);
    assert_eq!(value.payout_if_outcome_wins.units(), 195_126_500);
}

#[test]
fn example_60_a_holding_on_a_book_is_worth_what_is_bid_for_it() {
    for (sets, value, sell_price) in [(300, 136_710_000, "0.4557"), (500, 202_860_000, "0.40572")] {
        let mut script = Script::after(BOOK);
        script.run(&format!("alice has {sets} sets"));
        let valuation = value_of_yes(&script, "alice");
        assert_eq!(valuation.current_value.units(), value, "{sets}");
        assert_eq!(valuation.sell_price.to_string(), sell_price, "{sets}");
    }
}

/// Four holders: YES 12.3457, 0, 7.6543, 0.5 and NO 0, 10, 8, 2.5. The last stands for the pool.
fn holders(currency: &str) -> String {
    format!(
        "market rain clob
         bea has 1000 {currency}
         cem has 1000 {currency}
         dan has 1000 {currency}
         ann has 12.3457 sets in {currency}
         cem has 7.6543 sets in {currency}
         dan has 0.5 sets in {currency}
         bea buys NO 10 shares at 0.50 in {currency}
         dan buys NO 2 shares at 0.50 in {currency}
         cem buys NO 2 shares at 0.50 in {currency}
         ann sells NO 12.3457 shares at market in {currency}
        "
    )
}

/// The payouts of the four holders, and the collateral that pays them.
fn payouts(currency: Currency, yes_pays: &str) -> (Vec<i64>, i64) {
    let mut script = Script::after(&holders(currency.code()));
    let collateral = script.world.exchange.ledger().collateral(script.world.listing_index("rain", currency));
    script.run(&format!("cancel rain at {yes_pays}"));
    let payout = |user: &str| {
        let id = Script::user_id(user);
        let paid = |change: &Change| match change {
            Change::Settled(settled) if settled.user == id => Some(settled.payout.units()),
            _ => None,
        };
        script.world.changes().iter().find_map(paid).expect("every holder is paid")
    };
    (["ann", "bea", "cem", "dan"].map(payout).to_vec(), collateral.units())
}

#[test]
fn example_61_a_cancelled_market_pays_one_half_exactly() {
    let (paid, collateral) = payouts(Currency::Usd, "0.50");
    assert_eq!(paid, [6_172_850, 5_000_000, 7_827_150, 1_500_000]);
    assert_eq!((paid.iter().sum::<i64>(), collateral), (20_500_000, 20_500_000));
}

#[test]
fn example_62_a_cancelled_market_pays_any_whole_cents_exactly() {
    let (paid, collateral) = payouts(Currency::Usd, "0.37");
    assert_eq!(paid, [4_567_909, 6_300_000, 7_872_091, 1_760_000]);
    assert_eq!((paid.iter().sum::<i64>(), collateral), (20_500_000, 20_500_000));
}

#[test]
fn example_63_a_cancelled_market_pays_as_exactly_in_naira() {
    let (paid, collateral) = payouts(Currency::Ngn, "0.37");
    assert_eq!(paid, [456_790_900, 630_000_000, 787_209_100, 176_000_000]);
    assert_eq!((paid.iter().sum::<i64>(), collateral), (2_050_000_000, 2_050_000_000));
}
