//! Runs a plan on the real exchange like a node: ticks when something is due, restarts from a snapshot and the
//! journal after it. Then compares the result with the model.

use std::collections::BTreeMap;

use exchange::Exchange;
use exchange::catalogue::{Engine, Event, EventLink, Status};
use exchange::change::{Change, SeriesAlert, Settled};
use exchange::codec::{decode_request, decode_snapshot, encode_request, encode_snapshot};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, OpenSession, RecordPrice, Request, ResolveMarket,
};
use exchange::governance::Policy;
use exchange::id::{Hash32, KeyId, MarketId, OrderId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::invariants;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::series::model::{Expected, Logged, Model, Tally};
use crate::series::plan::{BEGIN, Deed, Plan, SOURCES, SYMBOL, Sleep, asset_price};

const PEOPLE: [u128; 2] = [1, 2];

#[derive(Debug)]
pub struct Story {
    exchange: Exchange,
    /// The requests in the journal.
    journal: Vec<(Time, Vec<u8>)>,
    /// A snapshot, and the number of requests in it.
    snapshot: (usize, Vec<u8>),
    log: Vec<Logged>,
    settled: BTreeMap<MarketId, Vec<Settled>>,
    alerts: Vec<(Time, SeriesAlert)>,
    restarts: u32,
    lags: Vec<i64>,
    orders: u128,
}

fn key(person: u128) -> Actor {
    Actor::Key { key: KeyId::new(person), generation: 0 }
}

impl Story {
    pub fn play(plan: &Plan) -> Story {
        let exchange = Exchange::new();
        let snapshot = (0, encode_snapshot(&exchange));
        let mut story = Story {
            exchange,
            journal: Vec::new(),
            snapshot,
            log: Vec::new(),
            settled: BTreeMap::new(),
            alerts: Vec::new(),
            restarts: 0,
            lags: plan.lags.clone(),
            orders: 0,
        };
        story.open(plan);
        let mut sleeps = plan.sleeps.iter().peekable();
        for (at, deed) in &plan.deeds {
            while let Some(sleep) = sleeps.next_if(|sleep| sleep.until <= *at) {
                story.sleep(*sleep);
            }
            story.run_until(*at);
            story.act(*at, *deed, plan);
        }
        // The last minute is over, and the interval after the last is not.
        let end = plan.start(plan.length) + Span::seconds(300);
        story.run_until(end);
        story.send(end.max(story.exchange.now()), Actor::System, Command::Tick);
        story
    }

    fn send(&mut self, at: Time, actor: Actor, command: Command) {
        let price = match &command {
            Command::RecordPrice(RecordPrice { symbol, value, source, source_time })
                if **symbol == *SYMBOL =>
            {
                let source = SOURCES.iter().position(|name| **source == **name).expect("a source of ours");
                Some((source, value.0, *source_time))
            }
            _ => None,
        };
        let request = Request { actor, idempotency: None, command };
        let mut bytes = Vec::new();
        encode_request(&request, &mut bytes);
        self.journal.push((at, bytes));
        self.log.push(Logged { at, price });
        let result = self.exchange.apply(at, &request).expect("a request of this build");
        assert!(result.is_ok(), "{request:?}: {result:?}");
        for change in self.exchange.changes() {
            match change {
                Change::Settled(settled) => self.settled.entry(settled.market).or_default().push(*settled),
                Change::SeriesAlert { at, reason, .. } => self.alerts.push((*at, *reason)),
                _ => {}
            }
        }
    }

    fn system(&mut self, at: Time, command: Command) {
        self.send(at, Actor::System, command);
    }

    fn open(&mut self, plan: &Plan) {
        let at = BEGIN + Span::seconds(1);
        // The story is read from memory at its end, so no event may be retired.
        let policy = Policy { retire_after_seconds: 3_650 * 24 * 3_600, ..Policy::default() };
        self.system(at, Command::SetPolicy(policy));
        self.system(at, Command::CreateSeries(plan.terms.clone()));
        for user in [0].into_iter().chain(PEOPLE) {
            let (id, text) = (UserId::new(user), |text: &str| Text::from(format!("{text}{user}")));
            if user != 0 {
                let (address, tag) = (Hash32::of(&format!("{user}@example.com")), text("user"));
                let (row, expires_at) = (RowId::new(user), Time::NEVER);
                self.system(at, Command::CreateUser(CreateUser { id, address, tag, row, expires_at }));
                let (session, token_hash) = (SessionId::new(user), Hash32::of(&text("token")));
                let device = text("device");
                self.system(
                    at,
                    Command::OpenSession(OpenSession {
                        user: id,
                        password_version: 0,
                        id: session,
                        token_hash,
                        device,
                    }),
                );
                let create = Command::CreateApiKey(CreateApiKey {
                    id: KeyId::new(user),
                    name: text("key"),
                    public_key: text("pk_"),
                });
                self.send(at, Actor::Session { session }, create);
            }
            for currency in Currency::ALL {
                let amount = Money::whole(1_000_000 * currency.base());
                let reference = text(if currency == Currency::Usd { "dollars" } else { "naira" });
                self.system(
                    at,
                    Command::CreditWallet(CreditWallet { user: id, currency, amount, reference }),
                );
            }
        }
    }

    /// Ticks for everything due before an instant, each a little late, as the writer does without requests.
    fn run_until(&mut self, until: Time) {
        while let Some(due) = self.exchange.next_due().filter(|due| *due < until) {
            let lag = self.lags[self.journal.len() % self.lags.len()];
            let at = Time::from_micros(due.micros() + lag).max(self.exchange.now());
            if at >= until {
                return;
            }
            self.system(at, Command::Tick);
        }
    }

    fn sleep(&mut self, sleep: Sleep) {
        self.run_until(sleep.from);
        self.restart();
        let until = sleep.until.max(self.exchange.now());
        if self.exchange.next_due().is_some_and(|due| due <= until) {
            self.system(until, Command::Tick);
        }
    }

    /// Drops the state and restores it from the snapshot and the rest of the journal.
    fn restart(&mut self) {
        let (known, bytes) = &self.snapshot;
        let mut back = decode_snapshot(bytes).expect("a snapshot");
        for (at, bytes) in &self.journal[*known..] {
            let request = decode_request(bytes).expect("a request");
            back.apply(*at, &request)
                .expect("a request of this build")
                .expect("a request that was taken before");
        }
        assert_eq!(back.digest(), self.exchange.digest(), "what comes back is what was there");
        assert_eq!(back.next_due(), self.exchange.next_due());
        self.exchange = back;
        self.restarts += 1;
    }

    fn act(&mut self, at: Time, deed: Deed, plan: &Plan) {
        match deed {
            Deed::Price { source, value, seen } => {
                let (symbol, source) = (Text::from(SYMBOL), Text::from(SOURCES[source]));
                let value = asset_price(value);
                self.system(
                    at,
                    Command::RecordPrice(RecordPrice { symbol, value, source, source_time: seen }),
                );
            }
            Deed::OtherAsset { value } => {
                let (symbol, source) = (Text::from("ETHUSDT"), Text::from(SOURCES[0]));
                let value = asset_price(value);
                self.system(at, Command::RecordPrice(RecordPrice { symbol, value, source, source_time: at }));
            }
            Deed::Trade { start, currency } => self.trade(at, start, currency, plan),
            Deed::Snapshot => {
                invariants::check_all(&self.exchange).unwrap_or_else(|broken| panic!("{broken}"));
                self.snapshot = (self.journal.len(), encode_snapshot(&self.exchange));
            }
            Deed::Restart => self.restart(),
        }
    }

    /// One buys YES and the other NO, on either engine.
    fn trade(&mut self, at: Time, start: Time, currency: Currency, plan: &Plan) {
        // Due timers fire first, as the order itself would make them.
        self.system(at, Command::Tick);
        let Some(event) = self.event(plan, start).filter(|event| event.status == Status::Open) else {
            return;
        };
        let market = self.exchange.catalogue().market(event.markets[0]).id;
        for (person, outcome) in PEOPLE.into_iter().zip(Outcome::BOTH) {
            self.orders += 1;
            let on_book = plan.terms.engine == Engine::Clob;
            let new = NewOrder {
                id: OrderId::new(self.orders),
                outcome: OutcomeId::of(market, outcome as u64),
                side: Side::Buy,
                kind: if on_book { OrderKind::Limit } else { OrderKind::Market },
                currency,
                sizing: if on_book {
                    Sizing::Quantity(Shares::whole(20))
                } else {
                    Sizing::Amount(Money::whole(5 * currency.base()))
                },
                price: if on_book { Price::new(50) } else { None },
                time_in_force: None,
                post_only: false,
                self_trade: SelfTrade::Skip,
                max_slippage: None,
                expires_at: None,
                client_order_id: None,
                path: None,
            };
            self.send(at, key(person), Command::PlaceOrder(new));
        }
    }

    fn event(&self, plan: &Plan, start: Time) -> Option<Event> {
        let link = EventLink::Series { series: plan.terms.id, start };
        let mut found = self.exchange.catalogue().events().filter(|(_, event)| event.link == link);
        let first = found.next().map(|(_, event)| event.clone());
        assert!(found.next().is_none(), "an interval has one event at most");
        first
    }

    pub fn judge(mut self, plan: &Plan, tally: &mut Tally) -> Result<(), String> {
        invariants::check_all(&self.exchange).map_err(|broken| broken.to_string())?;
        tally.restarts += self.restarts;
        let log = std::mem::take(&mut self.log);
        let (named, tolerance_ppm) = (plan.terms.sources.len(), plan.terms.tolerance_ppm);
        let model = Model { log: &log, named, tolerance_ppm, span: plan.span() };
        let mut made = 0;
        for number in 1..=plan.length {
            let start = plan.start(number);
            let expected = model.expected(start, tally);
            let event = self.event(plan, start);
            made += usize::from(event.is_some());
            let found = event.as_ref().map_or(Ok(Expected::NotMade), |event| self.outcome(event));
            if found != Ok(expected) {
                return Err(format!(
                    "interval {number}: expected {expected:?}, found {found:?} in {event:?}"
                ));
            }
        }
        let all = self.exchange.catalogue().events().len();
        if made != all {
            return Err(format!("{all} events for {made} intervals"));
        }
        self.judge_alerts(plan, &model)?;
        self.pay_what_is_left()
    }

    /// The result of an event. Also checks its payouts.
    fn outcome(&self, event: &Event) -> Result<Expected, String> {
        let catalogue = self.exchange.catalogue();
        let market = catalogue.market(event.markets[0]);
        let threshold = event.threshold.ok_or("no threshold")?.0;
        if event.open_samples.first().map(|sample| sample.value.0) != Some(threshold)
            || event.close_samples.first().map(|sample| sample.value) != event.close_value
        {
            return Err("the samples that were kept are not those that decided".to_owned());
        }
        let settled = self.settled.get(&market.id).map_or(&[][..], Vec::as_slice);
        let Some(winner) = market.resolved_outcome() else {
            if !settled.is_empty() {
                return Err(format!("paid without a result: {settled:?}"));
            }
            let is_left = event.status == Status::Closed && event.close_value.is_none();
            return Ok(if is_left { Expected::Left { threshold } } else { Expected::Running { threshold } });
        };
        for paid in settled {
            let winning = paid.shares(winner);
            if paid.payout != winning.payout(paid.currency) {
                return Err(format!("{winner:?} won: {paid:?}"));
            }
        }
        let close = event.close_value.ok_or("resolved without a close value")?.0;
        let due = event.details.closing_date.ok_or("no closing date")? + Span::seconds(60);
        if event.resolved_at.is_none_or(|at| at < due) {
            return Err(format!("resolved at {:?}, before {due:?}", event.resolved_at));
        }
        Ok(Expected::Resolved { threshold, close, up: winner == Outcome::Yes })
    }

    /// Each alert has its reason, and each interval without an event during uptime has its alert.
    fn judge_alerts(&self, plan: &Plan, model: &Model<'_>) -> Result<(), String> {
        for (at, reason) in &self.alerts {
            if !model.may_alert(*at, *reason) {
                return Err(format!("an alert {reason:?} at {at:?} for no reason"));
            }
        }
        for number in 1..=plan.length {
            let start = plan.start(number);
            let reason = model.must_alert(start);
            let told =
                self.alerts.iter().filter(|alert| Some(**alert) == reason.map(|reason| (start, reason)));
            if told.count() != usize::from(reason.is_some()) {
                return Err(format!("interval {number} should have one alert: {reason:?}"));
            }
        }
        Ok(())
    }

    /// An operator decides the remaining events; then no series market owes anything.
    fn pay_what_is_left(&mut self) -> Result<(), String> {
        let at = self.exchange.now();
        let events: Vec<Event> = self.exchange.catalogue().events().map(|(_, event)| event.clone()).collect();
        for event in events.iter().filter(|event| event.status == Status::Closed) {
            let market = self.exchange.catalogue().market(event.markets[0]).id;
            self.system(at, Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No }));
        }
        invariants::check_all(&self.exchange).map_err(|broken| broken.to_string())
    }
}
