//! `SetMarketTerms`: new orders pay the new fee, those that rest keep theirs.

use exchange::catalogue::Status;
use exchange::change::Change;
use exchange::command::{CancelMarkets, Command, SetMarketTerms, Target};
use exchange::commands::NOTICE;
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Shares};
use exchange::order::{Outcome, Side};
use exchange::reject::Reject;
use exchange::reply::Reply;

use crate::rules::world::{World, event_of, limit, market_id};

fn terms(fee: u16, usd: i64) -> Command {
    Command::SetMarketTerms(SetMarketTerms {
        market: market_id("m"),
        fee_rate: FeeRate::new(fee).expect("a rate"),
        order_min: PerCurrency { usd: Money::whole(usd), ngn: Money::whole(100) },
    })
}

#[test]
fn under_rules_3_set_market_terms_changed_the_fee_at_once() {
    let mut world = World::under_rules(3);
    world.clob("m", 100);
    for name in ["alice", "bob"] {
        world.rich_user(name, Money::whole(100), Money::ZERO);
    }
    let order = |name, outcome, price| limit(name, "m", outcome, Side::Buy, Shares::whole(10), price);
    let resting = world.place("alice", order("1", Outcome::Yes, 40)).expect("an order");
    assert_eq!(world.system(terms(300, 1)), Ok(Reply::Done));
    assert_eq!(world.changes(), [Change::EventEdited { event: event_of("m") }]);
    assert_eq!(resting.terms.fee_rate.basis_points(), 100);
    let taken = world.place("bob", order("2", Outcome::No, 60)).expect("a trade");
    assert_eq!(taken.terms.fee_rate.basis_points(), 300);
    assert_eq!(world.free("bob", Currency::Usd), Money::new(94_000_000 - 180_000), "3 % of 6.00 on top");
    let stays = world.exchange.order(exchange::id::OrderId::new(crate::rules::world::id("1")));
    assert!(stays.is_none(), "it filled");
}

#[test]
fn set_market_terms_raises_the_minimum_and_never_below_the_general_one() {
    let mut world = World::new();
    world.clob("m", 0);
    world.rich_user("alice", Money::whole(100), Money::ZERO);
    world.system(terms(0, 5)).expect("terms");
    world.wait(NOTICE);
    let small = limit("1", "m", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    let minimum = Money::whole(5);
    let refused = Err(Reject::BelowMinimum { side: Side::Buy, currency: Currency::Usd, minimum });
    assert_eq!(world.place("alice", small), refused);
    let below = world.system(terms(0, 0));
    assert!(matches!(below, Err(Reject::InvalidField { field: "order_min", .. })), "{below:?}");
}

#[test]
fn set_market_terms_is_for_markets_that_have_not_ended() {
    let mut world = World::new();
    world.clob("m", 0);
    let target = Target::Event(event_of("m"));
    world.system(Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF })).expect("cancelled");
    let refused = Err(Reject::StatusNotAllowed { status: Status::Cancelled });
    assert_eq!(world.system(terms(0, 1)), refused);
    let unknown = Command::SetMarketTerms(SetMarketTerms {
        market: market_id("nowhere"),
        fee_rate: FeeRate::ZERO,
        order_min: PerCurrency { usd: Money::whole(1), ngn: Money::whole(100) },
    });
    assert_eq!(world.system(unknown), Err(Reject::MarketNotFound));
}
