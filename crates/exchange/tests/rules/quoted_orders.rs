//! Quotes with the other terms of an order: the plan of exactly that order, to the unit, without an effect.

use exchange::numbers::{Currency, Money, Shares, Slippage};
use exchange::order::{NewOrder, OrderKind, OrderStatus, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::quote::{Quote, QuoteRequest, QuotedTerms};
use exchange::reject::Reject;

use crate::rules::quotes::{BOOK, POOL};
use crate::rules::script::Script;
use crate::rules::world::{World, limit, market_order, price};

fn request(world: &World, user: Option<&str>, new: &NewOrder) -> QuoteRequest {
    QuoteRequest {
        user: user.map(|name| world.user_index(name)),
        outcome: new.outcome,
        side: new.side,
        currency: new.currency,
        sizing: new.sizing,
        path: new.path,
        terms: Some(QuotedTerms {
            kind: new.kind,
            price: new.price,
            time_in_force: new.time_in_force,
            post_only: new.post_only,
            self_trade: new.self_trade,
            max_slippage: new.max_slippage,
        }),
    }
}

pub fn quote(world: &World, user: &str, new: &NewOrder) -> Result<Quote, Reject> {
    world.exchange.quote(&request(world, Some(user), new))
}

/// The refusal that a quote names, in either place.
fn refusal(quoted: &Result<Quote, Reject>) -> Option<&Reject> {
    match quoted {
        Ok(quote) => quote.order.as_ref().expect("an order").status.as_ref().err(),
        Err(refusal) => Some(refusal),
    }
}

/// Places the quoted order on a copy of the world and compares every number.
fn assert_equal(world: &World, new: &NewOrder) -> Option<OrderStatus> {
    let quoted = quote(world, "alice", new);
    let mut world = world.clone();
    let before = (world.free("alice", Currency::Usd), world.held("alice", Currency::Usd));
    let placed = match world.place("alice", new.clone()) {
        Ok(placed) => placed,
        Err(reject) => {
            assert_eq!(refusal(&quoted), Some(&reject), "{new:?}");
            return None;
        }
    };
    let quoted = quoted.expect("a quote of an order that is accepted");
    let order = quoted.order.expect("an order");
    let terms = &placed.terms;
    assert_eq!(order.status, Ok(placed.status), "{new:?}");
    assert_eq!(
        (quoted.quantity, quoted.cost_of_shares, quoted.fee),
        (terms.filled, terms.value, terms.fee),
        "{new:?}"
    );
    let unfilled = terms.size - terms.filled;
    let rests = if placed.status.is_open() { unfilled } else { Shares::ZERO };
    assert_eq!((order.resting, order.cancelled), (rests, unfilled - rests), "{new:?}");
    let after = (world.free("alice", Currency::Usd), world.held("alice", Currency::Usd));
    let moved = (after.0 + after.1) - (before.0 + before.1);
    let amount = if new.side == Side::Buy { Money::ZERO - quoted.amount } else { quoted.amount };
    assert_eq!(moved, amount, "the wallet, free and held: {new:?}");
    if order.own_cancelled == 0 {
        assert_eq!(after.1 - before.1, order.hold, "the hold: {new:?}");
    }
    Some(placed.status)
}

/// Every combination of terms for one side and outcome.
fn orders(side: Side, outcome: Outcome) -> Vec<NewOrder> {
    let mut orders = Vec::new();
    let sizes = [1, 24, 400].map(Shares::whole).map(Sizing::Quantity);
    let amounts = [0, 31, 900].map(Money::whole).map(Sizing::Amount);
    let modes = [SelfTrade::Skip, SelfTrade::CancelOldest, SelfTrade::CancelNewest, SelfTrade::CancelBoth];
    let times = [None, Some(TimeInForce::Gtc), Some(TimeInForce::Fak), Some(TimeInForce::Fok)];
    for sizing in sizes.into_iter().chain(amounts) {
        for self_trade in modes {
            for time_in_force in times {
                for max_slippage in [None, Slippage::new(0), Slippage::new(300)] {
                    let plain = market_order("new", "rain", outcome, side, Money::ZERO);
                    orders.push(NewOrder { sizing, self_trade, time_in_force, max_slippage, ..plain });
                }
                for cents in [3, 46, 48, 50, 52, 54, 97] {
                    for post_only in [false, true] {
                        let plain = limit("new", "rain", outcome, side, Shares::ZERO, cents);
                        orders.push(NewOrder { sizing, self_trade, time_in_force, post_only, ..plain });
                    }
                }
            }
        }
    }
    orders
}

#[test]
fn quote_of_an_order_is_what_the_order_does_for_every_combination_of_terms() {
    for (stage, statuses) in [(BOOK, 5), (POOL, 1)] {
        let script = Script::after(stage);
        let digest = script.world.exchange.digest();
        let mut seen = Vec::new();
        for side in [Side::Buy, Side::Sell] {
            for outcome in Outcome::BOTH {
                for new in orders(side, outcome) {
                    let status = assert_equal(&script.world, &new);
                    seen.extend(status.filter(|status| !seen.contains(status)));
                }
            }
        }
        assert_eq!(seen.len(), statuses, "{seen:?}");
        assert_eq!(script.world.exchange.digest(), digest, "a quote changes nothing");
    }
}

#[test]
fn quote_of_an_order_above_the_cash_shows_its_plan_and_the_refusal() {
    let script = Script::after(
        "market rain clob fee 2%
         bob has 2000 sets
         alice has 100 USD
         bob sells YES 500 shares at 0.50
         bob sells YES 1000 shares at 0.60",
    );
    let new = NewOrder {
        max_slippage: Slippage::new(500),
        ..market_order("new", "rain", Outcome::Yes, Side::Buy, Money::whole(400))
    };
    let quoted = quote(&script.world, "alice", &new).expect("a quote");
    // The bound leaves only the level at 0.50.
    assert_eq!((quoted.quantity, quoted.amount), (Shares::whole(500), Money::whole(255)));
    let refused = Reject::InsufficientBalance { need: Money::whole(255), have: Money::whole(100) };
    assert_eq!(quoted.order.expect("an order").status, Err(refused));
    // Without a caller there is no wallet to compare with.
    let anonymous = script.world.exchange.quote(&request(&script.world, None, &new)).expect("a quote");
    assert_eq!(anonymous.order.expect("an order").status, Ok(OrderStatus::Cancelled));
}

#[test]
fn quote_of_a_resting_order_shows_the_hold_and_an_expiry_does_not_matter() {
    let script = Script::after("market rain clob fee 2%\n alice has 100 USD");
    for time_in_force in [None, Some(TimeInForce::Gtc), Some(TimeInForce::Gtd)] {
        let plain = limit("new", "rain", Outcome::Yes, Side::Buy, Shares::whole(50), 40);
        let quoted = quote(&script.world, "alice", &NewOrder { time_in_force, ..plain }).expect("a quote");
        let order = quoted.order.expect("an order");
        assert_eq!((order.status, order.resting), (Ok(OrderStatus::Open), Shares::whole(50)));
        assert_eq!((order.hold, quoted.amount), (Money::whole(20), Money::ZERO));
    }
}

#[test]
fn quote_of_an_order_refuses_the_forms_that_the_order_refuses() {
    let mut script = Script::after("market rain clob\n alice has 100 USD");
    let plain = limit("new", "rain", Outcome::Yes, Side::Buy, Shares::whole(50), 40);
    let rows = [
        (NewOrder { price: None, ..plain.clone() }, Reject::PriceMissing),
        (NewOrder { kind: OrderKind::Market, post_only: true, ..plain.clone() }, Reject::PostOnlyMarket),
        (
            NewOrder { time_in_force: Some(TimeInForce::Fok), post_only: true, ..plain.clone() },
            Reject::PostOnlyImmediate,
        ),
        (
            NewOrder { price: Some(price(1)), ..plain.clone() },
            Reject::BelowMinimum { side: Side::Buy, currency: Currency::Usd, minimum: Money::whole(1) },
        ),
    ];
    for (new, refusal) in rows {
        assert_eq!(quote(&script.world, "alice", &new), Err(refusal), "{new:?}");
    }
    script.run("pause rain");
    assert_eq!(quote(&script.world, "alice", &plain), Err(Reject::MarketNotOpen));
}
