//! Virtual traders: make one, list them, remove them.

use axum::extract::{Path, State};
use bytes::Bytes;
use exchange::command::{CancelAllOrders, Command};
use exchange::id::{MarketId, UserId};
use exchange::numbers::{Currency, Money};
use serde::{Deserialize, Serialize};
use server::view::words::ToApi;
use uuid::Uuid;

use super::{Answered, Shared, created, ok, read};
use crate::error::Refusal;
use crate::moves::currency;
use crate::traders::{Behaviour, Trader};
use crate::venue::Venue;

/// Money of a virtual trader, in USD; a naira wallet gets a hundred times as much.
const MONEY: i64 = 100_000;
const TRADERS_MAX: usize = 100;
const EVERY_MAX: u32 = 86_400;
const SIZE_MAX: u32 = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Create {
    behaviour: Behaviour,
    market_id: Uuid,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    currency: Option<String>,
    #[serde(default)]
    every: Option<u32>,
    #[serde(default)]
    size: Option<u32>,
    #[serde(default)]
    fair: Option<u8>,
    #[serde(default)]
    spread: Option<u8>,
}

impl Create {
    fn check(&self) -> Result<Currency, Refusal> {
        let is_within = |given: Option<u32>, most| given.is_none_or(|given| (1..=most).contains(&given));
        if !is_within(self.every, EVERY_MAX) || !is_within(self.size, SIZE_MAX) {
            return Err(Refusal::bad("every is 1 to 86400 seconds, size is 1 to 10000 shares"));
        }
        let is_price = |given: Option<u8>| given.is_none_or(|given| (1..=99).contains(&given));
        if !is_price(self.fair) || !is_price(self.spread) {
            return Err(Refusal::bad("fair and spread are 1 to 99 cents"));
        }
        if self.behaviour == Behaviour::Informed && self.fair.is_none() {
            return Err(Refusal::bad("fair: an informed trader knows the fair price"));
        }
        currency(self.currency.as_deref())
    }

    /// Makes the trader's user and adds the trader.
    fn carry_out(self, venue: &mut Venue, money: Currency) -> Result<Trader, Refusal> {
        let market = MarketId::new(self.market_id.as_u128());
        let (_, has_book) = venue.event_of(market)?;
        if self.behaviour.needs_book() && !has_book {
            return Err(Refusal::bad("marketId: this behaviour needs a market with a book"));
        }
        if venue.record.traders.len() >= TRADERS_MAX {
            return Err(Refusal::bad("There are 100 virtual traders already"));
        }
        let name = self.name.unwrap_or_else(|| format!("virtual_{}", venue.record.take_number()));
        let user = venue.add_user(&name, None)?.id;
        let operator = venue.operator()?;
        venue.credit(operator, user, money, Money::whole(MONEY * money.base()))?;
        let trader = Trader {
            name,
            user_id: user.to_api(),
            behaviour: self.behaviour,
            market_id: self.market_id,
            currency: money.code().to_owned(),
            every: self.every.unwrap_or(self.behaviour.every()),
            size: self.size.unwrap_or(10),
            fair: self.fair,
            spread: self.spread.unwrap_or(2),
        };
        venue.record.traders.push(trader.clone());
        Ok(trader)
    }
}

pub(super) async fn create(State(control): Shared, body: Bytes) -> Answered {
    let create: Create = read(&body)?;
    let money = create.check()?;
    created(&control.with_venue(move |venue| create.carry_out(venue, money)).await?)
}

#[derive(Serialize)]
struct Traders {
    traders: Vec<Trader>,
}

pub(super) async fn list(State(control): Shared) -> Answered {
    ok(&Traders { traders: control.with_venue(|venue| Ok(venue.record.traders.clone())).await? })
}

/// Removes a trader: it acts no more, and its open orders are cancelled. Its user stays.
pub(super) async fn remove(State(control): Shared, Path(name): Path<String>) -> Answered {
    let left = control.with_venue(move |venue| {
        if !venue.record.traders.iter().any(|trader| trader.name == name) {
            return Err(Refusal::missing("No such trader"));
        }
        remove_if(venue, |trader| trader.name == name)
    });
    ok(&Traders { traders: left.await? })
}

pub(super) async fn remove_all(State(control): Shared) -> Answered {
    ok(&Traders { traders: control.with_venue(|venue| remove_if(venue, |_| true)).await? })
}

fn remove_if(venue: &mut Venue, is_meant: impl Fn(&Trader) -> bool) -> Result<Vec<Trader>, Refusal> {
    let (gone, left) = venue.record.traders.drain(..).partition(|trader| is_meant(trader));
    venue.record.traders = left;
    let gone: Vec<Trader> = gone;
    for trader in gone {
        let actor = venue.actor_of(UserId::new(trader.user_id.as_u128()));
        let cancel = Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None });
        // A user who was erased, or whose key was revoked, cancels nothing.
        Refusal::ignore(actor.and_then(|actor| venue.submit(actor, cancel)))?;
    }
    Ok(venue.record.traders.clone())
}
