//! `PlaceOrder`: the reply, the sizes of orders by amount and by quantity, and every refusal in its order. More of
//! its rules: crosses, stp_mode, time_in_force, post_only, slippage, minimums, amm_orders.

use exchange::command::{Command, ResumeTrading, Target};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::numbers::{Currency, Money, Shares};
use exchange::order::{NewOrder, OrderPath, OrderStatus, Outcome, Side, Sizing, TimeInForce};
use exchange::reject::Reject;
use exchange::text::Text;
use exchange::time::Span;
use expect_test::expect;

use crate::rules::script::{Script, check};
use crate::rules::world::{World, event_of, limit, market_id, market_order, outcome_id, price};

#[test]
fn place_order_answers_with_the_whole_order() {
    let mut script = Script::after("market rain clob fee 2%\n alice has 100 USD");
    let new = NewOrder {
        sizing: Sizing::Amount(Money::whole(10)),
        client_order_id: Some(Text::from("mine")),
        ..limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::ZERO, 30)
    };
    let order = script.world.place("alice", new.clone()).expect("an order");
    assert_eq!((order.user, order.market), (Script::user_id("alice"), market_id("rain")));
    assert_eq!((order.currency, order.status), (Currency::Usd, OrderStatus::Open));
    let terms = &order.terms;
    assert_eq!(
        (terms.id, terms.outcome, terms.side, terms.kind),
        (new.id, Outcome::Yes, Side::Buy, new.kind)
    );
    assert_eq!(
        (terms.price, terms.amount, terms.size),
        (Some(price(30)), Money::whole(10), Shares::new(333_333))
    );
    assert_eq!((terms.filled, terms.value, terms.fee), (Shares::ZERO, Money::ZERO, Money::ZERO));
    assert_eq!((terms.created_at, terms.updated_at), (script.world.now, script.world.now));
    assert_eq!(terms.client_order_id, new.client_order_id);
    assert_eq!(script.world.held("alice", Currency::Usd), Money::new(9_999_990));
}

