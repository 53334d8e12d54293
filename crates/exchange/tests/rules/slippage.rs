//! maxSlippage: the largest distance of a MARKET order from the best price of others; on the pool, a bound on the
//! average.

use expect_test::expect;

use crate::rules::script::check;

const ASKS: &str = "
    market rain clob
    bob has 100 sets
    alice has 100 USD
    bob sells YES 10 shares at 0.52 as b52
    bob sells YES 10 shares at 0.54 as b54
    bob sells YES 10 shares at 0.55 as b55
";

fn check_on(stage: &str, lines: &str, expected: expect_test::Expect) {
    check(&format!("{stage}{lines}"), expected);
}

#[test]
fn slippage_of_five_percent_on_a_buy_at_52_reaches_54() {
    check_on(
        ASKS,
        "alice buys YES 30 shares at market slippage 0.05 as a1",
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        a1 cancelled 20/30 @0.53
          DIRECT 10 YES @0.52 bob.b52 → alice.a1
          b52 filled 10/10 @0.52
          DIRECT 10 YES @0.54 bob.b54 → alice.a1
          b54 filled 10/10 @0.54
    "#]],
    );
}

#[test]
fn slippage_of_one_percent_on_a_buy_at_52_reaches_no_further() {
    check_on(
        ASKS,
        "alice buys YES 30 shares at market slippage 0.01 as a1",
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        a1 cancelled 10/30 @0.52
          DIRECT 10 YES @0.52 bob.b52 → alice.a1
          b52 filled 10/10 @0.52
    "#]],
    );
}

#[test]
fn slippage_of_nothing_takes_the_best_price_alone_and_none_at_all_takes_everything() {
    let lines = "alice buys YES 5 shares at market slippage 0 as a1
                 alice buys YES 10 shares at market slippage 0.00 as a2
                 alice buys YES 50 shares at market as a3";
    check_on(
        ASKS,
        lines,
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        a1 filled 5/5 @0.52
          DIRECT 5 YES @0.52 bob.b52 → alice.a1
          b52 partial_filled 5/10 @0.52
        a2 cancelled 5/10 @0.52
          DIRECT 5 YES @0.52 bob.b52 → alice.a2
          b52 filled 10/10 @0.52
        a3 cancelled 20/50 @0.545
          DIRECT 10 YES @0.54 bob.b54 → alice.a3
          b54 filled 10/10 @0.54
          DIRECT 10 YES @0.55 bob.b55 → alice.a3
          b55 filled 10/10 @0.55
    "#]],
    );
}

