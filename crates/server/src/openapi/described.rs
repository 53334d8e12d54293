//! What the document says of each operation of the public API beyond its row: a description, and examples of its request
//! and of its answer.
//!
//! Examples of answers are the golden texts of the contract, which a test compares with the types of `crates/api`.
//! Another test checks every example against its schema.

use serde_json::Value;

/// A golden text.
macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!("../../../api/tests/responses/golden/", $name, ".json"))
    };
}

/// What the document says of an operation.
struct Described {
    id: &'static str,
    description: &'static str,
    /// A JSON text.
    request: Option<&'static str>,
    /// A JSON text, and the part of it that is the answer.
    answer: Option<&'static str>,
    pointer: &'static str,
}

/// One value, or none.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// `operation: "description", request "…", answer "golden" at "/pointer";` The request and the pointer into the golden text
/// are optional. An answer without a golden text is written out: `shows "…"`.
macro_rules! described {
    ($(
        $id:ident: $description:literal
        $(, request $request:literal)?
        $(, answer $answer:literal $(at $pointer:literal)?)?
        $(, shows $shown:literal)?;
    )*) => {
        const DESCRIBED: &[Described] = &[$(Described {
            id: stringify!($id),
            description: $description,
            request: optional!($($request)?),
            answer: optional!($(golden!($answer))? $($shown)?),
            pointer: concat!($($($pointer)?)?),
        }),*];
    };
}

fn find(id: &str) -> Option<&'static Described> {
    DESCRIBED.iter().find(|described| described.id == id)
}

/// The description of an operation.
pub(super) fn description(id: &str) -> Option<&'static str> {
    find(id).map(|described| described.description)
}

/// The example of an operation's request.
pub(super) fn request_example(id: &str) -> Option<Value> {
    serde_json::from_str(find(id)?.request?).ok()
}

/// The example of an operation's answer.
pub(super) fn answer_example(id: &str) -> Option<Value> {
    let described = find(id)?;
    let text: Value = serde_json::from_str(described.answer?).ok()?;
    text.pointer(described.pointer).cloned().map(without_second_spellings)
}

