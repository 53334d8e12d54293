//! The operator plane on one page: a separate router for a separate listener, with a bearer token on every route.
//!
//! `access` authenticates operators, `operator_request` submits their commands, `finding` resolves names in paths. `requests`
//! converts request bodies (`api::admin::request`) to terms of the exchange. `answers`, which is `view::admin`, converts the
//! exchange's state to responses (`api::admin::response`); which of it a write shows is in `respond::shown`. The other files are
//! resources. Every change is a command in the operator's name, so the exchange checks permissions and the journal records the
//! author.

pub mod access;
mod audit;
mod documents;
mod events;
mod finding;
mod markets;
mod news;
mod operator_request;
mod operators;
mod pictures;
mod proposals;
mod requests;
mod rules;
mod series;
mod signals;
mod sports;
mod statistics;
mod status;
mod users;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{delete, get, post, put};

use crate::app::App;
use crate::http::envelope::{Envelope, method_not_allowed, not_found};
use crate::http::wait_for_sequence::WaitForSequenceLayer;
use crate::routes::{metrics, solvency};
use crate::view::admin as answers;
use crate::web;

/// The router of the operators' listener.
#[rustfmt::skip]
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .merge(venue_routes())
        .merge(event_routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        // Around the routes, so that a caller without a token cannot tell which ones exist.
        .layer(middleware::from_fn_with_state(app.clone(), access::require_operator))
        // Before the operator is looked up, who may have been created at another node.
        .layer(WaitForSequenceLayer::new(app.clone()))
        .layer(middleware::from_fn(web::operator_page_first))
        // Added after the layer, so they need no token; likewise the page's files and session.
        .route("/admin/openapi.json", get(documents::openapi))
        .route("/admin/docs", get(documents::docs))
        .route("/metrics", get(metrics::metrics))
        .merge(web::operator_pages())
        .layer(Envelope::for_operators(app.clone()))
        .with_state(app)
}

/// Routes of the venue, operators, people and money.
#[rustfmt::skip]
fn venue_routes() -> Router<Arc<App>> {
    let router = Router::new();
    #[cfg(feature = "next")]
    let router = match exchange::next::is_next() {
        true => router.route("/admin/v1/drill-upgrade", post(rules::drill_upgrade)),
        false => router,
    };
    router
        // The venue
        .route("/admin/v1/status", get(status::status))
        .route("/admin/v1/signals", get(signals::signals))
        .route("/admin/v1/cancel-only", put(status::set_cancel_only))
        .route("/admin/v1/rules", get(rules::rules).put(rules::upgrade_rules))
        .route("/admin/v1/audit", get(audit::list_audit))
        .route("/admin/v1/statistics", get(statistics::statistics))
        .route("/admin/v1/solvency", get(solvency::solvency))
        // Operators
        .route("/admin/v1/operators", get(operators::list_operators).post(operators::create_operator))
        .route("/admin/v1/operators/{operator}/role", put(operators::change_role))
        .route("/admin/v1/operators/{operator}/confirm", post(operators::confirm_operator))
        .route("/admin/v1/operators/{operator}/suspend", post(operators::suspend_operator))
        .route("/admin/v1/operators/{operator}/reinstate", post(operators::reinstate_operator))
        .route("/admin/v1/operators/{operator}/revoke", post(operators::revoke_operator))
        .route("/admin/v1/policy", get(operators::get_policy).put(operators::set_policy))
        // People and money
        .route("/admin/v1/users", get(users::list_users).post(users::create_user))
        .route("/admin/v1/users/{user}", get(users::get_user))
        .route("/admin/v1/users/{user}/suspend", post(users::suspend_user))
        .route("/admin/v1/users/{user}/resume", post(users::resume_user))
        .route("/admin/v1/users/{user}/freeze", post(users::freeze_user))
        .route("/admin/v1/users/{user}/release", post(users::release_user))
        .route("/admin/v1/users/{user}/erase", post(users::erase_user))
        .route("/admin/v1/users/{user}/cancel-orders", post(users::cancel_orders_of))
        .route("/admin/v1/users/{user}/password-reset", post(users::approve_password_reset))
        .route("/admin/v1/password-resets", get(users::list_password_resets))
        .route("/admin/v1/users/{user}/credit", post(users::credit_wallet))
        .route("/admin/v1/users/{user}/debit", post(users::debit_wallet))
        .route("/admin/v1/fees/move", post(users::move_fees))
}

/// Routes of events, markets, proposals, series and sports.
#[rustfmt::skip]
fn event_routes() -> Router<Arc<App>> {
    Router::new()
        // Events
        .route("/admin/v1/events", get(events::list_events).post(events::create_event))
        .route("/admin/v1/events/{event}", get(events::get_event))
        .route("/admin/v1/events/{event}/edit", post(events::edit_event))
        .route("/admin/v1/events/{event}/open", post(events::open_event))
        .route("/admin/v1/events/{event}/pause", post(events::pause_event))
        .route("/admin/v1/events/{event}/resume", post(events::resume_event))
        .route("/admin/v1/events/{event}/close", post(events::close_event))
        .route("/admin/v1/events/{event}/cancel", post(events::cancel_event))
        .route("/admin/v1/events/{event}/preview", post(proposals::preview_verdict))
        .route("/admin/v1/events/{event}/propose", post(proposals::propose_verdict))
        .route("/admin/v1/events/{event}/news", get(news::list_news).post(news::add_news))
        .route("/admin/v1/events/{event}/news/{newsId}", delete(news::remove_news))
        .route("/admin/v1/pictures", post(pictures::upload_picture))
        // Markets
        .route("/admin/v1/markets/{market}/seed", post(markets::seed_pool))
        .route("/admin/v1/markets/{market}/grow", post(markets::grow_pool))
        .route("/admin/v1/markets/{market}/terms", put(markets::set_market_terms))
        .route("/admin/v1/markets/{market}/pause", post(markets::pause_market))
        .route("/admin/v1/markets/{market}/resume", post(markets::resume_market))
        .route("/admin/v1/markets/{market}/close", post(markets::close_market))
        .route("/admin/v1/markets/{market}/cancel", post(markets::cancel_market))
        .route("/admin/v1/markets/{market}/preview", post(markets::preview_cancel))
        .route("/admin/v1/markets/{market}/resolve", post(markets::resolve_market))
        // Proposals
        .route("/admin/v1/proposals", get(proposals::list_proposals))
        .route("/admin/v1/proposals/{proposalId}/preview", get(proposals::preview_proposal))
        .route("/admin/v1/proposals/{proposalId}/finalise", post(proposals::finalise))
        .route("/admin/v1/proposals/{proposalId}/withdraw", post(proposals::withdraw))
        // Series and prices
        .route("/admin/v1/series", get(series::list_series).post(series::create_series))
        .route("/admin/v1/series/{series}/pause", post(series::pause_series))
        .route("/admin/v1/series/{series}/finalise", post(series::finalise_series))
        .route("/admin/v1/series/{series}/resume", post(series::resume_series))
        .route("/admin/v1/feeds", get(series::list_feeds))
        .route("/admin/v1/feeds/{symbol}/push", post(series::push_price))
        // Sports
        .route("/admin/v1/sports", get(sports::list_sports))
        .route("/admin/v1/sports/import", post(sports::import_sports))
        .route("/admin/v1/sports/games/{game}/events", post(sports::create_soccer_events))
        .route("/admin/v1/sports/games/{game}/preview", post(proposals::preview_result))
        .route("/admin/v1/sports/games/{game}/propose", post(proposals::propose_result))
        .route("/admin/v1/sports/games/{game}/result", post(sports::record_result))
}