#[test]
fn slippage_bounds_a_sale_from_below() {
    let bids = "
        market rain clob
        bob has 100 USD
        alice has 100 sets
        bob buys YES 10 shares at 0.52 as b52
        bob buys YES 10 shares at 0.50 as b50
        bob buys YES 10 shares at 0.49 as b49
    ";
    let lines = "alice sells YES 5 shares at market slippage 0.01 as a1
                 alice sells YES 30 shares at market slippage 0.05 as a2
                 alice sells YES 30 shares at market slippage 1.00 as a3";
    check_on(
        bids,
        lines,
        expect![[r#"
        b52 open 0/10
        b50 open 0/10
        b49 open 0/10
        a1 filled 5/5 @0.52
          DIRECT 5 YES @0.52 alice.a1 → bob.b52
          b52 partial_filled 5/10 @0.52
        a2 cancelled 15/30 @0.506667
          DIRECT 5 YES @0.52 alice.a2 → bob.b52
          b52 filled 10/10 @0.52
          DIRECT 10 YES @0.50 alice.a2 → bob.b50
          b50 filled 10/10 @0.5
        a3 cancelled 10/30 @0.49
          DIRECT 10 YES @0.49 alice.a3 → bob.b49
          b49 filled 10/10 @0.49
    "#]],
    );
}

#[test]
fn slippage_of_an_order_for_no_is_in_its_own_price() {
    // Bids at 0.48 and 0.46 are asks for NO at 0.52 and 0.54.
    let bids = "
        market rain clob
        bob has 100 USD
        alice has 100 USD
        bob buys YES 10 shares at 0.48 as b48
        bob buys YES 10 shares at 0.46 as b46
        bob buys YES 10 shares at 0.45 as b45
    ";
    check_on(
        bids,
        "alice buys NO 30 shares at market slippage 0.05 as a1",
        expect![[r#"
        b48 open 0/10
        b46 open 0/10
        b45 open 0/10
        a1 cancelled 20/30 @0.53
          MINT 10 YES @0.48 bob.b48 + NO @0.52 alice.a1
          b48 filled 10/10 @0.48
          MINT 10 YES @0.46 bob.b46 + NO @0.54 alice.a1
          b46 filled 10/10 @0.46
    "#]],
    );
}

#[test]
fn slippage_starts_from_the_best_price_of_others() {
    let lines = "carol has 10 sets
                 carol has 10 USD
                 carol sells YES 10 shares at 0.20 as own
                 carol buys YES 12 shares at market slippage 0.00 as c1";
    check_on(
        ASKS,
        lines,
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        own open 0/10
        c1 cancelled 10/12 @0.52
          DIRECT 10 YES @0.52 bob.b52 → carol.c1
          b52 filled 10/10 @0.52
    "#]],
    );
}

#[test]
fn slippage_with_fok_rejects_what_would_go_further() {
    let lines = "alice buys YES for 12 USD at market slippage 0.05 fok as a1
                 alice buys YES for 10.60 USD at market slippage 0.05 fok as a2";
    check_on(
        ASKS,
        lines,
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        a1 rejected 0/0
        a2 filled 20/20 @0.53
          DIRECT 10 YES @0.52 bob.b52 → alice.a2
          b52 filled 10/10 @0.52
          DIRECT 10 YES @0.54 bob.b54 → alice.a2
          b54 filled 10/10 @0.54
    "#]],
    );
}

#[test]
fn slippage_is_ignored_on_a_limit_order() {
    check_on(
        ASKS,
        "alice buys YES 30 shares at 0.55 slippage 0.01 as a1",
        expect![[r#"
        b52 open 0/10
        b54 open 0/10
        b55 open 0/10
        a1 filled 30/30 @0.536667
          DIRECT 10 YES @0.52 bob.b52 → alice.a1
          b52 filled 10/10 @0.52
          DIRECT 10 YES @0.54 bob.b54 → alice.a1
          b54 filled 10/10 @0.54
          DIRECT 10 YES @0.55 bob.b55 → alice.a1
          b55 filled 10/10 @0.55
    "#]],
    );
}

#[test]
fn slippage_on_the_pool_bounds_the_average_before_the_fee() {
    // Example 46: 0.0104 is too little for the average price of 250.50, 0.0105 is enough.
    let lines = "market rain amm fee 0.5% seed 7000 at 0.70
                 alice has 1000 USD
                 alice buys YES for 250.50 USD at market slippage 0.0104 as a1
                 show pool
                 alice buys YES for 250.50 USD at market slippage 0.0105 as a2
                 show pool";
    check(
        lines,
        expect![[r#"
        refused: SLIPPAGE
        pool rain has 3000 YES and 7000 NO, YES at 0.7
        a2 filled 352.4037/352.4037 @0.707296 fee 1.246269
        pool rain has 2896.85 YES and 7249.2537 NO, YES at 0.714486
    "#]],
    );
}

#[test]
fn slippage_on_the_pool_bounds_a_sale_and_is_ignored_on_a_limit() {
    let lines = "market rain amm seed 7000 at 0.70
                 alice has 1000 sets
                 alice sells YES for 250.50 USD at market slippage 0.0110 as a1
                 alice sells YES for 250.50 USD at 0.69 slippage 0.0001 as a2";
    check(
        lines,
        expect![[r#"
        refused: SLIPPAGE
        a2 filled 361.8416/361.8416 @0.692292
    "#]],
    );
}
