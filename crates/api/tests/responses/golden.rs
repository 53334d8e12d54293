//! The exact text of each response, in `golden/`. `UPDATE_EXPECT=1` rewrites it; read the difference before you commit it.

use api::json::{Decimals, WriteJson, Writer, pretty};
use api::query::PageQuery;
use api::response::{
    AuthCheck, CancelAfterResponse, CancelAllResponse, CancelOrderResponse, Health, Message, Order,
    Pagination, PlaceOrderResponse, Ready, Version, Watched,
};
use expect_test::expect_file;

use crate::responses::samples;

fn text(response: &dyn WriteJson, decimals: Decimals) -> String {
    let mut out = Writer::new(Vec::new(), decimals);
    response.write_json(&mut out);
    pretty(&out.into_bytes())
}

fn ready() -> Ready {
    Ready {
        ready: true,
        replayed: true,
        sequence: 7,
        history_lag: 0,
        cancel_only: false,
        reasons: Vec::new(),
        clock_ahead: None,
        clock_behind: None,
        log_lag: None,
        log_age: None,
    }
}

fn auth_check() -> AuthCheck {
    AuthCheck { valid: true, server_time: 1_730_000_000, skew_seconds: -2, body_hash: String::new() }
}

/// Every response with the name of its golden file.
pub fn all() -> Vec<(&'static str, String)> {
    in_form(Decimals::Numbers)
}

pub fn in_form(decimals: Decimals) -> Vec<(&'static str, String)> {
    let text = |response: &dyn WriteJson| text(response, decimals);
    vec![
        ("health", text(&Health::new(true))),
        ("health_unavailable", text(&Health::new(false))),
        ("version", text(&Version { version: "0.1.0", commit: "0123abc" })),
        ("ready", text(&ready())),
        ("message", text(&Message::API_KEY_REVOKED)),
        ("auth_check", text(&auth_check())),
        ("session", text(&samples::session())),
        ("issued_api_key", text(&samples::issued_key())),
        ("api_keys", text(&samples::keys())),
        ("user_profile", text(&samples::user())),
        ("event", text(&samples::event())),
        ("events", text(&samples::events())),
        ("watched", text(&Watched { event_id: samples::id(1), user_watchlisted: true })),
        ("event_resolution", text(&samples::event_resolution())),
        ("series_list", text(&samples::series())),
        ("lean_events", text(&samples::lean_events())),
        ("quote", text(&samples::quote())),
        ("order_quote", text(&samples::order_quote())),
        ("refused_quote", text(&samples::refused_quote())),
        ("place_order_clob", text(&PlaceOrderResponse::from(Order::Clob(samples::clob_order())))),
        ("place_order_amm", text(&PlaceOrderResponse::from(Order::Amm(samples::amm_order())))),
        ("orders", text(&samples::orders())),
        ("cancel_order", text(&CancelOrderResponse::from(samples::clob_order()))),
        ("cancel_after", text(&CancelAfterResponse { cancel_at: samples::date(60) })),
        ("cancel_all", text(&CancelAllResponse::from(vec![samples::clob_order()]))),
        ("batch_place", text(&samples::batch_place())),
        ("batch_amend", text(&samples::batch_amend())),
        ("batch_cancel", text(&samples::batch_cancel())),
        ("mint", text(&samples::mint())),
        ("burn", text(&samples::burn())),
        ("solvency", text(&samples::solvency())),
        ("my_solvency", text(&samples::my_solvency())),
        ("portfolio", text(&samples::portfolio())),
        ("wallet_assets", text(&samples::wallet())),
        ("activities", text(&samples::activities())),
        ("pnl", text(&samples::pnl())),
        ("statement", text(&samples::statement())),
        ("notifications", text(&samples::notifications())),
        ("price_alerts", text(&samples::price_alerts())),
        ("push_subscriptions", text(&samples::push_subscriptions())),
        ("account_value", text(&samples::account_value())),
        ("trades", text(&samples::trades())),
        ("ticker", text(&samples::ticker())),
        ("books", text(&samples::books())),
        ("price_history", text(&samples::price_history())),
        ("candles", text(&samples::candles())),
        ("asset_prices", text(&samples::asset_prices())),
        ("news", text(&samples::news())),
        ("market_changes", text(&samples::market_changes())),
        ("account_changes", text(&samples::account_changes())),
        ("teams", text(&samples::teams())),
        ("games", text(&samples::games())),
        ("leagues", text(&samples::leagues())),
        ("liquidity_rewards", text(&samples::liquidity_rewards())),
        ("active_liquidity_rewards", text(&samples::active_liquidity_rewards())),
        ("maker_rebates", text(&samples::maker_rebates())),
        ("active_maker_rebates", text(&samples::active_maker_rebates())),
        ("pagination_of_nothing", text(&Pagination::new(PageQuery { page: 1, size: 20 }, 0))),
    ]
}

#[test]
fn each_response_has_its_golden_text() {
    for (name, text) in all() {
        expect_file![format!("golden/{name}.json")].assert_eq(&format!("{text}\n"));
    }
}

/// Clients break on null; the contract allows it for these four keys only.
#[test]
fn nothing_is_null_but_four_keys() {
    let allowed = ["propTeam", "resolvedOutcomeId", "liquidityReward", "makerRebate"];
    for (name, text) in all() {
        for line in text.lines().filter(|line| line.contains("null")) {
            assert!(allowed.iter().any(|key| line.contains(&format!("\"{key}\": null"))), "{name}: {line}");
        }
    }
}

#[test]
fn numbers_have_no_exponent_no_needless_zero_and_integers_no_point() {
    for (name, text) in all() {
        let values = text.lines().filter_map(|line| line.trim().trim_end_matches(',').rsplit_once(": "));
        for (key, value) in values
            .filter(|(_, value)| value.starts_with(|first: char| first == '-' || first.is_ascii_digit()))
        {
            let needless = value.contains('.') && value.ends_with('0');
            assert!(
                !value.contains(['e', 'E']) && !needless && !value.ends_with('.'),
                "{name}: {key} {value}"
            );
        }
    }
}
