//! Amendments that cross: fills with others, and own orders in their way.

use exchange::change::Change;
use expect_test::expect;

use crate::rules::script::{Script, check};

#[test]
fn amend_that_crosses_takes_and_rests() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         bob has 10 sets
         carol has 10 USD
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 3 shares at 0.50 as b1
         carol buys NO 3 shares at 0.48 as c1
         alice amends a1 at 0.52
         show wallet alice
         show book",
        expect![[r#"
            a1 open 0/10
            b1 open 0/3
            c1 open 0/3
            a1 partial_filled 6/10 @0.51 fee 0.0612
              DIRECT 3 YES @0.50 bob.b1 → alice.a1 fee 0.03
              b1 filled 3/3 @0.5
              MINT 3 NO @0.48 carol.c1 + YES @0.52 alice.a1 fee 0.0312
              c1 filled 3/3 @0.48
            alice has 4.7988 USD free, 2.08 held
            book rain
              bid 0.52 alice.a1 buys YES 4
        "#]],
    );
}

#[test]
fn amend_that_crosses_enough_fills_completely() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         bob has 10 sets
         alice buys YES 6 shares at 0.40 as a1
         bob sells YES 10 shares at 0.50 as b1
         alice amends a1 at 0.52
         show wallet alice
         show book",
        expect![[r#"
            a1 open 0/6
            b1 open 0/10
            a1 filled 6/6 @0.5 fee 0.06
              DIRECT 6 YES @0.50 bob.b1 → alice.a1 fee 0.06
              b1 partial_filled 6/10 @0.5
            alice has 6.94 USD free, 0.00 held
            book rain
              ask 0.50 bob.b1 sells YES 4
        "#]],
    );
}

