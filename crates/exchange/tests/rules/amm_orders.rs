//! Orders on a pool: filled at once along the curve, or refused. Nothing rests and nothing can be cancelled.

use exchange::numbers::{Currency, Money};
use exchange::pool::Pool;
use expect_test::expect;

use crate::rules::script::{Script, check};

#[test]
fn amm_buy_and_sale_by_money_move_the_wallet_by_no_more_than_that() {
    // Examples 36 and 38.
    check(
        "market rain amm fee 2%
         alice has 100 USD
         alice buys YES for 100 USD at market as a1
         show wallet alice
         show pool
         alice sells YES for 50 USD at market as a2
         show wallet alice
         show pool
         show position alice
         show market",
        expect![[r#"
            a1 filled 195.1265/195.1265 @0.502439 fee 1.960784
            alice has 0.000016 USD free, 0.00 held
            pool rain has 9902.9127 YES and 10098.0392 NO, YES at 0.504878
            a2 filled 101.3091/101.3091 @0.503611 fee 1.020408
            alice has 50.000008 USD free, 0.00 held
            pool rain has 9953.2014 YES and 10047.0188 NO, YES at 0.502345
            alice holds YES 93.8174 (0 held) cost 48.080289 realised -1.919703, NO 0 (0 held) cost 0.00 realised 0.00
            rain YES at 0.502345, collateral 10047.0188, volume 149.0596, fees 2.981192
        "#]],
    );
}

#[test]
fn amm_orders_by_quantity_move_exactly_that_many_shares() {
    check(
        "market rain amm seed 7000 at 0.70
         alice has 1000 USD
         alice buys YES 100 shares at market as a1
         alice sells YES 100 shares at market as a2
         show wallet alice
         alice buys NO 100 shares at market as a3
         show position alice",
        expect![[r#"
            a1 filled 100/100 @0.702092
            a2 filled 100/100 @0.702091
            alice has 999.9999 USD free, 0.00 held
            a3 filled 100/100 @0.302109
            alice holds YES 0 (0 held) cost 0.00 realised -0.0001, NO 100 (0 held) cost 30.2109 realised 0.00
        "#]],
    );
}

#[test]
fn amm_limit_bounds_the_average_price_before_the_fee() {
    // Example 45: the average is 0.7073.
    check(
        "market rain amm fee 0.5% seed 7000 at 0.70
         alice has 1000 USD
         alice buys YES for 250.50 USD at 0.70 as a1
         show pool
         alice buys YES for 250.50 USD at 0.71 as a2
         alice sells YES for 100 USD at 0.72 as a3
         alice sells YES for 100 USD at 0.71 as a4",
        expect![[r#"
            refused: PRICE_LIMIT
            pool rain has 3000 YES and 7000 NO, YES at 0.7
            a2 filled 352.4037/352.4037 @0.707296 fee 1.246269
            refused: PRICE_LIMIT
            a4 filled 141.2286/141.2286 @0.71163 fee 0.502513
        "#]],
    );
}

#[test]
fn amm_trade_may_end_at_99_cents_and_no_further() {
    // Example 47.
    check(
        "market rain amm
         alice has 100000 USD
         alice buys YES for 89498.7453 USD at market as a1
         alice buys YES for 89498.7452 USD at market as a2
         show pool
         alice buys YES for 1 USD at market as a3
         alice sells YES for 1 USD at market as a4",
        expect![[r#"
            refused: OVER_MAX_LIABILITY
            a2 filled 98493.7073/98493.7073 @0.908675
            pool rain has 1005.0379 YES and 99498.7452 NO, YES at 0.99
            refused: OVER_MAX_LIABILITY
            a4 filled 1.0102/1.0102 @0.989903
        "#]],
    );
}

#[test]
fn amm_sale_of_more_than_the_pool_has_is_over_its_liability() {
    check(
        "market rain amm
         alice has 100000 sets
         alice sells YES for 10000 USD at market as a1
         alice sells YES for 9999.9999 USD at market as a2
         alice sells YES 100000 shares at market as a3",
        expect![[r#"
            refused: OVER_MAX_LIABILITY
            refused: OVER_MAX_LIABILITY
            refused: OVER_MAX_LIABILITY
        "#]],
    );
}

#[test]
fn amm_order_validates_time_in_force_and_the_like_and_then_ignores_them() {
    check(
        "market rain amm
         alice has 100 USD
         alice buys YES 2 shares at 0.60 gtc as a1
         alice buys YES 2 shares at 0.60 gtd 60s as a2
         alice buys YES 2 shares at 0.60 fok as a3
         alice buys YES 2 shares at 0.60 post-only as a4
         alice buys YES 2 shares at 0.60 stp cancel-both as a5
         alice buys YES 2 shares at market gtc as a6
         alice buys YES 2 shares at market post-only as a7
         alice buys YES 2 shares at 0.60 fak post-only as a8",
        expect![[r#"
            a1 filled 2/2 @0.50005
            a2 filled 2/2 @0.5001
            a3 filled 2/2 @0.50015
            a4 filled 2/2 @0.5002
            a5 filled 2/2 @0.50025
            refused: MARKET_ORDER_RESTS
            refused: POST_ONLY_MARKET
            refused: POST_ONLY_IMMEDIATE
        "#]],
    );
}

#[test]
fn amm_order_cannot_be_cancelled_or_amended() {
    check(
        "market rain amm
         alice has 100 USD
         alice buys YES 10 shares at 0.60 as a1
         alice cancels a1
         alice cancels a1, a1
         alice amends a1 to 20 shares
         alice cancels all",
        expect![[r#"
            a1 filled 10/10 @0.50013
            refused: ORDER_NOT_FOUND
            0: a1 refused: ORDER_NOT_FOUND
            1: a1 refused: ORDER_NOT_FOUND
            a1 refused: ORDER_NOT_FOUND
            nothing was open
        "#]],
    );
}

#[test]
fn amm_order_needs_its_money_and_its_shares() {
    check(
        "market rain amm fee 2%
         alice has 99.999983 USD
         alice buys YES for 100 USD at market as a1
         alice sells YES 1 shares at market as a2
         alice has 99.999984 USD
         alice buys YES for 100 USD at market as a3
         alice sells YES 195.1266 shares at market as a4
         alice sells NO 1 shares at market as a5
         alice sells YES 195.1265 shares at market as a6
         show wallet alice",
        expect![[r#"
            refused: INSUFFICIENT_BALANCE need 99.999984 have 99.999983
            refused: INSUFFICIENT_SHARES need 1 have 0
            a3 filled 195.1265/195.1265 @0.502439 fee 1.960784
            refused: INSUFFICIENT_SHARES need 195.1266 have 195.1265
            refused: INSUFFICIENT_SHARES need 1 have 0
            a6 filled 195.1265/195.1265 @0.502439 fee 1.960782
            alice has 96.078318 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn amm_orders_take_their_checks_in_the_written_order() {
    // Too small for a set, over liability, over the limit, over the slippage, unpaid.
    check(
        "market rain amm
         alice buys YES 30000000 shares at 0.01 as a1
         alice buys YES 1000 shares at 0.50 as a2
         alice buys YES 1000 shares at market slippage 0.01 as a3
         alice buys YES 1000 shares at market as a4",
        expect![[r#"
            refused: OVER_MAX_LIABILITY
            refused: PRICE_LIMIT
            refused: SLIPPAGE
            refused: INSUFFICIENT_BALANCE need 512.4922 have 0.00
        "#]],
    );
}

#[test]
fn amm_round_trips_never_gain_and_k_never_falls() {
    let product = |pool: &Pool| i128::from(pool.yes.units()) * i128::from(pool.no.units());
    let mut script = Script::after("market rain amm seed 137 at 0.31\n alice has 1000 USD");
    let index = script.world.listing_index("rain", Currency::Usd);
    let mut k = 0;
    for round in 1..60 {
        let (outcome, quantity) = (if round % 3 == 0 { "NO" } else { "YES" }, 7 + round * 13 % 41);
        script.run(&format!("alice buys {outcome} {quantity}.0003 shares at market"));
        script.run(&format!("alice sells {outcome} {quantity}.0003 shares at market"));
        let pool = script.world.exchange.catalogue().listing(index).pool().copied().expect("a pool");
        assert!(product(&pool) >= k, "round {round}");
        k = product(&pool);
        assert!(script.world.free("alice", Currency::Usd) <= Money::whole(1_000), "round {round}");
        script.run("alice has 1000 USD");
    }
    assert!(!script.output.contains("refused"), "{}", script.output);
}
