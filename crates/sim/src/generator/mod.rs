//! Generates random requests: all commands, in proportions that depend on the seed, with values at the limits.
//!
//! The generator reads the exchange to refer to existing objects, and also refers to objects that do not exist. It must
//! not decide what is correct; the checks do that.

mod accounts;
mod amends;
mod governance;
mod kinds;
mod money;
mod opening;
mod operators;
mod orders;
mod people;
mod plots;
mod proposals;
mod series;
mod values;
mod venue;

use std::collections::VecDeque;

use exchange::Exchange;
use exchange::catalogue::NewEvent;
use exchange::command::{BurnSets, Command, MintSets, OpenEvent, PlaceOrders, Request};
use exchange::id::{EventId, OperationId, OrderId};
use exchange::idempotency::{IdempotencyKey, KeyWindow};
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::order::{Item, OrderStatus};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use crate::random::Random;
use crate::shadow::Shadow;
use kinds::{Kind, Weights};
use plots::Step;

/// 2026-01-01T00:00:00Z.
pub const START: Time = Time::from_seconds(1_767_225_600);
const REMEMBERED: usize = 32;

#[derive(Clone, Debug)]
pub struct Generator {
    random: Random,
    weights: Weights,
    /// Requests that precede all random ones.
    script: VecDeque<(Time, Request)>,
    /// Commands that must come next, so that events are opened and series get prices.
    follow_ups: VecDeque<Command>,
    /// A joint plan of some operators, step by step.
    plot: VecDeque<Step>,
    ids: u128,
    closed_orders: VecDeque<OrderId>,
    /// Created events, some of which have retired since.
    made: VecDeque<NewEvent>,
    /// Requests with idempotency keys, to be repeated.
    sent: VecDeque<Request>,
}

