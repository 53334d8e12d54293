//! The client's streams while there is trading: every channel delivers typed events through its own loop.

use std::time::Duration;

use bayse::prelude::*;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::text::Text;
use exchange::time::Time;
use server::pipeline::clock::Clock;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::hall::{Hall, limit, place};
use super::open;

const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Clone, Copy)]
enum Endpoint {
    Markets,
    User,
    Realtime,
}

/// Runs the client's loop beside the test, and returns the events of its handler. Checks the first two events: the
/// greeting and the acknowledgement of the subscription.
async fn watch(hall: &Hall, endpoint: Endpoint, message: WsSubscription, room: &str) -> Events {
    let stream = Stream::new_with_config(hall.config());
    let (send, events) = unbounded_channel();
    tokio::spawn(async move {
        let handler = move |event: WsEvent| {
            send.send(event).map_err(|_| BayseError::Base("the test is over".to_owned()))
        };
        match endpoint {
            Endpoint::Markets => stream.subscribe_market(message, handler).await,
            Endpoint::User => stream.subscribe_user(message, handler).await,
            Endpoint::Realtime => stream.subscribe_realtime(message, handler).await,
        }
    });
    let mut events = Events(events);
    assert!(matches!(events.next().await, WsEvent::Connected(greeting) if greeting.status == "connected"));
    assert!(matches!(events.next().await, WsEvent::Subscribed(entered) if entered.room == room));
    events
}

struct Events(UnboundedReceiver<WsEvent>);

impl Events {
    async fn next(&mut self) -> WsEvent {
        timeout(PATIENCE, self.0.recv()).await.expect("an event in time").expect("a loop that runs")
    }

    async fn trade(&mut self) -> TradeOrderEvent {
        match self.next().await {
            WsEvent::TradeOrder(event) => event,
            other => panic!("not a fill: {other:?}"),
        }
    }
}

#[tokio::test]
async fn activity_and_trades_of_a_user_are_delivered_while_trading() {
    let hall = open().await;
    let (book, bob) = (&hall.stage.book, hall.stage.bob.id.to_string());
    let event = book.event.to_string();
    let message = WsSubscription::new("subscribe", "activity").with_event_id(&*event);
    let mut activity = watch(&hall, Endpoint::Markets, message, &format!("activity:{event}")).await;
    let message = WsSubscription::new("subscribe", "user_trades").with_user_id(&*bob);
    let mut trades = watch(&hall, Endpoint::Markets, message, &format!("user_trades:{bob}")).await;
    let resting = place(&hall.client(), book, &limit(book.yes, 40.0, 0.40)).await;
    let taking = place(&hall.others_client(), book, &limit(book.no, 30.0, 0.60)).await;
    for events in [&mut activity, &mut trades] {
        let fill = events.trade().await;
        assert_eq!((fill._type.as_str(), &fill.data.order.id), ("buy_order", &taking.order.id));
        assert_eq!(
            (fill.data.order.amount, fill.data.order.quantity, fill.data.order.price),
            (30.0, 50.0, 0.6)
        );
        assert_eq!((fill.data.user.tag.as_deref(), fill.data.event.slug.as_str()), (Some("bob"), "the-book"));
    }
    let maker = activity.trade().await;
    assert_eq!((&maker.data.order.id, maker.data.order.outcome.as_deref()), (&resting.order.id, Some("YES")));
}

#[tokio::test]
async fn prices_and_books_are_delivered_while_trading() {
    let hall = open().await;
    let book = &hall.stage.book;
    let (event, market) = (book.event.to_string(), book.market.to_string());
    let message = WsSubscription::new("subscribe", "prices").with_event_id(&*event);
    let mut prices = watch(&hall, Endpoint::Markets, message, &format!("prices:{event}")).await;
    let message = WsSubscription::new("subscribe", "orderbook")
        .with_market_ids(vec![market.clone()])
        .with_currency("USD");
    let mut books = watch(&hall, Endpoint::Markets, message, &format!("orderbook:{market}:USD")).await;
    place(&hall.client(), book, &limit(book.yes, 40.0, 0.40)).await;
    place(&hall.others_client(), book, &limit(book.no, 50.0, 0.50)).await;
    let price = loop {
        let WsEvent::PriceUpdate(update) = prices.next().await else { panic!("not a price") };
        let market = &update.data.markets[0];
        if market.prices["YES"] != 0.5 {
            break market.clone();
        }
    };
    assert_eq!((price.prices["YES"], price.prices["NO"], price.engine.as_str()), (0.45, 0.55, "CLOB"));
    loop {
        let WsEvent::OrderbookUpdate(update) = books.next().await else { panic!("not a book") };
        let book_now = update.data.orderbook;
        assert_eq!(book_now.market_id, market);
        if book_now.outcome_id == Some(book.yes.to_string()) && book_now.asks.len() == 1 {
            assert_eq!((book_now.bids[0].price, book_now.bids[0].quantity), (0.4, 100.0));
            assert_eq!((book_now.asks[0].price, book_now.asks[0].total), (0.5, 50.0));
            break;
        }
    }
}

