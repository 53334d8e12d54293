//! The text that the demo prints: addresses, logins, and how to send a signed order.

use exchange::catalogue::{Engine, Event, Status};
use exchange::id::OutcomeId;
use exchange::numbers::Currency;
use server::app::App;

use super::people::WITHOUT_BOT;
use super::record::{Record, path};
use crate::output::mention;
use crate::settings::Settings;

pub(super) fn print(record: &Record, settings: &Settings, app: &App, no_bots: bool) {
    mention!("Bellwether demo");
    mention!("");
    mention!("Open {} in a browser", record.base_url);
    if let Some(user) = record.users.first() {
        mention!("  and log in as {} with {}", user.email, user.password);
    }
    mention!("Operators open {}", record.admin_url);
    mention!("  and log in with the token in {}", settings.operator_token_file.display());
    mention!("");
    mention!("The API is at the same addresses, described under /docs and /admin/docs.");
    mention!(
        "Everything is kept in {}; keys and passwords are in {}",
        settings.data.display(),
        path(&settings.data).display()
    );
    mention!("");
    print_events(app);
    mention!("");
    mention!("People (each with 100,000 USD, 10,000,000 NGN and an API key):");
    for user in &record.users {
        mention!("  {:<20} {}", user.email, user.password);
    }
    if !no_bots {
        mention!("Bots trade as the last {}.", record.users.len() - WITHOUT_BOT);
    }
    mention!("");
    print_commands(record, settings, app);
}

fn print_events(app: &App) {
    mention!("Open events:");
    let exchange = app.reading().state();
    for (_, event) in exchange.catalogue().events().filter(|(_, event)| event.status == Status::Open) {
        let engine = match event.engine {
            Engine::Amm => "AMM",
            Engine::Clob => "CLOB",
        };
        let currencies: Vec<_> = event.currencies.iter().map(|currency| Currency::code(*currency)).collect();
        mention!("  {:<4} {:<7} {:<32} {}", engine, currencies.join(" "), &*event.slug, event.details.title);
    }
}

fn print_commands(record: &Record, settings: &Settings, app: &App) {
    let Some(user) = record.users.first() else { return };
    mention!("Log in without a browser:");
    mention!("  curl -s {}/v1/user/login -H 'content-type: application/json' \\", record.base_url);
    mention!("    -d '{{\"email\":\"{}\",\"password\":\"{}\"}}'", user.email, user.password);
    mention!("Look around:");
    mention!("  curl -s {}/v1/pm/events", record.base_url);
    mention!("  curl -s {}/v1/wallet/assets -H 'X-Public-Key: {}'", record.base_url, user.public_key);
    if let Some((order_path, outcome)) = sample_order(app) {
        mention!("Sign and send an order (scripts/sign.sh takes keys and address from demo.json):");
        mention!("  DEMO={} scripts/sign.sh POST {order_path} \\", path(&settings.data).display());
        mention!(
            "    '{{\"side\":\"BUY\",\"outcomeId\":\"{outcome}\",\"type\":\"MARKET\",\"amount\":10,\"currency\":\"USD\"}}'"
        );
    }
    if let Some(slug) = sample_slug(app) {
        mention!("Watch a book, its trades and your orders live:");
        mention!("  bellwether watch {slug} --data {}", settings.data.display());
    }
    mention!("Stop with Ctrl-C; the next start continues from here.");
}

/// The first open order book with one market.
fn sample_slug(app: &App) -> Option<String> {
    let exchange = app.reading().state();
    let mut events = exchange.catalogue().events();
    let is_wanted = |event: &Event| {
        event.engine == Engine::Clob && event.status == Status::Open && event.markets.len() == 1
    };
    events.find(|(_, event)| is_wanted(event)).map(|(_, event)| event.slug.to_string())
}

/// The path of an order in the first open order book, and its YES.
fn sample_order(app: &App) -> Option<(String, OutcomeId)> {
    let exchange = app.reading().state();
    let catalogue = exchange.catalogue();
    let is_wanted = |engine, status| engine == Engine::Clob && status == Status::Open;
    let (_, event) = catalogue.events().find(|(_, event)| is_wanted(event.engine, event.status))?;
    let market = catalogue.market(*event.markets.first()?).id;
    let order_path = format!("/v1/pm/events/{}/markets/{market}/orders", event.id);
    Some((order_path, OutcomeId::of(market, 0)))
}
