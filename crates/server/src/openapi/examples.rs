//! Examples of the requests and answers of the public API's operations, and the tags of its document.
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

/// The examples of an operation.
struct Examples {
    id: &'static str,
    /// A JSON text.
    request: Option<&'static str>,
    /// A JSON text, and the part of it that is the answer.
    answer: &'static str,
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

/// `operation: request "…", answer "golden" at "/pointer";` The request and the pointer into the golden text are optional.
/// An answer without a golden text is written out: `shows "…"`.
macro_rules! examples {
    ($(
        $id:ident:
        $(request $request:literal,)?
        $(answer $answer:literal $(at $pointer:literal)?)?
        $(shows $shown:literal)?;
    )*) => {
        const EXAMPLES: &[Examples] = &[$(Examples {
            id: stringify!($id),
            request: optional!($($request)?),
            answer: concat!($(golden!($answer))? $($shown)?),
            pointer: concat!($($($pointer)?)?),
        }),*];
    };
}

fn find(id: &str) -> Option<&'static Examples> {
    EXAMPLES.iter().find(|examples| examples.id == id)
}

/// The example of an operation's request.
pub(super) fn request_example(id: &str) -> Option<Value> {
    serde_json::from_str(find(id)?.request?).ok()
}

/// The example of an operation's answer.
pub(super) fn answer_example(id: &str) -> Option<Value> {
    let examples = find(id)?;
    let text: Value = serde_json::from_str(examples.answer).ok()?;
    text.pointer(examples.pointer).cloned().map(without_second_spellings)
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

examples! {
    health: answer "health";
    version: answer "version";
    health_v1: answer "health";
    version_v1: answer "version";
    ready: answer "ready";
    metrics: shows "\"bellwether_sequence 42\\n\"";
    auth_check: answer "auth_check";
    openapi: shows r#"{"openapi":"3.1.0"}"#;
    openapi_yaml: shows r#"{"openapi":"3.1.0"}"#;
    asyncapi: shows r#"{"asyncapi":"3.0.0"}"#;
    docs: shows "\"<!doctype html>\"";

    login:
        request r#"{"email":"ada@example.org","password":"correct horse battery"}"#,
        answer "session";
    logout: answer "message";
    reset_password:
        request r#"{"token":"5f1c0b6e","password":"a new password"}"#,
        answer "message";
    request_password_reset:
        request r#"{"email":"ada@example.org","tokenHash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}"#,
        shows r#"{"code":"K7RW3M","expiresAt":"2026-07-29T23:42:38Z"}"#;
    create_api_key:
        request r#"{"name":"bot"}"#,
        answer "issued_api_key";
    list_api_keys: answer "api_keys";
    revoke_api_key: answer "message";
    rotate_api_key: answer "issued_api_key";
    lookup_user: answer "user_profile";

    list_events: answer "events";
    list_series: answer "series_list";
    list_lean_events: answer "lean_events";
    get_event: answer "event";
    get_event_by_slug: answer "event";
    get_resolution: answer "event_resolution";
    list_news: answer "news";
    watch_event: answer "watched";
    unwatch_event: answer "watched";

    quote:
        request r#"{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","amount":100,"currency":"USD"}"#,
        answer "quote";
    place_order:
        request r#"{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","type":"LIMIT","amount":70,"price":0.7,"currency":"USD","clientOrderId":"mm-001"}"#,
        answer "place_order_clob";
    list_orders: answer "orders";
    cancel_all_orders:
        request r#"{"currency":"USD"}"#,
        answer "cancel_all";
    cancel_all_orders_by_post:
        request r#"{"currency":"USD"}"#,
        answer "cancel_all";
    cancel_after:
        request r#"{"seconds":60}"#,
        answer "cancel_after";
    place_orders:
        request r#"{"orders":[{"side":"BUY","outcomeId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e03","type":"LIMIT","amount":70,"price":0.7}]}"#,
        answer "batch_place";
    cancel_orders:
        request r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a"]}"#,
        answer "batch_cancel";
    cancel_orders_by_post:
        request r#"{"orderIds":["01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a"]}"#,
        answer "batch_cancel";
    amend_orders:
        request r#"{"items":[{"orderId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e0a","newPrice":0.71,"newSize":120}]}"#,
        answer "batch_amend";
    get_order: answer "orders" at "/orders/0";
    cancel_order: answer "cancel_order";
    mint_sets:
        request r#"{"quantity":100,"currency":"USD"}"#,
        answer "mint";
    burn_sets:
        request r#"{"quantity":100,"currency":"USD"}"#,
        answer "burn";

    list_books: answer "books";
    get_ticker: answer "ticker";
    market_changes: answer "market_changes";
    list_trades: answer "trades";
    price_history: answer "price_history";
    candles: answer "candles";
    asset_prices: answer "asset_prices";

    list_leagues: answer "leagues";
    list_teams: answer "teams";
    list_games: answer "games";

    solvency: answer "solvency";
    my_solvency: answer "my_solvency";

    portfolio: answer "portfolio";
    list_activities: answer "activities";
    pnl: answer "pnl";
    statement: answer "statement";
    account_value: answer "account_value";
    list_notifications: answer "notifications";
    read_notifications:
        request r#"{"sequence":7}"#,
        answer "message";
    list_price_alerts: answer "price_alerts";
    create_price_alert:
        request r#"{"marketId":"01980d2f-7c1e-7a64-9a53-3f7d2b8c1e02","outcome":"YES","price":0.6,"currency":"USD"}"#,
        answer "price_alerts" at "/alerts/0";
    remove_price_alert: answer "message";
    list_push_subscriptions: answer "push_subscriptions";
    subscribe_push:
        request r#"{"endpoint":"https://push.example/send/1","keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
        answer "push_subscriptions" at "/subscriptions/0";
    unsubscribe_push: answer "message";
    wallet_assets: answer "wallet_assets";
    account_changes: answer "account_changes";
    list_liquidity_rewards: answer "liquidity_rewards";
    list_active_liquidity_rewards: answer "active_liquidity_rewards";
    list_maker_rebates: answer "maker_rebates";
    list_active_maker_rebates: answer "active_maker_rebates";
}
