//! The five printed quotes, number for number, and the market order that follows each: it equals its quote.

use exchange::id::OrderId;
use exchange::numbers::{Currency, Money};
use exchange::order::{NewOrder, Outcome, Side, Sizing};
use exchange::quote::{Quote, QuoteRequest};

use crate::arithmetic::BOOK;
use crate::rules::script::Script;
use crate::rules::world::{id, market_order, outcome_id};

/// `BOOK` in naira.
const BOOK_IN_NAIRA: &str = "
    market rain clob fee 2%
    bob has 300 sets in NGN
    bob has 20700 NGN
    bob sells YES 100 shares at 0.50 in NGN
    bob sells YES 200 shares at 0.52 in NGN
    bob buys YES 150 shares at 0.48 in NGN
    bob buys YES 300 shares at 0.45 in NGN
";

fn quote(script: &Script, user: Option<&str>, side: Side, amount: i64, currency: Currency) -> Quote {
    let request = QuoteRequest {
        user: user.map(|name| script.world.user_index(name)),
        outcome: outcome_id("rain", Outcome::Yes),
        side,
        currency,
        sizing: Sizing::Amount(Money::whole(amount)),
        path: None,
        terms: None,
    };
    script.world.exchange.quote(&request).expect("a quote")
}

/// An exact decimal as JSON shows it, without trailing zeros.
fn decimal(units: i64, decimals: u32) -> String {
    let scale = 10_i64.pow(decimals);
    let sign = if units < 0 { "-" } else { "" };
    let (whole, part) = (units.abs() / scale, units.abs() % scale);
    let text = format!("{sign}{whole}.{part:0width$}", width = decimals as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn json(quote: &Quote) -> String {
    let fields = [
        ("price", decimal(quote.price.units(), 6)),
        ("currentMarketPrice", decimal(quote.current_market_price.units(), 6)),
        ("quantity", decimal(quote.quantity.units(), 4)),
        ("amount", decimal(quote.amount.units(), 6)),
        ("costOfShares", decimal(quote.cost_of_shares.units(), 6)),
        ("fee", decimal(quote.fee.units(), 6)),
        ("priceImpactAbsolute", decimal(quote.price_impact_absolute.units(), 6)),
        ("profitPercentage", decimal(quote.profit_percentage, 2)),
        ("currencyBaseMultiplier", quote.currency_base_multiplier.to_string()),
        ("completeFill", quote.complete_fill.to_string()),
        ("tradeGoesOverMaxLiability", quote.trade_goes_over_max_liability.to_string()),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}

/// Places the quoted order and compares every number it shares with its quote.
fn assert_followed(script: &mut Script, quote: &Quote, side: Side, amount: i64, currency: Currency) {
    let new = NewOrder {
        id: OrderId::new(id("follower")),
        currency,
        ..market_order("follower", "rain", Outcome::Yes, side, Money::whole(amount))
    };
    let before = script.world.free("alice", currency);
    let order = script.world.place("alice", new).expect("the quoted order");
    let moved = script.world.free("alice", currency) - before;
    assert_eq!(moved.units().abs(), quote.amount.units());
    assert_eq!((order.terms.filled, order.terms.value), (quote.quantity, quote.cost_of_shares));
    assert_eq!((order.terms.fee, order.average_price()), (quote.fee, quote.price));
}

/// Checks a quote as printed, then trades it as Alice.
fn check(script: &mut Script, side: Side, amount: i64, currency: Currency, printed: &str) {
    let quote = quote(script, None, side, amount, currency);
    assert_eq!(json(&quote), printed);
    assert_followed(script, &quote, side, amount, currency);
}

#[test]
fn quote_of_a_book_buy_is_printed_exactly() {
    let mut script = Script::after(BOOK);
    script.run("alice has 100 USD");
    check(
        &mut script,
        Side::Buy,
        100,
        Currency::Usd,
        r#"{"price": 0.509604, "currentMarketPrice": 0.5, "quantity": 192.3831, "amount": 99.999997, "costOfShares": 98.039212, "fee": 1.960785, "priceImpactAbsolute": 0.02, "profitPercentage": 92.38, "currencyBaseMultiplier": 1, "completeFill": true, "tradeGoesOverMaxLiability": false}"#,
    );
}

#[test]
fn quote_of_a_book_sale_is_printed_exactly() {
    let mut script = Script::after(BOOK);
    script.run("alice has 1000 sets");
    check(
        &mut script,
        Side::Sell,
        100,
        Currency::Usd,
        r#"{"price": 0.470761, "currentMarketPrice": 0.48, "quantity": 216.7573, "amount": 99.999969, "costOfShares": 102.040785, "fee": 2.040816, "priceImpactAbsolute": 0.03, "profitPercentage": 0, "currencyBaseMultiplier": 1, "completeFill": true, "tradeGoesOverMaxLiability": false}"#,
    );
}

#[test]
fn quote_of_a_book_sale_reckons_profit_with_the_callers_position() {
    // 300 YES for 120.00: bought at 0.40 from Carol, who pays no fee as a maker and neither does Alice.
    let mut script = Script::after("market rain clob fee 2%");
    script.run(
        "carol has 300 sets
         alice has 120 USD
         alice buys YES 300 shares at 0.40
         carol sells YES 300 shares at 0.40
         bob has 207 USD
         bob buys YES 150 shares at 0.48
         bob buys YES 300 shares at 0.45",
    );
    assert_eq!(
        decimal(quote(&script, Some("alice"), Side::Sell, 100, Currency::Usd).profit_percentage, 2),
        "52.7"
    );
    assert_eq!(quote(&script, None, Side::Sell, 100, Currency::Usd).profit_percentage, 0);
}

#[test]
fn quotes_of_a_pool_are_printed_exactly_one_after_the_other() {
    let mut script = Script::after("market rain amm fee 2%");
    script.run("alice has 100 USD");
    check(
        &mut script,
        Side::Buy,
        100,
        Currency::Usd,
        r#"{"price": 0.502439, "currentMarketPrice": 0.5, "quantity": 195.1265, "amount": 99.999984, "costOfShares": 98.0392, "fee": 1.960784, "priceImpactAbsolute": 0.004878, "profitPercentage": 95.13, "currencyBaseMultiplier": 1, "completeFill": true, "tradeGoesOverMaxLiability": false}"#,
    );
    script.run("show pool");
    let sold = quote(&script, None, Side::Sell, 50, Currency::Usd);
    assert_eq!(
        json(&sold),
        r#"{"price": 0.503611, "currentMarketPrice": 0.504878, "quantity": 101.3091, "amount": 49.999992, "costOfShares": 51.0204, "fee": 1.020408, "priceImpactAbsolute": 0.002533, "profitPercentage": 0, "currencyBaseMultiplier": 1, "completeFill": true, "tradeGoesOverMaxLiability": false}"#,
    );
    assert_followed(&mut script, &sold, Side::Sell, 50, Currency::Usd);
}

#[test]
fn quote_of_a_book_buy_in_naira_is_printed_exactly() {
    let mut script = Script::after(BOOK_IN_NAIRA);
    script.run("alice has 10000 NGN");
    check(
        &mut script,
        Side::Buy,
        10_000,
        Currency::Ngn,
        r#"{"price": 0.509604, "currentMarketPrice": 0.5, "quantity": 192.3831, "amount": 9999.999624, "costOfShares": 9803.9212, "fee": 196.078424, "priceImpactAbsolute": 0.02, "profitPercentage": 92.38, "currencyBaseMultiplier": 100, "completeFill": true, "tradeGoesOverMaxLiability": false}"#,
    );
}

#[test]
fn quote_impact_and_profit_of_the_worked_market_orders() {
    // Examples 14 and 19: a level emptied to the unit moves the price to the next one.
    let script = Script::after(BOOK);
    assert_eq!(quote(&script, None, Side::Buy, 51, Currency::Usd).price_impact_absolute.to_string(), "0.02");
    let sale = QuoteRequest {
        user: None,
        outcome: outcome_id("rain", Outcome::Yes),
        side: Side::Sell,
        currency: Currency::Usd,
        sizing: Sizing::Amount(Money::new(70_560_000)),
        path: None,
        terms: None,
    };
    let sale = script.world.exchange.quote(&sale).expect("a quote");
    assert_eq!(sale.price_impact_absolute.to_string(), "0.03");
    let mut script = Script::after("market rain clob fee 2%");
    script.run("bob has 200 sets\n bob sells YES 200 shares at 0.99");
    // Example 21: the fee makes it a loss even for a winner.
    let dear = quote(&script, None, Side::Buy, 100, Currency::Usd);
    assert_eq!((dear.price.to_string(), decimal(dear.profit_percentage, 2)), ("0.99".into(), "-0.97".into()));
}

#[test]
fn quote_passes_a_known_callers_own_orders_over_and_an_anonymous_one_sees_them() {
    let script = Script::after(BOOK);
    let known = quote(&script, Some("bob"), Side::Buy, 10, Currency::Usd);
    assert_eq!((known.quantity.units(), known.complete_fill), (0, false));
    assert_eq!(
        (known.price.to_string(), known.current_market_price.to_string()),
        ("0.49".into(), "0.49".into())
    );
    let anonymous = quote(&script, None, Side::Buy, 10, Currency::Usd);
    assert!(anonymous.complete_fill);
    assert_eq!(anonymous.current_market_price.to_string(), "0.5");
}
