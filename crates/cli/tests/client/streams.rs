//! Streams of a real exchange: a book and an account that follow each write, other channels, and refusals.

use std::time::Duration;

use client::{
    Currency, Decimal, Endpoint, Error, ListenerEvent, OrderStatus, OutcomeSide, Result, Subscription,
    Update, UpdateKind, Uuid,
};
use tokio::time::timeout;

use crate::exchange::Exchange;
use crate::{BOOK, block_on, within};

fn cents(number: i64) -> Decimal {
    Decimal::new(number, 2)
}

/// The next step that is no heartbeat: a slow test gets heartbeats in between.
async fn change(mut next: impl AsyncFnMut() -> Result<Update>) -> Update {
    loop {
        let update = within("a change", next()).await.expect("an update");
        if update.kind != UpdateKind::Heartbeat {
            return update;
        }
    }
}

#[test]
fn a_local_book_and_a_local_account_follow_each_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let event = client.event(BOOK).await.expect("an event");
        let market = event.market().expect("one market");
        let mut books = market.follow();
        assert!(!books.book().is_trusted());
        let first = change(async || books.next().await).await;
        assert_eq!((first.kind, books.book().is_trusted()), (UpdateKind::Snapshot, true));
        let mut accounts = client.follow_account().expect("a stream");
        change(async || accounts.next().await).await;

        let order = market.yes().buy_shares(100).price(cents(2)).await.expect("an order");
        let update = change(async || books.next().await).await;
        assert_eq!((update.kind, update.sequence), (UpdateKind::Delta, books.book().sequence()));
        let resting = books.book().bids(OutcomeSide::Yes);
        assert_eq!(resting.last().map(|level| level.price), Some(cents(2)));
        let update = change(async || accounts.next().await).await;
        assert_eq!(update.orders.iter().map(|changed| changed.order.id).collect::<Vec<_>>(), [order.id]);
        let held = accounts.account().wallet(Currency::Usd).expect("a wallet").pending;
        assert!(held >= Decimal::TWO && accounts.account().order(order.id).is_some(), "{held}");

        // A closed stream resumes where it was.
        books.close();
        assert!(!books.book().is_trusted() && books.book().bids(OutcomeSide::Yes) == resting);
        let bought = market.yes().buy(5).await.expect("a purchase");
        let update = change(async || books.next().await).await;
        assert_eq!(update.kind, UpdateKind::Delta, "no new snapshot");
        let traded: Decimal = update.trades.iter().map(|trade| trade.size).sum();
        assert_eq!((traded, books.book().is_trusted()), (bought.filled_size, true));
        let update = change(async || accounts.next().await).await;
        assert_eq!(update.fills.iter().map(|fill| fill.quantity).sum::<Decimal>(), bought.filled_size);
        let position = accounts.account().position(market.yes().id(), Currency::Usd).expect("a position");
        assert_eq!(position.balance, bought.filled_size);
        market.cancel_all().await.expect("orders");
        let update = change(async || accounts.next().await).await;
        assert!(update.orders[0].order.status == OrderStatus::Cancelled);
        assert!(accounts.account().order(order.id).is_none());
    });
    exchange.stop();
}

#[test]
fn the_end_of_an_armed_stream_cancels_all_orders() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(2);
        let event = client.event(BOOK).await.expect("an event");
        let market = event.market().expect("one market");
        let mut order = market.yes().buy_shares(100).price(cents(2)).await.expect("an order");
        let mut armed = client.follow_account().expect("a stream").cancel_on_disconnect();
        while !armed.is_armed() {
            within("an update", armed.next()).await.expect("an update");
        }
        drop(armed);
        within("the cancel", order.wait()).await.expect("its end");
        assert_eq!(order.status, OrderStatus::Cancelled);
    });
    exchange.stop();
}

#[test]
fn a_step_that_is_cancelled_loses_no_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let event = client.event(BOOK).await.expect("an event");
        let market = event.market().expect("one market");
        let mut stream = market.follow();
        let mut deltas = 0_u32;
        for number in 1..=20 {
            market.yes().buy_shares(100).price(cents(2)).await.expect("an order");
            while deltas < number {
                // Most of these end before a message has arrived.
                match timeout(Duration::from_micros(200), stream.next()).await {
                    Ok(update)
                        if update.as_ref().is_ok_and(|update| update.kind == UpdateKind::Untrusted) =>
                    {
                        panic!("{update:?}")
                    }
                    Ok(_) => {}
                    Err(_) => continue,
                }
                let book = stream.book();
                let level = book.bids(OutcomeSide::Yes).into_iter().find(|level| level.price == cents(2));
                deltas = level
                    .map_or(0, |level| (level.quantity / Decimal::from(100)).try_into().expect("a count"));
            }
        }
        assert_eq!(deltas, 20);
    });
    exchange.stop();
}

#[test]
fn a_listener_hears_prices_and_says_what_was_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let event = client.event(BOOK).await.expect("an event");
        let mut listener = client.listen(Endpoint::Markets, vec![Subscription::prices(event.id)]);
        let mut heard = Vec::new();
        while heard.len() < 2 {
            heard.push(within("a step", listener.next()).await.expect("a step"));
        }
        assert!(heard.contains(&ListenerEvent::Connected), "{heard:?}");
        let is_price =
            |step: &ListenerEvent| matches!(step, ListenerEvent::Message(it) if it.kind == "price_update");
        assert!(heard.iter().any(is_price), "{heard:?}");
        let mut wrong = client.listen(Endpoint::Markets, vec![Subscription::prices(Uuid::nil())]);
        let refused = within("a step", wrong.next()).await.expect("a step");
        assert!(matches!(refused, ListenerEvent::Refused(_)), "{refused:?}");
    });
    exchange.stop();
}

#[test]
fn a_stream_of_a_market_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let mut stream = client.follow(&[Uuid::nil()]).expect("a stream");
        let refusal = async {
            loop {
                match stream.next().await {
                    Ok(update) => assert_eq!(update.kind, UpdateKind::Untrusted),
                    Err(error) => return error,
                }
            }
        };
        let failed = within("the refusal", refusal).await;
        assert!(matches!(failed, Error::StreamRefused(_)), "{failed}");
        assert!(matches!(client.follow(&[]), Err(Error::Usage(_))));
    });
    exchange.stop();
}
