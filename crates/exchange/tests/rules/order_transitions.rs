//! The order-state table of the specification, row by row, and the states that the other rules lead to.

use expect_test::expect;

use crate::rules::script::check;

#[test]
fn transition_row_1_an_open_or_partly_filled_order_is_cancelled_by_cancel_or_batch_cancel() {
    check(
        "market rain clob
         alice has 20 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         alice buys YES 10 shares at 0.41 as a2
         alice buys YES 10 shares at 0.42 as a3
         bob sells YES 4 shares at market as b1
         alice cancels a1
         alice cancels a2, a3
         show book
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            a3 open 0/10
            b1 filled 4/4 @0.42
              DIRECT 4 YES @0.42 bob.b1 → alice.a3
              a3 partial_filled 4/10 @0.42
            a1 cancelled 0/10
            0: a2 cancelled 0/10
            1: a3 cancelled 4/10 @0.42
            book rain is empty
            alice has 18.32 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn transition_row_2_a_resting_maker_is_cancelled_and_refunded_by_cancel_oldest_or_cancel_both() {
    check(
        "market rain clob
         alice has 10 sets
         alice has 10 USD
         alice sells YES 5 shares at 0.50 as a1
         alice buys YES 5 shares at 0.50 stp cancel-oldest as a2
         show position alice
         alice sells YES 5 shares at 0.50 stp cancel-both as a3
         show wallet alice
         show book",
        expect![[r#"
            a1 open 0/5
            a2 open 0/5
              a1 cancelled 0/5 by self-trade prevention
            alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            a3 rejected 0/5
              a2 cancelled 0/5 by self-trade prevention
            alice has 10.00 USD free, 0.00 held
            book rain is empty
        "#]],
    );
}

#[test]
fn transition_row_3_a_taker_that_meets_its_own_order_after_fills_is_cancelled_and_its_fills_stand() {
    check(
        "market rain clob
         alice has 10 sets
         alice has 10 USD
         bob has 10 sets
         bob sells YES 5 shares at 0.49 as b1
         alice sells YES 5 shares at 0.50 as a1
         alice buys YES 8 shares at 0.50 stp cancel-newest as a2
         show position alice
         show book",
        expect![[r#"
            b1 open 0/5
            a1 open 0/5
            a2 cancelled 5/8 @0.49
              DIRECT 5 YES @0.49 bob.b1 → alice.a2
              b1 filled 5/5 @0.49
            alice holds YES 15 (5 held) cost 7.45 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            book rain
              ask 0.50 alice.a1 sells YES 5
        "#]],
    );
}

#[test]
fn transition_row_4_a_taker_that_meets_its_own_order_first_is_rejected() {
    check(
        "market rain clob
         alice has 10 sets
         alice has 10 USD
         alice sells YES 5 shares at 0.50 as a1
         alice buys YES 8 shares at 0.50 stp cancel-newest as a2
         alice buys YES 8 shares at 0.50 stp cancel-both as a3
         show book",
        expect![[r#"
            a1 open 0/5
            a2 rejected 0/8
            a3 rejected 0/8
              a1 cancelled 0/5 by self-trade prevention
            book rain is empty
        "#]],
    );
}

#[test]
fn transition_row_5_a_post_only_order_that_would_cross_is_rejected() {
    check(
        "market rain clob
         bob has 10 sets
         alice has 10 USD
         bob sells YES 5 shares at 0.50 as b1
         alice buys YES 5 shares at 0.50 post-only as a1
         show book
         show wallet alice",
        expect![[r#"
            b1 open 0/5
            a1 rejected 0/5
            book rain
              ask 0.50 bob.b1 sells YES 5
            alice has 10.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn a_closed_order_is_final() {
    check(
        "market rain clob
         bob has 10 sets
         alice has 100 USD
         alice buys YES 5 shares at 0.50 as done
         bob sells YES 5 shares at 0.50 as b1
         alice buys YES 5 shares at 0.50 as gone
         alice cancels gone
         alice buys YES 5 shares at 0.50 gtd 60s as late
         wait 60s
         alice cancels done
         alice cancels gone
         alice cancels late
         alice amends done to 9 shares; gone to 9 shares; late to 9 shares",
        expect![[r#"
            done open 0/5
            b1 filled 5/5 @0.5
              DIRECT 5 YES @0.50 bob.b1 → alice.done
              done filled 5/5 @0.5
            gone open 0/5
            gone cancelled 0/5
            late open 0/5
            waited
              late expired 0/5
            refused: ORDER_NOT_FOUND
            refused: ORDER_NOT_FOUND
            refused: ORDER_NOT_FOUND
            0: done refused: ORDER_NOT_FOUND
            1: gone refused: ORDER_NOT_FOUND
            2: late refused: ORDER_NOT_FOUND
        "#]],
    );
}

#[test]
fn closing_a_market_cancels_what_rests_and_refunds_it() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 10 shares at 0.60 as b1
         close rain
         show wallet alice
         show position bob
         resolve rain YES
         show wallet bob",
        expect![[r#"
            a1 open 0/10
            b1 open 0/10
            rain closed
              a1 cancelled 0/10 by the market's close
              b1 cancelled 0/10 by the market's close
            alice has 10.00 USD free, 0.00 held
            bob holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            rain resolved
              bob paid 10.00 for 10 YES and 10 NO
            bob has 10.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn cancelling_a_market_cancels_what_rests_before_it_pays() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 10 shares at 0.60 as b1
         cancel rain at 0.37
         show wallet alice
         show wallet bob",
        expect![[r#"
            a1 open 0/10
            b1 open 0/10
            rain cancelled
              a1 cancelled 0/10 by the market's close
              b1 cancelled 0/10 by the market's close
              bob paid 10.00 for 10 YES and 10 NO
            alice has 10.00 USD free, 0.00 held
            bob has 10.00 USD free, 0.00 held
        "#]],
    );
}
