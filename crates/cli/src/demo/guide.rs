//! What the demo prints: where to go, how to log in, how to send a signed order.

use exchange::catalogue::{Engine, Event, Status};
use exchange::id::OutcomeId;
use exchange::numbers::Currency;
use server::app::App;

use super::people::WITHOUT_BOT;
use super::record::{Record, path};
use crate::settings::Settings;

pub(super) fn print(record: &Record, settings: &Settings, app: &App, no_bots: bool) {
    println!("Bellwether demo");
    println!();
    println!("Open {} in a browser", record.base_url);
    if let Some(user) = record.users.first() {
        println!("  and log in as {} with {}", user.email, user.password);
    }
    println!("Operators open {}", record.admin_url);
    println!("  and log in with the token in {}", settings.operator_token_file.display());
    println!();
    println!("The API is at the same addresses, described under /docs and /admin/docs.");
    println!(
        "Everything is kept in {}; keys and passwords are in {}",
        settings.data.display(),
        path(&settings.data).display()
    );
    println!();
    print_events(app);
    println!();
    println!("People (each with 100,000 USD, 10,000,000 NGN and an API key):");
    for user in &record.users {
        println!("  {:<20} {}", user.email, user.password);
    }
    if !no_bots {
        println!("Bots trade as the last {}.", record.users.len() - WITHOUT_BOT);
    }
    println!();
    print_commands(record, settings, app);
}

fn print_events(app: &App) {
    println!("Open events:");
    let exchange = app.shared.read();
    for (_, event) in exchange.catalogue().events().filter(|(_, event)| event.status == Status::Open) {
        let engine = match event.engine {
            Engine::Amm => "AMM",
            Engine::Clob => "CLOB",
        };
        let currencies: Vec<_> = event.currencies.iter().map(|currency| Currency::code(*currency)).collect();
        println!("  {:<4} {:<7} {:<32} {}", engine, currencies.join(" "), &*event.slug, event.details.title);
    }
}

fn print_commands(record: &Record, settings: &Settings, app: &App) {
    let Some(user) = record.users.first() else { return };
    println!("Log in without a browser:");
    println!("  curl -s {}/v1/user/login -H 'content-type: application/json' \\", record.base_url);
    println!("    -d '{{\"email\":\"{}\",\"password\":\"{}\"}}'", user.email, user.password);
    println!("Look around:");
    println!("  curl -s {}/v1/pm/events", record.base_url);
    println!("  curl -s {}/v1/wallet/assets -H 'X-Public-Key: {}'", record.base_url, user.public_key);
    if let Some((order_path, outcome)) = sample_order(app) {
        println!("Sign and send an order (scripts/sign.sh takes keys and address from demo.json):");
        println!("  DEMO={} scripts/sign.sh POST {order_path} \\", path(&settings.data).display());
        println!(
            "    '{{\"side\":\"BUY\",\"outcomeId\":\"{outcome}\",\"type\":\"MARKET\",\"amount\":10,\"currency\":\"USD\"}}'"
        );
    }
    if let Some(slug) = sample_slug(app) {
        println!("Watch a book, its trades and your orders live:");
        println!("  bellwether watch {slug} --data {}", settings.data.display());
    }
    println!("Stop with Ctrl-C; the next start goes on from here.");
}

/// The first open order book with one market.
fn sample_slug(app: &App) -> Option<String> {
    let exchange = app.shared.read();
    let mut events = exchange.catalogue().events();
    let is_wanted = |event: &Event| {
        event.engine == Engine::Clob && event.status == Status::Open && event.markets.len() == 1
    };
    events.find(|(_, event)| is_wanted(event)).map(|(_, event)| event.slug.to_string())
}

/// The path of an order in the first open order book, and its YES.
fn sample_order(app: &App) -> Option<(String, OutcomeId)> {
    let exchange = app.shared.read();
    let catalogue = exchange.catalogue();
    let is_wanted = |engine, status| engine == Engine::Clob && status == Status::Open;
    let (_, event) = catalogue.events().find(|(_, event)| is_wanted(event.engine, event.status))?;
    let market = catalogue.market(*event.markets.first()?).id;
    let order_path = format!("/v1/pm/events/{}/markets/{market}/orders", event.id);
    Some((order_path, OutcomeId::of(market, 0)))
}
