//! A summary of a state: sequence and time, counts, all accounts, events with their status.

use api::Timestamp;
use api::decimal::Money;
use api::json::WriteJson;
use api::response::CurrencyAccounts;
use api::terms::Status;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use data_encoding::HEXLOWER;
use exchange::numbers::Currency;
use server::audit::past::PastState;
use server::view::solvency::all_accounts;
use server::view::words::ToApi;
use uuid::Uuid;

use super::detail::{ShownMarket, ShownUser};
use crate::output::say;

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
pub struct State {
    sequence: u64,
    /// The time of the last frame included.
    at: Timestamp,
    frame_hash: String,
    state_digest: String,
    /// Whether the journal continues after it.
    has_more: bool,
    counts: Counts,
    currencies: Vec<CurrencyAccounts>,
    events: Vec<ShownEvent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<ShownUser>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<ShownMarket>,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct Counts {
    users: usize,
    operators: usize,
    events: usize,
    markets: usize,
    open_orders: u64,
    positions: usize,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct ShownEvent {
    id: Uuid,
    slug: String,
    status: Status,
    markets: usize,
}

impl State {
    pub fn of(past: &PastState) -> State {
        let exchange = &past.exchange;
        let (directory, catalogue) = (exchange.directory(), exchange.catalogue());
        let counts = Counts {
            users: directory.users().len(),
            operators: directory.operators().len(),
            events: catalogue.events().len(),
            markets: catalogue.markets().len(),
            open_orders: directory.users().map(|(_, user)| u64::from(user.open_orders())).sum(),
            positions: directory.users().map(|(index, _)| exchange.positions_of(index).count()).sum(),
        };
        let events = catalogue.events().map(|(_, event)| ShownEvent {
            id: event.id.to_api(),
            slug: event.slug.to_string(),
            status: event.status.to_api(),
            markets: event.markets.len(),
        });
        State {
            sequence: exchange.seq(),
            at: Timestamp::from_micros(past.head.at),
            frame_hash: past.head.hash.to_string(),
            state_digest: HEXLOWER.encode(&exchange.digest()),
            has_more: past.has_more,
            counts,
            currencies: Currency::ALL
                .iter()
                .map(|currency| all_accounts(&exchange.all_accounts(*currency)))
                .collect(),
            events: events.collect(),
            user: None,
            market: None,
        }
    }

    pub fn print(&self) {
        let more = if self.has_more { "; the journal goes on" } else { ", the end of the journal" };
        say!("sequence      {}{more}", self.sequence);
        say!("time          {}", self.at);
        say!("frame hash    {}", self.frame_hash);
        say!("state digest  {}", self.state_digest);
        let Counts { users, operators, events, markets, open_orders, positions } = self.counts;
        say!(
            "there are     {users} users (the house is one), {operators} operators, {events} events, {markets} markets, {open_orders} open orders, {positions} positions"
        );
        print_accounts(&self.currencies);
        let mut table = table(&["event", "status", "markets", "id"]);
        for event in &self.events {
            let row = [
                event.slug.clone(),
                event.status.to_string(),
                event.markets.to_string(),
                event.id.to_string(),
            ];
            table.add_row(row);
        }
        say!("{table}");
        if let Some(user) = &self.user {
            user.print();
        }
        if let Some(market) = &self.market {
            market.print();
        }
    }
}

fn print_accounts(currencies: &[CurrencyAccounts]) {
    type Column = fn(&CurrencyAccounts) -> Money;
    let rows: [(&str, Column); 9] = [
        ("users, free", |accounts| accounts.users_free),
        ("users, held", |accounts| accounts.users_held),
        ("house, free", |accounts| accounts.house_free),
        ("house, held", |accounts| accounts.house_held),
        ("fees", |accounts| accounts.fees),
        ("collateral", |accounts| accounts.collateral),
        ("external", |accounts| accounts.external),
        ("rounding", |accounts| accounts.rounding),
        ("sum", |accounts| accounts.sum),
    ];
    let mut table = table(&["account", "USD", "NGN"]);
    for (name, column) in rows {
        let cells = currencies.iter().map(|accounts| column(accounts).to_string());
        table.add_row(std::iter::once(name.to_owned()).chain(cells));
    }
    say!("{table}");
}

/// A table in the style of the `admin` commands.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(header.iter().copied());
    table
}