#[tokio::test]
async fn own_orders_are_delivered_by_key_and_by_session() {
    let hall = open().await;
    let (book, alice) = (&hall.stage.book, &hall.stage.alice);
    let market = book.market.to_string();
    let room = format!("orders:{}:{market}", alice.id);
    let mut readers = Vec::new();
    for auth in [
        WsAuth::with_api_key(&*alice.key.public),
        WsAuth::with_access_token(&*alice.token, Some(alice.device.clone())),
    ] {
        let message =
            WsSubscription::new("subscribe", "orders").with_market_ids(vec![market.clone()]).with_auth(auth);
        readers.push(watch(&hall, Endpoint::User, message, &room).await);
    }
    let resting = place(&hall.client(), book, &limit(book.yes, 40.0, 0.40)).await;
    place(&hall.others_client(), book, &limit(book.no, 30.0, 0.60)).await;
    for events in &mut readers {
        for (status, filled) in [("OPEN", 0.0), ("PARTIAL_FILLED", 50.0)] {
            let WsEvent::OrderUpdated(update) = events.next().await else { panic!("not an order") };
            let order = update.data.order;
            assert_eq!((&order.id, order.status.as_str()), (&resting.order.id, status));
            assert_eq!((order.filled_quantity, order.quantity, order.price), (filled, 100.0, 0.4));
        }
    }
}

#[tokio::test]
async fn prices_of_assets_are_delivered() {
    let hall = open().await;
    let record = |value: i64| {
        Command::RecordPrice(RecordPrice {
            symbol: Text::from("BTCUSDT"),
            value: AssetPrice(value),
            source: Text::from("desk"),
            source_time: Time::from_micros(hall.stage.clock.now()),
        })
    };
    hall.stage.operate(record(96_250_500_000)).await;
    let message = WsSubscription::new("subscribe", "asset_prices").with_symbols(vec!["BTCUSDT".to_owned()]);
    let mut events = watch(&hall, Endpoint::Realtime, message, "asset_prices:BTCUSDT").await;
    hall.stage.operate(record(96_251_000_000)).await;
    for expected in [96_250.5, 96_251.0] {
        let WsEvent::AssetPrice(price) = events.next().await else { panic!("not a price") };
        assert_eq!((price.data.symbol.as_str(), price.data.price), ("BTCUSDT", expected));
    }
}

#[tokio::test]
async fn an_error_is_an_event_and_the_loop_continues() {
    let hall = open().await;
    let (events, market) = (hall.stage.book.event.to_string(), hall.stage.book.market.to_string());
    let stream = Stream::new_with_config(hall.config());
    let (send, received) = unbounded_channel();
    let (commands, receive) = unbounded_channel();
    let message = WsSubscription::new("subscribe", "orders").with_market_ids(vec![market]);
    tokio::spawn(async move {
        let handler = move |event: WsEvent| {
            send.send(event).map_err(|_| BayseError::Base("the test is over".to_owned()))
        };
        stream.subscribe_market_with_commands(message, handler, receive).await
    });
    let prices = WsSubscription::new("subscribe", "prices").with_event_id(events);
    commands.send(SubscriptionCommand::Subscribe(prices)).expect("a loop that runs");
    let mut received = Events(received);
    assert!(matches!(received.next().await, WsEvent::Connected(_)));
    let WsEvent::Error(error) = received.next().await else { panic!("not an error") };
    assert!(error.data.message.contains("connect to /ws/v1/user"), "{}", error.data.message);
    assert!(matches!(received.next().await, WsEvent::Subscribed(_)));
    let WsEvent::PriceUpdate(_) = received.next().await else { panic!("not a price") };
    drop(commands);
}
