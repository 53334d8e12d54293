//! Every response goes through the types of a public Rust client, which is stricter than most: it refuses null where
//! it expects text, and a decimal point where it expects an integer.

use api::ErrorBody;
use api::json::{self, WriteJson};
use api::response::{CancelOrderResponse, Health, Message, Order, PlaceOrderResponse, Version};
use bayse as client;
use serde::de::DeserializeOwned;

use crate::responses::samples;

#[track_caller]
fn parse<T: DeserializeOwned>(response: &impl WriteJson) -> T {
    let text = String::from_utf8(json::to_vec(response)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn system_and_account_parse() {
    assert_eq!(parse::<client::HealthResponse>(&Health::new(true)).status, "ok");
    let version = Version { version: "0.1.0", commit: "0123abc" };
    assert_eq!(parse::<client::VersionResponse>(&version).commit, "0123abc");
    assert_eq!(parse::<client::LoginResponse>(&samples::session()).device_id, "d_abc123");
    let issued: client::CreateApiKeyResponse = parse(&samples::issued_key());
    assert_eq!(issued.signing_instructions.timestamp_window_seconds, 300);
    assert_eq!(issued.signing_instructions.headers, ["X-Public-Key", "X-Timestamp", "X-Signature"]);
    let listed: client::ListApiKeysResponse = parse(&samples::keys());
    assert_eq!((listed.total, listed.keys[0].secret_key_hint.as_str()), (1, "sk_live_...xyz"));
    assert_eq!(parse::<client::RevokeApiKeyResponse>(&Message::API_KEY_REVOKED).message, "API key revoked");
    assert_eq!(parse::<client::UserProfile>(&samples::user()).tag, "ada");
    let assets: client::AssetResponse = parse(&samples::wallet());
    assert_eq!(assets.assets[0].currency_base_multiplier, 100);
}

#[test]
fn events_and_series_parse() {
    let page: client::ListEventsResponse = parse(&samples::events());
    assert_eq!((page.pagination.last_page, page.events.len()), (1, 2));
    let (plain, full) = (&page.events[0], &page.events[1]);
    assert_eq!((plain.resolution_date.as_str(), plain.total_orders), ("", 843));
    assert_eq!((plain.markets[0].outcome1_price, plain.markets[0].resolved_outcome.as_str()), (0.725, ""));
    assert_eq!(full.event_threshold, Some(96250.5));
    assert_eq!((full.markets[0].prop_line, full.markets[0].resolved_outcome.as_str()), (Some(2.5), "YES"));
    assert!(full.markets[0].liquidity_reward.is_some() && full.markets[0].maker_rebate.is_some());
    let series: Vec<client::EventSeries> =
        samples::series().series.iter().map(|series| parse(series)).collect();
    assert_eq!(series[0].interval_type, "HOURLY");
}

#[test]
fn trading_parses() {
    for quote in [samples::quote(), samples::order_quote(), samples::refused_quote()] {
        assert_eq!(parse::<client::GetQuoteResponse>(&quote).currency_base_multiplier, 100);
    }
    for order in [Order::Clob(samples::clob_order()), Order::Amm(samples::amm_order())] {
        let placed: client::PlaceOrderResponse = parse(&PlaceOrderResponse::from(order.clone()));
        assert_eq!((placed.engine, placed.order.currency.as_str()), (order.engine().to_string(), "USD"));
        let read: client::Order = parse(&order);
        assert_eq!(read.stp_mode.as_deref(), Some("SKIP"));
    }
    assert_eq!(parse::<client::ListOrdersResponse>(&samples::orders()).orders.len(), 2);
    let cancelled: client::CancelOrderResponse = parse(&CancelOrderResponse::from(samples::clob_order()));
    assert_eq!(cancelled.message, "Order cancelled");
    let placed: client::BatchPlaceOrdersResponse = parse(&samples::batch_place());
    assert_eq!((placed.summary.total, placed.summary.succeeded, placed.summary.failed), (2, 1, 1));
    let amended: client::BatchAmendOrdersResponse = parse(&samples::batch_amend());
    assert_eq!(amended.results[1].error.as_ref().unwrap().code, "ORDER_NOT_FOUND");
    let cancelled: client::BatchCancelOrdersResponse = parse(&samples::batch_cancel());
    assert_eq!((cancelled.engine.as_str(), cancelled.results.len()), ("CLOB", 2));
    assert_eq!(parse::<client::MintResponse>(&samples::mint()).quantity, 10.0);
    assert_eq!(parse::<client::BurnResponse>(&samples::burn()).proceeds, 10.0);
    assert_eq!(
        parse::<client::GetPortfolioResponse>(&samples::portfolio()).portfolio_percentage_change,
        -3.92
    );
    assert_eq!(parse::<client::GetPnLResponse>(&samples::pnl()).losses, 1);
}

#[test]
fn market_data_parses() {
    let trades: client::PaginatedResponse<client::Trade> = parse(&samples::trades());
    assert_eq!(trades.data[0].outcome, "YES");
    let ticker: client::Ticker = parse(&samples::ticker());
    assert_eq!((ticker.price_change_24h, ticker.trade_count_24h, ticker.best_ask), (-0.04, 247, 0.0));
    let books: Vec<client::OrderBook> = parse(&samples::books());
    assert_eq!((books[0].bids[0].total, books[1].last_traded_price), (140.0, None));
    type History = std::collections::BTreeMap<String, Vec<client::PricePoint>>;
    let history: History = parse(&samples::price_history());
    assert_eq!(history[&samples::id(2).to_string()][0].price, 0.65);
}

#[test]
fn programmes_and_errors_parse() {
    assert_eq!(
        parse::<client::LiquidityRewardsResponse>(&samples::liquidity_rewards()).data[0].sample_count,
        1440
    );
    assert_eq!(
        parse::<client::ActiveLiquidityRewardsResponse>(&samples::active_liquidity_rewards()).data.len(),
        1
    );
    assert_eq!(parse::<client::MakerRebatesResponse>(&samples::maker_rebates()).data[0].status, "FINALIZED");
    assert_eq!(parse::<client::ActiveMakerRebatesResponse>(&samples::active_maker_rebates()).data.len(), 1);
    let error: bayse::BayseContentError = parse(&ErrorBody::rate_limit("Too many requests", 120));
    assert_eq!((error.error.as_str(), error.message.as_str()), ("rate_limit", "Too many requests"));
}
