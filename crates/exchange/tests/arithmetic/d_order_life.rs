//! D. One order's life, step by step: Alice's LIMIT BUY of 208.00 at 0.52 from its entry to its cancellation.
//! Each test replays the story up to its own step.

use exchange::id::OrderId;
use exchange::numbers::{Currency, Money};

use crate::rules::script::Script;
use crate::rules::world::id;

/// The steps, in order; the first is step 24. A step that is refused changes nothing.
const STORY: [&str; 10] = [
    "alice has 209.08 USD
     alice buys YES for 208 USD at 0.52 as a1",
    "dave has 30 sets
     dave sells YES 30 shares at market as d1",
    "erin has 100 USD
     erin buys NO 20 shares at market as e1",
    "alice amends a1 to 380 shares",
    "alice amends a1 to 420 shares",
    "alice amends a1 to 400 shares",
    "frank has 10 sets
     frank sells YES 10 shares at 0.54 as f1
     alice has 1.507999 USD
     alice amends a1 at 0.55",
    "alice has 1.508 USD
     alice amends a1 at 0.55",
    "alice cancels a1",
    "alice sells YES 15 shares at 0.60 as a2
     erin sells NO 15 shares at market as e2",
];

const STAGE: &str = "
    market rain clob fee 2%
    bob has 100 sets
    bob sells YES 100 shares at 0.50 as b1
    carol has 200 sets
    carol sells YES 200 shares at 0.52 as c1
";

/// The story up to a step, and the output of its last step.
fn life(step: usize) -> (Script, String) {
    let mut script = Script::after(STAGE);
    for lines in &STORY[..=step - 24] {
        script.output.clear();
        script.run(lines);
    }
    let said = script.output.clone();
    (script, said)
}

/// Alice's free and held money, her order's filled shares and fee so far.
fn alice(script: &Script) -> (i64, i64, i64, i64) {
    let order = script.world.exchange.order(OrderId::new(id("a1"))).expect("her order is open");
    let (free, held) = wallet(script);
    (free, held, order.terms.progress.filled.units(), order.terms.progress.fee.units())
}

fn wallet(script: &Script) -> (i64, i64) {
    let usd = Currency::Usd;
    (script.world.free("alice", usd).units(), script.world.held("alice", usd).units())
}

fn collateral(script: &Script) -> Money {
    script.world.exchange.ledger().collateral(script.world.listing_index("rain", Currency::Usd))
}

#[test]
fn example_23_one_unit_short_of_fills_fee_and_rest_is_refused() {
    let mut script = Script::after(STAGE);
    script.run("alice has 209.079999 USD");
    script.run("alice buys YES for 208 USD at 0.52 as a1");
    assert_eq!(
        script.output.lines().last(),
        Some("refused: INSUFFICIENT_BALANCE need 209.08 have 209.079999")
    );
    assert_eq!(wallet(&script), (209_079_999, 0));
}

#[test]
fn example_24_the_limit_order_takes_two_asks_and_rests() {
    let (script, said) = life(24);
    assert_eq!(alice(&script), (0, 52_000_000, 3_000_000, 3_080_000));
    assert_eq!(said.lines().next(), Some("a1 partial_filled 300/400 @0.513333 fee 3.08"));
}

#[test]
fn example_25_a_maker_fill_pays_the_held_money_and_no_fee() {
    let (script, said) = life(25);
    assert_eq!(alice(&script), (0, 36_400_000, 3_300_000, 3_080_000));
    assert!(said.contains("DIRECT 30 YES @0.52 dave.d1 → alice.a1 fee 0.312"), "{said}");
    assert_eq!(script.world.free("dave", Currency::Usd), Money::new(15_600_000 - 312_000));
}

#[test]
fn example_26_a_buyer_of_no_mints_with_her() {
    let before = collateral(&life(25).0);
    let (script, said) = life(26);
    assert_eq!(alice(&script), (0, 26_000_000, 3_500_000, 3_080_000));
    assert!(said.contains("MINT 20 YES @0.52 alice.a1 + NO @0.48 erin.e1 fee 0.192"), "{said}");
    assert_eq!(script.world.free("erin", Currency::Usd), Money::new(100_000_000 - 9_600_000 - 192_000));
    assert_eq!(collateral(&script) - before, Money::new(20_000_000));
}

#[test]
fn example_27_a_smaller_size_sets_money_free() {
    assert_eq!(alice(&life(27).0), (10_400_000, 15_600_000, 3_500_000, 3_080_000));
}

#[test]
fn example_28_a_larger_size_needs_its_money() {
    let (script, said) = life(28);
    assert_eq!(said, "a1 refused: INSUFFICIENT_BALANCE need 36.40 have 26.00\n");
    assert_eq!(alice(&script), (10_400_000, 15_600_000, 3_500_000, 3_080_000));
}

#[test]
fn example_29_a_larger_size_that_is_paid_for_holds_all_of_it() {
    assert_eq!(alice(&life(29).0), (0, 26_000_000, 3_500_000, 3_080_000));
}

#[test]
fn example_30_a_new_price_that_takes_counts_the_fee_to_the_unit() {
    let (script, said) = life(30);
    assert!(said.ends_with("a1 refused: INSUFFICIENT_BALANCE need 27.508 have 27.507999\n"), "{said}");
    assert_eq!(alice(&script), (1_507_999, 26_000_000, 3_500_000, 3_080_000));
}

#[test]
fn example_31_a_new_price_takes_and_rests_and_its_fee_continues() {
    let (script, said) = life(31);
    assert!(said.contains("DIRECT 10 YES @0.54 frank.f1 → alice.a1 fee 0.108"), "{said}");
    assert_eq!(alice(&script), (0, 22_000_000, 3_600_000, 3_188_000));
}

#[test]
fn example_32_a_cancellation_gives_the_rest_back() {
    let (script, said) = life(32);
    assert_eq!(said, "a1 cancelled 360/400 @0.515 fee 3.188\n");
    assert_eq!(wallet(&script), (22_000_000, 0));
}

#[test]
fn example_33_two_sellers_merge_and_the_average_cost_leaves() {
    let cost = |script: &Script| {
        let (user, listing) =
            (script.world.user_index("alice"), script.world.listing_index("rain", Currency::Usd));
        script.world.exchange.position(user, listing).expect("she holds YES").yes.cost.units()
    };
    let (before, _) = life(32);
    let erin = before.world.free("erin", Currency::Usd);
    assert_eq!(cost(&before), 188_588_000);
    let (script, said) = life(33);
    assert!(said.contains("MERGE 15 YES @0.60 alice.a2 + NO @0.40 erin.e2 fee 0.12"), "{said}");
    assert_eq!(wallet(&script), (31_000_000, 0));
    assert_eq!(script.world.free("erin", Currency::Usd) - erin, Money::new(6_000_000 - 120_000));
    assert_eq!(collateral(&script) - collateral(&before), Money::new(-15_000_000));
    assert_eq!(cost(&script), 180_730_167);
}
