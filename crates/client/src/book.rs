//! A copy of a market's book, kept current by the changes of its stream.
//!
//! A book can be stale: the connection may be down, or a change may have been missed. `is_trusted` says so. Ask it before
//! you trade on a book. It turns false at once when the connection ends; changes arrive with the steps of the stream.

use std::collections::BTreeMap;

use api::terms::{Currency, Engine, OutcomeSide, Side, Status};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use crate::models::{BookLevel, MarketChanges, MarketPrices, MarketTerms};
use crate::stream::{Details, LocalCopy};
use crate::term::Term;
use crate::trust::{Liveness, Trust};

/// The book, the prices and the status of one market in one currency.
#[derive(Clone, Debug)]
pub struct LocalBook {
    market_id: Uuid,
    currency: Currency,
    trust: Trust,
    liveness: Liveness,
    state: State,
}

/// Everything that a snapshot replaces. From the side of the first outcome.
#[derive(Clone, Debug, Default)]
struct State {
    event_id: Option<Uuid>,
    engine: Option<Term<Engine>>,
    status: Option<Term<Status>>,
    prices: Option<MarketPrices>,
    terms: Option<MarketTerms>,
    last_price: Option<Decimal>,
    last_side: Option<Term<Side>>,
    resolution: Option<Value>,
    bids: BTreeMap<Decimal, Decimal>,
    asks: BTreeMap<Decimal, Decimal>,
}

impl LocalBook {
    pub(crate) fn new(market_id: Uuid, currency: Currency) -> LocalBook {
        LocalBook {
            market_id,
            currency,
            trust: Trust::none(),
            liveness: Liveness::default(),
            state: State::default(),
        }
    }

    /// The market.
    pub fn market_id(&self) -> Uuid {
        self.market_id
    }

    /// The currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// The event; none before the first snapshot.
    pub fn event_id(&self) -> Option<Uuid> {
        self.state.event_id
    }

    /// Book or pool; none before the first snapshot.
    pub fn engine(&self) -> Option<&Term<Engine>> {
        self.state.engine.as_ref()
    }

    /// The market's status; none before the first snapshot.
    pub fn status(&self) -> Option<&Term<Status>> {
        self.state.status.as_ref()
    }

    /// Whether this is the exchange's book at `sequence`, as of the last step, and its connection is still open.
    pub fn is_trusted(&self) -> bool {
        self.trust.is_trusted && self.liveness.is_live()
    }

    /// The sequence, and why the book is not to be trusted.
    pub fn trust(&self) -> Trust {
        self.trust.while_live(&self.liveness)
    }

    /// The last request that the book includes.
    pub fn sequence(&self) -> u64 {
        self.trust.sequence
    }

    /// All four prices; none before the first snapshot.
    pub fn prices(&self) -> Option<MarketPrices> {
        self.state.prices
    }

    /// The fee and the minimum of orders to come, with those that are announced; none before the first snapshot.
    pub fn terms(&self) -> Option<MarketTerms> {
        self.state.terms
    }

    /// The price of the last trade, from the side of the first outcome.
    pub fn last_price(&self) -> Option<Decimal> {
        self.state.last_price
    }

    /// The taker's side in the last trade, from the side of the first outcome.
    pub fn last_side(&self) -> Option<&Term<Side>> {
        self.state.last_side.as_ref()
    }

    /// The proposal, the last verdict and the result, as docs/streams.md describes them; none if there is nothing. Plain
    /// JSON: its numbers may be floats.
    pub fn resolution(&self) -> Option<&Value> {
        self.state.resolution.as_ref()
    }

    /// The bids of an outcome, the highest first. The book of NO mirrors that of YES.
    pub fn bids(&self, outcome: OutcomeSide) -> Vec<BookLevel> {
        match outcome {
            OutcomeSide::Yes => self.state.bids.iter().rev().map(level).collect(),
            OutcomeSide::No => self.state.asks.iter().map(mirrored).collect(),
        }
    }

    /// The asks of an outcome, the lowest first.
    pub fn asks(&self, outcome: OutcomeSide) -> Vec<BookLevel> {
        match outcome {
            OutcomeSide::Yes => self.state.asks.iter().map(level).collect(),
            OutcomeSide::No => self.state.bids.iter().rev().map(mirrored).collect(),
        }
    }

    /// The highest bid.
    pub fn best_bid(&self, outcome: OutcomeSide) -> Option<BookLevel> {
        match outcome {
            OutcomeSide::Yes => self.state.bids.last_key_value().map(level),
            OutcomeSide::No => self.state.asks.first_key_value().map(mirrored),
        }
    }

    /// The lowest ask.
    pub fn best_ask(&self, outcome: OutcomeSide) -> Option<BookLevel> {
        match outcome {
            OutcomeSide::Yes => self.state.asks.first_key_value().map(level),
            OutcomeSide::No => self.state.bids.last_key_value().map(mirrored),
        }
    }

    /// The middle of the best bid and ask; none unless both exist.
    pub fn mid(&self, outcome: OutcomeSide) -> Option<Decimal> {
        let (bid, ask) = (self.best_bid(outcome)?, self.best_ask(outcome)?);
        Some((bid.price + ask.price) / Decimal::TWO)
    }
}

impl LocalCopy for LocalBook {
    type Data = MarketChanges;

    fn trust(&self) -> &Trust {
        &self.trust
    }

    fn trust_mut(&mut self) -> &mut Trust {
        &mut self.trust
    }

    fn liveness_mut(&mut self) -> &mut Liveness {
        &mut self.liveness
    }

    fn clear(&mut self) {
        self.state = State::default();
    }

    fn apply(&mut self, data: MarketChanges) -> Details {
        let state = &mut self.state;
        replace(&mut state.bids, &data.bids);
        replace(&mut state.asks, &data.asks);
        state.event_id = Some(data.event_id);
        state.engine = Some(data.engine);
        state.status = data.status.or(state.status.take());
        state.prices = data.prices.or(state.prices);
        state.terms = data.terms.or(state.terms);
        state.resolution = data.resolution.or(state.resolution.take());
        if let Some(last) = data.last_trade {
            state.last_price = Some(last.price);
            state.last_side = Some(last.side);
        }
        Details { trades: data.trades, ..Details::default() }
    }
}

/// Quantities are absolute; 0 removes a level.
fn replace(levels: &mut BTreeMap<Decimal, Decimal>, changed: &[BookLevel]) {
    for BookLevel { price, quantity } in changed {
        if quantity.is_zero() {
            levels.remove(price);
        } else {
            levels.insert(*price, *quantity);
        }
    }
}

fn level((price, quantity): (&Decimal, &Decimal)) -> BookLevel {
    BookLevel { price: *price, quantity: *quantity }
}

fn mirrored((price, quantity): (&Decimal, &Decimal)) -> BookLevel {
    BookLevel { price: Decimal::ONE - price, quantity: *quantity }
}
