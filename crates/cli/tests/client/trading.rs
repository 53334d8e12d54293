//! Orders, batches, amends, cancels, mints and burns on a real exchange.

use std::time::Duration;

use client::{
    Amendment, CancelConditions, Client, Currency, Decimal, Engine, Error, EventFilters, EventType, Market,
    OrderFilters, OrderStatus, Side, Size, TimeInForce,
};

use crate::exchange::Exchange;
use crate::{BOOK, block_on, within};

async fn market(client: &Client, slug: &str) -> Market {
    client.event(slug).await.expect("an event").market().expect("one market").clone()
}

fn cents(number: i64) -> Decimal {
    Decimal::new(number, 2)
}

#[test]
fn an_order_is_bought_rests_is_amended_cancelled_and_sold() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let market = market(&client, "rain-in-lagos-on-new-years-day").await;
        let before = client.wallet().await.expect("a wallet").available_balance;
        let bought = market.yes().buy(10).await.expect("a purchase");
        assert!(bought.is_filled() && bought.filled_size > Decimal::ZERO, "{bought:?}");
        let mut resting = market.yes().buy_shares(100).price(cents(2)).post_only().await.expect("an order");
        assert!(resting.is_open() && resting.price == cents(2), "{resting:?}");
        resting.amend(Some(cents(3)), Some(Decimal::from(120))).await.expect("an amend");
        assert_eq!((resting.price, resting.size), (cents(3), Decimal::from(120)));
        resting.cancel().await.expect("a cancel");
        assert_eq!(resting.status, OrderStatus::Cancelled);
        resting.wait().await.expect("its end");
        let again = resting.cancel().await.expect_err("it is cancelled");
        assert_eq!(again.code(), "ORDER_NOT_OPEN");

        let sold = market.yes().sell_shares(bought.filled_size).await.expect("a sale");
        assert!(sold.is_filled());
        let after = client.wallet().await.expect("a wallet").available_balance;
        let paid = before - after;
        assert!(paid > Decimal::ZERO && paid < Decimal::from(10), "two fees and a spread: {paid}");
        assert_eq!(client.check_signature().await.expect("a check").body_hash.len(), 64);
    });
    exchange.stop();
}

#[test]
fn a_batch_fails_item_by_item_and_is_amended_and_cancelled() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(2);
        let market = market(&client, BOOK).await;
        let bid = |price: i64| market.yes().new_order(Side::Buy, Size::quantity(100)).price(cents(price));
        let too_large = market.yes().new_order(Side::Buy, Size::quantity(900_000_000)).price(cents(5));
        let orders = [bid(2).client_order_id("first"), too_large, bid(3)];
        let batch = client.place(&orders).await.expect("a batch");
        assert_eq!((batch.summary.succeeded, batch.summary.failed), (2, 1), "{batch:?}");
        assert_eq!(batch.results[0].client_order_id.as_deref(), Some("first"));
        let failed = batch.results[1].clone().placed().expect_err("a refusal");
        assert_eq!(failed.code(), "INSUFFICIENT_BALANCE", "{failed}");
        let ids: Vec<_> = batch.orders().map(|order| order.id).collect();
        let moves: Vec<_> = ids.iter().map(|id| Amendment::new(*id).price(cents(4))).collect();
        let moved = client.amend(&moves).await.expect("a batch");
        assert!(moved.orders().all(|order| order.price == cents(4)) && moved.orders().count() == 2);

        let open = OrderFilters { status: Some(OrderStatus::Open), ..OrderFilters::default() };
        let found = market.orders(open.clone()).page_size(1).all().await.expect("orders");
        assert_eq!(found.len(), 2, "both pages");
        let cancelled = client.cancel(&ids[..1]).await.expect("a result");
        assert_eq!((cancelled.summary.succeeded, cancelled.results[0].order_id), (1, ids[0]));
        let rest = market.cancel_all().await.expect("orders");
        assert_eq!(rest.iter().map(|order| order.id).collect::<Vec<_>>(), ids[1..]);
        assert!(client.orders(open).all().await.expect("orders").is_empty());
    });
    exchange.stop();
}

#[test]
fn a_key_of_the_caller_places_one_order_however_often_it_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(3);
        let market = market(&client, BOOK).await;
        let order = market.yes().new_order(Side::Buy, Size::quantity(100)).price(cents(2));
        let first = market.yes().place_keyed(&order, "mine").await.expect("an order");
        let again = market.yes().buy_shares(100).price(cents(2)).idempotency_key("mine").await.expect("it");
        assert_eq!(first.id, again.id);
        let other = market.yes().buy_shares(101).price(cents(2)).idempotency_key("mine").await;
        assert_eq!(other.expect_err("another order").code(), "IDEMPOTENCY_KEY_REUSED");
        let found = market.orders(OrderFilters::default()).all().await.expect("orders");
        assert_eq!(found.len(), 1);
        assert_eq!(client.cancel_all(&CancelConditions::default()).await.expect("orders").len(), 1);
    });
    exchange.stop();
}

