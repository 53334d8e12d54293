//! Virtual traders: users who act only when the clock advances, each at its own interval. The seed, the trader's name, the
//! time and the state determine each act.

mod behaviour;

use exchange::catalogue::{Engine, Status};
use exchange::command::{CancelAllOrders, Command};
use exchange::id::{MarketId, UserId};
use exchange::index::ListingIndex;
use exchange::numbers::Currency;
use exchange::order::Item;
use exchange::time::{Span, Time};
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub(crate) use behaviour::Behaviour;
use behaviour::{Sight, choose};

use crate::error::Refusal;
use crate::orders::Place;
use crate::venue::Venue;

/// A virtual trader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Trader {
    pub(crate) name: String,
    pub(crate) user_id: Uuid,
    pub(crate) behaviour: Behaviour,
    pub(crate) market_id: Uuid,
    pub(crate) currency: String,
    /// Seconds between two acts.
    pub(crate) every: u32,
    /// Shares of an order.
    pub(crate) size: u32,
    /// The price of YES in cents that the trader believes in; makers without one follow the market.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fair: Option<u8>,
    /// Cents between a maker's best bid and ask.
    pub(crate) spread: u8,
}

impl Trader {
    /// The trader's next act after `now`.
    pub(crate) fn next_act(&self, now: Time) -> Time {
        now.next_multiple(Span::seconds(i64::from(self.every.max(1))))
    }

    fn place(&self) -> Option<Place> {
        let currency = Currency::ALL.into_iter().find(|currency| currency.code() == self.currency)?;
        Some(Place { market: MarketId::new(self.market_id.as_u128()), currency })
    }
}

/// A generator whose draws follow from the seed, a name and a time.
pub(crate) fn draws(seed: u64, name: &str, at: Time) -> Rng {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_be_bytes()).update(&at.micros().to_be_bytes()).update(name.as_bytes());
    let mut number = [0; 8];
    hasher.finalize_xof().fill(&mut number);
    Rng::with_seed(u64::from_be_bytes(number))
}

/// Lets the trader at a place of the list act. A refusal by the rules is part of the game.
pub(crate) fn act(venue: &Venue, place: usize) -> Result<(), Refusal> {
    let trader = &venue.record.traders[place];
    let Some((place, sight)) = trader.place().and_then(|place| Some((place, look(venue, trader, place)?)))
    else {
        return Ok(());
    };
    let actor = match venue.actor_of(UserId::new(trader.user_id.as_u128())) {
        // The user was erased, or its key was revoked.
        Err(Refusal::Answered(_)) => return Ok(()),
        actor => actor?,
    };
    if trader.behaviour == Behaviour::Maker {
        let cancel =
            CancelAllOrders { event: None, market: Some(place.market), currency: Some(place.currency) };
        Refusal::ignore(venue.submit(actor, Command::CancelAllOrders(cancel)))?;
    }
    // The run of a toxic trader lasts for several acts, so it does not depend on the moment.
    let mut rng = draws(venue.record.seed, &trader.name, venue.fixed.clock.time());
    let orders = choose(trader, place, &sight, &mut rng);
    if orders.is_empty() {
        return Ok(());
    }
    let items: Vec<_> = orders.into_iter().map(Item::Valid).collect();
    let command = match sight.engine {
        Engine::Clob => Command::PlaceOrders(exchange::command::PlaceOrders { items }),
        Engine::Amm => match items.into_iter().next() {
            Some(Item::Valid(order)) => Command::PlaceOrder(order),
            _ => return Ok(()),
        },
    };
    Refusal::ignore(venue.submit(actor, command))
}

/// The trader's market, if it is open.
fn look(venue: &Venue, trader: &Trader, place: Place) -> Option<Sight> {
    let exchange = venue.app().ok()?.reading().state();
    let catalogue = exchange.catalogue();
    let index = catalogue.find_market(place.market)?;
    let market = catalogue.market(index);
    if market.status != Status::Open {
        return None;
    }
    let listing = catalogue.listing(ListingIndex::new(index, place.currency));
    let best = |side| listing.book().and_then(|book| book.best(side)).map(|price| i64::from(price.cents()));
    let run = venue.fixed.clock.time().micros() / (i64::from(trader.every.max(1)) * 5_000_000);
    Some(Sight {
        engine: catalogue.event(market.event).engine,
        price: listing.yes_price().units() / 10_000,
        bid: best(exchange::book::BookSide::Bid),
        ask: best(exchange::book::BookSide::Ask),
        is_rising: draws(venue.record.seed, &trader.name, Time::from_micros(run)).bool(),
    })
}
