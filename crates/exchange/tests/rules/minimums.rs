//! The minimum order, checked against the requested amount in each currency; a market may raise it.

use exchange::numbers::{Currency, Money};
use exchange::order::Side;
use exchange::reject::Reject;
use expect_test::expect;

use crate::rules::script::{Script, check};

/// The output about the order under test: the first line that is not about the stage's `b1`.
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
        ("alice sells YES 1.9999 shares at 0.50 as a1", usd),
        ("alice sells YES 1.9999 shares at 0.50 post-only as a1", usd),
        ("alice sells YES 1.9999 shares at 0.50 gtd 60s as a1", usd),
        ("alice sells YES 2 shares at 0.50 as a1", "a1 open 0/2"),
        ("alice sells NO 2 shares at 0.49 as a1", usd),
        ("alice sells YES 0.0001 shares at market as a1", "a1 cancelled 0/0.0001"),
        ("alice sells YES 0.0001 shares at 0.50 fak as a1", "a1 cancelled 0/0.0001"),
        ("alice sells YES 0.0001 shares at 0.50 fok as a1", "a1 rejected 0/0.0001"),
        ("alice buys YES for 99.999999 NGN at 0.50 as a1", ngn),
        ("alice buys YES for 100 NGN at 0.50 as a1", "a1 open 0/2"),
        ("alice buys YES 1.9999 shares at 0.50 in NGN as a1", ngn),
        ("alice buys YES 2 shares at 0.50 in NGN as a1", "a1 open 0/2"),
        ("bob sells YES 1.9999 shares at 0.50 in NGN as a1", ngn),
        ("bob sells YES 2 shares at 0.50 in NGN as a1", "a1 open 0/2"),
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
        // A pool holds no orders: a LIMIT fills at once with any time in force.
        ("alice sells YES 0.0003 shares at 0.01 as a1", "a1 filled 0.0003/0.0003 @0.333333"),
    ];
    for (line, expected) in rows {
        assert_eq!(said(&format!("market rain amm{STAGE}{line}")), expected, "{line}");
    }
}

#[test]
fn minimum_is_judged_at_entry_so_a_fill_may_leave_less_to_rest() {
    check(
        "market rain clob
         alice has 10 sets
         bob has 10 USD
         bob buys YES 2 shares at 0.50 as b1
         alice sells YES 2.0001 shares at 0.50 as a1
         alice sells YES 1.5 shares at 0.50 as a2
         show book",
        expect![[r#"
            b1 open 0/2
            a1 partial_filled 2/2.0001 @0.5
              DIRECT 2 YES @0.50 alice.a1 → bob.b1
              b1 filled 2/2 @0.5
            refused: BELOW_MINIMUM USD 1.00
            book rain
              ask 0.50 alice.a1 sells YES 0.0001
        "#]],
    );
}

#[test]
fn minimum_of_a_batch_is_each_items_own() {
    check(
        "market rain clob
         alice has 10 sets
         alice places sells YES 2 shares at 0.50 as a1; sells YES 1 shares at 0.50 as a2; sells YES 1 shares at 0.50 fak as a3
         show book",
        expect![[r#"
            0: a1 open 0/2
            1: a2 refused: BELOW_MINIMUM USD 1.00
            2: a3 cancelled 0/1
            book rain
              ask 0.50 alice.a1 sells YES 2
        "#]],
    );
}

#[test]
fn minimum_keeps_dust_from_moving_the_shown_price() {
    let mut script = Script::after(&format!(
        "market rain clob{STAGE}
         bob sells YES 10 shares at 0.90 as b1
         alice buys YES 10 shares at 0.10 as a1"
    ));
    let listing = script.world.listing_index("rain", Currency::Usd);
    let shown = |script: &Script| script.world.exchange.catalogue().listing(listing).yes_price();
    let before = shown(&script);
    script.run("bob sells YES 0.0001 shares at 0.11 as dust");
    assert_eq!(shown(&script), before, "{}", script.output);
}

#[test]
fn minimum_may_be_raised_by_a_market() {
    check(
        "market rain clob min 5
         alice has 100 USD
         alice has 20 sets
         alice sells YES 9.9999 shares at 0.50 as s1
         alice sells YES 10 shares at 0.50 as s2
         alice has 10000 NGN
         alice buys YES for 4.99 USD at 0.50 as a1
         alice buys YES for 5 USD at 0.50 as a2
         alice buys YES for 499.99 NGN at 0.50 as a3
         alice buys YES for 500 NGN at 0.50 as a4
         alice amends a2 to 9.99 shares",
        expect![[r#"
            refused: BELOW_MINIMUM USD 5.00
            s2 open 0/10
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
    let mut order = crate::rules::world::market_order(
        "a1",
        "rain",
        exchange::order::Outcome::Yes,
        Side::Buy,
        Money::new(99_999_999),
    );
    order.currency = Currency::Ngn;
    let refused = script.world.place("alice", order).expect_err("too small");
    let minimum = Money::whole(100);
    assert_eq!(refused, Reject::BelowMinimum { side: Side::Buy, currency: Currency::Ngn, minimum });
}
