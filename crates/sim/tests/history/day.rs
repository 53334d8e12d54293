//! A day of the exchange without its checks: a plain exchange and the generator, or requests of a test.
//!
//! The generator picks open orders from a shadow. Here only the shadow's list of orders is maintained, from the
//! changes.

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::Request;
use exchange::identity::Actor;
use exchange::index::ListingIndex;
use exchange::numbers::Price;
use exchange::order::OrderRecord;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;
use server::applied::Applied;
use server::pipeline::deciding::{Decided, decide};
use sim::generator::Generator;
use sim::shadow::{Open, Shadow};

pub struct Day {
    pub exchange: Exchange,
    pub shadow: Shadow,
    /// Everything that was applied.
    pub journal: Vec<(Time, Request)>,
    generator: Generator,
}

impl Day {
    pub fn new(seed: u64) -> Day {
        Day {
            exchange: Exchange::new(),
            shadow: Shadow::default(),
            journal: Vec::new(),
            generator: Generator::new(seed),
        }
    }

    /// Applies generated requests, and passes them on like the node.
    pub fn step(&mut self, observe: impl FnOnce(&Applied<'_>)) {
        let (at, request) = self.generator.next(&self.exchange, &self.shadow);
        let result = self.apply(at, &request, observe);
        self.generator.learn(&request, &result);
    }

    pub fn apply(
        &mut self,
        at: Time,
        request: &Request,
        observe: impl FnOnce(&Applied<'_>),
    ) -> Result<Reply, Reject> {
        self.journal.push((at, request.clone()));
        let decided = decide(&mut self.exchange, at, request, true, observe);
        let Decided { result, shown } = decided.expect("a request of this build");
        let is_operators =
            matches!(request.actor, Actor::Operator { .. }) && request.command.consent().is_some();
        let is_done = result.as_ref().is_ok_and(|reply| !matches!(reply, Reply::Replayed { .. }));
        assert!(shown.is_some() || !is_operators || !is_done, "{} shows nothing", request.command.name());
        for change in self.exchange.changes() {
            if let Change::Order { record, .. } = change {
                follow(&mut self.shadow, &self.exchange, record);
            }
        }
        result
    }

    /// Replays the day from its journal.
    pub fn replay(&self, mut observe: impl FnMut(&Applied<'_>)) {
        let mut exchange = Exchange::new();
        for (at, request) in &self.journal {
            // Refusals were checked when the day was played.
            let _ =
                decide(&mut exchange, *at, request, false, &mut observe).expect("a request of this build");
        }
        assert_eq!(exchange.digest(), self.exchange.digest(), "a day replays to the same state");
    }
}

fn follow(shadow: &mut Shadow, exchange: &Exchange, record: &OrderRecord) {
    let terms = &record.terms;
    let id = terms.id.as_u128();
    if !record.status.is_open() {
        shadow.orders.remove(&id);
        return;
    }
    let user = exchange.directory().find(record.user).expect("who has an order is there");
    let market = exchange.catalogue().find_market(record.market).expect("an open order has its market");
    let open = Open {
        id,
        user: user.slot() as u32,
        listing: ListingIndex::new(market, record.currency),
        outcome: terms.outcome,
        side: terms.side,
        price: i64::from(terms.price.unwrap_or(Price::MIN).cents()),
        size: terms.size.units(),
        filled: terms.filled.units(),
        taker_value: terms.taker_value.units(),
        fee: terms.fee.units(),
        fee_rate: terms.fee_rate,
        post_only: terms.post_only,
        serial: terms.serial,
    };
    shadow.orders.insert(id, open);
}
