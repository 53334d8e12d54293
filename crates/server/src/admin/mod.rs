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

use api::admin::query::{AdminEventsQuery, AuditQuery, StatisticsQuery, UsersQuery};
use api::admin::{request, response};
use api::response::{News, NewsList, Score, Solvency};
use axum::Router;
use axum::middleware;
use axum::routing::{delete, get, post, put};

use crate::app::App;
use crate::edge::behind_hyper::BehindHyper;
use crate::edge::body::Body;
use crate::edge::operation::{HTML, TEXT};
#[cfg(feature = "next")]
use crate::edge::{Access, Method};
use crate::edge::{Edge, Operation, endpoints};
use crate::http::{method_not_allowed, not_found};
use crate::routes::metrics;
use crate::view::admin as answers;
use crate::web;

/// The router of the operators' listener.
#[rustfmt::skip]
pub fn router(app: Arc<App>) -> Router {
    let routes = Router::new()
        .merge(venue_routes())
        .merge(event_routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        // Around the routes, so that a caller without a token cannot tell which ones exist.
        .layer(middleware::from_fn_with_state(app.clone(), access::require_operator))
        .layer(middleware::from_fn(web::operator_page_first))
        // Added after the layer, so they need no token; likewise the page's files and session.
        .route("/admin/openapi.json", get(documents::openapi))
        .route("/admin/docs", get(documents::docs))
        .route("/metrics", get(metrics::metrics))
        .merge(web::operator_pages())
        .with_state(app.clone());
    let edge = Edge::new(app, Box::new(Operators), web::OPERATOR_PAGES.iter().chain(DRILL), false);
    BehindHyper::router(Arc::new(edge), routes)
}

/// The operators' API.
struct Operators;

/// The command that only the next version has, for drills of a rolling upgrade.
const DRILL: &[Operation] = &[
    #[cfg(feature = "next")]
    Operation::new("drill_upgrade", Method::Post, "/admin/v1/drill-upgrade", Access::Operator),
];

endpoints! {
    /// Every operation of the operators' API, with the lowest role that may call it.
    Operators, ADMIN_OPERATIONS:
    "The venue" {
        /// How the venue is
        status: GET "/admin/v1/status" Viewer -> response::VenueStatus;
        /// Whether this node is ready, and an hour of its throughput, response times, volume, fees and traders
        signals: GET "/admin/v1/signals" Viewer -> response::NodeSignals;
        /// Lets nothing be placed, amended or minted, or ends that
        set_cancel_only: PUT "/admin/v1/cancel-only" Operator (request::SetCancelOnly) -> response::CancelOnly;
        /// The rules of the log, and the newest that each live node knows
        rules: GET "/admin/v1/rules" Viewer -> response::RulesState;
        /// Moves the log to newer rules, for good. Where two persons are required it is proposed
        upgrade_rules: PUT "/admin/v1/rules" Approver (request::UpgradeRules) -> response::RulesState
            { accepted(Body::of::<response::Proposed>()) };
        /// Who did what, the newest first
        list_audit: GET "/admin/v1/audit" Viewer ?(AuditQuery) -> response::AuditLog;
        /// Volume, fees, trades, traders and results of pools by the hour or the day
        statistics: GET "/admin/v1/statistics" Viewer ?(StatisticsQuery) -> response::Statistics;
        /// Liabilities and what backs them at one instant, as the public may ask too
        solvency: GET "/admin/v1/solvency" Viewer -> Solvency;
        /// This document
        openapi: GET "/admin/openapi.json" Public;
        /// This document as a page
        docs: GET "/admin/docs" Public { content(HTML) };
        /// Numbers for Prometheus, without a token
        metrics: GET "/metrics" Public { content(TEXT) };
    }

    "Operators" {
        /// Everyone who runs or ran the venue
        list_operators: GET "/admin/v1/operators" Viewer -> response::Operators;
        /// One more operator, by the hash of a token that the new operator made. Where two persons are required it is proposed
        create_operator: POST "/admin/v1/operators" Approver (request::CreateOperator) -> response::CreatedOperator
            { success(201), accepted(Body::of::<response::CreatedOperator>()) };
        /// Changes what an operator may do. Where two persons are required it is proposed
        change_role: PUT "/admin/v1/operators/{operator}/role" Approver (request::ChangeRole) -> response::OperatorState
            { accepted(Body::of::<response::Proposed>()) };
        /// Proposes that an operator is a person of its own
        confirm_operator: POST "/admin/v1/operators/{operator}/confirm" Approver -> response::OperatorState
            { accepted(Body::of::<response::Proposed>()) };
        /// Stops an operator at once
        suspend_operator: POST "/admin/v1/operators/{operator}/suspend" Approver (request::SuspendOperator) -> response::OperatorState
            { accepted(Body::of::<response::Proposed>()) };
        /// Lifts a suspension. Where two persons are required it is proposed
        reinstate_operator: POST "/admin/v1/operators/{operator}/reinstate" Approver -> response::OperatorState
            { accepted(Body::of::<response::Proposed>()) };
        /// Ends an operator's access for good. Where two persons are required it is proposed
        revoke_operator: POST "/admin/v1/operators/{operator}/revoke" Approver -> response::OperatorState
            { accepted(Body::of::<response::Proposed>()) };
        /// What operators may do alone
        get_policy: GET "/admin/v1/policy" Viewer -> response::PolicyState;
        /// Changes what operators may do alone. Where two are required it is proposed
        set_policy: PUT "/admin/v1/policy" Approver (request::SetPolicy) -> response::PolicyState
            { accepted(Body::of::<response::Proposed>()) };
    }

    "People and money" {
        /// A page of accounts
        list_users: GET "/admin/v1/users" Viewer ?(UsersQuery) -> response::UserList;
        /// A new account
        create_user: POST "/admin/v1/users" Operator (request::CreateUser) -> response::CreatedUser { success(201) };
        /// An account with its wallets, keys, positions and open orders
        get_user: GET "/admin/v1/users/{user}" Viewer -> response::UserDetail;
        /// Locks an account and cancels its open orders, unless they are kept
        suspend_user: POST "/admin/v1/users/{user}/suspend" Operator (request::SuspendUser) -> response::UserState
            { accepted(Body::of::<response::Proposed>()) };
        /// Unlocks an account. Where two persons are required it is proposed
        resume_user: POST "/admin/v1/users/{user}/resume" Operator -> response::UserState
            { accepted(Body::of::<response::Proposed>()) };
        /// Stops an account wholly: only settlement moves anything of it
        freeze_user: POST "/admin/v1/users/{user}/freeze" Operator -> response::UserState
            { accepted(Body::of::<response::Proposed>()) };
        /// Ends a freeze. Where two persons are required it is proposed
        release_user: POST "/admin/v1/users/{user}/release" Operator -> response::UserState
            { accepted(Body::of::<response::Proposed>()) };
        /// Forgets a person whose account is empty: email, password and access are gone for good
        erase_user: POST "/admin/v1/users/{user}/erase" Operator -> response::UserState
            { accepted(Body::of::<response::Proposed>()) };
        /// Cancels an account's open orders: all, or those of an event, a market, a currency
        cancel_orders_of: POST "/admin/v1/users/{user}/cancel-orders" Operator (request::CancelOrdersOf) -> response::CancelledOrders;
        /// Approves a request for a new password by the code that the person reads out. Where two persons are required it is proposed
        approve_password_reset: POST "/admin/v1/users/{user}/password-reset" Operator (request::ApproveReset) -> response::ApprovedReset
            { accepted(Body::of::<response::Proposed>()) };
        /// Requests for new passwords
        list_password_resets: GET "/admin/v1/password-resets" Viewer -> response::PasswordResets;
        /// Money comes in; each reference counts once. Above the caps it is proposed
        credit_wallet: POST "/admin/v1/users/{user}/credit" Operator (request::Transfer) -> response::Transferred
            { accepted(Body::of::<response::Proposed>()) };
        /// Money goes out; each reference counts once. Above the caps it is proposed
        debit_wallet: POST "/admin/v1/users/{user}/debit" Operator (request::Transfer) -> response::Transferred
            { accepted(Body::of::<response::Proposed>()) };
        /// Proposes to move collected fees to the house or out; each reference counts once
        move_fees: POST "/admin/v1/fees/move" Operator (request::MoveFees) -> response::MovedFees
            { accepted(Body::of::<response::Proposed>()) };
    }

    "Events" {
        /// A page of events, drafts included
        list_events: GET "/admin/v1/events" Viewer ?(AdminEventsQuery) -> response::EventList;
        /// A draft
        create_event: POST "/admin/v1/events" Operator (request::CreateEvent) -> response::EventState { success(201) };
        /// All there is to know of an event
        get_event: GET "/admin/v1/events/{event}" Viewer -> response::EventDetail;
        /// Changes a draft
        edit_event: POST "/admin/v1/events/{event}/edit" Operator (request::EditEvent) -> response::EventState;
        /// Lets a draft trade
        open_event: POST "/admin/v1/events/{event}/open" Operator -> response::EventState;
        /// Stops trading for now
        pause_event: POST "/admin/v1/events/{event}/pause" Operator -> response::EventState;
        /// Goes on trading
        resume_event: POST "/admin/v1/events/{event}/resume" Operator -> response::EventState;
        /// Stops trading for good; what rests is refunded
        close_event: POST "/admin/v1/events/{event}/close" Operator -> response::EventState;
        /// Calls everything off at a price; an empty body means 0.50
        cancel_event: POST "/admin/v1/events/{event}/cancel" Operator (request::CancelMarkets) -> response::EventState;
        /// What a verdict would pay; changes nothing
        preview_verdict: POST "/admin/v1/events/{event}/preview" Viewer (request::GivenVerdict) -> response::PayoutPreview;
        /// Proposes how an event ends, with evidence
        propose_verdict: POST "/admin/v1/events/{event}/propose" Operator (request::ProposeVerdict) -> response::Proposed
            { success(201) };
        /// News on an event, newest first, 50 at most
        list_news: GET "/admin/v1/events/{event}/news" Viewer -> NewsList;
        /// Attaches a note about news to an event, for its page and its chart
        add_news: POST "/admin/v1/events/{event}/news" Operator (request::AddNews) -> News { success(201) };
        /// Removes a note about news; answers with those that remain
        remove_news: DELETE "/admin/v1/events/{event}/news/{newsId}" Operator -> NewsList;
        /// Stores a picture for an event or an outcome, made anew without its metadata; 4 MiB and 16 million pixels at most
        upload_picture: POST "/admin/v1/pictures" Operator -> response::UploadedPicture
            { file(&["image/png", "image/jpeg", "image/webp"]), success(201), keyless };
    }

    "Markets" {
        /// Puts the house's money into a pool. Above the caps it is proposed
        seed_pool: POST "/admin/v1/markets/{market}/seed" Operator (request::SeedPool) -> response::EventState
            { accepted(Body::of::<response::Proposed>()) };
        /// Puts more of it in, at the price that the pool has, if that is in the given range. Above the caps it is proposed
        grow_pool: POST "/admin/v1/markets/{market}/grow" Operator (request::GrowPool) -> response::EventState
            { accepted(Body::of::<response::Proposed>()) };
        /// Changes the fee and the minimums of orders to come; a raise is announced and applies an hour later. Where two persons are required it is proposed, except for a draft
        set_market_terms: PUT "/admin/v1/markets/{market}/terms" Operator (request::SetTerms) -> response::EventState
            { accepted(Body::of::<response::Proposed>()) };
        /// Stops trading in one market for now
        pause_market: POST "/admin/v1/markets/{market}/pause" Operator -> response::EventState;
        /// Goes on trading in it
        resume_market: POST "/admin/v1/markets/{market}/resume" Operator -> response::EventState;
        /// Stops trading in one market for good
        close_market: POST "/admin/v1/markets/{market}/close" Operator -> response::EventState;
        /// Calls one market off at a price; an empty body means 0.50
        cancel_market: POST "/admin/v1/markets/{market}/cancel" Operator (request::CancelMarkets) -> response::EventState;
        /// What calling one market off would pay; changes nothing
        preview_cancel: POST "/admin/v1/markets/{market}/preview" Viewer (request::CancelMarkets) -> response::PayoutPreview;
        /// Says what happened and pays at once, where that is allowed
        resolve_market: POST "/admin/v1/markets/{market}/resolve" Operator (request::ResolveMarket) -> response::EventState;
    }

    "Proposals" {
        /// What waits to be finalised or withdrawn
        list_proposals: GET "/admin/v1/proposals" Viewer -> response::Proposals;
        /// What a proposal would pay now
        preview_proposal: GET "/admin/v1/proposals/{proposalId}/preview" Viewer -> response::PayoutPreview;
        /// Carries a proposal out. Where two are required: an approver who did not propose it
        finalise: POST "/admin/v1/proposals/{proposalId}/finalise" Operator -> response::Proposals;
        /// Takes a proposal back
        withdraw: POST "/admin/v1/proposals/{proposalId}/withdraw" Operator (request::Withdraw) -> response::Proposals;
    }

    "Series and prices" {
        /// All series
        list_series: GET "/admin/v1/series" Viewer -> response::SeriesRows;
        /// One more series, from the next full interval on. With a seed above the caps it is proposed
        create_series: POST "/admin/v1/series" Operator (request::CreateSeries) -> response::SeriesState
            { success(201), accepted(Body::of::<response::Proposed>()) };
        /// Makes no more events
        pause_series: POST "/admin/v1/series/{series}/pause" Operator -> response::SeriesState;
        /// Finalises the results of a series that rest on pushed prices, a hundred at most
        finalise_series: POST "/admin/v1/series/{series}/finalise" Operator -> response::FinalisedSeries;
        /// Makes events again
        resume_series: POST "/admin/v1/series/{series}/resume" Operator -> response::SeriesState;
        /// The last price of each asset
        list_feeds: GET "/admin/v1/feeds" Viewer -> response::Assets;
        /// Records a price
        push_price: POST "/admin/v1/feeds/{symbol}/push" Operator (request::PushPrice) -> response::Assets;
    }

    "Sports" {
        /// Leagues, teams and games
        list_sports: GET "/admin/v1/sports" Viewer -> response::SportsData;
        /// Leagues, teams and games as they are now, all or nothing
        import_sports: POST "/admin/v1/sports/import" Operator (request::ImportSports) -> response::ImportedCounts;
        /// The three linked drafts of a soccer game
        create_soccer_events: POST "/admin/v1/sports/games/{game}/events" Operator (request::CreateSoccerEvents) -> response::EventStates
            { success(201) };
        /// What a score would pay; changes nothing
        preview_result: POST "/admin/v1/sports/games/{game}/preview" Viewer (Score) -> response::PayoutPreview;
        /// Proposes how a game ended, with evidence
        propose_result: POST "/admin/v1/sports/games/{game}/propose" Operator (request::ProposeResult) -> response::Proposed
            { success(201) };
        /// Ends a game and pays by all its events at once, where that is allowed
        record_result: POST "/admin/v1/sports/games/{game}/result" Operator (Score) -> response::EventStates;
    }
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
        .route("/admin/v1/solvency", get(statistics::solvency))
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
