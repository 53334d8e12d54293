//! The public API on one page: every path, its methods and its handlers. One file per resource.

mod account;
mod api_keys;
mod batches;
mod books;
mod changes;
pub(crate) mod documents;
mod events;
pub(crate) mod hot;
pub(crate) mod metrics;
mod notifications;
mod orders;
mod paths;
mod prices;
mod quotes;
mod rewards;
mod series;
pub(crate) mod sessions;
mod sets;
pub(crate) mod solvency;
mod sports;
pub(crate) mod system;
mod tickers;
mod trades;
mod users;
mod watchlist;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post, put};

use crate::app::App;
use crate::http::caching::compression;
use crate::http::cross_origin::{self, CrossOrigin};
use crate::http::envelope::Envelope;
use crate::http::wait_for_sequence::WaitForSequenceLayer;
use crate::{streams, web};

/// The router of the public listener.
#[rustfmt::skip]
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        // System
        .route("/health", get(system::health))
        .route("/version", get(system::version))
        .route("/v1/health", get(system::health))
        .route("/v1/version", get(system::version))
        .route("/ready", get(system::ready))
        .route("/metrics", get(metrics::public_metrics))
        .route("/v1/auth/check", post(system::auth_check))
        .merge(documents())
        // User and API keys
        .route("/v1/user/login", post(sessions::login))
        .route("/v1/user/logout", post(sessions::logout))
        .route("/v1/user/password-reset", post(sessions::reset_password))
        .route("/v1/user/password-reset/request", post(sessions::request_password_reset))
        .route("/v1/user/me/api-keys", post(api_keys::create_api_key).get(api_keys::list_api_keys))
        .route("/v1/user/me/api-keys/{keyId}", delete(api_keys::revoke_api_key))
        .route("/v1/user/me/api-keys/{keyId}/rotate", post(api_keys::rotate_api_key))
        .route("/v1/user/lookup", get(users::lookup_user))
        // Events
        .route("/v1/pm/events", get(events::list_events).layer(compression()))
        .route("/v1/pm/events/series", get(series::list_series).layer(compression()))
        .route("/v1/pm/events/series/{seriesSlug}/lean-events", get(series::list_lean_events))
        .route("/v1/pm/events/{eventId}", get(events::get_event))
        .route("/v1/pm/events/slug/{slug}", get(events::get_event_by_slug))
        .route("/v1/pm/events/{eventId}/resolution", get(events::get_resolution))
        .route("/v1/pm/events/{eventId}/news", get(events::list_news))
        .route("/v1/pm/events/{eventId}/watchlist", put(watchlist::watch_event).delete(watchlist::unwatch_event))
        // Quote and orders
        .route("/v1/pm/events/{eventId}/markets/{marketId}/quote", post(quotes::quote))
        .route("/v1/pm/events/{eventId}/markets/{marketId}/orders", post(orders::place_order))
        .route("/v1/pm/orders", get(orders::list_orders).delete(orders::cancel_all_orders))
        .route("/v1/pm/orders/cancel-all", post(orders::cancel_all_orders))
        .route("/v1/pm/orders/cancel-after", post(orders::cancel_after))
        .route("/v1/pm/orders/batch", post(batches::place_orders).delete(batches::cancel_orders))
        .route("/v1/pm/orders/batch/cancel", post(batches::cancel_orders))
        .route("/v1/pm/orders/batch/amend", post(batches::amend_orders))
        .route("/v1/pm/orders/{orderId}", get(orders::get_order).delete(orders::cancel_order))
        // Mint and burn
        .route("/v1/pm/markets/{marketId}/mint", post(sets::mint_sets))
        .route("/v1/pm/markets/{marketId}/burn", post(sets::burn_sets))
        // Market data
        .route("/v1/pm/books", get(books::list_books))
        .route("/v1/pm/markets/{marketId}/ticker", get(tickers::get_ticker))
        .route("/v1/pm/markets/{marketId}/changes", get(changes::market_changes).layer(compression()))
        .route("/v1/pm/trades", get(trades::list_trades).layer(compression()))
        .route("/v1/pm/events/{eventId}/price-history", get(prices::price_history).layer(compression()))
        .route("/v1/pm/markets/{marketId}/candles", get(prices::candles).layer(compression()))
        .route("/v1/pm/assets/{symbol}/prices", get(prices::asset_prices).layer(compression()))
        .merge(sports())
        // Proof
        .route("/v1/pm/solvency", get(solvency::solvency).layer(compression()))
        .route("/v1/pm/solvency/me", get(solvency::my_solvency))
        // Account
        .merge(account())
        .route("/v1/pm/liquidity-rewards", get(rewards::list_liquidity_rewards))
        .route("/v1/pm/liquidity-rewards/active", get(rewards::list_active_liquidity_rewards))
        .route("/v1/pm/maker-rebates", get(rewards::list_maker_rebates))
        .route("/v1/pm/maker-rebates/active", get(rewards::list_active_maker_rebates))
        .merge(notifications())
        // Not in the OpenAPI document: streams, which it cannot describe, the web page's files and session, and the guide
        .merge(streams::router())
        .merge(web::trader_pages())
        .fallback(cross_origin::preflight_or_page)
        .method_not_allowed_fallback(cross_origin::preflight_or_refusal)
        .layer((CrossOrigin::new(app.clone()), Envelope::new(app.clone()), WaitForSequenceLayer::new(app.clone())))
        .with_state(app)
}

/// The documents of the API.
fn documents() -> Router<Arc<App>> {
    Router::new()
        .route("/openapi.json", get(documents::openapi))
        .route("/openapi.yaml", get(documents::openapi_yaml))
        .route("/asyncapi.json", get(documents::asyncapi))
        .route("/docs", get(documents::docs))
}

#[rustfmt::skip]
fn notifications() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/pm/notifications", get(notifications::list_notifications))
        .route("/v1/pm/notifications/read", post(notifications::read_notifications))
        .route("/v1/pm/price-alerts", get(notifications::list_price_alerts).post(notifications::create_price_alert))
        .route("/v1/pm/price-alerts/{alertId}", delete(notifications::remove_price_alert))
        .route("/v1/pm/push-subscriptions", get(notifications::list_push_subscriptions).post(notifications::subscribe_push))
        .route("/v1/pm/push-subscriptions/{subscriptionId}", delete(notifications::unsubscribe_push))
}

fn account() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/pm/portfolio", get(account::portfolio))
        .route("/v1/pm/activities", get(account::list_activities))
        .route("/v1/pm/pnl", get(account::pnl))
        .route("/v1/pm/statement", get(account::statement))
        .route("/v1/pm/account/value", get(account::account_value))
        .route("/v1/wallet/assets", get(account::wallet_assets))
        .route("/v1/pm/account/changes", get(changes::account_changes).layer(compression()))
}

fn sports() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/pm/sports/leagues", get(sports::list_leagues))
        .route("/v1/pm/sports/teams", get(sports::list_teams).layer(compression()))
        .route("/v1/pm/sports/games", get(sports::list_games).layer(compression()))
}
