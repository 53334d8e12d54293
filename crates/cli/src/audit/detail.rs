//! One user or one market of a past state.

use api::decimal::{Money, Shares, UnitPrice};
use api::json::WriteJson;
use api::proof::Leaf;
use api::response::MarketBacking;
use exchange::Exchange;
use exchange::id::{MarketId, UserId};
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::Currency;
use exchange::order::Outcome;
use server::view::solvency::{leaf, market_backing};
use server::view::words::ToApi;
use uuid::Uuid;

use super::state::table;
use crate::output::say;

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
pub struct ShownUser {
    tag: String,
    disabled: bool,
    erased: bool,
    open_orders: u32,
    api_keys: usize,
    account: Leaf,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
pub struct ShownMarket {
    id: Uuid,
    title: String,
    status: api::terms::Status,
    listings: Vec<ShownListing>,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct ShownListing {
    backing: MarketBacking,
    yes_price: UnitPrice,
    volume: Money,
    holders: Vec<Holder>,
}

#[derive(Debug, WriteJson)]
#[serde(rename_all = "camelCase")]
struct Holder {
    user_id: Uuid,
    yes: Shares,
    no: Shares,
}

/// Finds a user by id or by tag, case-insensitive. The journal contains no email addresses.
pub fn find_user(exchange: &Exchange, wanted: &str) -> Option<UserIndex> {
    let directory = exchange.directory();
    match Uuid::parse_str(wanted) {
        Ok(id) => directory.find(UserId::new(id.as_u128())),
        Err(_) => directory.find_by_tag(wanted.trim()),
    }
}

pub fn show_user(exchange: &Exchange, index: UserIndex) -> ShownUser {
    let user = exchange.directory().user(index);
    ShownUser {
        tag: user.tag.to_string(),
        disabled: user.disabled,
        erased: user.erased,
        open_orders: user.open_orders(),
        api_keys: user.keys.len(),
        account: leaf(exchange, index),
    }
}

pub fn show_market(exchange: &Exchange, id: Uuid) -> Option<ShownMarket> {
    let index = exchange.catalogue().find_market(MarketId::new(id.as_u128()))?;
    let market = exchange.catalogue().market(index);
    let listings = Currency::ALL.iter().map(|currency| ListingIndex::new(index, *currency));
    Some(ShownMarket {
        id,
        title: market.details.title.to_string(),
        status: market.status.to_api(),
        listings: listings.map(|listing| show_listing(exchange, listing)).collect(),
    })
}

fn show_listing(exchange: &Exchange, index: ListingIndex) -> ShownListing {
    let listing = exchange.catalogue().listing(index);
    let users = exchange.directory().users().filter_map(|(user, record)| {
        let position = exchange.position(user, index)?;
        let shares = |outcome| position.holding(outcome).total().to_api();
        Some(Holder { user_id: record.id.to_api(), yes: shares(Outcome::Yes), no: shares(Outcome::No) })
    });
    ShownListing {
        backing: market_backing(exchange, &exchange.backing(index)),
        yes_price: listing.yes_price().to_api(),
        volume: listing.volume.to_api(),
        holders: users.filter(|holder| holder.yes > Shares::ZERO || holder.no > Shares::ZERO).collect(),
    }
}

impl ShownUser {
    pub fn print(&self) {
        let disabled = if self.disabled { ", disabled" } else { "" };
        let erased = if self.erased { ", erased" } else { "" };
        say!("user          {} ({}{disabled}{erased})", self.account.user_id, self.tag);
        say!("has           {} API keys, {} open orders", self.api_keys, self.open_orders);
        let balances = &self.account.balances;
        for (currency, balance) in [("USD", &balances.usd), ("NGN", &balances.ngn)] {
            say!("{currency}           {} free, {} held", balance.free, balance.held);
        }
        let mut table = table(&["market", "currency", "YES free", "YES held", "NO free", "NO held"]);
        for row in &self.account.positions {
            let shares =
                [row.yes_free, row.yes_held, row.no_free, row.no_held].map(|shares| shares.to_string());
            let cells = [row.market_id.to_string(), row.currency.to_string()].into_iter().chain(shares);
            table.add_row(cells);
        }
        say!("{table}");
    }
}

impl ShownMarket {
    pub fn print(&self) {
        say!("market        {} ({}), {}", self.id, self.title, self.status);
        for listing in &self.listings {
            let backing = &listing.backing;
            say!(
                "{}           collateral {}, YES {}, NO {} outstanding; pool {} and {}; YES at {}; traded {}",
                backing.currency,
                backing.collateral,
                backing.yes_outstanding,
                backing.no_outstanding,
                backing.pool_yes,
                backing.pool_no,
                listing.yes_price,
                listing.volume
            );
            let mut table = table(&["holder", "YES", "NO"]);
            for holder in &listing.holders {
                table.add_row([holder.user_id.to_string(), holder.yes.to_string(), holder.no.to_string()]);
            }
            say!("{table}");
        }
    }
}
