//! The client's login and trading: keys, events, quotes, orders, batches, sets.

use bayse::prelude::*;
use stage::node::{PASSWORD, text};

use super::hall::{api_error, limit, place};
use super::open;

#[tokio::test]
async fn health_and_version_are_read() {
    let hall = open().await;
    let client = BayseClient::new_with_config(hall.config());
    assert_eq!(client.system.health().await.expect("health").status, "ok");
    assert!(!client.system.version().await.expect("a version").commit.is_empty());
}

#[tokio::test]
async fn a_login_creates_lists_rotates_and_revokes_keys() {
    let hall = open().await;
    let mut user = UserManager::new_with_config(hall.config());
    let session = user.login("alice@example.org", PASSWORD).await.expect("a session");
    assert_eq!(session.user_id, hall.stage.alice.id.to_string());
    let key = user.create_api_key("client").await.expect("a key");
    assert_eq!((key.name.as_str(), key.signing_instructions.algorithm.as_str()), ("client", "HMAC-SHA256"));
    assert_eq!(key.signing_instructions.timestamp_window_seconds, 300);

    let listed = user.list_api_keys().await.expect("keys");
    assert_eq!((listed.total, listed.keys.len()), (2, 2));
    assert_eq!((&listed.keys[1].id, &listed.keys[1].public_key), (&key.id, &key.public_key));
    assert!(key.secret_key.ends_with(&listed.keys[1].secret_key_hint[11..]));

    let rotated = user.rotate_api_key(&key.id).await.expect("a rotated key");
    assert_eq!(text(&rotated["publicKey"]), key.public_key);
    assert_ne!(text(&rotated["secretKey"]), key.secret_key);
    assert_eq!(user.revoke_api_key(&key.id).await.expect("a word").message, "API key revoked");
    assert_eq!(user.list_api_keys().await.expect("keys").total, 1);

    let again = api_error(user.login("alice@example.org", PASSWORD).await);
    assert_eq!(again.error, "rate_limit");
    let wrong =
        api_error(UserManager::new_with_config(hall.config()).login("bob@example.org", "wrong").await);
    assert_eq!((wrong.error.as_str(), wrong.message.as_str()), ("unauthorized", "Wrong email or password"));
}

#[tokio::test]
async fn events_are_listed_and_found_by_id_and_by_slug() {
    let hall = open().await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let listed = client.trading.list_events(Some(1), Some(20)).await.expect("events");
    assert_eq!((listed.events.len(), listed.pagination.total_count), (2, 2));
    let event = client.trading.get_event(&book.event.to_string()).await.expect("an event");
    assert_eq!(
        (event.slug.as_str(), event.engine.as_str(), event.status.as_str()),
        ("the-book", "CLOB", "open")
    );
    assert_eq!(event.supported_currencies, ["USD", "NGN"]);
    let market = &event.markets[0];
    assert_eq!((&market.outcome1_id, &market.outcome2_id), (&book.yes.to_string(), &book.no.to_string()));
    assert_eq!((market.outcome1_price, market.outcome2_price, market.fee_percentage), (0.5, 0.5, 2.0));
    let by_slug = client.trading.get_event_by_slug("the-book").await.expect("the same event");
    assert_eq!(by_slug.id, event.id);
    assert_eq!(client.markets_for(&book.event.to_string()).await.expect("markets").len(), 1);
    let missing = api_error(client.trading.get_event(&uuid::Uuid::now_v7().to_string()).await);
    assert_eq!((missing.error.as_str(), missing.message.as_str()), ("not_found", "Event not found"));
}

#[tokio::test]
async fn a_quote_is_what_the_market_order_then_does() {
    let hall = open().await;
    let (client, pool) = (hall.client(), &hall.stage.pool);
    let asked = GetQuoteRequest {
        side: "BUY".to_owned(),
        outcome_id: pool.yes.to_string(),
        amount: 10.0,
        currency: None,
    };
    let (event, market) = (pool.event.to_string(), pool.market.to_string());
    let quote = client.trading.get_quote(&event, &market, &asked).await.expect("a quote");
    assert_eq!(
        (quote.current_market_price, quote.currency_base_multiplier, quote.complete_fill),
        (0.5, 1, true)
    );
    let request = PlaceOrderRequest {
        order_type: "MARKET".to_owned(),
        price: None,
        max_slippage: Some(0.5),
        ..limit(pool.yes, 10.0, 0.5)
    };
    let placed = place(&client, pool, &request).await;
    assert_eq!((placed.engine.as_str(), placed.order.status.as_str()), ("AMM", "filled"));
    assert_eq!((placed.order.quantity, placed.order.amount), (quote.quantity, quote.amount));
}

