//! The public API on one page: its table of endpoints. One file per resource has their functions.

mod account;
mod api_keys;
mod batches;
mod books;
mod changes;
pub(crate) mod documents;
mod events;
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

use api::query::{
    AccountValueQuery, ActivitiesQuery, AssetPricesQuery, BooksQuery, CandlesQuery, ChangesQuery, EventQuery,
    EventsQuery, GamesQuery, MarketChangesQuery, NotificationsQuery, NumbersQuery, OrdersQuery, PnlQuery,
    PortfolioQuery, PriceHistoryQuery, RewardsQuery, SeriesQuery, StatementQuery, TeamsQuery, TickerQuery,
    TradesQuery, UserLookupQuery,
};
use api::{request, response};
use axum::Router;
use axum::routing::get;

use crate::app::App;
use crate::edge::behind_hyper::BehindHyper;
use crate::edge::body::Body;
use crate::edge::operation::{HTML, Method, TEXT, YAML};
use crate::edge::{Edge, endpoints};
use crate::{streams, web};

/// The router of the public listener.
pub fn router(app: Arc<App>) -> Router {
    let pages = Router::new()
        .route("/metrics", get(metrics::public_metrics))
        .route("/openapi.json", get(documents::openapi))
        .route("/openapi.yaml", get(documents::openapi_yaml))
        .route("/asyncapi.json", get(documents::asyncapi))
        .route("/docs", get(documents::docs))
        .merge(streams::router())
        .merge(web::trader_pages())
        .fallback(web::page_or_not_found)
        .with_state(app.clone());
    BehindHyper::router(edge(app), pages)
}

/// The edge of the public listener.
pub(crate) fn edge(app: Arc<App>) -> Arc<Edge> {
    let hidden = streams::ENDPOINTS.iter().chain(web::TRADER_PAGES);
    let endpoints = Box::new(Traders::new(&app));
    Arc::new(Edge::new(app, endpoints, hidden, true))
}

/// The resources of the public API, each with the services that it uses.
struct Traders {
    account: account::AccountEndpoints,
    api_keys: api_keys::ApiKeyEndpoints,
    batches: batches::BatchEndpoints,
    books: books::BookEndpoints,
    changes: changes::ChangeEndpoints,
    events: events::EventEndpoints,
    notifications: notifications::NotificationEndpoints,
    orders: orders::OrderEndpoints,
    prices: prices::PriceEndpoints,
    quotes: quotes::QuoteEndpoints,
    rewards: rewards::RewardEndpoints,
    series: series::SeriesEndpoints,
    sessions: sessions::SessionEndpoints,
    sets: sets::SetEndpoints,
    solvency: solvency::SolvencyEndpoints,
    sports: sports::SportEndpoints,
    system: system::SystemEndpoints,
    tickers: tickers::TickerEndpoints,
    trades: trades::TradeEndpoints,
    users: users::UserEndpoints,
    watchlist: watchlist::WatchlistEndpoints,
}

impl Traders {
    #[rustfmt::skip]
    fn new(app: &App) -> Traders {
        Traders {
            account: account::AccountEndpoints { reading: app.reading().clone() },
            api_keys: api_keys::ApiKeyEndpoints { reading: app.reading().clone(), access: app.access().clone() },
            batches: batches::BatchEndpoints,
            books: books::BookEndpoints { reading: app.reading().clone() },
            changes: changes::ChangeEndpoints { reading: app.reading().clone(), streams: app.streams().clone(), access: app.access().clone(), condition: app.condition().clone() },
            events: events::EventEndpoints { reading: app.reading().clone() },
            notifications: notifications::NotificationEndpoints { reading: app.reading().clone(), access: app.access().clone(), notifying: app.notifying().clone() },
            orders: orders::OrderEndpoints { reading: app.reading().clone() },
            prices: prices::PriceEndpoints { reading: app.reading().clone(), feeds: app.feeds().clone() },
            quotes: quotes::QuoteEndpoints { reading: app.reading().clone(), writing: app.writing().clone() },
            rewards: rewards::RewardEndpoints,
            series: series::SeriesEndpoints { reading: app.reading().clone() },
            sessions: sessions::SessionEndpoints { reading: app.reading().clone(), writing: app.writing().clone(), access: app.access().clone() },
            sets: sets::SetEndpoints,
            solvency: solvency::SolvencyEndpoints { reading: app.reading().clone() },
            sports: sports::SportEndpoints { reading: app.reading().clone() },
            system: system::SystemEndpoints { reading: app.reading().clone(), writing: app.writing().clone(), condition: app.condition().clone() },
            tickers: tickers::TickerEndpoints { reading: app.reading().clone() },
            trades: trades::TradeEndpoints { reading: app.reading().clone() },
            users: users::UserEndpoints { reading: app.reading().clone() },
            watchlist: watchlist::WatchlistEndpoints { reading: app.reading().clone(), writing: app.writing().clone() },
        }
    }
}

