//! Quotes: they change nothing, have the refusals of an order, and equal the order that follows.

use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, OrderPath, Outcome, Side, Sizing};
use exchange::quote::{Quote, QuoteRequest};
use exchange::reject::Reject;

use crate::rules::script::Script;
use crate::rules::world::{World, event_of, market_id, market_order, outcome_id};

fn request(side: Side, outcome: Outcome, sizing: Sizing) -> QuoteRequest {
    QuoteRequest {
        user: None,
        outcome: outcome_id("rain", outcome),
        side,
        currency: Currency::Usd,
        sizing,
        path: None,
        terms: None,
    }
}

fn by_money(world: &World, side: Side, outcome: Outcome, amount: Money) -> Quote {
    world.exchange.quote(&request(side, outcome, Sizing::Amount(amount))).expect("a quote")
}

#[test]
fn quote_refuses_row_by_row() {
    let script = Script::after("market rain clob in USD\n market snow clob draft");
    let plain = request(Side::Buy, Outcome::Yes, Sizing::Amount(Money::whole(1)));
    let path = |event: EventId, market: MarketId| Some(OrderPath { event, market });
    let rain = (event_of("rain"), market_id("rain"));
    let rows = [
        (QuoteRequest { sizing: Sizing::Amount(Money::ZERO), ..plain }, Reject::AmountNotPositive),
        (QuoteRequest { sizing: Sizing::Quantity(Shares::ZERO), ..plain }, Reject::AmountNotPositive),
        (
            QuoteRequest { sizing: Sizing::Amount(Money::new(1_000_000_000_000_001)), ..plain },
            Reject::AmountTooLarge,
        ),
        (
            QuoteRequest { sizing: Sizing::Quantity(Shares::new(10_000_000_000_001)), ..plain },
            Reject::AmountTooLarge,
        ),
        (QuoteRequest { outcome: OutcomeId::new(7), ..plain }, Reject::OutcomeNotFound),
        (QuoteRequest { outcome: outcome_id("snow", Outcome::Yes), ..plain }, Reject::OutcomeNotFound),
        (QuoteRequest { path: path(EventId::new(7), rain.1), ..plain }, Reject::EventNotFound),
        (QuoteRequest { path: path(rain.0, MarketId::new(7)), ..plain }, Reject::MarketNotFound),
        (QuoteRequest { currency: Currency::Ngn, ..plain }, Reject::UnsupportedCurrency),
    ];
    for (request, refusal) in rows {
        assert_eq!(script.world.exchange.quote(&request), Err(refusal), "{request:?}");
    }
    assert!(script.world.exchange.quote(&QuoteRequest { path: path(rain.0, rain.1), ..plain }).is_ok());
}

#[test]
fn quote_needs_an_open_market() {
    for step in ["pause rain", "close rain", "cancel rain at 0.50"] {
        let mut script = Script::after("market rain clob");
        script.run(step);
        let request = request(Side::Buy, Outcome::Yes, Sizing::Amount(Money::whole(1)));
        assert_eq!(script.world.exchange.quote(&request), Err(Reject::MarketNotOpen), "{step}");
    }
}

#[test]
fn quote_with_nothing_to_trade_with_shows_the_markets_price_and_zeros() {
    let mut script = Script::after("market rain clob fee 2%\n bob has 10 USD\n carol has 10 sets");
    script.run(
        "bob buys YES 10 shares at 0.40\n carol sells YES 10 shares at 0.40\n bob buys YES 5 shares at 0.38",
    );
    for (side, outcome, price) in [(Side::Buy, Outcome::Yes, "0.4"), (Side::Sell, Outcome::No, "0.6")] {
        let quote = by_money(&script.world, side, outcome, Money::whole(5));
        assert_eq!(
            (quote.price.to_string(), quote.current_market_price.to_string()),
            (price.into(), price.into())
        );
        assert_eq!((quote.quantity, quote.amount, quote.fee), (Shares::ZERO, Money::ZERO, Money::ZERO));
        assert_eq!((quote.cost_of_shares, quote.price_impact_absolute.units()), (Money::ZERO, 0));
        assert_eq!((quote.profit_percentage, quote.complete_fill), (0, false));
        assert!(!quote.trade_goes_over_max_liability);
    }
}

#[test]
fn quote_over_the_maximum_liability_shows_the_curve_and_raises_the_flag() {
    // Example 47, one set unit more than fits.
    let script = Script::after("market rain amm");
    let fits = by_money(&script.world, Side::Buy, Outcome::Yes, Money::new(89_498_745_200));
    assert!(fits.complete_fill && !fits.trade_goes_over_max_liability);
    let over = by_money(&script.world, Side::Buy, Outcome::Yes, Money::new(89_498_745_300));
    assert!(!over.complete_fill && over.trade_goes_over_max_liability);
    assert!(over.quantity >= fits.quantity);
    assert_eq!(over.cost_of_shares, Money::new(89_498_745_300));
}

