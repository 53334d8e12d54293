//! The operator plane, one page: its own router for its own listener, a bearer token on every route.
//!
//! `access` says which operator asks, `requests` reads bodies, `answers` writes them; the other files are the resources.
//! Every change is a command under the operator's name, so the journal says who did it.

pub mod access;
mod answers;
mod events;
mod markets;
mod requests;
mod status;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{get, post};

use crate::app::App;
use crate::http::envelope::{Envelope, method_not_allowed, not_found};

/// Everything that the operators' listener answers.
#[rustfmt::skip]
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/admin/v1/status", get(status::status))
        // People and money
        .route("/admin/v1/users", post(users::create_user))
        .route("/admin/v1/users/{userId}/credit", post(users::credit_wallet))
        .route("/admin/v1/users/{userId}/debit", post(users::debit_wallet))
        .route("/admin/v1/house/credit", post(users::credit_house))
        // Events
        .route("/admin/v1/events", post(events::create_event))
        .route("/admin/v1/events/{eventId}/open", post(events::open_event))
        .route("/admin/v1/events/{eventId}/pause", post(events::pause_trading))
        .route("/admin/v1/events/{eventId}/resume", post(events::resume_trading))
        .route("/admin/v1/events/{eventId}/close", post(events::close_trading))
        .route("/admin/v1/events/{eventId}/cancel", post(events::cancel_markets))
        // Markets
        .route("/admin/v1/markets/{marketId}/seed", post(markets::seed_pool))
        .route("/admin/v1/markets/{marketId}/resolve", post(markets::resolve_market))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        // Outside the routes, so that who has no token does not even learn which there are.
        .layer(middleware::from_fn_with_state(app.clone(), access::require_operator))
        .layer(Envelope::new(app.clone()))
        .with_state(app)
}
