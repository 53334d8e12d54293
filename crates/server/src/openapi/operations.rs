//! Every operation of the public API, one row each, in the router's order.

use api::query::{
    AccountValueQuery, ActivitiesQuery, AssetPricesQuery, BooksQuery, CandlesQuery, ChangesQuery, EventQuery,
    EventsQuery, GamesQuery, MarketChangesQuery, NotificationsQuery, NumbersQuery, OrdersQuery, PnlQuery,
    PortfolioQuery, PriceHistoryQuery, RewardsQuery, SeriesQuery, StatementQuery, TeamsQuery, TickerQuery,
    TradesQuery, UserLookupQuery,
};
use api::{request, response};

use super::body::{Body, Query, query_of};
use crate::http::deprecation::Deprecated;

/// The credentials that an operation needs. Spec, Authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    /// Public, and personal when `X-Public-Key` is sent.
    Personal,
    Session,
    /// `X-Public-Key` alone.
    Read,
    /// A read that a public key alone does not open: a session, or a signature.
    Private,
    Write,
    /// Any operator's token. This and the next two are for the operators' listener.
    Viewer,
    /// The token of an operator whose role is operator or approver.
    Operator,
    /// An approver's token.
    Approver,
}

impl Access {
    pub const fn is_operators(self) -> bool {
        matches!(self, Access::Viewer | Access::Operator | Access::Approver)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Delete,
}

impl Method {
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The handler's name; an alias has a suffix.
    pub id: &'static str,
    pub method: Method,
    pub path: &'static str,
    pub tag: &'static str,
    pub summary: &'static str,
    pub access: Access,
    pub query: Option<Query>,
    pub body: Option<Body>,
    /// The media types of a body that is a file.
    pub file: &'static [&'static str],
    pub success: u16,
    /// None: plain text, or JSON without a schema.
    pub answer: Option<Body>,
    /// The media type of a success.
    pub content: &'static str,
    /// The body of a 503 response, if it is not an error body.
    pub unavailable: Option<Body>,
    /// The body of a 202 response: the command was proposed and needs another person.
    pub accepted: Option<Body>,
    /// Some: the operation is deprecated, and its responses have the headers for that.
    pub deprecated: Option<Deprecated>,
}

/// Operations on entries of the people store, which have no idempotency keys.
pub(super) const NOTIFICATIONS: &str = "Notifications";

pub(super) const JSON: &str = "application/json";
pub(super) const YAML: &str = "application/yaml";

/// The defaults of a row.
pub(crate) const ROW: Operation = Operation {
    id: "",
    method: Method::Get,
    path: "",
    tag: "System",
    summary: "",
    access: Access::Public,
    query: None,
    body: None,
    file: &[],
    success: 200,
    answer: None,
    content: JSON,
    unavailable: None,
    accepted: None,
    deprecated: None,
};

