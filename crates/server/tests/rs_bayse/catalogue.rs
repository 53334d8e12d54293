//! The client's reads without history: books, tickers, series, sports, other users, rewards.

use bayse::prelude::*;
use exchange::catalogue::{Interval, SeriesCategory};

use super::hall::{api_error, limit, place};
use super::open;

#[tokio::test]
async fn books_and_tickers_are_read_for_both_outcomes() {
    let hall = open().await;
    let (client, book) = (hall.client(), &hall.stage.book);
    place(&client, book, &limit(book.yes, 40.0, 0.40)).await;
    place(&hall.others_client(), book, &limit(book.no, 30.0, 0.60)).await;
    place(&hall.others_client(), book, &limit(book.no, 10.0, 0.50)).await;
    let (yes, no, pool) = (book.yes.to_string(), book.no.to_string(), hall.stage.pool.yes.to_string());
    let books =
        client.market_data.get_order_book(&[&yes, &no, &pool], Some(5), Some("USD")).await.expect("books");
    let [of_yes, of_no, of_pool] = books.as_slice() else { panic!("{books:?}") };
    assert_eq!(
        (&of_yes.outcome_id, &of_no.outcome_id, &of_yes.market_id),
        (&yes, &no, &book.market.to_string())
    );
    let level = |level: &OrderBookLevel| (level.price, level.quantity, level.total);
    assert_eq!((level(&of_yes.bids[0]), level(&of_yes.asks[0])), ((0.4, 50.0, 20.0), (0.5, 20.0, 10.0)));
    assert_eq!((level(&of_no.bids[0]), level(&of_no.asks[0])), ((0.5, 20.0, 10.0), (0.6, 50.0, 30.0)));
    assert_eq!((of_yes.last_traded_price, of_yes.last_traded_side.as_deref()), (Some(0.4), Some("SELL")));
    assert_eq!((of_no.last_traded_price, of_no.last_traded_side.as_deref()), (Some(0.6), Some("BUY")));
    assert!(of_pool.bids.is_empty() && of_pool.asks.is_empty() && of_pool.last_traded_price.is_none());

    let market = book.market.to_string();
    let ticker = client.market_data.get_ticker(&market, Some("YES"), None).await.expect("a ticker");
    assert_eq!(
        (ticker.outcome.as_str(), ticker.last_price, ticker.best_bid, ticker.best_ask),
        ("YES", 0.4, 0.4, 0.5)
    );
    assert_eq!(
        (ticker.mid_price, ticker.spread, ticker.volume_24h, ticker.trade_count_24h),
        (0.45, 0.1, 50.0, 1)
    );
    assert_eq!((ticker.high_24h, ticker.low_24h, ticker.price_change_24h), (0.4, 0.4, 0.0));
    let other = client.market_data.get_ticker(&market, None, Some(&no)).await.expect("a ticker");
    assert_eq!((other.outcome.as_str(), other.last_price, other.best_bid), ("NO", 0.6, 0.5));
    let on_pool = client.market_data.get_ticker(&hall.stage.pool.market.to_string(), Some("YES"), None).await;
    assert_eq!(api_error(on_pool).error, "bad_request");
}

#[tokio::test]
async fn series_and_their_events_are_listed() {
    let hall = open().await;
    let (client, stage) = (hall.client(), &hall.stage);
    stage.create_series("crypto-btc-1h", SeriesCategory::Crypto, Interval::Hourly, "BTC").await;
    let listed = client.trading.list_series(Some(1), Some(10)).await.expect("series");
    assert_eq!((listed.series.len(), listed.pagination.total_count), (1, 1));
    let series = &listed.series[0];
    assert_eq!(
        (series.slug.as_str(), series.category.as_str(), series.interval_type.as_str()),
        ("crypto-btc-1h", "CRYPTO", "HOURLY")
    );
    assert_eq!(
        (series.asset_symbol.as_str(), series.automation_type.as_str()),
        ("BTC", "CRYPTO_PRICE_UP_DOWN_HOURLY")
    );
    assert_eq!((series.display_name.as_str(), series.icon_url.as_str()), ("BTC", "/icons/BTC.svg"));
    for value in [1_000_000, 2_000_000] {
        stage.pass_boundary(Interval::Hourly, "BTC", value).await;
    }
    let events = client.trading.get_series_events("crypto-btc-1h", Some(1), Some(5)).await.expect("events");
    assert_eq!(events.len(), 2);
    assert!(
        events[0].opening_date < events[1].opening_date && events[0].closing_date == events[1].opening_date
    );
    let event = client.trading.get_event(&events[1].id).await.expect("an event");
    assert_eq!((event.series_slug.as_deref(), event.event_threshold), (Some("crypto-btc-1h"), Some(2.0)));
    assert_eq!((event.markets[0].outcome1_label.as_str(), event.title == events[1].title), ("Up", true));
}

