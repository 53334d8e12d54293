//! The smallest order: judged on what was asked for, in each currency; a market may raise it.

use exchange::numbers::{Currency, Money};
use exchange::reject::Reject;
use expect_test::expect;

use crate::script::{Script, check};

/// What was said of the order in question: the first line that is not about the stage's `b1`.
fn said(scenario: &str) -> String {
    Script::after(scenario).output.lines().find(|line| !line.starts_with("b1")).expect("an answer").to_owned()
}

const STAGE: &str = "
    bob has 1000 sets
    bob has 1000 sets in NGN
    alice has 1000 USD
    alice has 100000 NGN
    alice has 1000 sets
";

#[test]
fn minimum_of_a_market_row_by_row() {
    let usd = "refused: BELOW_MINIMUM USD 1.00";
    let ngn = "refused: BELOW_MINIMUM NGN 100.00";
    let rows = [
        ("alice buys YES for 0.999999 USD at 0.50 as a1", usd),
        ("alice buys YES for 1 USD at 0.50 as a1", "a1 open 0/2"),
        ("alice buys YES for 1 USD at 0.99 as a1", "a1 open 0/1.0101"),
        ("alice sells YES for 0.999999 USD at 0.50 as a1", usd),
        ("alice sells YES for 1 USD at 0.50 as a1", "a1 open 0/2"),
        ("alice buys YES for 0.99 USD at market as a1", usd),
        ("alice sells YES for 0.99 USD at market as a1", usd),
        ("alice buys YES for 1 USD at market as a1", "a1 cancelled 0/0"),
        ("alice buys YES 1.9999 shares at 0.50 as a1", usd),
        ("alice buys YES 2 shares at 0.50 as a1", "a1 open 0/2"),
        ("alice sells YES 0.0001 shares at 0.50 as a1", "a1 open 0/0.0001"),
        ("alice sells YES 0.0001 shares at market as a1", "a1 cancelled 0/0.0001"),
        ("alice buys YES for 99.999999 NGN at 0.50 as a1", ngn),
        ("alice buys YES for 100 NGN at 0.50 as a1", "a1 open 0/2"),
        ("alice buys YES 1.9999 shares at 0.50 in NGN as a1", ngn),
        ("alice buys YES 2 shares at 0.50 in NGN as a1", "a1 open 0/2"),
    ];
    for (line, expected) in rows {
        assert_eq!(said(&format!("market rain clob{STAGE}{line}")), expected, "{line}");
    }
}

#[test]
fn minimum_of_a_market_buy_by_quantity_is_judged_at_the_best_price_it_meets() {
    let asks = "bob sells YES 100 shares at 0.50 as b1\n";
    for (quantity, expected) in [("1.9999", "refused: BELOW_MINIMUM USD 1.00"), ("2", "a1 filled 2/2 @0.5")] {
        let line = format!("alice buys YES {quantity} shares at market as a1");
        assert_eq!(said(&format!("market rain clob{STAGE}{asks}{line}")), expected, "{quantity}");
    }
}

#[test]
fn minimum_of_a_market_buy_by_quantity_looks_past_ones_own_offers() {
    let asks = "alice sells YES 10 shares at 0.10 as b1-own\n bob sells YES 100 shares at 0.50 as b1\n";
    let line = "alice buys YES 2 shares at market as a1";
    assert_eq!(said(&format!("market rain clob{STAGE}{asks}{line}")), "a1 filled 2/2 @0.5");
}

#[test]
fn minimum_on_a_pool_is_judged_the_same_way() {
    let usd = "refused: BELOW_MINIMUM USD 1.00";
    let rows = [
        ("alice buys YES for 0.99 USD at market as a1", usd),
        ("alice sells YES for 0.99 USD at market as a1", usd),
        ("alice buys YES 1.9 shares at market as a1", usd),
        ("alice buys YES 1.9 shares at 0.51 as a1", usd),
        ("alice sells YES 0.0003 shares at market as a1", "a1 filled 0.0003/0.0003 @0.333333"),
        ("alice sells YES 0.0002 shares at market as a1", "refused: NO_WHOLE_SET"),
    ];
    for (line, expected) in rows {
        assert_eq!(said(&format!("market rain amm{STAGE}{line}")), expected, "{line}");
    }
}

#[test]
fn minimum_may_be_raised_by_a_market() {
    check(
        "market rain clob min 5
         alice has 100 USD
         alice has 10000 NGN
         alice buys YES for 4.99 USD at 0.50 as a1
         alice buys YES for 5 USD at 0.50 as a2
         alice buys YES for 499.99 NGN at 0.50 as a3
         alice buys YES for 500 NGN at 0.50 as a4
         alice amends a2 to 9.99 shares",
        expect![[r#"
            refused: BELOW_MINIMUM USD 5.00
            a2 open 0/10
            refused: BELOW_MINIMUM NGN 500.00
            a4 open 0/10
            a2 refused: BELOW_MINIMUM USD 5.00
        "#]],
    );
}

#[test]
fn minimum_is_reported_with_its_currency() {
    let mut script = Script::after("market rain clob\n alice has 1 USD");
    let mut order = crate::world::market_order(
        "a1",
        "rain",
        exchange::order::Outcome::Yes,
        exchange::order::Side::Buy,
        Money::new(99_999_999),
    );
    order.currency = Currency::Ngn;
    let refused = script.world.place("alice", order).expect_err("too small");
    assert_eq!(refused, Reject::BelowMinimum { currency: Currency::Ngn, minimum: Money::whole(100) });
}
