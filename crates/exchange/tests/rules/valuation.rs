//! The value of a holding: the proceeds of selling all of it now, net of the fee.

use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::numbers::{Currency, Money};
use exchange::order::Outcome;
use exchange::quote::Valuation;

use crate::rules::script::Script;

fn value(script: &Script, user: &str, outcome: Outcome, currency: Currency) -> Valuation {
    let listing = script.world.listing_index("rain", currency);
    script.world.exchange.value_of(script.world.user_index(user), listing, outcome)
}

fn yes(script: &Script, user: &str) -> Valuation {
    value(script, user, Outcome::Yes, Currency::Usd)
}

#[test]
fn value_of_shares_without_bids_is_zero() {
    let script = Script::after("market rain clob fee 2%\n alice has 10 sets");
    let value = yes(&script, "alice");
    assert_eq!((value.current_value, value.sell_price.units()), (Money::ZERO, 0));
    assert_eq!((value.average_price.to_string(), value.percentage_change), ("0.5".into(), -10_000));
    assert_eq!(value.payout_if_outcome_wins, Money::whole(10));
}

#[test]
fn value_counts_held_shares_and_leaves_own_orders_out() {
    let script = Script::after(
        "market rain clob fee 2%
         alice has 10 sets
         alice has 10 USD
         bob has 10 USD
         alice sells YES 4 shares at 0.90
         alice buys YES 4 shares at 0.60
         bob buys YES 5 shares at 0.50",
    );
    // Five shares at 0.50, less 2 %; the other five find no bid of another's.
    assert_eq!(yes(&script, "alice").current_value, Money::new(2_450_000));
    assert_eq!(yes(&script, "alice").payout_if_outcome_wins, Money::whole(10));
}

#[test]
fn value_of_no_walks_the_asks_and_both_kinds_of_counterparty() {
    let script = Script::after(
        "market rain clob
         alice has 10 sets
         bob has 10 sets
         carol has 10 USD
         bob sells YES 4 shares at 0.70
         carol buys NO 4 shares at 0.28",
    );
    // NO sells at 0.30 to the seller of YES (a merge), then at 0.28 to the buyer of NO.
    assert_eq!(
        value(&script, "alice", Outcome::No, Currency::Usd).current_value,
        Money::new(1_200_000 + 1_120_000)
    );
}

#[test]
fn value_in_naira_is_of_the_naira_book() {
    let script = Script::after(
        "market rain clob
         alice has 10 sets
         alice has 10 sets in NGN
         bob has 1000 NGN
         bob buys YES 10 shares at 0.40 in NGN",
    );
    assert_eq!(value(&script, "alice", Outcome::Yes, Currency::Ngn).current_value, Money::whole(400));
    assert_eq!(yes(&script, "alice").current_value, Money::ZERO);
}

#[test]
fn value_in_a_closed_market_is_at_the_last_shown_price_without_fee() {
    let mut script = Script::after(
        "market rain clob fee 2%
         alice has 10 sets
         bob has 10 USD
         bob buys YES 5 shares at 0.37
         alice sells YES 3 shares at 0.37
         close rain",
    );
    assert_eq!(yes(&script, "alice").current_value, Money::new(7 * 370_000));
    assert_eq!(value(&script, "alice", Outcome::No, Currency::Usd).current_value, Money::new(10 * 630_000));
    script.run("resolve rain YES");
    assert_eq!(yes(&script, "alice"), Valuation::default());
}

/// Quoted at 0.90 and 0.92, with or without one old trade at 0.10.
fn quoted_at_91(trade: &str) -> Script {
    Script::after(&format!(
        "market rain clob fee 2%
         alice has 20 sets
         bob has 100 USD
         {trade}
         bob buys YES 5 shares at 0.90
         alice sells YES 5 shares at 0.92"
    ))
}

fn shown(script: &Script) -> i64 {
    let listing = script.world.listing_index("rain", Currency::Usd);
    script.world.exchange.catalogue().listing(listing).yes_price().units()
}

#[test]
fn a_closed_market_keeps_the_price_that_it_was_closed_at() {
    let trade = "bob buys YES 10 shares at 0.10\n alice sells YES 10 shares at 0.10";
    for (trade, left) in [(trade, 10), ("", 20)] {
        let mut script = quoted_at_91(trade);
        assert_eq!(shown(&script), 910_000);
        script.run("pause rain\n close rain");
        assert_eq!(shown(&script), 910_000);
        assert_eq!(yes(&script, "alice").current_value, Money::new(left * 910_000));
        let no = value(&script, "alice", Outcome::No, Currency::Usd).current_value;
        assert_eq!(no, Money::new(20 * 90_000));

        let (index, listing) =
            (script.world.user_index("alice"), script.world.listing_index("rain", Currency::Usd));
        let bytes = encode_snapshot(&script.world.exchange);
        script.world.exchange = decode_snapshot(&bytes).expect("a snapshot");
        assert_eq!(shown(&script), 910_000, "after a restart");

        script.run("alice burns 10 USD");
        assert!(script.output.ends_with("10 sets for 10.00, YES at 0.91\n"), "{}", script.output);
        let position = script.world.exchange.position(index, listing).expect("a position");
        // Each set had cost 0.50 of either outcome.
        assert_eq!(position.no.realised, Money::new(10 * (90_000 - 500_000)));
        script.run("resolve rain YES");
        assert_eq!(shown(&script), 910_000, "the price is the payout of a share");
    }
}

#[test]
fn a_paused_market_shows_the_price_of_its_book() {
    let mut script = quoted_at_91("alice sells YES 5 shares at 0.94 as a2");
    script.run("pause rain");
    assert_eq!(shown(&script), 910_000);
    script.run("bob cancels all");
    assert_eq!(shown(&script), 500_000, "no bids and no trades");
    script.run("close rain");
    assert_eq!(shown(&script), 500_000);
}

#[test]
fn value_in_a_pool_ignores_the_band() {
    let script = Script::after("market rain amm\n alice has 1000000 sets");
    let value = yes(&script, "alice");
    assert!(
        value.current_value > Money::whole(9_000) && value.current_value < Money::whole(10_000),
        "{value:?}"
    );
}

#[test]
fn value_of_nothing_is_nothing() {
    let mut script = Script::after("market rain clob");
    script.meet("alice");
    assert_eq!(yes(&script, "alice"), Valuation::default());
    script.run("alice has 1 sets\n alice burns 1 USD");
    assert_eq!(yes(&script, "alice"), Valuation::default());
}