#[tokio::test]
async fn leagues_teams_and_games_are_listed() {
    let hall = open().await;
    let client = hall.client();
    hall.stage.import_sports().await;
    let leagues = client.trading.list_sports_leagues().await.expect("leagues").leagues;
    assert_eq!(
        (leagues.len(), leagues[0].name.as_str(), leagues[0].short_name.as_str()),
        (2, "England - Premier League", "EPL")
    );
    let league = Some(leagues[0].name.as_str());
    let teams = client.trading.list_sports_teams(league, Some("soccer"), None, Some(1)).await.expect("teams");
    assert_eq!((teams.teams.len(), teams.pagination.total_count), (1, 2));
    let team = &teams.teams[0];
    assert_eq!((team.name.as_str(), team.short_code.as_str(), team.is_popular), ("Arsenal", "ARS", true));
    let games = client.trading.list_sports_games(league, None, Some(1), Some(10)).await.expect("games");
    assert_eq!((games.games.len(), games.pagination.last_page), (2, 1));
    let game = &games.games[0];
    assert_eq!(
        (game.slug.as_str(), game.league.as_str(), &game.home_team_id),
        ("derby", leagues[0].name.as_str(), &team.id)
    );
    assert_eq!(game.away_team.as_ref().map(|team| team.name.as_str()), Some("Chelsea"));
    assert!(game.start_date.ends_with("+01:00"), "{}", game.start_date);
    let elsewhere = client.trading.list_sports_games(Some("LL"), None, None, None).await.expect("games");
    assert!(elsewhere.games.is_empty());
}

#[tokio::test]
async fn a_user_is_looked_up_by_tag_or_by_id() {
    let hall = open().await;
    let (client, bob) = (hall.client(), hall.stage.bob.id.to_string());
    for (tag, id) in [(Some("BOB"), None), (None, Some(bob.as_str()))] {
        let found = client.user.lookup_user(tag, id).await.expect("a user");
        assert_eq!(
            (found.id.as_str(), found.tag.as_str(), found.image_url.as_str()),
            (bob.as_str(), "bob", "")
        );
    }
    assert_eq!(api_error(client.user.lookup_user(Some("nobody"), None).await).error, "not_found");
    assert_eq!(api_error(client.user.lookup_user(None, None).await).error, "bad_request");
}

#[tokio::test]
async fn rewards_and_rebates_are_read_as_empty() {
    let hall = open().await;
    let maker = hall.client().market_maker;
    let rewards = maker.get_liquidity_rewards(Some(2), Some(5)).await.expect("rewards");
    assert_eq!((rewards.data.len(), rewards.pagination.page, rewards.pagination.size), (0, 2, 5));
    let rebates = maker.get_maker_rebates(None, None).await.expect("rebates");
    assert_eq!((rebates.data.len(), rebates.pagination.size, rebates.pagination.last_page), (0, 20, 1));
    assert!(maker.get_active_liquidity_rewards().await.expect("rewards").data.is_empty());
    assert!(maker.get_active_maker_rebates().await.expect("rebates").data.is_empty());
}

#[tokio::test]
async fn open_events_are_found_by_the_facade() {
    let hall = open().await;
    let events = hall.client().open_events(Some(10)).await.expect("events");
    assert_eq!(events.iter().map(|event| event.slug.as_str()).collect::<Vec<_>>(), ["the-pool", "the-book"]);
}
