//! The venue's business by currency.

use api::Word;
use exchange::numbers::Currency;

use crate::app::App;
use crate::signals::text::{MetricsText, decimal};
use crate::signals::venue::{ACTIVE_SECONDS, VenueTotals};
use crate::view::words::ToApi;

pub(super) fn write(text: &mut MetricsText, app: &App) {
    let interest = {
        let exchange = app.reading().state();
        Currency::ALL.map(|currency| exchange.ledger().accounts(currency).collateral_total().units())
    };
    let now = app.now_micros().div_euclid(1_000_000);
    let totals = Currency::ALL.map(|currency| app.signals().venue.totals(currency));
    let by_currency = |text: &mut MetricsText, name: &str, value: &dyn Fn(usize) -> String| {
        for currency in Currency::ALL {
            text.sample(name, &[("currency", currency.to_api().as_str())], value(currency as usize));
        }
    };
    let of = |value: fn(&VenueTotals) -> u64| move |at: usize| decimal(value(&totals[at]));
    text.begin("bellwether_volume_total", "counter", "Value of trades, in the currency");
    by_currency(text, "bellwether_volume_total", &of(|totals| totals.volume));
    text.begin("bellwether_fees_total", "counter", "Fees of trades, in the currency");
    by_currency(text, "bellwether_fees_total", &of(|totals| totals.fees));
    text.begin("bellwether_trades_total", "counter", "Trades on books and with pools");
    by_currency(text, "bellwether_trades_total", &|at| totals[at].trades.to_string());
    text.begin("bellwether_open_interest", "gauge", "Collateral of all outstanding shares, in the currency");
    by_currency(text, "bellwether_open_interest", &|at| decimal(interest[at].unsigned_abs()));
    text.begin("bellwether_active_traders", "gauge", "Users who traded in the last hour");
    let active = |at: usize| app.signals().venue.traders_since(Currency::ALL[at], now - ACTIVE_SECONDS);
    by_currency(text, "bellwether_active_traders", &|at| active(at).to_string());
}
