//! The client's reads of history: trades, prices over time, activities, results.

use bayse::prelude::*;
use stage::node::traded;

use super::open;

#[tokio::test]
async fn trades_are_read_through_every_filter_of_the_client() {
    let hall = open().await;
    let orders = traded(&hall.stage).await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let all = client.market_data.get_trades(&TradesQuery::default()).await.expect("trades");
    assert_eq!((all.data.len(), all.pagination.total_count), (2, 2));
    let (sale, mint) = (&all.data[0], &all.data[1]);
    assert_eq!((sale.outcome.as_str(), sale.price, sale.size), ("YES", 0.45, 21.7864));
    assert_eq!((mint.outcome.as_str(), mint.price, mint.size), ("NO", 0.6, 100.0));
    assert_eq!(mint.market_id, book.market.to_string());
    let one = |query: TradesQuery| {
        let client = &client;
        async move { client.market_data.get_trades(&query).await.expect("trades").data }
    };
    let by = TradesQuery::default;
    let id = TradesQuery { trade_id: Some(mint.id.clone()), ..by() };
    let order = TradesQuery { order_id: Some(orders[2].clone()), ..by() };
    let outcome = TradesQuery { outcome_id: Some(book.no.to_string()), ..by() };
    let user = TradesQuery { user_id: Some(hall.stage.alice.id.to_string()), ..by() };
    let market = TradesQuery { market_id: Some(hall.stage.pool.market.to_string()), ..by() };
    let from = TradesQuery { from_date: Some(sale.created_at.clone()), ..by() };
    let to = TradesQuery { to_date: Some(mint.created_at.clone()), ..by() };
    let page = TradesQuery { page: Some(2), size: Some(1), ..by() };
    for (query, wanted) in [
        (id, vec![&mint.id]),
        (order, vec![&sale.id]),
        (outcome, vec![&mint.id]),
        (user, vec![&sale.id, &mint.id]),
        (market, vec![]),
        (from, vec![&sale.id]),
        (to, vec![&mint.id]),
        (page, vec![&mint.id]),
    ] {
        let shown = format!("{query:?}");
        let found = one(query).await;
        assert_eq!(found.iter().map(|trade| &trade.id).collect::<Vec<_>>(), wanted, "{shown}");
    }
}

#[tokio::test]
async fn prices_over_time_are_read_as_a_map_of_markets() {
    let hall = open().await;
    traded(&hall.stage).await;
    let (client, book) = (hall.client(), &hall.stage.book);
    let (event, market) = (book.event.to_string(), book.market.to_string());
    let all = client.market_data.get_price_history(&event, None, None, None).await.expect("a history");
    assert!(all[&market].len() >= 4, "both outcomes of at least one span, and now");
    let yes = client
        .market_data
        .get_price_history(&event, Some("12H"), Some(&[&market]), Some("YES"))
        .await
        .expect("a history");
    let points = &yes[&market];
    assert!(points.iter().all(|point| point.outcome == "YES" && !point.timestamp.is_empty()));
    assert_eq!(points.last().map(|point| point.price), Some(0.45), "the last trade: nothing is bid");
}

#[tokio::test]
async fn activities_and_results_are_read() {
    let hall = open().await;
    traded(&hall.stage).await;
    let client = hall.client();
    let all = client.trading.get_activities(None, Some(1), Some(10)).await.expect("activities");
    let types: Vec<_> = all.activities.iter().map(|activity| activity.activity_type.as_str()).collect();
    assert_eq!(types, ["SELL_LIMIT_ORDER_CREATED", "BUY_LIMIT_ORDER_CREATED"]);
    let sells = client.trading.get_activities(Some("sells"), None, None).await.expect("activities");
    let fill = &sells.activities[0];
    assert_eq!(
        (fill.size.as_deref(), fill.amount.as_deref(), fill.outcome.as_deref()),
        (Some("21.7864"), Some("9.80388"), Some("YES"))
    );
    let query = GetPnLQuery {
        time_period: Some("24H".to_owned()),
        start: None,
        end: None,
        currency: Some("USD".to_owned()),
        breakdown: Some(true),
    };
    let pnl = client.trading.get_pnl(&query).await.expect("results");
    assert_eq!((pnl.realized_pnl, pnl.trade_pnl, pnl.settlement_pnl), (1.08932, 1.08932, 0.0));
    assert_eq!((pnl.wins, pnl.losses, pnl.currency.as_str()), (0, 0, "USD"));
    assert_eq!(pnl.breakdown.map(|events| events.len()), Some(1));
}