#[test]
fn waiting_ends_with_the_fill_or_with_its_own_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let (maker, taker) = (exchange.client(1), exchange.client(2));
        let market_of_maker = market(&maker, BOOK).await;
        market_of_maker.mint(100).await.expect("a mint");
        let mut offer = market_of_maker.yes().sell_shares(50).price(cents(99)).await.expect("an offer");
        let late = offer.wait_for(Duration::from_millis(10)).await.expect_err("no trade happened");
        assert!(matches!(late, Error::WaitTimedOut { order_id, .. } if order_id == offer.id), "{late}");
        let waiting = tokio::spawn(async move {
            offer.wait().await.expect("its end");
            offer
        });
        // Buys everything up to the offer.
        let market_of_taker = market(&taker, BOOK).await;
        let book = market_of_taker.yes().book(99).await.expect("a book");
        let shares: Decimal = book.asks.iter().map(|level| level.quantity).sum();
        let taking = market_of_taker.yes().buy_shares(shares).price(cents(99));
        taking.time_in_force(TimeInForce::Fak).await.expect("a purchase");
        let offer = within("the fill", waiting).await.expect("a task");
        assert!(offer.is_filled(), "{offer:?}");
    });
    exchange.stop();
}

#[test]
fn sets_are_minted_and_burned_and_quotes_tell_what_an_order_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1).in_currency(Currency::Ngn);
        let market = market(&client, BOOK).await;
        assert_eq!(market.currency(), Currency::Ngn);
        let minted = market.mint_keyed(500, "five").await.expect("a mint");
        assert_eq!(market.mint_keyed(500, "five").await.expect("the mint").operation_id, minted.operation_id);
        assert_eq!(minted.quantity, Decimal::from(5), "a pair is 100 naira");
        let burned = market.burn(500).await.expect("a burn");
        assert_eq!(burned.proceeds, Some(Decimal::from(500)));

        let quote = market.yes().quote(Side::Buy, Size::amount(1000)).await.expect("a quote");
        assert!(quote.complete_fill && quote.order.is_none(), "{quote:?}");
        let dear = market.yes().new_order(Side::Buy, Size::quantity(100_000_000)).price(cents(2));
        let quote = market.yes().quote_order(&dear).await.expect("a quote");
        let refusal = quote.order.and_then(|order| order.refusal).expect("a refusal");
        assert_eq!(refusal.code, "INSUFFICIENT_BALANCE");
        let failed = market.yes().place(&dear).await.expect_err("a refusal");
        assert_eq!((failed.status(), failed.code()), (Some(422), "INSUFFICIENT_BALANCE"));
    });
    exchange.stop();
}

#[test]
fn every_engine_type_and_currency_is_there_and_trades() {
    let folder = tempfile::tempdir().expect("a folder");
    // The rate of a key in production: the client waits where it is refused.
    let exchange = Exchange::start_at(folder.path(), "127.0.0.1:0", 20);
    block_on(async {
        let client = exchange.client(1);
        let events = client.events(EventFilters::default()).all().await.expect("events");
        for (engine, kind) in [
            (Engine::Clob, EventType::Single),
            (Engine::Amm, EventType::Single),
            (Engine::Clob, EventType::Combined),
            (Engine::Amm, EventType::Grouped),
        ] {
            let is_there = events.iter().any(|event| event.engine == engine && event.event_type == kind);
            assert!(is_there, "{engine} {kind}");
        }
        for event in &events {
            for (currency, amount) in [(Currency::Usd, 5), (Currency::Ngn, 500)] {
                let event = client.in_currency(currency).event(&event.slug).await.expect("an event");
                let placed = event.markets()[0].yes().buy(amount).await.expect("a purchase");
                assert!(placed.is_filled() && placed.currency == currency, "{placed:?}");
            }
        }
        assert_eq!(client.wallets().await.expect("wallets").len(), 2);
    });
    exchange.stop();
}

#[test]
fn rate_limits_lose_and_double_nothing_with_retries_and_without() {
    let folder = tempfile::tempdir().expect("a folder");
    // Five requests of a kind in a second.
    let exchange = Exchange::start_at(folder.path(), "127.0.0.1:0", 5);
    block_on(async {
        let client = exchange.client(1);
        let market = market(&client, BOOK).await;
        let mut placed = Vec::new();
        for _ in 0..12 {
            placed.push(market.yes().buy_shares(100).price(cents(2)).await.expect("an order").id);
        }
        let open = || OrderFilters { status: Some(OrderStatus::Open), ..OrderFilters::default() };
        let found = client.orders(open()).all().await.expect("orders");
        let mut found: Vec<_> = found.iter().map(|order| order.id).collect();
        found.sort_unstable();
        placed.sort_unstable();
        assert_eq!(found, placed);

        let impatient = exchange.builder(2).retry(Duration::ZERO).build().expect("a client");
        let market = loop {
            match impatient.event(BOOK).await {
                Ok(event) => break event.market().expect("one market").clone(),
                Err(error) => assert!(matches!(error, Error::RateLimited(_)), "{error}"),
            }
        };
        // Seven seconds' worth at once.
        let placing: Vec<_> = (0..40)
            .map(|_| {
                let market = market.clone();
                tokio::spawn(async move { market.yes().buy_shares(100).price(cents(2)).await })
            })
            .collect();
        let (mut confirmed, mut refused) = (0, 0);
        for order in placing {
            match order.await.expect("no panic") {
                Ok(_) => confirmed += 1,
                Err(Error::RateLimited(refusal)) if refusal.retry_after.is_some() => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(confirmed > 0 && refused > 0, "{confirmed} confirmed, {refused} refused");
        let resting = exchange.client(2).orders(open()).all().await.expect("orders");
        assert_eq!(resting.len(), confirmed);
    });
    exchange.stop();
}
