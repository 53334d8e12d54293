//! `CancelOrder`: an own open order leaves the book and its hold is released.

use expect_test::expect;

use crate::rules::script::check;

#[test]
fn cancel_order_gives_back_the_money_or_the_shares_it_held() {
    check(
        "market rain clob fee 2%
         alice has 10 USD
         alice has 1000 NGN
         alice has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         alice sells NO 10 shares at 0.70 as a2
         alice buys NO 10 shares at 0.40 in NGN as a3
         show wallet alice
         show position alice
         alice cancels a1
         alice cancels a2
         alice cancels a3
         show wallet alice
         show position alice
         show book",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            a3 open 0/10
            alice has 6.00 USD free, 4.00 held; 600.00 NGN free, 400.00 held
            alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (10 held) cost 5.00 realised 0.00
            a1 cancelled 0/10
            a2 cancelled 0/10
            a3 cancelled 0/10
            alice has 10.00 USD free, 0.00 held; 1000.00 NGN free, 0.00 held
            alice holds YES 10 (0 held) cost 5.00 realised 0.00, NO 10 (0 held) cost 5.00 realised 0.00
            book rain is empty
        "#]],
    );
}

#[test]
fn cancel_order_of_a_partly_filled_one_keeps_its_fills() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob sells YES 4 shares at market as b1
         alice cancels a1
         show wallet alice
         show position alice",
        expect![[r#"
            a1 open 0/10
            b1 filled 4/4 @0.4
              DIRECT 4 YES @0.40 bob.b1 → alice.a1
              a1 partial_filled 4/10 @0.4
            a1 cancelled 4/10 @0.4
            alice has 8.40 USD free, 0.00 held
            alice holds YES 4 (0 held) cost 1.60 realised 0.00, NO 0 (0 held) cost 0.00 realised 0.00
        "#]],
    );
}

#[test]
fn cancel_order_does_not_find_anothers_order_or_a_closed_order() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.40 as a1
         bob cancels a1
         bob cancels nosuch
         alice cancels a1
         alice cancels a1",
        expect![[r#"
            a1 open 0/10
            refused: ORDER_NOT_FOUND
            refused: ORDER_NOT_FOUND
            a1 cancelled 0/10
            refused: ORDER_NOT_FOUND
        "#]],
    );
}

#[test]
fn cancel_order_works_in_a_paused_market_and_finds_nothing_in_a_closed_one() {
    check(
        "market rain clob
         alice has 10 USD
         alice buys YES 10 shares at 0.40 as a1
         alice buys YES 10 shares at 0.41 as a2
         pause rain
         alice cancels a1
         close rain
         alice cancels a2
         show wallet alice",
        expect![[r#"
            a1 open 0/10
            a2 open 0/10
            rain paused
            a1 cancelled 0/10
            rain closed
              a2 cancelled 0/10 by the market's close
            refused: ORDER_NOT_FOUND
            alice has 10.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn cancel_order_leaves_the_places_of_others_as_they_were() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 USD
         carol has 10 USD
         bob buys YES 5 shares at 0.40 as b1
         alice buys YES 5 shares at 0.40 as a1
         carol buys YES 5 shares at 0.40 as c1
         bob buys YES 5 shares at 0.40 as b2
         alice cancels a1
         bob cancels b1
         show book
         bob cancels b2
         carol cancels c1
         show book",
        expect![[r#"
            b1 open 0/5
            a1 open 0/5
            c1 open 0/5
            b2 open 0/5
            a1 cancelled 0/5
            b1 cancelled 0/5
            book rain
              bid 0.40 carol.c1 buys YES 5
              bid 0.40 bob.b2 buys YES 5
            b2 cancelled 0/5
            c1 cancelled 0/5
            book rain is empty
        "#]],
    );
}