#[test]
fn amend_continues_the_fee_of_what_the_order_took_before() {
    // Takes 333 units' worth for 7, then 317 for 6: together the fee of 650, where 317 alone would cost 7.
    check(
        "market rain clob fee 2%
         bob has 10 USD
         dave has 200 sets
         alice has 300 sets
         bob buys YES 12 shares at 0.09 as b1
         dave sells YES 11.9963 shares at market as d1
         alice sells YES 200 shares at 0.02 as a1
         bob buys YES 100 shares at 0.01 as b2
         dave sells YES 99.9683 shares at market as d2
         alice amends a1 at 0.01",
        expect![[r#"
            b1 open 0/12
            d1 filled 11.9963/11.9963 @0.09 fee 0.021594
              DIRECT 11.9963 YES @0.09 dave.d1 → bob.b1 fee 0.021594
              b1 partial_filled 11.9963/12 @0.09
            a1 partial_filled 0.0037/200 @0.09 fee 0.000007
              DIRECT 0.0037 YES @0.09 alice.a1 → bob.b1 fee 0.000007
              b1 filled 12/12 @0.09
            b2 open 0/100
            d2 filled 99.9683/99.9683 @0.01 fee 0.019994
              DIRECT 99.9683 YES @0.01 dave.d2 → bob.b2 fee 0.019994
              b2 partial_filled 99.9683/100 @0.01
            a1 partial_filled 0.0354/200 @0.018362 fee 0.000013
              DIRECT 0.0317 YES @0.01 alice.a1 → bob.b2 fee 0.000006
              b2 filled 100/100 @0.01
        "#]],
    );
}

#[test]
fn amend_checks_its_funds_with_the_fee_that_continues() {
    // 308 units' worth after 333: the fee is 6 where it would be 7 alone, and the funds fit to that unit.
    check(
        "market rain clob fee 2%
         bob has 30 sets
         alice has 10 USD
         carol has 10 USD
         bob sells YES 12 shares at 0.09 as b1
         carol buys YES 11.9963 shares at 0.09 as c1
         alice buys YES 20 shares at 0.10 as a1
         bob sells YES 12 shares at 0.11 as b2
         carol buys YES 11.9972 shares at 0.11 as c2
         alice has 0.199968 USD
         alice amends a1 at 0.11
         alice has 0.199969 USD
         alice amends a1 at 0.11
         show wallet alice",
        expect![[r#"
            b1 open 0/12
            c1 filled 11.9963/11.9963 @0.09 fee 0.021594
              DIRECT 11.9963 YES @0.09 bob.b1 → carol.c1 fee 0.021594
              b1 partial_filled 11.9963/12 @0.09
            a1 partial_filled 0.0037/20 @0.09 fee 0.000007
              DIRECT 0.0037 YES @0.09 bob.b1 → alice.a1 fee 0.000007
              b1 filled 12/12 @0.09
            b2 open 0/12
            c2 filled 11.9972/11.9972 @0.11 fee 0.026394
              DIRECT 11.9972 YES @0.11 bob.b2 → carol.c2 fee 0.026394
              b2 partial_filled 11.9972/12 @0.11
            a1 refused: INSUFFICIENT_BALANCE need 2.199599 have 2.199598
            a1 partial_filled 0.0065/20 @0.098615 fee 0.000013
              DIRECT 0.0028 YES @0.11 bob.b2 → alice.a1 fee 0.000006
              b2 filled 12/12 @0.11
            alice has 0.00 USD free, 2.199285 held
        "#]],
    );
}

#[test]
fn amend_of_an_order_for_no_is_in_its_own_price() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         bob has 10 USD
         carol has 10 sets
         alice buys NO 10 shares at 0.30 as a1
         bob buys YES 3 shares at 0.60 as b1
         carol sells NO 3 shares at 0.41 as c1
         alice amends a1 at 0.41
         show wallet alice
         show book",
        expect![[r#"
            a1 open 0/10
            b1 open 0/3
            c1 open 0/3
            a1 partial_filled 6/10 @0.405 fee 0.0486
              MINT 3 YES @0.60 bob.b1 + NO @0.40 alice.a1 fee 0.024
              b1 filled 3/3 @0.6
              DIRECT 3 NO @0.41 carol.c1 → alice.a1 fee 0.0246
              c1 filled 3/3 @0.41
            alice has 5.8814 USD free, 1.64 held
            book rain
              ask 0.59 alice.a1 buys NO 4
        "#]],
    );
}

#[test]
fn amend_cancels_every_own_order_it_crosses_complementary_too() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         alice buys YES 10 shares at 0.40 stp cancel-newest as a1
         alice sells YES 5 shares at 0.50 as direct
         alice buys NO 5 shares at 0.49 as complementary
         alice sells YES 5 shares at 0.53 as beyond
         alice amends a1 at 0.52
         show book
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            direct open 0/5
            complementary open 0/5
            beyond open 0/5
            a1 open 0/10
              direct cancelled 0/5 by self-trade prevention
              complementary cancelled 0/5 by self-trade prevention
            book rain
              ask 0.53 alice.beyond sells YES 5
              bid 0.52 alice.a1 buys YES 10
            alice has 14.80 USD free, 5.20 held
        "#]],
    );
}

#[test]
fn amend_cancels_own_crossers_behind_the_orders_that_fill_it() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         bob has 20 sets
         alice buys YES 5 shares at 0.40 as a1
         bob sells YES 5 shares at 0.50 as b1
         alice sells YES 5 shares at 0.51 as own
         alice amends a1 at 0.52
         show book",
        expect![[r#"
            a1 open 0/5
            b1 open 0/5
            own open 0/5
            a1 filled 5/5 @0.5
              own cancelled 0/5 by self-trade prevention
              DIRECT 5 YES @0.50 bob.b1 → alice.a1
              b1 filled 5/5 @0.5
            book rain is empty
        "#]],
    );
}

#[test]
fn amend_of_the_size_alone_cancels_no_own_order() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         alice sells YES 5 shares at 0.50 as own
         alice buys YES 5 shares at 0.50 stp skip as a1
         alice amends a1 to 8 shares
         show book",
        expect![[r#"
            own open 0/5
            a1 open 0/5
            a1 open 0/8
            book rain
              ask 0.50 alice.own sells YES 5
              bid 0.50 alice.a1 buys YES 8
        "#]],
    );
}

#[test]
fn amend_spares_own_crossers_of_the_same_batch_and_passes_them_over() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         bob has 20 sets
         alice buys YES 10 shares at 0.40 as a1
         alice sells YES 5 shares at 0.50 as a2
         alice sells YES 5 shares at 0.50 as a3
         bob sells YES 5 shares at 0.51 as b1
         alice amends a1 at 0.52; a2 at 0.60
         show book",
        expect![[r#"
            a1 open 0/10
            a2 open 0/5
            a3 open 0/5
            b1 open 0/5
            0: a1 partial_filled 5/10 @0.51
            1: a2 open 0/5
              a3 cancelled 0/5 by self-trade prevention
              DIRECT 5 YES @0.51 bob.b1 → alice.a1
              b1 filled 5/5 @0.51
            book rain
              ask 0.60 alice.a2 sells YES 5
              bid 0.52 alice.a1 buys YES 5
        "#]],
    );
}

#[test]
fn amend_spares_an_own_crosser_of_the_batch_whose_item_fails() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         alice buys YES 10 shares at 0.40 as a1
         alice sells YES 5 shares at 0.50 as a2
         alice amends a1 at 0.52; a2
         show book",
        expect![[r#"
            a1 open 0/10
            a2 open 0/5
            0: a1 open 0/10
            1: a2 refused: NOTHING_TO_AMEND
            book rain
              ask 0.50 alice.a2 sells YES 5
              bid 0.52 alice.a1 buys YES 10
        "#]],
    );
}

#[test]
fn amend_of_a_post_only_order_fails_if_it_would_cross_others() {
    check(
        "market rain clob
         alice has 20 sets
         alice has 20 USD
         bob has 20 sets
         alice buys YES 5 shares at 0.40 post-only as a1
         alice sells YES 5 shares at 0.48 as own
         bob sells YES 5 shares at 0.50 as b1
         alice amends a1 at 0.50
         show book
         alice amends a1 at 0.49
         show book",
        expect![[r#"
            a1 open 0/5
            own open 0/5
            b1 open 0/5
            a1 refused: POST_ONLY_WOULD_CROSS
            book rain
              ask 0.48 alice.own sells YES 5
              ask 0.50 bob.b1 sells YES 5
              bid 0.40 alice.a1 buys YES 5
            a1 open 0/5
              own cancelled 0/5 by self-trade prevention
            book rain
              ask 0.50 bob.b1 sells YES 5
              bid 0.49 alice.a1 buys YES 5
        "#]],
    );
}

#[test]
fn amend_counts_what_the_cancelled_own_orders_set_free() {
    check(
        "market rain clob
         alice has 6.00 USD
         alice buys YES 10 shares at 0.40 as a1
         alice buys NO 4 shares at 0.50 as own
         show wallet alice
         alice amends a1 at 0.61
         alice amends a1 at 0.60
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            own open 0/4
            alice has 0.00 USD free, 6.00 held
            a1 refused: INSUFFICIENT_BALANCE need 6.10 have 6.00
            a1 open 0/10
              own cancelled 0/4 by self-trade prevention
            alice has 0.00 USD free, 6.00 held
        "#]],
    );
}

#[test]
fn amend_continues_counting_the_trades_of_its_order() {
    let mut script = Script::after(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         bob sells YES 3 shares at 0.40
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 3 shares at 0.45
         bob sells YES 3 shares at 0.46",
    );
    script.run("alice amends a1 at 0.46");
    let indexes: Vec<u64> = script
        .world
        .changes()
        .iter()
        .filter_map(|change| match change {
            Change::Trade(trade) => Some(trade.index),
            _ => None,
        })
        .collect();
    // A trade's id consists of its taker's order and this index, so an index must not repeat.
    assert_eq!(indexes, [1, 2]);
}