#[tokio::test]
async fn orders_are_placed_listed_shown_and_cancelled() {
    let hall = open().await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let placed = place(&client, book, &limit(book.yes, 40.0, 0.40)).await;
    let order = &placed.order;
    assert_eq!(
        (placed.engine.as_str(), order.status.as_str(), order.order_type.as_str()),
        ("CLOB", "open", "GTC")
    );
    assert_eq!((order.size, order.remaining_size, order.filled_size), (Some(100.0), Some(100.0), Some(0.0)));
    assert_eq!(order.stp_mode.as_deref(), Some("CANCEL_OLDEST"));
    let taken = place(&hall.others_client(), book, &limit(book.no, 30.0, 0.60)).await;
    assert_eq!((taken.order.status.as_str(), taken.order.fee), ("filled", Some(0.6)));

    let query = ListOrdersQuery {
        status: Some("partial_filled".to_owned()),
        size: Some(5),
        ..ListOrdersQuery::default()
    };
    let listed = client.trading.list_orders(&query).await.expect("orders");
    assert_eq!((listed.orders.len(), listed.pagination.size), (1, 5));
    let shown = client.trading.get_order(&order.id).await.expect("the order");
    assert_eq!(
        (shown.filled_size, shown.remaining_size, shown.avg_fill_price),
        (Some(50.0), Some(50.0), Some(0.4))
    );
    assert_eq!(shown.order_type.as_deref(), Some("LIMIT"));

    let cancelled = client.trading.cancel_order(&order.id).await.expect("a word");
    assert_eq!(cancelled.message, "Order cancelled");
    assert_eq!(client.trading.get_order(&order.id).await.expect("the order").status, "cancelled");
    assert_eq!(api_error(client.trading.cancel_order(&order.id).await).error, "unprocessable_entity");
}

#[tokio::test]
async fn batches_are_placed_and_amended_and_the_clients_batch_cancel_is_a_bad_request() {
    let hall = open().await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let item = |price: f64, name: &str| BatchOrderItem {
        outcome_id: book.yes.to_string(),
        side: "BUY".to_owned(),
        order_type: "LIMIT".to_owned(),
        amount: 10.0,
        currency: None,
        price: Some(price),
        time_in_force: None,
        post_only: None,
        max_slippage: None,
        expires_at: None,
        stp_mode: None,
        client_order_id: Some(name.to_owned()),
    };
    let request = BatchPlaceOrdersRequest { orders: vec![item(0.2, "a"), item(0.255, "b"), item(0.3, "c")] };
    let placed = client.trading.batch_place_orders(&request).await.expect("a batch");
    assert_eq!((placed.engine.as_str(), placed.summary.succeeded, placed.summary.failed), ("CLOB", 2, 1));
    assert_eq!(placed.results[1].error.as_ref().map(|error| error.code.as_str()), Some("BAD_REQUEST"));
    let order = placed.results[0].order.as_ref().expect("an order");
    let id = text(&order["id"]).to_owned();

    let items = vec![
        BatchAmendOrdersItem { order_id: id.clone(), new_price: Some(0.25), new_size: Some(30.0) },
        BatchAmendOrdersItem { order_id: id.clone(), new_price: None, new_size: None },
    ];
    let amended =
        client.trading.batch_amend_orders(&BatchAmendOrdersRequest { items }).await.expect("a batch");
    let order = amended.results[0].order.as_ref().expect("an order");
    assert_eq!((order.price, order.size, order.amount), (0.25, Some(30.0), 7.5));
    assert_eq!((amended.summary.total, amended.summary.failed), (2, 1));

    let cancel = BatchCancelOrdersRequest { order_ids: vec![id.clone()] };
    let refused = api_error(client.trading.batch_cancel_orders(&cancel).await);
    assert_eq!((refused.error.as_str(), refused.message.as_str()), ("bad_request", "orders: is required"));
    assert_eq!(client.trading.get_order(&id).await.expect("the order").status, "open");
}

#[tokio::test]
async fn sets_are_minted_and_burned_and_show_in_portfolio_and_wallet() {
    let hall = open().await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let market = book.market.to_string();
    let sets = |quantity: f64| MintBurnRequest { quantity, currency: None };
    let minted = client.trading.mint_shares(&market, &sets(25.0)).await.expect("sets");
    assert_eq!(
        (minted.market_id.as_str(), minted.quantity, minted.outcome1_price),
        (market.as_str(), 25.0, 0.5)
    );
    let burned = client.trading.burn_shares(&market, &sets(10.0)).await.expect("money");
    assert_eq!((burned.quantity, burned.proceeds), (10.0, 10.0));

    let portfolio = client.trading.get_portfolio().await.expect("a portfolio");
    assert_eq!((portfolio.outcome_balances.len(), portfolio.pagination.total_count), (2, 2));
    let row = &portfolio.outcome_balances[0];
    assert_eq!((row.outcome.as_str(), row.balance, row.payout_if_outcome_wins), ("YES", 15.0, 15.0));
    assert_eq!((row.market.event.engine.as_str(), row.market.event.event_type.as_str()), ("CLOB", "single"));

    let assets = client.balances().await.expect("a wallet");
    let shown: Vec<_> = assets
        .iter()
        .map(|asset| (asset.symbol.as_str(), asset.available_balance, asset.currency_base_multiplier))
        .collect();
    assert_eq!(shown, [("USD", 985.0, 1), ("NGN", 100_000.0, 100)]);
    let poor = api_error(client.trading.mint_shares(&market, &sets(5_000.0)).await);
    assert_eq!(poor.error, "unprocessable_entity");
}

#[tokio::test]
async fn a_wrong_secret_and_no_key_have_different_errors() {
    let hall = open().await;
    let book = &hall.stage.book;
    let (event, market) = (book.event.to_string(), book.market.to_string());
    let key = hall.stage.alice.key.public.clone();
    let wrong = BayseClient::new_with_config(hall.config().with_api_key(key, "sk_live_wrong".to_owned()));
    let refused = api_error(wrong.trading.place_order(&event, &market, &limit(book.yes, 40.0, 0.4)).await);
    assert_eq!(refused.error, "invalid_signature");
    let anonymous = BayseClient::new_with_config(hall.config());
    assert_eq!(api_error(anonymous.trading.get_portfolio().await).error, "unauthorized");
}