#[test]
fn place_order_sizes_a_limit_by_its_notional_at_the_limit_on_either_side() {
    check(
        "market rain clob fee 2%
         alice has 100 USD
         alice has 100 sets
         alice buys YES for 10 USD at 0.30 as a1
         alice sells YES for 10 USD at 0.70 as a2
         alice buys NO for 10 USD at 0.29 as a3
         show wallet alice
         show position alice",
        expect![[r#"
            a1 open 0/33.3333
            a2 open 0/14.2857
            a3 open 0/34.4827
            alice has 80.000027 USD free, 19.999973 held
            alice holds YES 100 (14.2857 held) cost 50.00 realised 0.00, NO 100 (0 held) cost 50.00 realised 0.00
        "#]],
    );
}

#[test]
fn place_order_keeps_the_size_of_a_limit_that_fills_at_a_better_price() {
    check(
        "market rain clob
         bob has 100 sets
         alice has 10 USD
         bob sells YES 100 shares at 0.20 as b1
         alice buys YES for 10 USD at 0.40 as a1
         show wallet alice",
        expect![[r#"
            b1 open 0/100
            a1 filled 25/25 @0.2
              DIRECT 25 YES @0.20 bob.b1 → alice.a1
              b1 partial_filled 25/100 @0.2
            alice has 5.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn place_order_by_money_at_market_shows_the_size_that_filled() {
    check(
        "market rain clob fee 2%
         bob has 300 sets
         alice has 500 USD
         bob sells YES 100 shares at 0.50 as b1
         alice buys YES for 25.50 USD at market as a1
         alice buys YES for 100 USD at market as a2
         alice buys YES for 100 USD at market as a3
         show wallet alice",
        expect![[r#"
            b1 open 0/100
            a1 filled 50/50 @0.5 fee 0.50
              DIRECT 50 YES @0.50 bob.b1 → alice.a1 fee 0.50
              b1 partial_filled 50/100 @0.5
            a2 cancelled 50/50 @0.5 fee 0.50
              DIRECT 50 YES @0.50 bob.b1 → alice.a2 fee 0.50
              b1 filled 100/100 @0.5
            a3 cancelled 0/0
            alice has 449.00 USD free, 0.00 held
        "#]],
    );
}

#[test]
fn place_order_by_money_that_empties_the_side_is_complete_if_its_change_buys_no_further_unit() {
    // A unit at 0.50 costs 0.00005: one less of change is none, that much is a remainder.
    check(
        "market rain clob
         bob has 300 sets
         alice has 500 USD
         bob sells YES 100 shares at 0.50 as b1
         alice buys YES for 50.000049 USD at market as a1
         bob sells YES 100 shares at 0.50 as b2
         alice buys YES for 50.00005 USD at market as a2
         bob sells YES 100 shares at 0.50 as b3
         alice buys YES for 50.00005 USD at market fok as a3
         alice buys YES for 50.000049 USD at market fok as a4",
        expect![[r#"
            b1 open 0/100
            a1 filled 100/100 @0.5
              DIRECT 100 YES @0.50 bob.b1 → alice.a1
              b1 filled 100/100 @0.5
            b2 open 0/100
            a2 cancelled 100/100 @0.5
              DIRECT 100 YES @0.50 bob.b2 → alice.a2
              b2 filled 100/100 @0.5
            b3 open 0/100
            a3 rejected 0/0
            a4 filled 100/100 @0.5
              DIRECT 100 YES @0.50 bob.b3 → alice.a4
              b3 filled 100/100 @0.5
        "#]],
    );
}

#[test]
fn place_order_by_quantity_at_market_shows_the_size_that_was_asked() {
    let mut script = Script::after(
        "market rain clob fee 2%
         bob has 300 sets
         alice has 500 USD
         bob sells YES 100 shares at 0.50",
    );
    let by_quantity = |name: &str, side, quantity| NewOrder {
        sizing: Sizing::Quantity(Shares::whole(quantity)),
        ..market_order(name, "rain", Outcome::Yes, side, Money::ZERO)
    };
    let order = script.world.place("alice", by_quantity("a1", Side::Buy, 150)).expect("an order");
    assert_eq!((order.status, order.terms.size), (OrderStatus::Cancelled, Shares::whole(150)));
    assert_eq!((order.terms.filled, order.remaining()), (Shares::whole(100), Shares::ZERO));
    // The request had no amount: the amount is the change of the wallet.
    assert_eq!(order.terms.amount, Money::whole(51));
    script.run("bob buys YES 10 shares at 0.40");
    let order = script.world.place("alice", by_quantity("a2", Side::Sell, 10)).expect("an order");
    assert_eq!((order.status, order.terms.amount), (OrderStatus::Filled, Money::new(3_920_000)));
}

#[test]
fn place_order_ignores_the_price_of_a_market_order() {
    let mut script = Script::after(
        "market rain clob\n bob has 10 sets\n alice has 10 USD\n bob sells YES 10 shares at 0.60",
    );
    let new = NewOrder {
        price: Some(price(40)),
        ..market_order("a1", "rain", Outcome::Yes, Side::Buy, Money::whole(6))
    };
    let order = script.world.place("alice", new).expect("an order");
    assert_eq!((order.status, order.terms.price), (OrderStatus::Filled, None));
}

#[test]
fn place_order_refuses_what_cannot_be_paid_to_the_unit() {
    check(
        "market rain clob fee 2%
         bob has 10 sets
         bob sells YES 10 shares at 0.50 as b1
         alice has 5.099999 USD
         alice buys YES 10 shares at 0.50 as a1
         alice buys YES for 5.10 USD at market as a2
         alice has 5.10 USD
         alice buys YES for 5.10 USD at market as a3
         carol has 10 sets
         carol sells NO 10.0001 shares at 0.50 as c1
         carol sells NO 8 shares at 0.50 as c2
         carol sells NO 2.0001 shares at 0.50 as c3
         dave sells YES 2 shares at 0.50 as d1",
        expect![[r#"
            b1 open 0/10
            refused: INSUFFICIENT_BALANCE need 5.10 have 5.099999
            refused: INSUFFICIENT_BALANCE need 5.10 have 5.099999
            a3 filled 10/10 @0.5 fee 0.10
              DIRECT 10 YES @0.50 bob.b1 → alice.a3 fee 0.10
              b1 filled 10/10 @0.5
            refused: INSUFFICIENT_SHARES need 10.0001 have 10
            c2 open 0/8
            refused: INSUFFICIENT_SHARES need 2.0001 have 2
            refused: INSUFFICIENT_SHARES need 2 have 0
        "#]],
    );
}

#[test]
fn place_order_refused_changes_nothing() {
    let mut script = Script::after(
        "market rain clob\n bob has 10 sets\n alice has 1 USD\n bob sells YES 10 shares at 0.50",
    );
    let serial =
        |world: &World| world.exchange.catalogue().listing(world.listing_index("rain", Currency::Usd)).orders;
    let before = (
        serial(&script.world),
        script.world.free("alice", Currency::Usd),
        script.world.exchange.orders().len(),
    );
    let new = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 50);
    script.world.place("alice", new).expect_err("too dear");
    assert!(script.world.changes().is_empty());
    let after = (
        serial(&script.world),
        script.world.free("alice", Currency::Usd),
        script.world.exchange.orders().len(),
    );
    assert_eq!(before, after);
    let listing = script.world.listing_index("rain", Currency::Usd);
    assert!(script.world.exchange.position(script.world.user_index("alice"), listing).is_none());
}

/// An order with everything wrong, and its corrections, one step after the other.
#[test]
fn place_order_refuses_in_the_written_order() {
    let mut script = Script::after(
        "market rain clob in USD
         market sun shade clob grouped
         alice has 1 USD
         alice buys YES 2 shares at 0.50 of rain client mine as first
         pause rain",
    );
    script.meet("bob");
    let now = script.world.now;
    let first = limit("first", "rain", Outcome::Yes, Side::Buy, Shares::ZERO, 50);
    let new = NewOrder {
        outcome: OutcomeId::new(7),
        currency: Currency::Ngn,
        sizing: Sizing::Amount(Money::ZERO),
        price: None,
        time_in_force: Some(TimeInForce::Fok),
        post_only: true,
        client_order_id: Some(Text::from("not allowed!")),
        path: Some(OrderPath { event: EventId::new(7), market: market_id("sun") }),
        ..first
    };
    let path = |event: EventId, market: MarketId| Some(OrderPath { event, market });
    let rain = (event_of("rain"), market_id("rain"));
    let below = Reject::BelowMinimum { side: Side::Buy, currency: Currency::Ngn, minimum: Money::whole(100) };
    type Step<'a> = (Reject, Box<dyn Fn(&mut NewOrder) + 'a>);
    let steps: Vec<Step<'_>> = vec![
        (Reject::PriceMissing, Box::new(|new| new.price = Some(price(50)))),
        (Reject::PostOnlyImmediate, Box::new(|new| new.time_in_force = Some(TimeInForce::Gtd))),
        (Reject::ExpiryMissing, Box::new(|new| new.expires_at = Some(now))),
        (Reject::ExpiryPast, Box::new(|new| new.expires_at = Some(now + Span::days(1)))),
        (
            Reject::AmountNotPositive,
            Box::new(|new| new.sizing = Sizing::Amount(Money::new(1_000_000_000_000_001))),
        ),
        (Reject::AmountTooLarge, Box::new(|new| new.sizing = Sizing::Amount(Money::new(99_999_999)))),
        (Reject::ClientOrderIdInvalid, Box::new(|new| new.client_order_id = Some(Text::from("mine")))),
        (Reject::OutcomeNotFound, Box::new(|new| new.outcome = outcome_id("rain", Outcome::Yes))),
        (Reject::EventNotFound, Box::new(|new| new.path = path(rain.0, market_id("sun")))),
        (Reject::MarketNotFound, Box::new(|new| new.path = path(event_of("sun"), market_id("sun")))),
        (Reject::OutcomeNotInMarket, Box::new(|new| new.path = path(rain.0, rain.1))),
        (below, Box::new(|new| new.sizing = Sizing::Amount(Money::whole(100)))),
        (Reject::DuplicateId, Box::new(|new| new.id = exchange::id::OrderId::new(8))),
        (Reject::UnsupportedCurrency, Box::new(|new| new.currency = Currency::Usd)),
        (Reject::MarketNotOpen, Box::new(|_| ())),
    ];
    let mut new = new;
    for (refusal, mend) in steps {
        assert_eq!(script.world.place("alice", new.clone()), Err(refusal));
        mend(&mut new);
    }
    let target = Target::Market(market_id("rain"));
    script.world.system(Command::ResumeTrading(ResumeTrading { target })).expect("an open market");
    assert_eq!(script.world.place("alice", new.clone()), Err(Reject::DuplicateClientOrderId));
    new.client_order_id = None;
    let short = Reject::InsufficientBalance { need: Money::whole(100), have: Money::ZERO };
    assert_eq!(script.world.place("alice", new.clone()), Err(short));
    script.run("alice has 100 USD");
    assert_eq!(script.world.place("alice", new).map(|order| order.status), Ok(OrderStatus::Open));
}

#[test]
fn place_order_bounds_quantity_and_amount_alike() {
    let short = |need| Reject::InsufficientBalance { need, have: Money::ZERO };
    let half = Money::whole(500_000_000);
    let rows = [
        (Sizing::Quantity(Shares::ZERO), Reject::AmountNotPositive),
        (Sizing::Quantity(Shares::new(-1)), Reject::AmountNotPositive),
        (Sizing::Amount(Money::new(-1)), Reject::AmountNotPositive),
        (Sizing::Quantity(Shares::new(10_000_000_000_001)), Reject::AmountTooLarge),
        (Sizing::Amount(Money::new(1_000_000_000_000_001)), Reject::AmountTooLarge),
        (Sizing::Quantity(Shares::ORDER_MAX), short(half)),
        // At 0.50 half the money already buys the largest number of shares of an order.
        (Sizing::Amount(half), short(half)),
        (Sizing::Amount(half + Money::new(50)), Reject::AmountTooLarge),
    ];
    for (sizing, refusal) in rows {
        let mut script = Script::after("market rain clob");
        script.meet("alice");
        let new = NewOrder { sizing, ..limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::ZERO, 50) };
        assert_eq!(script.world.place("alice", new), Err(refusal), "{sizing:?}");
    }
}

#[test]
fn place_order_finds_no_draft_and_no_unknown_outcome() {
    for engine in ["clob", "amm"] {
        let mut script = Script::after(&format!("market rain {engine} draft\n alice has 10 USD"));
        let draft = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 50);
        assert_eq!(script.world.place("alice", draft), Err(Reject::OutcomeNotFound), "{engine}");
        let unknown = limit("a1", "snow", Outcome::Yes, Side::Buy, Shares::whole(10), 50);
        assert_eq!(script.world.place("alice", unknown), Err(Reject::OutcomeNotFound), "{engine}");
    }
}

#[test]
fn place_order_needs_an_open_market() {
    for engine in ["clob", "amm"] {
        let mut script = Script::after(&format!("market rain {engine}\n alice has 10 USD"));
        let steps = ["pause rain", "close rain", "resolve rain NO"];
        for step in steps {
            script.run(step);
            let new = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 50);
            assert_eq!(script.world.place("alice", new), Err(Reject::MarketNotOpen), "{engine} after {step}");
        }
    }
    let mut script = Script::after("market rain clob\n alice has 10 USD\n cancel rain at 0.50");
    let new = limit("a1", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 50);
    assert_eq!(script.world.place("alice", new), Err(Reject::MarketNotOpen));
}

#[test]
fn place_order_works_again_in_a_resumed_market() {
    check(
        "market rain clob
         alice has 10 USD
         bob has 10 sets
         alice buys YES 10 shares at 0.50 as a1
         pause rain
         bob sells YES 10 shares at 0.50 as b1
         resume rain
         bob sells YES 10 shares at 0.50 as b2",
        expect![[r#"
            a1 open 0/10
            rain paused
            refused: MARKET_NOT_OPEN
            rain resumed
            b2 filled 10/10 @0.5
              DIRECT 10 YES @0.50 bob.b2 → alice.a1
              a1 filled 10/10 @0.5
        "#]],
    );
}