#[test]
fn quote_of_a_sale_that_the_pool_cannot_pay_is_zero_with_the_flag_up() {
    let script = Script::after("market rain amm");
    let over = by_money(&script.world, Side::Sell, Outcome::Yes, Money::whole(10_000));
    assert!(!over.complete_fill && over.trade_goes_over_max_liability);
    assert_eq!((over.quantity, over.amount), (Shares::ZERO, Money::ZERO));
    assert_eq!((over.price.to_string(), over.current_market_price.to_string()), ("0.5".into(), "0.5".into()));
}

#[test]
fn quote_reckons_the_profit_of_a_buy_with_what_the_caller_holds() {
    let mut script = Script::after("market rain clob\n bob has 200 sets\n alice has 100 USD");
    script.run("bob sells YES 10 shares at 0.40\n alice buys YES 10 shares at 0.40\n bob sells YES 100 shares at 0.60");
    let plain = request(Side::Buy, Outcome::Yes, Sizing::Amount(Money::whole(6)));
    let anonymous = script.world.exchange.quote(&plain).expect("a quote");
    // Ten shares for 6.00 pay 10.00; with ten more that cost 4.00, 10.00 becomes 20.00.
    assert_eq!(anonymous.profit_percentage, 6_667);
    let user = Some(script.world.user_index("alice"));
    let known = script.world.exchange.quote(&QuoteRequest { user, ..plain }).expect("a quote");
    assert_eq!(known.profit_percentage, 10_000);
}

#[test]
fn quote_of_a_known_caller_reckons_impact_without_its_own_orders() {
    let script = Script::after(
        "market rain clob
         alice has 10 sets
         bob has 20 sets
         alice sells YES 5 shares at 0.50
         bob sells YES 10 shares at 0.52
         bob sells YES 10 shares at 0.55",
    );
    let plain = request(Side::Buy, Outcome::Yes, Sizing::Quantity(Shares::whole(10)));
    let shown = |user: Option<&str>| {
        let user = user.map(|name| script.world.user_index(name));
        let quote = script.world.exchange.quote(&QuoteRequest { user, ..plain }).expect("a quote");
        (quote.current_market_price.to_string(), quote.price_impact_absolute.to_string())
    };
    assert_eq!(shown(Some("alice")), ("0.52".into(), "0.03".into()));
    assert_eq!(shown(None), ("0.5".into(), "0.02".into()));
}

pub(super) const BOOK: &str = "
    market rain clob fee 2%
    bob has 1000 sets
    bob has 1000 USD
    carol has 1000 USD
    alice has 500 sets
    alice has 500 USD
    bob sells YES 10.5 shares at 0.52
    carol buys NO 20 shares at 0.47
    alice sells YES 5 shares at 0.53
    bob sells YES 30.0001 shares at 0.55
    alice buys YES 5 shares at 0.50
    bob buys YES 17.77 shares at 0.49
    carol buys YES 40 shares at 0.47
";

pub(super) const POOL: &str = "
    market rain amm fee 2% seed 137 at 0.31
    alice has 5000 sets
    alice has 5000 USD
";

/// Places the quoted order on a copy of the world and compares it with the quote.
fn assert_equal(world: &World, side: Side, outcome: Outcome, sizing: Sizing) {
    let user = Some(world.user_index("alice"));
    let asked = QuoteRequest { user, ..request(side, outcome, sizing) };
    let quote = world.exchange.quote(&asked).expect("a quote");
    let mut world = world.clone();
    let new = NewOrder { sizing, ..market_order("follower", "rain", outcome, side, Money::ZERO) };
    let before = world.free("alice", Currency::Usd);
    match world.place("alice", new) {
        Ok(order) => {
            let moved = world.free("alice", Currency::Usd) - before;
            assert_eq!(moved.units().abs(), quote.amount.units(), "{asked:?}");
            assert_eq!((order.terms.filled, order.terms.fee), (quote.quantity, quote.fee), "{asked:?}");
            let is_filled = order.status == exchange::order::OrderStatus::Filled;
            assert_eq!(is_filled, quote.complete_fill, "{asked:?}");
        }
        Err(reject) => {
            assert_eq!(reject, Reject::OverMaxLiability, "{asked:?}");
            assert!(quote.trade_goes_over_max_liability, "{asked:?}");
        }
    }
}

#[test]
fn quote_equals_the_market_order_that_follows_on_either_engine() {
    for stage in [BOOK, POOL] {
        let script = Script::after(stage);
        for side in [Side::Buy, Side::Sell] {
            for outcome in Outcome::BOTH {
                for step in 1..40 {
                    let amount = Sizing::Amount(Money::new(1_000_000 + step * step * 137_011));
                    assert_equal(&script.world, side, outcome, amount);
                    let quantity = Sizing::Quantity(Shares::new(40_000 + step * step * 3_001));
                    assert_equal(&script.world, side, outcome, quantity);
                }
            }
        }
    }
}