endpoints! {
    /// Every operation of the public API.
    Traders, OPERATIONS:
    "System" {
        /// Whether the exchange can write
        ///
        /// 200 while the exchange can write, 503 after its journal has failed: such a node needs a restart. It is
        /// free of rate limits.
        health = system: GET "/health" Public -> response::Health
            { unavailable(Body::of::<response::Health>()), probe };
        /// The version that runs
        ///
        /// The release and the commit of the executable.
        version = system: GET "/version" Public -> response::Version;
        /// `GET /health` for clients whose paths all begin with /v1
        ///
        /// The answer of `GET /health`.
        health_v1 = system.health: GET "/v1/health" Public -> response::Health
            { unavailable(Body::of::<response::Health>()), probe };
        /// `GET /version` for clients whose paths all begin with /v1
        ///
        /// The answer of `GET /version`.
        version_v1 = system.version: GET "/v1/version" Public -> response::Version;
        /// Whether it is ready, and how far history is behind
        ///
        /// For load balancers: 503 with `reasons` while requests should go to another node. `sequence` is the last
        /// request that this node has applied.
        ready = system: GET "/ready" Public -> response::Ready { unavailable(Body::of::<response::Ready>()), probe };
        /// Numbers for Prometheus; 404 unless the venue publishes them
        ///
        /// Metrics in the text format of Prometheus. Operators read them on their own listener; here they are only if
        /// the venue publishes them.
        metrics: GET "/metrics" Public { content(TEXT) };
        /// Checks a signature and changes nothing
        ///
        /// Verifies `X-Public-Key`, `X-Timestamp` and `X-Signature` over any body, as a write does. Use it while you
        /// write your signing code: a 401 names the check that failed.
        auth_check = system: POST "/v1/auth/check" Write -> response::AuthCheck { keyless, signed_only };
        /// This document; `numbers=string` describes the form with X-Number-Format
        ///
        /// The OpenAPI 3.1 document of this API.
        openapi: GET "/openapi.json" Public ?(NumbersQuery);
        /// This document as YAML
        ///
        /// The OpenAPI 3.1 document of this API, as YAML.
        openapi_yaml: GET "/openapi.yaml" Public ?(NumbersQuery) { content(YAML) };
        /// The AsyncAPI document of the streams
        ///
        /// The AsyncAPI 3.0 document of the WebSocket streams: every message in either direction.
        asyncapi: GET "/asyncapi.json" Public;
        /// This document as a page
        ///
        /// A page with every operation and its schemas. It can send requests, signed with a key that stays in the
        /// tab.
        docs: GET "/docs" Public { content(HTML) };
    }

    "User and API keys" {
        /// Logs in: one request per address in two minutes
        ///
        /// Returns a session for key management: send `token` as `x-auth-token` and `deviceId` as `x-device-id`.
        /// Trading needs an API key, not a session.
        login = sessions: POST "/v1/user/login" Public (request::Login) -> response::Session { own, heavy };
        /// Ends the session
        ///
        /// Ends the session that the request carries.
        logout = sessions: POST "/v1/user/logout" Session -> response::Message;
        /// Sets a new password with a token that an operator approved
        ///
        /// Sets a new password with the token of an approved request. It ends all sessions and revokes the keys,
        /// unless `keepApiKeys` is true.
        reset_password = sessions: POST "/v1/user/password-reset" Public (request::PasswordReset) -> response::Message
            { own, heavy };
        /// Asks for a new password, by the hash of a token that the caller made. An operator approves it by the code
        ///
        /// Sends the SHA-256 of a token that you keep. Read `code` to an operator, who approves the request; then
        /// reset the password with the token.
        request_password_reset = sessions: POST "/v1/user/password-reset/request" Public (request::PasswordResetRequest) -> response::PasswordResetRequested
            { success(202), own, heavy };
        /// Creates a key; its secret is shown once
        ///
        /// A pair of a public and a secret key, at most two for each account. The answer is the only one that shows
        /// the secret.
        create_api_key = api_keys: POST "/v1/user/me/api-keys" Session (request::CreateApiKey) -> response::IssuedApiKey
            { success(201) };
        /// The active keys
        ///
        /// All active keys with the last characters of their secrets.
        list_api_keys = api_keys: GET "/v1/user/me/api-keys" Session -> response::ApiKeys;
        /// Revokes a key at once
        ///
        /// The key stops at once and for good; its name is free again.
        revoke_api_key = api_keys: DELETE "/v1/user/me/api-keys/{keyId}" Session -> response::Message;
        /// Gives a key a new secret; the old one stops at once
        ///
        /// The key keeps its id and its public key, and gets a new secret.
        rotate_api_key = api_keys: POST "/v1/user/me/api-keys/{keyId}/rotate" Session -> response::IssuedApiKey;
        /// A user by tag or by id
        ///
        /// Give either `tag` or `userId`.
        lookup_user = users: GET "/v1/user/lookup" Read ?(UserLookupQuery) -> response::UserProfile;
    }

    "Events" {
        /// A page of events
        ///
        /// Events by status (open first), newest first; `trending=true` puts the most traded first. With a key,
        /// `userWatchlisted` says whether you watch an event.
        list_events = events: GET "/v1/pm/events" Personal ?(EventsQuery) -> response::Events { packed, live };
        /// A page of series
        ///
        /// A series makes an event with one market at every interval. Its slug selects its events in `GET
        /// /v1/pm/events`.
        list_series = series: GET "/v1/pm/events/series" Public ?(SeriesQuery) -> response::SeriesList { packed, slow };
        /// The last 20 events of a series, the oldest first
        ///
        /// Ids and times only, for programs that look for the current event of a series.
        list_lean_events = series: GET "/v1/pm/events/series/{seriesSlug}/lean-events" Public -> response::LeanEvent
            { list, live, heavy };
        /// One event
        ///
        /// An event with its markets. Prices and minimums are those of `currency`.
        get_event = events: GET "/v1/pm/events/{eventId}" Personal ?(EventQuery) -> response::Event { live };
        /// One event by its slug
        ///
        /// An event with its markets, found by the slug of its page's address.
        get_event_by_slug = events: GET "/v1/pm/events/slug/{slug}" Personal ?(EventQuery) -> response::Event { live };
        /// How an event ends or ended: rules and their hash, what is proposed, every verdict with its evidence
        ///
        /// The rules with their hash, a proposed verdict with its evidence, and every verdict that was carried out or
        /// withdrawn.
        get_resolution = events: GET "/v1/pm/events/{eventId}/resolution" Public -> response::EventResolution
            { live, heavy };
        /// News that operators attached to an event, newest first, 50 at most
        ///
        /// Titles and links that operators attached to the event.
        list_news = events: GET "/v1/pm/events/{eventId}/news" Public -> response::NewsList { live, heavy };
        /// Watches an event
        ///
        /// Puts the event on your watchlist. Watching twice is watching once.
        watch_event = watchlist: PUT "/v1/pm/events/{eventId}/watchlist" Write -> response::Watched;
        /// Stops watching an event
        ///
        /// Takes the event off your watchlist.
        unwatch_event = watchlist: DELETE "/v1/pm/events/{eventId}/watchlist" Write -> response::Watched;
    }

    "Trading" {
        /// What a trade would be now
        ///
        /// What the order would do at this moment, by the functions that execute it. With a key, your own resting
        /// orders are left out and your funds count.
        quote = quotes: POST "/v1/pm/events/{eventId}/markets/{marketId}/quote" Personal (request::Quote) -> response::Quote;
        /// Places an order
        ///
        /// Gives either `amount` (money) or `quantity` (shares). On a book the order matches and may rest; against a
        /// pool it executes at once. Send an `Idempotency-Key`, so that a repetition places nothing twice.
        place_order = orders: POST "/v1/pm/events/{eventId}/markets/{marketId}/orders" Write (request::PlaceOrder) -> response::PlaceOrderResponse;
        /// A page of your orders, open and closed
        ///
        /// Open and closed orders of both engines, newest first, by any of the filters.
        list_orders = orders: GET "/v1/pm/orders" Read ?(OrdersQuery) -> response::Orders { heavy };
        /// Cancels all open orders, or those of an event, a market, a currency
        ///
        /// All conditions must hold; without a body or with `{}` every open order is cancelled. The answer has the
        /// cancelled orders.
        cancel_all_orders = orders: DELETE "/v1/pm/orders" Write (request::CancelAll) -> response::CancelAllResponse
            { optional, cancel };
        /// `DELETE /v1/pm/orders` for clients whose DELETE has no body
        ///
        /// Some clients cannot send a body with DELETE. An `Idempotency-Key` covers both forms.
        cancel_all_orders_by_post = orders.cancel_all_orders: POST "/v1/pm/orders/cancel-all" Write (request::CancelAll) -> response::CancelAllResponse
            { optional, cancel, alias(Method::DELETE, "/v1/pm/orders") };
        /// Cancels everything that rests unless it is sent again in time
        ///
        /// A switch for programs that may die: all your open orders are cancelled after `seconds`, unless you send
        /// this again. 0 takes the switch off.
        cancel_after = orders: POST "/v1/pm/orders/cancel-after" Write (request::CancelAfter) -> response::CancelAfterResponse;
        /// Places up to 20 orders, each on its own
        ///
        /// Items may be of different markets and events, which `outcomeId` names. Each item succeeds or fails on its
        /// own, in order.
        place_orders = batches: POST "/v1/pm/orders/batch" Write (request::BatchPlace) -> response::BatchPlaceResponse
            { batch };
        /// Cancels up to 100 orders, each on its own
        ///
        /// Each id succeeds or fails on its own, in order. The body is signed.
        cancel_orders = batches: DELETE "/v1/pm/orders/batch" Write (request::BatchCancel) -> response::BatchCancelResponse
            { cancel, batch };
        /// `DELETE /v1/pm/orders/batch` for clients whose DELETE has no body
        ///
        /// Some clients cannot send a body with DELETE. An `Idempotency-Key` covers both forms.
        cancel_orders_by_post = batches.cancel_orders: POST "/v1/pm/orders/batch/cancel" Write (request::BatchCancel) -> response::BatchCancelResponse
            { cancel, batch, alias(Method::DELETE, "/v1/pm/orders/batch") };
        /// Amends up to 20 orders, each on its own
        ///
        /// `newSize` is the new total, including what has filled. A smaller or equal size at the same price keeps its
        /// place in the queue.
        amend_orders = batches: POST "/v1/pm/orders/batch/amend" Write (request::BatchAmend) -> response::BatchAmendResponse
            { batch };
        /// One of your orders
        ///
        /// An order of yours, open or closed. An order of another user is not found.
        get_order = orders: GET "/v1/pm/orders/{orderId}" Read -> response::Order;
        /// Cancels one order
        ///
        /// Cancels an open order on a book. An order against a pool has executed already.
        cancel_order = orders: DELETE "/v1/pm/orders/{orderId}" Write -> response::CancelOrderResponse { cancel };
        /// Turns money into complete sets
        ///
        /// `quantity` is an amount of money. Each base unit becomes one YES and one NO share; prices do not move.
        mint_sets = sets: POST "/v1/pm/markets/{marketId}/mint" Write (request::MintSets) -> response::MintResult;
        /// Turns complete sets into money
        ///
        /// `quantity` is an amount of money. Equal numbers of free YES and NO shares become money again.
        burn_sets = sets: POST "/v1/pm/markets/{marketId}/burn" Write (request::BurnSets) -> response::BurnResult;
    }

    "Market data" {
        /// The order books of up to 50 outcomes
        ///
        /// Levels of each outcome, best first, at most `depth`. An outcome against a pool has an empty book.
        list_books = books: GET "/v1/pm/books" Public ?(BooksQuery) -> response::Book { list };
        /// Prices of an outcome now and over 24 hours
        ///
        /// Best bid and ask, last price, and the volume, range and change of 24 hours. Only for markets with a book.
        get_ticker = tickers: GET "/v1/pm/markets/{marketId}/ticker" Public ?(TickerQuery) -> response::Ticker;
        /// What changed in a market: a snapshot, or deltas after a sequence
        ///
        /// Without `after`, a snapshot. With it, every change since that sequence: keep a copy of a book without a
        /// stream.
        market_changes = changes: GET "/v1/pm/markets/{marketId}/changes" Public ?(MarketChangesQuery) -> response::MarketChangeList
            { packed };
        /// Executed trades of order books, or of pools, newest first
        ///
        /// By market, order, outcome, user and time. `engine=AMM` has the trades against pools.
        list_trades = trades: GET "/v1/pm/trades" Public ?(TradesQuery) -> response::Trades { packed };
        /// Prices of an event's markets over time
        ///
        /// Points of each market under its id, and all markets again as a list in `markets`.
        price_history = prices: GET "/v1/pm/events/{eventId}/price-history" Public ?(PriceHistoryQuery) -> response::PriceHistory
            { packed };
        /// Open, high, low, close, volume and count, the latest 1,000 spans
        ///
        /// Candles of one outcome; spans without a trade have none.
        candles = prices: GET "/v1/pm/markets/{marketId}/candles" Public ?(CandlesQuery) -> response::Candles
            { packed };
        /// Prices of an asset that series use, one in ten seconds, of the last week; at most 1,001, evenly thinned
        ///
        /// The prices that decide the events of a series.
        asset_prices = prices: GET "/v1/pm/assets/{symbol}/prices" Public ?(AssetPricesQuery) -> response::AssetPrices
            { packed };
    }

    "Sports" {
        /// All leagues
        ///
        /// All leagues that have teams here.
        list_leagues = sports: GET "/v1/pm/sports/leagues" Public -> response::Leagues { slow, heavy };
        /// A page of teams
        ///
        /// Teams by league or sport.
        list_teams = sports: GET "/v1/pm/sports/teams" Public ?(TeamsQuery) -> response::Teams { packed, slow };
        /// A page of games
        ///
        /// Games by league, sport or team, with score and clock while they are live. `slug` selects the linked
        /// events.
        list_games = sports: GET "/v1/pm/sports/games" Public ?(GamesQuery) -> response::Games { packed, slow };
    }

    "Proof" {
        /// Liabilities and what backs them at one instant, and the root of the tree over all accounts
        ///
        /// Totals of all accounts of each currency, the collateral of all markets, and the root of a Merkle-sum tree
        /// over all accounts.
        solvency = solvency: GET "/v1/pm/solvency" Public -> response::Solvency { packed, live };
        /// The proof that your account is in that tree
        ///
        /// Your leaf and the hashes up to the root. Check it with the published root, without trusting the exchange.
        my_solvency = solvency: GET "/v1/pm/solvency/me" Read -> api::proof::InclusionProof { heavy };
    }

    "Account" {
        /// Your positions, valued at what a sale would bring
        ///
        /// Every outcome that you hold shares of, valued at the proceeds of selling all of it now. Totals cover all
        /// rows.
        portfolio = account: GET "/v1/pm/portfolio" Read ?(PortfolioQuery) -> response::Portfolio { heavy };
        /// What happened to your orders and positions, newest first
        ///
        /// Orders, fills, payouts and sets, by group, event, market and time.
        list_activities = account: GET "/v1/pm/activities" Read ?(ActivitiesQuery) -> response::Activities { heavy };
        /// What you won and lost, over any span
        ///
        /// Realised results of a span, from trades and from settlement.
        pnl = account: GET "/v1/pm/pnl" Read ?(PnlQuery) -> response::Pnl { heavy };
        /// Every movement of your money in one currency, with the balance after it, newest first
        ///
        /// Deposits and withdrawals included; each movement is signed and has the balance after it.
        statement = account: GET "/v1/pm/statement" Private ?(StatementQuery) -> response::Statement { heavy };
        /// What your money and shares of one currency were worth over time
        ///
        /// Money and shares together, in equal steps over the span.
        account_value = account: GET "/v1/pm/account/value" Private ?(AccountValueQuery) -> response::AccountValue
            { heavy };
    }

    "Notifications" {
        /// Your latest fills, payouts, resolutions and fired price alerts, newest first
        ///
        /// `readUntil` is the sequence up to which you have read them.
        list_notifications = notifications: GET "/v1/pm/notifications" Private ?(NotificationsQuery) -> response::Notifications
            { heavy };
        /// Marks notifications up to a sequence as read
        ///
        /// The mark only moves forward.
        read_notifications = notifications: POST "/v1/pm/notifications/read" Write (request::ReadNotifications) -> response::Message
            { keyless, heavy };
        /// Your price alerts
        ///
        /// Those that wait and those that have fired.
        list_price_alerts = notifications: GET "/v1/pm/price-alerts" Private -> response::PriceAlerts { heavy };
        /// Notifies you once when the shown price of an outcome reaches a price; 50 alerts at most
        ///
        /// It fires once, when the shown price reaches `price` from the other side.
        create_price_alert = notifications: POST "/v1/pm/price-alerts" Write (request::CreatePriceAlert) -> response::PriceAlert
            { success(201), keyless, heavy };
        /// Removes a price alert
        ///
        /// Removes an alert, fired or not.
        remove_price_alert = notifications: DELETE "/v1/pm/price-alerts/{alertId}" Write -> response::Message
            { keyless, heavy };
        /// The key that signs push messages, and your subscriptions
        ///
        /// Browsers that get your notifications as push messages.
        list_push_subscriptions = notifications: GET "/v1/pm/push-subscriptions" Session -> response::PushSubscriptions
            { heavy };
        /// Sends your notifications to a browser too; 5 subscriptions at most
        ///
        /// The body is what `PushSubscription.toJSON()` of the browser gives.
        subscribe_push = notifications: POST "/v1/pm/push-subscriptions" Session (request::SubscribePush) -> response::PushSubscription
            { success(201), heavy };
        /// Ends a push subscription
        ///
        /// The browser gets no further push messages.
        unsubscribe_push = notifications: DELETE "/v1/pm/push-subscriptions/{subscriptionId}" Session -> response::Message
            { heavy };
    }

    "Account" {
        /// Your money
        ///
        /// Free and held money of each currency.
        wallet_assets = account: GET "/v1/wallet/assets" Read -> response::WalletAssets;
        /// What changed in your account: a snapshot, or deltas after a sequence
        ///
        /// Without `after`, a snapshot. With it, every change of your orders, money and positions since that
        /// sequence.
        account_changes = changes: GET "/v1/pm/account/changes" Read ?(ChangesQuery) -> response::AccountChangeList
            { packed };
        /// A page of your rewards for liquidity; none are paid yet
        ///
        /// This venue pays no rewards yet; the list is empty.
        list_liquidity_rewards = rewards: GET "/v1/pm/liquidity-rewards" Read ?(RewardsQuery) -> response::LiquidityRewards;
        /// Your rewards for liquidity that run
        ///
        /// This venue pays no rewards yet; the list is empty.
        list_active_liquidity_rewards = rewards: GET "/v1/pm/liquidity-rewards/active" Read -> response::ActiveLiquidityRewards;
        /// A page of your rebates; none are paid yet
        ///
        /// This venue pays no rebates yet; the list is empty.
        list_maker_rebates = rewards: GET "/v1/pm/maker-rebates" Read ?(RewardsQuery) -> response::MakerRebates;
        /// Your rebates that run
        ///
        /// This venue pays no rebates yet; the list is empty.
        list_active_maker_rebates = rewards: GET "/v1/pm/maker-rebates/active" Read -> response::ActiveMakerRebates;
    }
}
