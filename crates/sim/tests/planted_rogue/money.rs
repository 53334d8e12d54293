//! House money and fees: series, growing pools, terms, and repeated requests.

use exchange::catalogue::{AssetPrice, Engine};
use exchange::command::{
    ChangeTerms, Command, CreditWallet, GrowPool, PauseSeries, PriceRange, RecordPrice, Request,
    SetMarketTerms,
};
use exchange::id::{MarketId, OrderId, OutcomeId, SeriesId, UserId};
use exchange::idempotency::{IdempotencyKey, KEYS_PER_USER_MAX};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency, Ppm};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Span;
use sim::failure::Failure;
use sim::generator::START;
use sim::rogue::judge::{
    FEE_NOTICE, GROWTH_PRICE, KEY_REPEATED, KEYS_SHARED, REFERENCE_REPEATED, SERIES_CAPS, TERMS_ALONE,
};
use sim::rogue::samples::{SYMBOL, finalise, new_series, propose_command};
use sim::rogue::stage::{ABEL, ADA, BOOK, CARL, Evil, OLGA, POOL, ROGUE, Stage, TRADERS, Who};

use super::{NEW, agree, check, check_since};

/// A price of a feed just before an interval begins, then the beginning.
fn begin_interval(stage: &mut Stage, number: i64) -> Result<(), Failure> {
    let start = START + Span::minutes(5 * number);
    stage.now = start - Span::seconds(1);
    let (symbol, source) = (Text::from(SYMBOL), Text::from("feed"));
    let (value, source_time) = (AssetPrice(60_000_000_000), stage.now);
    stage.owner(Command::RecordPrice(RecordPrice { symbol, value, source, source_time }))?;
    stage.now = start + Span::seconds(1);
    stage.owner(Command::Tick)
}

#[test]
fn a_series_of_one_operator_that_seeds_more_than_a_day_is_named() {
    check(Evil::Operator, SERIES_CAPS, |stage| {
        for (number, seed) in [(7, 101), (8, 90)] {
            let series = new_series(number, Engine::Amm, Money::whole(seed));
            let _ = stage.run(Who::Operator(ROGUE), Command::CreateSeries(series))?;
        }
        (1..5).try_for_each(|number| begin_interval(stage, number))
    });
}

fn grow(stage: &Stage, amount: i64) -> Command {
    let (market, currency) = (MarketId::new(POOL * 10), Currency::Usd);
    let range = PriceRange { low: Ppm::new(480_000), high: Ppm::new(520_000) };
    let between = (stage.exchange.rules_version() >= NEW).then_some(range);
    Command::GrowPool(GrowPool { market, currency, amount: Money::whole(amount), between })
}

#[test]
fn a_pool_that_grows_after_its_price_was_pushed_is_named() {
    check(Evil::Approver, GROWTH_PRICE, |stage| {
        let command = grow(stage, 5_000);
        stage.done(Who::Operator(OLGA), propose_command(1, command))?;
        let buy = NewOrder {
            id: OrderId::new(5),
            outcome: OutcomeId::of(MarketId::new(POOL * 10), Outcome::Yes as u64),
            side: Side::Buy,
            kind: OrderKind::Market,
            currency: Currency::Usd,
            sizing: Sizing::Amount(Money::whole(300)),
            price: None,
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        };
        stage.done(Who::Trader(TRADERS), Command::PlaceOrder(buy))?;
        let _ = stage.run(Who::Operator(ROGUE), finalise(1))?;
        Ok(())
    });
}

#[test]
fn a_growth_that_a_retry_doubles_is_named() {
    check(Evil::Operator, KEY_REPEATED, |stage| {
        let command = grow(stage, 40);
        for _ in 0..2 {
            let _ = stage.run_with_key(Who::Operator(OLGA), command.clone(), 5, 6)?;
        }
        Ok(())
    });
}

fn credit(user: u128, amount: i64) -> Command {
    let (user, currency, reference) = (UserId::new(user), Currency::Usd, Text::from("wire 7"));
    Command::CreditWallet(CreditWallet { user, currency, amount: Money::whole(amount), reference })
}

#[test]
fn a_credit_that_is_sent_again_and_not_answered_as_done_is_named() {
    check(Evil::Operator, REFERENCE_REPEATED, |stage| {
        stage.done(Who::Operator(OLGA), credit(1, 40))?;
        let _ = stage.run(Who::Operator(OLGA), credit(1, 40))?;
        Ok(())
    });
}

#[test]
fn another_credit_under_a_used_reference_that_is_refused_without_its_sequence_is_named() {
    check(Evil::Operator, REFERENCE_REPEATED, |stage| {
        stage.done(Who::Operator(OLGA), credit(1, 40))?;
        let _ = stage.run(Who::Operator(CARL), credit(2, 40))?;
        let _ = stage.run(Who::Operator(CARL), credit(1, 41))?;
        Ok(())
    });
}

fn terms(fee: u16) -> SetMarketTerms {
    let order_min = PerCurrency { usd: Money::whole(1), ngn: Money::whole(100) };
    let fee_rate = FeeRate::new(fee).expect("a fee");
    SetMarketTerms { market: MarketId::new(BOOK * 10), fee_rate, order_min }
}

#[test]
fn a_fee_that_one_operator_raises_on_an_open_market_is_named() {
    // Without notice in the first place.
    check(Evil::Operator, FEE_NOTICE, |stage| {
        let _ = stage.run(Who::Operator(ROGUE), Command::SetMarketTerms(terms(1_000)))?;
        Ok(())
    });
    check(Evil::Operator, TERMS_ALONE, |stage| {
        let _ = stage.run(Who::Operator(ROGUE), Command::SetMarketTerms(terms(100)))?;
        Ok(())
    });
}

#[test]
fn a_fee_that_rises_without_notice_is_named() {
    check(Evil::Operator, FEE_NOTICE, |stage| {
        if stage.exchange.rules_version() < NEW {
            return stage.owner(Command::SetMarketTerms(terms(900)));
        }
        let (market, fee_rate) = (MarketId::new(BOOK * 10), FeeRate::new(900));
        let change =
            Command::ChangeTerms(ChangeTerms { market, fee_rate, order_min: PerCurrency::default() });
        assert!(agree(stage, ADA, ABEL, change)?.is_ok());
        for _ in 0..3 {
            stage.wait(Span::minutes(20));
            stage.owner(Command::Tick)?;
        }
        let facts = stage.judge.facts();
        let market = facts.markets.iter().find(|known| known.id == market).expect("a market");
        assert_eq!(market.terms.fee_rate.basis_points(), 900, "it applies after an hour");
        Ok(())
    });
}

#[test]
fn keys_of_one_operator_that_leave_none_to_others_are_named() {
    check_since(4, Evil::Operator, KEYS_SHARED, |stage| {
        // Nothing of it changes anything that the judge looks at.
        let command = Command::PauseSeries(PauseSeries { series: SeriesId::new(1), paused: false });
        for number in 0..u64::from(KEYS_PER_USER_MAX) {
            let key = IdempotencyKey { scope: number, scope_low: 2, body: 0, window: None };
            let actor = Actor::Operator { operator: ROGUE };
            let request = Request { actor, idempotency: Some(key), command: command.clone() };
            let answer = stage.exchange.apply(stage.now, &request).expect("a request of this build");
            assert_eq!(answer, Ok(Reply::Done));
        }
        let answer = stage.run_with_key(Who::Operator(OLGA), command, 7, 7)?;
        assert_eq!(answer, Ok(Reply::Done));
        Ok(())
    });
}