#[rustfmt::skip]
pub const OPERATIONS: &[Operation] = &[
    Operation { id: "health", path: "/health", summary: "Whether the exchange can write", answer: Some(Body::of::<response::Health>()), unavailable: Some(Body::of::<response::Health>()), ..ROW },
    Operation { id: "version", path: "/version", summary: "The version that runs", answer: Some(Body::of::<response::Version>()), ..ROW },
    Operation { id: "health_v1", path: "/v1/health", summary: "`GET /health` for clients whose paths all begin with /v1", answer: Some(Body::of::<response::Health>()), unavailable: Some(Body::of::<response::Health>()), ..ROW },
    Operation { id: "version_v1", path: "/v1/version", summary: "`GET /version` for clients whose paths all begin with /v1", answer: Some(Body::of::<response::Version>()), ..ROW },
    Operation { id: "ready", path: "/ready", summary: "Whether it is ready, and how far history is behind", answer: Some(Body::of::<response::Ready>()), unavailable: Some(Body::of::<response::Ready>()), ..ROW },
    Operation { id: "metrics", path: "/metrics", summary: "Numbers for Prometheus; 404 unless the venue publishes them", content: "text/plain", ..ROW },
    Operation { id: "auth_check", method: Method::Post, path: "/v1/auth/check", summary: "Checks a signature and changes nothing", access: Access::Write, answer: Some(Body::of::<response::AuthCheck>()), ..ROW },
    Operation { id: "openapi", path: "/openapi.json", summary: "This document; `numbers=string` describes the form with X-Number-Format", query: Some(query_of::<NumbersQuery>), ..ROW },
    Operation { id: "openapi_yaml", path: "/openapi.yaml", summary: "This document as YAML", content: YAML, query: Some(query_of::<NumbersQuery>), ..ROW },
    Operation { id: "asyncapi", path: "/asyncapi.json", summary: "The AsyncAPI document of the streams", ..ROW },
    Operation { id: "docs", path: "/docs", summary: "This document as a page", content: "text/html", ..ROW },

    Operation { id: "login", method: Method::Post, path: "/v1/user/login", tag: "User and API keys", summary: "Logs in: one request per address in two minutes", body: Some(Body::of::<request::Login>()), answer: Some(Body::of::<response::Session>()), ..ROW },
    Operation { id: "logout", method: Method::Post, path: "/v1/user/logout", tag: "User and API keys", summary: "Ends the session", access: Access::Session, answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "reset_password", method: Method::Post, path: "/v1/user/password-reset", tag: "User and API keys", summary: "Sets a new password with a token that an operator approved", body: Some(Body::of::<request::PasswordReset>()), answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "request_password_reset", method: Method::Post, path: "/v1/user/password-reset/request", tag: "User and API keys", summary: "Asks for a new password, by the hash of a token that the caller made. An operator approves it by the code", body: Some(Body::of::<request::PasswordResetRequest>()), success: 202, answer: Some(Body::of::<response::PasswordResetRequested>()), ..ROW },
    Operation { id: "create_api_key", method: Method::Post, path: "/v1/user/me/api-keys", tag: "User and API keys", summary: "Creates a key; its secret is shown once", access: Access::Session, body: Some(Body::of::<request::CreateApiKey>()), success: 201, answer: Some(Body::of::<response::IssuedApiKey>()), ..ROW },
    Operation { id: "list_api_keys", path: "/v1/user/me/api-keys", tag: "User and API keys", summary: "The active keys", access: Access::Session, answer: Some(Body::of::<response::ApiKeys>()), ..ROW },
    Operation { id: "revoke_api_key", method: Method::Delete, path: "/v1/user/me/api-keys/{keyId}", tag: "User and API keys", summary: "Revokes a key at once", access: Access::Session, answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "rotate_api_key", method: Method::Post, path: "/v1/user/me/api-keys/{keyId}/rotate", tag: "User and API keys", summary: "Gives a key a new secret; the old one stops at once", access: Access::Session, answer: Some(Body::of::<response::IssuedApiKey>()), ..ROW },
    Operation { id: "lookup_user", path: "/v1/user/lookup", tag: "User and API keys", summary: "A user by tag or by id", access: Access::Read, query: Some(query_of::<UserLookupQuery>), answer: Some(Body::of::<response::UserProfile>()), ..ROW },

    Operation { id: "list_events", path: "/v1/pm/events", tag: "Events", summary: "A page of events", access: Access::Personal, query: Some(query_of::<EventsQuery>), answer: Some(Body::of::<response::Events>()), ..ROW },
    Operation { id: "list_series", path: "/v1/pm/events/series", tag: "Events", summary: "A page of series", query: Some(query_of::<SeriesQuery>), answer: Some(Body::of::<response::SeriesList>()), ..ROW },
    Operation { id: "list_lean_events", path: "/v1/pm/events/series/{seriesSlug}/lean-events", tag: "Events", summary: "The last 20 events of a series, the oldest first", answer: Some(Body::list_of::<response::LeanEvent>()), ..ROW },
    Operation { id: "get_event", path: "/v1/pm/events/{eventId}", tag: "Events", summary: "One event", access: Access::Personal, query: Some(query_of::<EventQuery>), answer: Some(Body::of::<response::Event>()), ..ROW },
    Operation { id: "get_event_by_slug", path: "/v1/pm/events/slug/{slug}", tag: "Events", summary: "One event by its slug", access: Access::Personal, query: Some(query_of::<EventQuery>), answer: Some(Body::of::<response::Event>()), ..ROW },
    Operation { id: "get_resolution", path: "/v1/pm/events/{eventId}/resolution", tag: "Events", summary: "How an event ends or ended: rules and their hash, what is proposed, every verdict with its evidence", answer: Some(Body::of::<response::EventResolution>()), ..ROW },
    Operation { id: "list_news", path: "/v1/pm/events/{eventId}/news", tag: "Events", summary: "News that operators attached to an event, newest first, 50 at most", answer: Some(Body::of::<response::NewsList>()), ..ROW },
    Operation { id: "watch_event", method: Method::Put, path: "/v1/pm/events/{eventId}/watchlist", tag: "Events", summary: "Watches an event", access: Access::Write, answer: Some(Body::of::<response::Watched>()), ..ROW },
    Operation { id: "unwatch_event", method: Method::Delete, path: "/v1/pm/events/{eventId}/watchlist", tag: "Events", summary: "Stops watching an event", access: Access::Write, answer: Some(Body::of::<response::Watched>()), ..ROW },

    Operation { id: "quote", method: Method::Post, path: "/v1/pm/events/{eventId}/markets/{marketId}/quote", tag: "Trading", summary: "What a trade would be now", access: Access::Personal, body: Some(Body::of::<request::Quote>()), answer: Some(Body::of::<response::Quote>()), ..ROW },
    Operation { id: "place_order", method: Method::Post, path: "/v1/pm/events/{eventId}/markets/{marketId}/orders", tag: "Trading", summary: "Places an order", access: Access::Write, body: Some(Body::of::<request::PlaceOrder>()), answer: Some(Body::of::<response::PlaceOrderResponse>()), ..ROW },
    Operation { id: "list_orders", path: "/v1/pm/orders", tag: "Trading", summary: "A page of your orders, open and closed", access: Access::Read, query: Some(query_of::<OrdersQuery>), answer: Some(Body::of::<response::Orders>()), ..ROW },
    Operation { id: "cancel_all_orders", method: Method::Delete, path: "/v1/pm/orders", tag: "Trading", summary: "Cancels all open orders, or those of an event, a market, a currency", access: Access::Write, body: Some(Body::optional::<request::CancelAll>()), answer: Some(Body::of::<response::CancelAllResponse>()), ..ROW },
    Operation { id: "cancel_all_orders_by_post", method: Method::Post, path: "/v1/pm/orders/cancel-all", tag: "Trading", summary: "`DELETE /v1/pm/orders` for clients whose DELETE has no body", access: Access::Write, body: Some(Body::optional::<request::CancelAll>()), answer: Some(Body::of::<response::CancelAllResponse>()), ..ROW },
    Operation { id: "cancel_after", method: Method::Post, path: "/v1/pm/orders/cancel-after", tag: "Trading", summary: "Cancels everything that rests unless it is sent again in time", access: Access::Write, body: Some(Body::of::<request::CancelAfter>()), answer: Some(Body::of::<response::CancelAfterResponse>()), ..ROW },
    Operation { id: "place_orders", method: Method::Post, path: "/v1/pm/orders/batch", tag: "Trading", summary: "Places up to 20 orders, each on its own", access: Access::Write, body: Some(Body::of::<request::BatchPlace>()), answer: Some(Body::of::<response::BatchPlaceResponse>()), ..ROW },
    Operation { id: "cancel_orders", method: Method::Delete, path: "/v1/pm/orders/batch", tag: "Trading", summary: "Cancels up to 100 orders, each on its own", access: Access::Write, body: Some(Body::of::<request::BatchCancel>()), answer: Some(Body::of::<response::BatchCancelResponse>()), ..ROW },
    Operation { id: "cancel_orders_by_post", method: Method::Post, path: "/v1/pm/orders/batch/cancel", tag: "Trading", summary: "`DELETE /v1/pm/orders/batch` for clients whose DELETE has no body", access: Access::Write, body: Some(Body::of::<request::BatchCancel>()), answer: Some(Body::of::<response::BatchCancelResponse>()), ..ROW },
    Operation { id: "amend_orders", method: Method::Post, path: "/v1/pm/orders/batch/amend", tag: "Trading", summary: "Amends up to 20 orders, each on its own", access: Access::Write, body: Some(Body::of::<request::BatchAmend>()), answer: Some(Body::of::<response::BatchAmendResponse>()), ..ROW },
    Operation { id: "get_order", path: "/v1/pm/orders/{orderId}", tag: "Trading", summary: "One of your orders", access: Access::Read, answer: Some(Body::of::<response::Order>()), ..ROW },
    Operation { id: "cancel_order", method: Method::Delete, path: "/v1/pm/orders/{orderId}", tag: "Trading", summary: "Cancels one order", access: Access::Write, answer: Some(Body::of::<response::CancelOrderResponse>()), ..ROW },
    Operation { id: "mint_sets", method: Method::Post, path: "/v1/pm/markets/{marketId}/mint", tag: "Trading", summary: "Turns money into complete sets", access: Access::Write, body: Some(Body::of::<request::MintSets>()), answer: Some(Body::of::<response::MintResult>()), ..ROW },
    Operation { id: "burn_sets", method: Method::Post, path: "/v1/pm/markets/{marketId}/burn", tag: "Trading", summary: "Turns complete sets into money", access: Access::Write, body: Some(Body::of::<request::BurnSets>()), answer: Some(Body::of::<response::BurnResult>()), ..ROW },

    Operation { id: "list_books", path: "/v1/pm/books", tag: "Market data", summary: "The order books of up to 50 outcomes", query: Some(query_of::<BooksQuery>), answer: Some(Body::list_of::<response::Book>()), ..ROW },
    Operation { id: "get_ticker", path: "/v1/pm/markets/{marketId}/ticker", tag: "Market data", summary: "Prices of an outcome now and over 24 hours", query: Some(query_of::<TickerQuery>), answer: Some(Body::of::<response::Ticker>()), ..ROW },
    Operation { id: "market_changes", path: "/v1/pm/markets/{marketId}/changes", tag: "Market data", summary: "What changed in a market: a snapshot, or deltas after a sequence", query: Some(query_of::<MarketChangesQuery>), answer: Some(Body::of::<response::MarketChangeList>()), ..ROW },
    Operation { id: "list_trades", path: "/v1/pm/trades", tag: "Market data", summary: "Executed trades of order books, or of pools, newest first", query: Some(query_of::<TradesQuery>), answer: Some(Body::of::<response::Trades>()), ..ROW },
    Operation { id: "price_history", path: "/v1/pm/events/{eventId}/price-history", tag: "Market data", summary: "Prices of an event's markets over time", query: Some(query_of::<PriceHistoryQuery>), answer: Some(Body::of::<response::PriceHistory>()), ..ROW },
    Operation { id: "candles", path: "/v1/pm/markets/{marketId}/candles", tag: "Market data", summary: "Open, high, low, close, volume and count, the latest 1,000 spans", query: Some(query_of::<CandlesQuery>), answer: Some(Body::of::<response::Candles>()), ..ROW },
    Operation { id: "asset_prices", path: "/v1/pm/assets/{symbol}/prices", tag: "Market data", summary: "Prices of an asset that series use, one in ten seconds, of the last week; at most 1,001, evenly thinned", query: Some(query_of::<AssetPricesQuery>), answer: Some(Body::of::<response::AssetPrices>()), ..ROW },

    Operation { id: "list_leagues", path: "/v1/pm/sports/leagues", tag: "Sports", summary: "All leagues", answer: Some(Body::of::<response::Leagues>()), ..ROW },
    Operation { id: "list_teams", path: "/v1/pm/sports/teams", tag: "Sports", summary: "A page of teams", query: Some(query_of::<TeamsQuery>), answer: Some(Body::of::<response::Teams>()), ..ROW },
    Operation { id: "list_games", path: "/v1/pm/sports/games", tag: "Sports", summary: "A page of games", query: Some(query_of::<GamesQuery>), answer: Some(Body::of::<response::Games>()), ..ROW },

    Operation { id: "solvency", path: "/v1/pm/solvency", tag: "Proof", summary: "What is owed and what backs it at one instant, and the root of the tree over all accounts", answer: Some(Body::of::<response::Solvency>()), ..ROW },
    Operation { id: "my_solvency", path: "/v1/pm/solvency/me", tag: "Proof", summary: "The proof that your account is in that tree", access: Access::Read, answer: Some(Body::of::<api::proof::InclusionProof>()), ..ROW },

    Operation { id: "portfolio", path: "/v1/pm/portfolio", tag: "Account", summary: "Your positions, valued at what a sale would bring", access: Access::Read, query: Some(query_of::<PortfolioQuery>), answer: Some(Body::of::<response::Portfolio>()), ..ROW },
    Operation { id: "list_activities", path: "/v1/pm/activities", tag: "Account", summary: "What happened to your orders and positions, newest first", access: Access::Read, query: Some(query_of::<ActivitiesQuery>), answer: Some(Body::of::<response::Activities>()), ..ROW },
    Operation { id: "pnl", path: "/v1/pm/pnl", tag: "Account", summary: "What you won and lost, over any span", access: Access::Read, query: Some(query_of::<PnlQuery>), answer: Some(Body::of::<response::Pnl>()), ..ROW },
    Operation { id: "statement", path: "/v1/pm/statement", tag: "Account", summary: "Every movement of your money in one currency, with the balance after it, newest first", access: Access::Private, query: Some(query_of::<StatementQuery>), answer: Some(Body::of::<response::Statement>()), ..ROW },
    Operation { id: "account_value", path: "/v1/pm/account/value", tag: "Account", summary: "What your money and shares of one currency were worth over time", access: Access::Private, query: Some(query_of::<AccountValueQuery>), answer: Some(Body::of::<response::AccountValue>()), ..ROW },
    Operation { id: "list_notifications", path: "/v1/pm/notifications", tag: NOTIFICATIONS, summary: "Your latest fills, payouts, resolutions and fired price alerts, newest first", access: Access::Private, query: Some(query_of::<NotificationsQuery>), answer: Some(Body::of::<response::Notifications>()), ..ROW },
    Operation { id: "read_notifications", method: Method::Post, path: "/v1/pm/notifications/read", tag: NOTIFICATIONS, summary: "Marks notifications up to a sequence as read", access: Access::Write, body: Some(Body::of::<request::ReadNotifications>()), answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "list_price_alerts", path: "/v1/pm/price-alerts", tag: NOTIFICATIONS, summary: "Your price alerts", access: Access::Private, answer: Some(Body::of::<response::PriceAlerts>()), ..ROW },
    Operation { id: "create_price_alert", method: Method::Post, path: "/v1/pm/price-alerts", tag: NOTIFICATIONS, summary: "Notifies you once when the shown price of an outcome reaches a price; 50 alerts at most", access: Access::Write, body: Some(Body::of::<request::CreatePriceAlert>()), success: 201, answer: Some(Body::of::<response::PriceAlert>()), ..ROW },
    Operation { id: "remove_price_alert", method: Method::Delete, path: "/v1/pm/price-alerts/{alertId}", tag: NOTIFICATIONS, summary: "Removes a price alert", access: Access::Write, answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "list_push_subscriptions", path: "/v1/pm/push-subscriptions", tag: NOTIFICATIONS, summary: "The key that signs push messages, and your subscriptions", access: Access::Session, answer: Some(Body::of::<response::PushSubscriptions>()), ..ROW },
    Operation { id: "subscribe_push", method: Method::Post, path: "/v1/pm/push-subscriptions", tag: NOTIFICATIONS, summary: "Sends your notifications to a browser too; 5 subscriptions at most", access: Access::Session, body: Some(Body::of::<request::SubscribePush>()), success: 201, answer: Some(Body::of::<response::PushSubscription>()), ..ROW },
    Operation { id: "unsubscribe_push", method: Method::Delete, path: "/v1/pm/push-subscriptions/{subscriptionId}", tag: NOTIFICATIONS, summary: "Ends a push subscription", access: Access::Session, answer: Some(Body::of::<response::Message>()), ..ROW },
    Operation { id: "wallet_assets", path: "/v1/wallet/assets", tag: "Account", summary: "Your money", access: Access::Read, answer: Some(Body::of::<response::WalletAssets>()), ..ROW },
    Operation { id: "account_changes", path: "/v1/pm/account/changes", tag: "Account", summary: "What changed in your account: a snapshot, or deltas after a sequence", access: Access::Read, query: Some(query_of::<ChangesQuery>), answer: Some(Body::of::<response::AccountChangeList>()), ..ROW },
    Operation { id: "list_liquidity_rewards", path: "/v1/pm/liquidity-rewards", tag: "Account", summary: "A page of your rewards for liquidity; none are paid yet", access: Access::Read, query: Some(query_of::<RewardsQuery>), answer: Some(Body::of::<response::LiquidityRewards>()), ..ROW },
    Operation { id: "list_active_liquidity_rewards", path: "/v1/pm/liquidity-rewards/active", tag: "Account", summary: "Your rewards for liquidity that run", access: Access::Read, answer: Some(Body::of::<response::ActiveLiquidityRewards>()), ..ROW },
    Operation { id: "list_maker_rebates", path: "/v1/pm/maker-rebates", tag: "Account", summary: "A page of your rebates; none are paid yet", access: Access::Read, query: Some(query_of::<RewardsQuery>), answer: Some(Body::of::<response::MakerRebates>()), ..ROW },
    Operation { id: "list_active_maker_rebates", path: "/v1/pm/maker-rebates/active", tag: "Account", summary: "Your rebates that run", access: Access::Read, answer: Some(Body::of::<response::ActiveMakerRebates>()), ..ROW },
];
