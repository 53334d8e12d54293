//! The public API, one page: every path, its methods and its handlers. One file for each resource.

mod account;
mod api_keys;
mod batches;
mod documents;
mod events;
mod metrics;
mod orders;
mod paths;
mod prices;
mod quotes;
mod sessions;
mod sets;
mod system;
mod trades;
mod watchlist;

use std::sync::Arc;

use axum::Router;
use axum::routing::{delete, get, post, put};

use crate::app::App;
use crate::http::envelope::{Envelope, method_not_allowed, not_found};

/// Everything that the public listener answers.
#[rustfmt::skip]
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        // System
        .route("/health", get(system::health))
        .route("/version", get(system::version))
        .route("/ready", get(system::ready))
        .route("/metrics", get(metrics::metrics))
        .route("/v1/auth/check", post(system::auth_check))
        .route("/openapi.json", get(documents::openapi))
        .route("/docs", get(documents::docs))
        // User and API keys
        .route("/v1/user/login", post(sessions::login))
        .route("/v1/user/logout", post(sessions::logout))
        .route("/v1/user/password-reset", post(sessions::reset_password))
        .route("/v1/user/me/api-keys", post(api_keys::create_api_key).get(api_keys::list_api_keys))
        .route("/v1/user/me/api-keys/{keyId}", delete(api_keys::revoke_api_key))
        .route("/v1/user/me/api-keys/{keyId}/rotate", post(api_keys::rotate_api_key))
        // Events
        .route("/v1/pm/events", get(events::list_events))
        .route("/v1/pm/events/{eventId}", get(events::get_event))
        .route("/v1/pm/events/slug/{slug}", get(events::get_event_by_slug))
        .route("/v1/pm/events/{eventId}/watchlist", put(watchlist::watch_event).delete(watchlist::unwatch_event))
        // Quote and orders
        .route("/v1/pm/events/{eventId}/markets/{marketId}/quote", post(quotes::quote))
        .route("/v1/pm/events/{eventId}/markets/{marketId}/orders", post(orders::place_order))
        .route("/v1/pm/orders", get(orders::list_orders).delete(orders::cancel_all_orders))
        .route("/v1/pm/orders/batch", post(batches::place_orders).delete(batches::cancel_orders))
        .route("/v1/pm/orders/batch/amend", post(batches::amend_orders))
        .route("/v1/pm/orders/{orderId}", get(orders::get_order).delete(orders::cancel_order))
        // Market data
        .route("/v1/pm/trades", get(trades::list_trades))
        .route("/v1/pm/events/{eventId}/price-history", get(prices::price_history))
        .route("/v1/pm/markets/{marketId}/candles", get(prices::candles))
        // Mint and burn
        .route("/v1/pm/markets/{marketId}/mint", post(sets::mint_sets))
        .route("/v1/pm/markets/{marketId}/burn", post(sets::burn_sets))
        // Account
        .route("/v1/pm/portfolio", get(account::portfolio))
        .route("/v1/pm/activities", get(account::list_activities))
        .route("/v1/pm/pnl", get(account::pnl))
        .route("/v1/wallet/assets", get(account::wallet_assets))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(Envelope::new(app.clone()))
        .with_state(app)
}