/// Some keys have a second spelling for an old client, which the document does not mention.
fn without_second_spellings(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(key, _)| !key.contains('_'));
            kept.map(|(key, value)| (key, without_second_spellings(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(without_second_spellings).collect(),
        other => other,
    }
}

/// Tags in the order of the document, with their descriptions.
pub(super) const TAGS: [(&str, &str); 9] = [
    ("System", "Health and version of the exchange, a check of signatures, and the documents of the API."),
    ("User and API keys", "Logins with email and password, and the API keys of an account."),
    ("Events", "Questions with their markets, series that make one at every interval, and how each ended."),
    ("Trading", "Quotes, orders, cancels, amends, and sets of YES and NO shares."),
    ("Market data", "Books, tickers, trades, candles and prices. Reading them needs no key."),
    ("Sports", "Leagues, teams and games of the linked events."),
    ("Proof", "That the exchange owes no more than it has, and that your account is counted."),
    ("Account", "Your money, positions, orders in the past, and results."),
    ("Notifications", "What happened to you, price alerts, and push messages to a browser."),
];

described! {
    health:
        "200 while the exchange can write, 503 after its journal has failed: such a node needs a restart. It is \
        free of rate limits.",
        answer "health";
    version: "The release and the commit of the executable.",
        answer "version";
    health_v1: "The answer of `GET /health`.",
        answer "health";
    version_v1: "The answer of `GET /version`.",
        answer "version";
    ready:
        "For load balancers: 503 with `reasons` while requests should go to another node. `sequence` is the last \
        request that this node has applied.",
        answer "ready";
    metrics:
        "Metrics in the text format of Prometheus. Operators read them on their own listener; here they are only if \
        the venue publishes them.",
        shows "\"bellwether_sequence 42\\n\"";
    auth_check:
        "Verifies `X-Public-Key`, `X-Timestamp` and `X-Signature` over any body, as a write does. Use it while you \
        write your signing code: a 401 names the check that failed.",
        answer "auth_check";
    openapi: "The OpenAPI 3.1 document of this API.",
        shows r#"{"openapi":"3.1.0"}"#;
    openapi_yaml: "The OpenAPI 3.1 document of this API, as YAML.",
        shows r#"{"openapi":"3.1.0"}"#;
    asyncapi: "The AsyncAPI 3.0 document of the WebSocket streams: every message in either direction.",
        shows r#"{"asyncapi":"3.0.0"}"#;
    docs:
        "A page with every operation and its schemas. It can send requests, signed with a key that stays in the \
        tab.",
        shows "\"<!doctype html>\"";

    login:
        "Returns a session for key management: send `token` as `x-auth-token` and `deviceId` as `x-device-id`. \
        Trading needs an API key, not a session.",
        request r#"{"email":"ada@example.org","password":"correct horse battery"}"#,
        answer "session";
    logout: "Ends the session that the request carries.",
        answer "message";
    reset_password:
        "Sets a new password with the token of an approved request. It ends all sessions and revokes the keys, \
        unless `keepApiKeys` is true.",
        request r#"{"token":"5f1c0b6e","password":"a new password"}"#,
        answer "message";
    request_password_reset:
        "Sends the SHA-256 of a token that you keep. Read `code` to an operator, who approves the request; then \
        reset the password with the token.",
        request r#"{"email":"ada@example.org","tokenHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}"#,
        shows r#"{"code":"K7RW3M","expiresAt":"2026-07-29T23:42:38Z"}"#;
    create_api_key:
        "A pair of a public and a secret key, at most two for each account. The answer is the only one that shows \
        the secret.",
        request r#"{"name":"bot"}"#,
        answer "issued_api_key";
    list_api_keys: "All active keys with the last characters of their secrets.",
        answer "api_keys";
    revoke_api_key: "The key stops at once and for good; its name is free again.",
        answer "message";
    rotate_api_key: "The key keeps its id and its public key, and gets a new secret.",
        answer "issued_api_key";
    lookup_user: "Give either `tag` or `userId`.",
        answer "user_profile";

    list_events:
        "Events by status (open first), newest first; `trending=true` puts the most traded first. With a key, \
        `userWatchlisted` says whether you watch an event.",
        answer "events";
    list_series:
        "A series makes an event with one market at every interval. Its slug selects its events in `GET \
        /v1/pm/events`.",
        answer "series_list";
    list_lean_events: "Ids and times only, for programs that look for the current event of a series.",
        answer "lean_events";
    get_event: "An event with its markets. Prices and minimums are those of `currency`.",
        answer "event";
    get_event_by_slug: "An event with its markets, found by the slug of its page's address.",
        answer "event";
    get_resolution:
        "The rules with their hash, a proposed verdict with its evidence, and every verdict that was carried out or \
        withdrawn.",
        answer "event_resolution";
    list_news: "Titles and links that operators attached to the event.",
        answer "news";
    watch_event: "Puts the event on your watchlist. Watching twice is watching once.",
        answer "watched";
    unwatch_event: "Takes the event off your watchlist.",
        answer "watched";

    quote:
        "What the order would do at this moment, by the functions that execute it. With a key, your own resting \
        orders are left out and your funds count.",
        request r#"{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","amount":100,"currency":"USD"}"#,
        answer "quote";
    place_order:
        "Gives either `amount` (money) or `quantity` (shares). On a book the order matches and may rest; against a \
        pool it executes at once. Send an `Idempotency-Key`, so that a repetition places nothing twice.",
        request r#"{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","type":"LIMIT","amount":70,"price":0.7,"currency":"USD","clientOrderId":"mm-001"}"#,
        answer "place_order_clob";
    list_orders: "Open and closed orders of both engines, newest first, by any of the filters.",
        answer "orders";
    cancel_all_orders:
        "All conditions must hold; without a body or with `{}` every open order is cancelled. The answer has the \
        cancelled orders.",
        request r#"{"currency":"USD"}"#,
        answer "cancel_all";
    cancel_all_orders_by_post:
        "Some clients cannot send a body with DELETE. An `Idempotency-Key` covers both forms.",
        request r#"{"currency":"USD"}"#,
        answer "cancel_all";
    cancel_after:
        "A switch for programs that may die: all your open orders are cancelled after `seconds`, unless you send \
        this again. 0 takes the switch off.",
        request r#"{"seconds":60}"#,
        answer "cancel_after";
    place_orders:
        "Items may be of different markets and events, which `outcomeId` names. Each item succeeds or fails on its \
        own, in order.",
        request r#"{"orders":[{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","type":"LIMIT","amount":70,"price":0.7}]}"#,
        answer "batch_place";
    cancel_orders: "Each id succeeds or fails on its own, in order. The body is signed.",
        request r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a"]}"#,
        answer "batch_cancel";
    cancel_orders_by_post: "Some clients cannot send a body with DELETE. An `Idempotency-Key` covers both forms.",
        request r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a"]}"#,
        answer "batch_cancel";
    amend_orders:
        "`newSize` is the new total, including what has filled. A smaller or equal size at the same price keeps its \
        place in the queue.",
        request r#"{"items":[{"orderId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a","newPrice":0.71,"newSize":120}]}"#,
        answer "batch_amend";
    get_order: "An order of yours, open or closed. An order of another user is not found.",
        answer "orders" at "/orders/0";
    cancel_order: "Cancels an open order on a book. An order against a pool has executed already.",
        answer "cancel_order";
    mint_sets:
        "`quantity` is an amount of money. Each base unit becomes one YES and one NO share; prices do not move.",
        request r#"{"quantity":100,"currency":"USD"}"#,
        answer "mint";
    burn_sets: "`quantity` is an amount of money. Equal numbers of free YES and NO shares become money again.",
        request r#"{"quantity":100,"currency":"USD"}"#,
        answer "burn";

    list_books: "Levels of each outcome, best first, at most `depth`. An outcome against a pool has an empty book.",
        answer "books";
    get_ticker:
        "Best bid and ask, last price, and the volume, range and change of 24 hours. Only for markets with a book.",
        answer "ticker";
    market_changes:
        "Without `after`, a snapshot. With it, every change since that sequence: keep a copy of a book without a \
        stream.",
        answer "market_changes";
    list_trades: "By market, order, outcome, user and time. `engine=AMM` has the trades against pools.",
        answer "trades";
    price_history: "Points of each market under its id, and all markets again as a list in `markets`.",
        answer "price_history";
    candles: "Candles of one outcome; spans without a trade have none.",
        answer "candles";
    asset_prices: "The prices that decide the events of a series.",
        answer "asset_prices";

    list_leagues: "All leagues that have teams here.",
        answer "leagues";
    list_teams: "Teams by league or sport.",
        answer "teams";
    list_games:
        "Games by league, sport or team, with score and clock while they are live. `slug` selects the linked \
        events.",
        answer "games";

    solvency:
        "Totals of all accounts of each currency, the collateral of all markets, and the root of a Merkle-sum tree \
        over all accounts.",
        answer "solvency";
    my_solvency:
        "Your leaf and the hashes up to the root. Check it with the published root, without trusting the exchange.",
        answer "my_solvency";

    portfolio:
        "Every outcome that you hold shares of, valued at the proceeds of selling all of it now. Totals cover all \
        rows.",
        answer "portfolio";
    list_activities: "Orders, fills, payouts and sets, by group, event, market and time.",
        answer "activities";
    pnl: "Realised results of a span, from trades and from settlement.",
        answer "pnl";
    statement: "Deposits and withdrawals included; each movement is signed and has the balance after it.",
        answer "statement";
    account_value: "Money and shares together, in equal steps over the span.",
        answer "account_value";
    list_notifications: "`readUntil` is the sequence up to which you have read them.",
        answer "notifications";
    read_notifications: "The mark only moves forward.",
        request r#"{"sequence":7}"#,
        answer "message";
    list_price_alerts: "Those that wait and those that have fired.",
        answer "price_alerts";
    create_price_alert: "It fires once, when the shown price reaches `price` from the other side.",
        request r#"{"marketId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e02","outcome":"YES","price":0.6,"currency":"USD"}"#,
        answer "price_alerts" at "/alerts/0";
    remove_price_alert: "Removes an alert, fired or not.",
        answer "message";
    list_push_subscriptions: "Browsers that get your notifications as push messages.",
        answer "push_subscriptions";
    subscribe_push: "The body is what `PushSubscription.toJSON()` of the browser gives.",
        request r#"{"endpoint":"https://push.example/send/1","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
        answer "push_subscriptions" at "/subscriptions/0";
    unsubscribe_push: "The browser gets no further push messages.",
        answer "message";
    wallet_assets: "Free and held money of each currency.",
        answer "wallet_assets";
    account_changes:
        "Without `after`, a snapshot. With it, every change of your orders, money and positions since that \
        sequence.",
        answer "account_changes";
    list_liquidity_rewards: "This venue pays no rewards yet; the list is empty.",
        answer "liquidity_rewards";
    list_active_liquidity_rewards: "This venue pays no rewards yet; the list is empty.",
        answer "active_liquidity_rewards";
    list_maker_rebates: "This venue pays no rebates yet; the list is empty.",
        answer "maker_rebates";
    list_active_maker_rebates: "This venue pays no rebates yet; the list is empty.",
        answer "active_maker_rebates";
}
