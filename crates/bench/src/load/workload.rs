//! A recorded mix: passive and crossing limits, market orders, cancels, amends, pool trades, sets.
//!
//! Requests are generated against a live exchange, so that cancels and amends refer to open orders, and then replayed
//! from the same initial state.

use exchange::Exchange;
use exchange::command::{AmendOrders, CancelOrder, Command, MintSets, Request};
use exchange::id::{OperationId, OrderId};
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{Amendment, Item, NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::Time;

use crate::random::Random;
use crate::venue::{self, START, Size};

/// Generated requests with their times.
#[derive(Debug)]
pub struct Workload {
    pub requests: Vec<(Time, Request)>,
    pub summary: String,
}

const KINDS: [&str; 7] =
    ["passive limit", "crossing limit", "market", "cancel", "amend", "pool trade", "mint"];
/// Percentages.
const SHARES_OF: [u32; 7] = [40, 15, 5, 22, 8, 8, 2];

pub fn record(stage: &Exchange, count: usize) -> Workload {
    let mut recorder = Recorder::new(stage.clone());
    let mut requests = Vec::with_capacity(count);
    let mut at = START;
    while requests.len() < count {
        at = Time::from_micros(at.micros() + 10);
        requests.push((at, recorder.step(at)));
    }
    Workload { requests, summary: recorder.summary() }
}

/// Generates requests one by one and applies each immediately.
#[derive(Debug)]
pub struct Recorder {
    exchange: Exchange,
    size: Size,
    random: Random,
    /// Owner and id of orders that rested; some have closed since.
    live: Vec<(u32, OrderId)>,
    next_order: u128,
    refused: usize,
    last_refusal: Option<Reject>,
    trades: usize,
    kinds: [usize; 7],
}

impl Recorder {
    /// Continues from the usual venue of `venue.rs`.
    pub fn new(exchange: Exchange) -> Recorder {
        Recorder::of(exchange, venue::USUAL)
    }

    /// Continues from a venue of this size.
    pub fn of(exchange: Exchange, size: Size) -> Recorder {
        Recorder {
            exchange,
            size,
            random: Random::new(20_261_115),
            live: Vec::new(),
            next_order: 0,
            refused: 0,
            last_refusal: None,
            trades: 0,
            kinds: [0; 7],
        }
    }

    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// How many requests were refused so far, and why the last one was.
    pub fn refused(&self) -> (usize, Option<&Reject>) {
        (self.refused, self.last_refusal.as_ref())
    }

    pub fn summary(&self) -> String {
        let kinds: Vec<String> =
            KINDS.iter().zip(self.kinds).map(|(kind, count)| format!("{count} {kind}")).collect();
        format!(
            "{}. {} trades, {} refused, {} orders rest at the end; {} users, {} books and {} pools in two currencies.",
            kinds.join(", "),
            self.trades,
            self.refused,
            self.exchange.orders().len(),
            self.size.people,
            self.size.books,
            self.size.pools
        )
    }

    /// The next request, already applied.
    pub fn step(&mut self, at: Time) -> Request {
        let mut pick = self.random.below(100);
        let mut kind = 0;
        while pick >= SHARES_OF[kind] {
            pick -= SHARES_OF[kind];
            kind += 1;
        }
        let user = self.random.below(self.size.people);
        let (user, command) = match kind {
            0 => (user, self.limit(false)),
            1 => (user, self.limit(true)),
            2 => (user, self.market_order()),
            3 => self.cancel().unwrap_or_else(|| (user, self.mint())),
            4 => self.amend().unwrap_or_else(|| (user, self.mint())),
            5 => (user, self.pool_trade()),
            _ => (user, self.mint()),
        };
        self.kinds[kind] += 1;
        self.apply(at, user, command)
    }

    /// One more order that rests, if its owner may have one more. The owners take turns.
    pub fn rest(&mut self, at: Time) -> Request {
        let user = (self.next_order % u128::from(self.size.people)) as u32;
        let Command::PlaceOrder(mut new) = self.limit(false) else { unreachable!("a limit is an order") };
        // Small, but worth more than the smallest order that the rules allow.
        new.sizing = Sizing::Quantity(Shares::whole(4 + i64::from(self.random.below(3))));
        self.apply(at, user, Command::PlaceOrder(new))
    }

    /// The cancel of an open order; a mint, if there is none.
    pub fn withdraw(&mut self, at: Time) -> Request {
        let (user, command) = self.cancel().unwrap_or_else(|| (0, self.mint()));
        self.apply(at, user, command)
    }

    fn apply(&mut self, at: Time, user: u32, command: Command) -> Request {
        let request = Request { actor: venue::actor(user), idempotency: None, command };
        let result = self.exchange.apply(at, &request).expect("a request of this build");
        match &result {
            Ok(Reply::Order(record)) if record.status.is_open() => self.live.push((user, record.terms.id)),
            Ok(_) => {}
            Err(reject) => {
                self.refused += 1;
                self.last_refusal = Some(reject.clone());
            }
        }
        let is_trade =
            |change: &&exchange::change::Change| matches!(change, exchange::change::Change::Trade(_));
        self.trades += self.exchange.changes().iter().filter(is_trade).count();
        request
    }

    fn currency(&mut self) -> Currency {
        if self.random.below(4) == 0 { Currency::Ngn } else { Currency::Usd }
    }

    fn new_order(&mut self, market: u32, outcome: Outcome, side: Side) -> NewOrder {
        self.next_order += 1;
        NewOrder {
            id: OrderId::new(self.next_order),
            outcome: venue::outcome(market, outcome),
            side,
            kind: OrderKind::Limit,
            currency: self.currency(),
            sizing: Sizing::Quantity(Shares::new(100_000 + i64::from(self.random.below(1_000_000)))),
            price: None,
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        }
    }

    /// Buyers of YES and NO below 0.50 do not match; above it they do.
    fn limit(&mut self, crosses: bool) -> Command {
        let outcome = if self.random.below(2) == 0 { Outcome::Yes } else { Outcome::No };
        let market = self.random.below(self.size.books);
        let mut new = self.new_order(market, outcome, Side::Buy);
        let away = 1 + self.random.below(20) as i64;
        new.price = Some(Price::clamp(if crosses { 50 + away / 4 } else { 50 - away }));
        new.time_in_force = Some(TimeInForce::Gtc);
        Command::PlaceOrder(new)
    }

    fn market_order(&mut self) -> Command {
        let outcome = if self.random.below(2) == 0 { Outcome::Yes } else { Outcome::No };
        let market = self.random.below(self.size.books);
        let mut new = self.new_order(market, outcome, Side::Buy);
        let amount = Money::whole(i64::from(1 + self.random.below(20)) * new.currency.base());
        (new.kind, new.sizing) = (OrderKind::Market, Sizing::Amount(amount));
        Command::PlaceOrder(new)
    }

    fn pool_trade(&mut self) -> Command {
        let outcome = if self.random.below(2) == 0 { Outcome::Yes } else { Outcome::No };
        let market = self.size.books + self.random.below(self.size.pools);
        let side = if self.random.below(2) == 0 { Side::Buy } else { Side::Sell };
        let mut new = self.new_order(market, outcome, side);
        let amount = Money::whole(i64::from(1 + self.random.below(20)) * new.currency.base());
        (new.kind, new.sizing) = (OrderKind::Market, Sizing::Amount(amount));
        Command::PlaceOrder(new)
    }

    fn mint(&mut self) -> Command {
        self.next_order += 1;
        let (market, currency) = (self.random.below(self.size.books + self.size.pools), self.currency());
        Command::MintSets(MintSets {
            id: OperationId::new(self.next_order),
            market: venue::market(market),
            currency,
            amount: Money::whole(10 * currency.base()),
        })
    }

    /// An open order; removes closed ones on the way.
    fn pick_open(&mut self) -> Option<(u32, OrderId)> {
        while !self.live.is_empty() {
            let place = self.random.below(self.live.len() as u32) as usize;
            let (user, order) = self.live[place];
            if self.exchange.order(order).is_some() {
                return Some((user, order));
            }
            self.live.swap_remove(place);
        }
        None
    }

    fn cancel(&mut self) -> Option<(u32, Command)> {
        let (user, order) = self.pick_open()?;
        Some((user, Command::CancelOrder(CancelOrder { order })))
    }

    fn amend(&mut self) -> Option<(u32, Command)> {
        let (user, order) = self.pick_open()?;
        let terms = &self.exchange.order(order)?.terms;
        let size = Shares::new(terms.size.units() - 10_000);
        let moved = terms.price.map(|price| Price::clamp(i64::from(price.cents()) + 1));
        let (new_price, new_size) =
            if self.random.below(2) == 0 { (moved, None) } else { (None, Some(size)) };
        let amendment = Amendment { order, new_price, new_size };
        Some((user, Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment)] })))
    }
}
