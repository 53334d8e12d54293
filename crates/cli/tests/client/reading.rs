//! Reads of a real exchange: events, markets, books, prices, trades, the account.

use client::{
    ActivityFilters, ActivityGroup, CandleSpan, Client, Decimal, Engine, EventFilters, HistoryPeriod,
    PnlSpan, PositionFilters, StatementFilters, Status, TradeFilters,
};
use futures_util::StreamExt;

use crate::exchange::Exchange;
use crate::{BOOK, block_on};

#[test]
fn events_markets_books_tickers_and_prices_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        // Without a key.
        let client = Client::builder(exchange.client(1).base_url()).build().expect("a client");
        let filters =
            EventFilters { status: Some(Status::Open), engine: Some(Engine::Clob), ..Default::default() };
        let listed = client.events(filters.clone()).page_size(3).all().await.expect("events");
        let streamed: Vec<_> = client.events(filters).into_stream().collect().await;
        assert!(listed.len() > 3, "several pages");
        assert_eq!(listed.len(), streamed.len());
        for (event, other) in listed.iter().zip(&streamed) {
            assert_eq!(event.id, other.as_ref().expect("an event").id);
            assert!(event.status == Status::Open && event.engine == Engine::Clob);
        }

        let event = client.event(BOOK).await.expect("an event");
        assert_eq!(event.id, client.event(&event.id.to_string()).await.expect("an event").id);
        assert!(event.as_of().is_some_and(|sequence| sequence > 0));
        let market = event.market().expect("one market");
        assert_eq!(market.id, client.market(market.id).await.expect("a market").id);
        assert_eq!(event.find(&market.title.to_uppercase()).expect("a market").id, market.id);
        assert!(event.find("another").is_err() && market.outcome("perhaps").is_err());
        assert_eq!(market.outcome("no").expect("an outcome").id(), market.no().id());

        let book = market.yes().book(99).await.expect("a book");
        let (bid, ask) = (book.best_bid().expect("a bid").price, book.best_ask().expect("an ask").price);
        assert!(bid < ask && book.as_of.is_some());
        let mirror = market.no().book(99).await.expect("a book");
        assert_eq!(mirror.best_ask().map(|level| Decimal::ONE - level.price), Some(bid));
        let ticker = market.yes().ticker().await.expect("a ticker");
        assert_eq!((ticker.best_bid, ticker.best_ask), (bid, ask));
        let history = client.price_history(event.id, HistoryPeriod::OneWeek).await.expect("prices");
        assert!(history.contains_key(&market.id), "{history:?}");

        let series = client.series().all().await.expect("series");
        let slug = &series.first().expect("a series").slug;
        client.series_events(slug).await.expect("events");
        let resolution = client.resolution(event.id).await.expect("a resolution");
        assert_eq!((resolution.event_id, resolution.rules_sha256.len()), (event.id, 64));
        assert_eq!(client.solvency().await.expect("accounts")["solvent"], true);
        assert!(!client.version().await.expect("a version").version.is_empty());
        assert!(client.event("no-such-event").await.expect_err("no event").is_not_found());
        assert!(matches!(client.wallets().await, Err(client::Error::Usage(_))), "an account needs a key");
    });
    exchange.stop();
}

#[test]
fn an_account_shows_its_trades_positions_movements_and_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    block_on(async {
        let client = exchange.client(1);
        let event = client.event(BOOK).await.expect("an event");
        let market = event.market().expect("one market");
        let mut market = market.clone();
        let bought = market.yes().buy(10).await.expect("a purchase");
        let trades = client.trades(TradeFilters { order_id: Some(bought.id), ..TradeFilters::default() });
        let trades = trades.all().await.expect("trades");
        let shares: Decimal = trades.iter().map(|trade| trade.size).sum();
        assert_eq!(shares, bought.filled_size);
        assert_eq!(market.trades().first(1).await.expect("trades")[0].id, trades[0].id, "the newest first");
        let candles = market.candles(CandleSpan::default()).await.expect("candles");
        assert!(candles.last().expect("a candle").volume >= shares);
        market.refresh().await.expect("a market");
        assert!(market.total_orders > event.markets()[0].total_orders);

        let filters = || PositionFilters { market_id: Some(market.id), ..PositionFilters::default() };
        let positions = client.positions(filters()).all().await.expect("positions");
        assert_eq!((positions.len(), positions[0].balance), (1, shares));
        assert_eq!(client.portfolio(filters()).await.expect("totals").portfolio_cost, positions[0].cost);
        let buys = client.activities(ActivityFilters { group: Some(ActivityGroup::Buys) });
        let buys = buys.all().await.expect("activities");
        assert!(buys.iter().any(|buy| buy.order_id == Some(bought.id)), "{buys:?}");
        let movements = client.statement(StatementFilters::default()).all().await.expect("movements");
        let wallet = client.wallet().await.expect("a wallet");
        assert_eq!(movements[0].balance, wallet.available_balance + wallet.pending_balance);
        let pnl = client.pnl(PnlSpan::default()).await.expect("a result");
        assert_eq!(pnl.realized_pnl, Decimal::ZERO);

        client.watch(event.id, true).await.expect("a change");
        let watched = EventFilters { watchlist: true, ..EventFilters::default() };
        let watched = client.events(watched).all().await.expect("events");
        assert_eq!(watched.iter().map(|event| event.id).collect::<Vec<_>>(), [event.id]);
        assert!(watched[0].user_watchlisted);
        client.watch(event.id, false).await.expect("a change");
    });
    exchange.stop();
}

#[test]
fn a_login_makes_a_key_that_trades_and_a_key_file_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let exchange = Exchange::start(folder.path());
    let text = std::fs::read_to_string(exchange.record()).expect("the record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let word = |pointer: &str| record.pointer(pointer).and_then(|value| value.as_str()).expect("a text");
    block_on(async {
        let stranger = Client::builder(word("/baseUrl")).build().expect("a client");
        let key = stranger.create_key(word("/users/0/email"), word("/users/0/password"), "a bot").await;
        let key = key.expect("a key");
        assert!(!format!("{key:?}").contains(key.secret_key.expose()));
        let file = folder.path().join("key.json");
        let saved = serde_json::json!({"publicKey": key.public_key, "secretKey": key.secret_key.expose()});
        std::fs::write(&file, saved.to_string()).expect("a file");
        let builder = Client::builder(word("/baseUrl")).key_file(&file).expect("a key");
        let check = builder.build().expect("a client").check_signature().await.expect("a check");
        assert!(check.valid && check.skew_seconds.abs() < 60, "{check:?}");
    });
    exchange.stop();
}
