//! The measured reads: every list, and the reads of one large thing.

use exchange::order::Outcome;
use load::looking::Question;
use load::venue::{event, market, outcome, user};

use crate::crowded::{Sizes, TRADER, combined_id};

fn get(name: &str, path: impl Into<String>) -> Question {
    Question::get(name, path)
}

pub fn questions(sizes: &Sizes) -> Vec<Question> {
    [of_account(sizes), of_events(sizes), of_markets(), of_operators()].into_iter().flatten().collect()
}

fn of_account(sizes: &Sizes) -> Vec<Question> {
    let (last, lot) = (sizes.orders.div_ceil(100), sizes.orders / 2);
    let (one, some) = (market(lot), event(lot));
    vec![
        get("orders, open", "/v1/pm/orders?status=open&size=100"),
        get("orders, open, last page", format!("/v1/pm/orders?status=open&size=100&page={last}")),
        get("orders, partly filled", "/v1/pm/orders?status=partial_filled&size=100"),
        get("orders, open, one market", format!("/v1/pm/orders?status=open&size=100&marketId={one}")),
        get("orders, open, one event", format!("/v1/pm/orders?status=open&size=100&eventId={some}")),
        get("orders, open, BUY in USD", "/v1/pm/orders?status=open&size=100&side=BUY&currency=USD"),
        get("orders, all", "/v1/pm/orders?size=100"),
        get("orders, BUY in USD", "/v1/pm/orders?size=100&side=BUY&currency=USD"),
        get("orders, one name", "/v1/pm/orders?clientOrderId=order-7"),
        get("portfolio", "/v1/pm/portfolio?size=100"),
        get("portfolio, last page", format!("/v1/pm/portfolio?size=100&page={last}")),
        get("portfolio, one market", format!("/v1/pm/portfolio?marketId={one}")),
        get("account changes", "/v1/pm/account/changes"),
        get("activities", "/v1/pm/activities?size=100"),
        get("results", "/v1/pm/pnl?currency=USD&timePeriod=ALL&breakdown=true"),
        get("wallets", "/v1/wallet/assets"),
        get("user look-up", "/v1/user/lookup?tag=user5"),
        get("user trades", format!("/v1/pm/trades?size=100&userId={}", user(TRADER))),
    ]
}

fn of_events(sizes: &Sizes) -> Vec<Question> {
    let last = sizes.events / 100;
    vec![
        get("events, 100 of 100 markets", "/v1/pm/events?size=100"),
        get("events, 100 of one market", "/v1/pm/events?size=100&category=bench"),
        get("events, last page", format!("/v1/pm/events?size=100&page={last}")),
        get("events, trending", "/v1/pm/events?size=100&category=bench&trending=true"),
        get("events, keyword of most", "/v1/pm/events?size=100&category=bench&keyword=event%20"),
        get("events, keyword of two letters", "/v1/pm/events?size=100&category=bench&keyword=ve"),
        get("events, keyword of few", "/v1/pm/events?size=100&keyword=event%2077"),
        get("events, word of most", "/v1/pm/events?size=100&category=bench&q=event"),
        get("events, beginning of words", "/v1/pm/events?size=100&q=event+12"),
        get("events, beginning of many words", "/v1/pm/events?size=100&q=1"),
        get("events, typo", "/v1/pm/events?size=100&category=bench&q=evnet"),
        get("events, watchlist", "/v1/pm/events?size=100&watchlist=true"),
        get("event of 100 markets", format!("/v1/pm/events/{}", combined_id(0))),
        get("resolution of 100 markets", format!("/v1/pm/events/{}/resolution", combined_id(0))),
        get("series", "/v1/pm/events/series"),
    ]
}

fn of_markets() -> Vec<Question> {
    let books: Vec<String> =
        (0..50).map(|index| format!("outcomeId={}", outcome(index, Outcome::Yes))).collect();
    vec![
        get("50 books", format!("/v1/pm/books?depth=99&{}", books.join("&"))),
        get("ticker", format!("/v1/pm/markets/{}/ticker?outcome=YES", market(0))),
        get("market changes", format!("/v1/pm/markets/{}/changes", market(0))),
        get("price history", format!("/v1/pm/events/{}/price-history", combined_id(0))),
    ]
}

fn of_operators() -> Vec<Question> {
    vec![
        get("admin status", "/admin/v1/status"),
        get("metrics", "/metrics"),
        get("admin users", "/admin/v1/users?size=100"),
        get("admin users, last page", "/admin/v1/users?size=100&page=1000"),
        get("admin users, keyword", "/admin/v1/users?size=100&keyword=user99"),
        get("admin users, suspended", "/admin/v1/users?size=100&suspended=true"),
        get("admin user", format!("/admin/v1/users/{}", user(TRADER))),
        get("admin password resets", "/admin/v1/password-resets"),
        get("admin events", "/admin/v1/events?size=100"),
        get("admin events, keyword", "/admin/v1/events?size=100&keyword=event-"),
        get("admin event of 100 markets", format!("/admin/v1/events/{}", combined_id(0))),
        get("admin proposals", "/admin/v1/proposals"),
        get("admin operators", "/admin/v1/operators"),
        get("admin sports", "/admin/v1/sports"),
        get("admin audit", "/admin/v1/audit"),
        get("admin solvency", "/admin/v1/solvency"),
        Question::post(
            "admin preview of a cancellation",
            format!("/admin/v1/markets/{}/preview", market(0)),
            r#"{"yesPrice":0.50}"#,
        ),
    ]
}