/// The input of the generator.
#[derive(Clone, Copy, Debug)]
struct View<'a> {
    exchange: &'a Exchange,
    shadow: &'a Shadow,
    now: Time,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let weights = Weights::swarm(&mut random);
        let mut generator = Generator {
            random,
            weights,
            script: VecDeque::new(),
            follow_ups: VecDeque::new(),
            plot: VecDeque::new(),
            ids: 1_000,
            closed_orders: VecDeque::new(),
            made: VecDeque::new(),
            sent: VecDeque::new(),
        };
        generator.script = generator.opening();
        generator
    }

    pub fn next(&mut self, exchange: &Exchange, shadow: &Shadow) -> (Time, Request) {
        if let Some(scripted) = self.script.pop_front() {
            return scripted;
        }
        let at = self.next_time(exchange);
        let view = View { exchange, shadow, now: at };
        if let Some(command) = self.follow_ups.pop_front() {
            return (at, self.by_operator(view, command));
        }
        if !self.plot.is_empty()
            && self.random.chance(70)
            && let Some(step) = self.plot.pop_front()
        {
            return self.take_step(view, step);
        }
        if self.random.chance(3)
            && let Some(again) = self.repeat()
        {
            return (at, again);
        }
        if Generator::needs_event(view) && self.random.chance(20) {
            return (at, self.new_event(view));
        }
        let kind = self.weights.pick(&mut self.random);
        self.invent(view, kind)
    }

    /// Remembers ids that are no longer in use: using them again must be harmless.
    pub fn learn(&mut self, request: &Request, result: &Result<Reply, Reject>) {
        if let Ok(Reply::Events(events)) = result {
            self.follow_ups
                .extend(events.iter().map(|event| Command::OpenEvent(OpenEvent { event: *event })));
        }
        if let (Command::CreateEvent(new), Ok(_)) = (&request.command, result) {
            self.made.push_back(new.clone());
            if self.made.len() > REMEMBERED {
                self.made.pop_front();
            }
        }
        let records = match result {
            Ok(Reply::Order(record)) => core::slice::from_ref(record),
            Ok(Reply::Orders(records)) => records.as_slice(),
            _ => &[],
        };
        for record in
            records.iter().filter(|record| !record.status.is_open() || record.status == OrderStatus::Filled)
        {
            self.closed_orders.push_back(record.terms.id);
        }
        self.closed_orders.truncate(REMEMBERED);
        if request.idempotency.is_some() && self.random.chance(40) {
            self.sent.push_front(request.clone());
            self.sent.truncate(REMEMBERED);
        }
    }

    fn fresh_id(&mut self) -> u128 {
        self.ids += 1;
        // Spreads the ids, so that their order differs from creation order.
        let id = self.ids.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        // Version 8 is reserved for derived ids.
        if EventId::new(id).is_derived() { id ^ (1 << 76) } else { id }
    }

    /// The next time: mostly unchanged, sometimes later, sometimes exactly at a timer or just before it.
    fn next_time(&mut self, exchange: &Exchange) -> Time {
        let now = exchange.now();
        let due = exchange.next_due().unwrap_or(now);
        match self.random.below(200) {
            0..=19 => now + Span::seconds(self.random.between(1, 20)),
            20..=25 => now + Span::minutes(self.random.between(1, 10)),
            26..=33 if due - now <= Span::hours(30) => due.max(now),
            34 => (due - Span::seconds(1)).max(now).min(now + Span::hours(6)),
            35 if self.random.chance(60) => now + Span::minutes(self.random.between(15, 300)),
            36 if self.random.chance(20) => now + Span::days(self.random.between(1, 3)),
            _ => now,
        }
    }

    fn invent(&mut self, view: View<'_>, kind: Kind) -> (Time, Request) {
        let at = view.now;
        let request = match kind {
            Kind::Place => self.place(view),
            Kind::PlaceBatch => self.place_batch(view),
            Kind::Amend => self.amend(view),
            Kind::Cancel => self.cancel(view),
            Kind::CancelBatch => self.cancel_batch(view),
            Kind::CancelAll => self.cancel_all(view),
            Kind::Mint => self.mint(view),
            Kind::Burn => self.burn(view),
            Kind::People => self.people(view),
            Kind::Funds => self.funds(view),
            Kind::NewEvent => self.new_event(view),
            Kind::Lifecycle => self.lifecycle(view),
            Kind::Resolve => self.resolve(view),
            Kind::CancelMarkets => self.cancel_markets(view),
            Kind::Pool => self.pool(view),
            Kind::Series => self.series(view),
            Kind::Price => return self.price(view),
            Kind::Sports => self.sports(view),
            Kind::Rules => self.rules(view),
            Kind::Governance => self.govern(view),
            Kind::Operators => return self.operators(view),
            Kind::Accounts => self.accounts(view),
        };
        (at, request)
    }

    /// Sends as a user by key; sometimes with a stale or unknown key, or by session.
    fn by_user(&mut self, view: View<'_>, user: UserIndex, command: Command) -> Request {
        let record = view.exchange.directory().user(user);
        // A key that needs rotation is refused; users mostly avoid it.
        let notices = self.random.chance(85);
        let keys = record.keys.iter().filter(|key| !(notices && key.needs_rotation));
        let key = self.random.pick(&keys.map(|key| (key.id, key.generation)).collect::<Vec<_>>());
        let session = record.sessions.last().map(|session| session.id);
        let actor = match (key, session, self.random.below(100)) {
            (_, Some(session), 0..=4) => Actor::Session { session },
            (Some((key, generation)), _, 5) => Actor::Key { key, generation: generation + 1 },
            (Some((key, generation)), _, _) => Actor::Key { key, generation },
            (None, Some(session), _) => Actor::Session { session },
            (None, None, _) => Actor::System,
        };
        let rules = view.exchange.rules_version();
        let idempotency = self.random.chance(15).then(|| self.idempotency_key(rules));
        Request { actor, idempotency, command }
    }

    /// Few scopes, so that they collide with different bodies. Under rules 3, half of the keys live for less than a day.
    fn idempotency_key(&mut self, rules: u32) -> IdempotencyKey {
        let (scope, body) = (self.random.below(400) as u64, self.random.draw());
        let seconds = [60, 61, 600, KeyWindow::SECONDS_MAX - 1][(body / 2 % 4) as usize];
        let window = KeyWindow::new(seconds).filter(|_| rules >= 3 && body % 2 == 0);
        IdempotencyKey { scope, scope_low: scope ^ 7, body, window }
    }

    /// Sends as the node, as an operator, or as an unauthorised actor.
    fn by_operator(&mut self, view: View<'_>, command: Command) -> Request {
        let operators: Vec<_> = view.exchange.directory().operators().map(|operator| operator.id).collect();
        let actor = match (self.random.below(20), self.random.pick(&operators)) {
            (0..=3, Some(operator)) => Actor::Operator { operator },
            _ => Actor::System,
        };
        Request { actor, idempotency: None, command }
    }

    /// Repeats a request. The edge would assign new ids, so this does too.
    fn repeat(&mut self) -> Option<Request> {
        let place = self.random.below(self.sent.len());
        let mut request = self.sent.get(place)?.clone();
        match &mut request.command {
            Command::PlaceOrder(new) => new.id = OrderId::new(self.fresh_id()),
            Command::PlaceOrders(PlaceOrders { items }) => {
                for item in items {
                    if let Item::Valid(new) = item {
                        new.id = OrderId::new(self.fresh_id());
                    }
                }
            }
            Command::MintSets(MintSets { id, .. }) | Command::BurnSets(BurnSets { id, .. }) => {
                *id = OperationId::new(self.fresh_id())
            }
            _ => {}
        }
        if let Some(key) = request.idempotency.as_mut().filter(|_| self.random.chance(10)) {
            key.body += 1;
        }
        Some(request)
    }
}
