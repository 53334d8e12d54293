//! Defects that random days found, in a handful of commands each.

use exchange::command::Command;
use exchange::id::{MarketId, OrderId, OutcomeId};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use sim::adversary::Arena;
use sim::random::Random;

fn limit(sizing: Sizing, currency: Currency, cents: u8) -> NewOrder {
    NewOrder {
        id: OrderId::new(77),
        outcome: OutcomeId::of(MarketId::new(1), Outcome::No as u64),
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency,
        sizing,
        price: Price::new(cents),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

/// Seed 7 of the first random days: 10⁹ USD at 0.47 are more than 10⁹ shares.
#[test]
fn a_limit_order_keeps_within_both_caps_however_it_is_given() {
    let rows = [
        (Sizing::Amount(Money::new(999_999_985_526_666)), Currency::Usd, 47),
        (Sizing::Amount(Money::ORDER_MAX), Currency::Usd, 99),
        (Sizing::Quantity(Shares::ORDER_MAX), Currency::Ngn, 2),
    ];
    for (sizing, currency, cents) in rows {
        let mut arena = Arena::new(&mut Random::new(1));
        let request = arena.request(Command::PlaceOrder(limit(sizing, currency, cents)));
        assert_eq!(
            arena.exchange.apply(arena.now, &request).expect("a request of this build"),
            Err(Reject::AmountTooLarge),
            "{sizing:?}"
        );
    }
    // At the caps themselves only the money is missing.
    let mut arena = Arena::new(&mut Random::new(1));
    let at_the_cap = limit(Sizing::Quantity(Shares::ORDER_MAX), Currency::Ngn, 1);
    let request = arena.request(Command::PlaceOrder(at_the_cap));
    let result = arena.exchange.apply(arena.now, &request).expect("a request of this build");
    assert!(matches!(result, Err(Reject::InsufficientBalance { .. })), "{result:?}");
}
