//! The effects of timers, and restoring the timers after a restart.
//!
//! Timers are not encoded: each follows from an order, an event, a series, the policy or the oldest memory. The code
//! that changes one of those also updates its timer. `arm_timers` derives all of them at once.

use super::{TimerKind, Timers};
use crate::exchange::Exchange;
use crate::id::{OperatorId, SeriesId};
use crate::index::{EventIndex, MarketIndex, UserIndex};
use crate::lifecycle::orders_of;

/// Idempotency keys that one request forgets. A node that was stopped for a day has millions that are due.
const FORGOTTEN_AT_ONCE: usize = 1_000;

impl Exchange {
    /// Fires all due timers, in order.
    pub(crate) fn fire_timers(&mut self) {
        let (mut retires, mut ages) = (false, false);
        while let Some(timer) = self.timers.pop_due(self.now) {
            match timer.kind {
                TimerKind::Expiry if self.since(4) => self.expire_orders(timer.id),
                TimerKind::Expiry => self.expire_order(timer.id),
                TimerKind::Switch => self.fire_switch(timer.id),
                TimerKind::Close => self.close_due_event(timer.id),
                TimerKind::Terms => self.apply_announced_terms(timer.id),
                TimerKind::Suspension => self.end_suspension(OperatorId::new(timer.id)),
                TimerKind::Boundary => self.end_interval(timer.id, timer.due),
                TimerKind::Creation => self.begin_interval(timer.id, timer.due),
                TimerKind::Resolution => self.resolve_due_event(timer.id),
                TimerKind::Ageing if self.since(4) => {
                    self.ageing_at = None;
                    ages = true;
                }
                TimerKind::Ageing => self.forget_aged(usize::MAX),
                TimerKind::Retirement => {
                    self.retirement_at = None;
                    retires = true;
                }
            }
        }
        // Last: what is left for the next request stays due, and its timer would fire again immediately.
        if ages {
            self.forget_aged(FORGOTTEN_AT_ONCE);
        }
        if retires {
            self.retire_ended_events();
        }
    }

    /// Derives all timers from the state.
    pub(crate) fn arm_timers(&mut self) {
        self.timers = Timers::default();
        for (_, listing) in self.catalogue.listings() {
            for slot in orders_of(listing) {
                let terms = &self.orders[slot].terms;
                if let Some(expires_at) = terms.progress.expires_at {
                    self.timers.set(expires_at, TimerKind::Expiry, terms.id.as_u128());
                }
            }
        }
        for slot in 0..self.directory.users.len() {
            self.arm_switch(UserIndex::from_slot(slot));
        }
        let events: Vec<EventIndex> = self.catalogue.events().map(|(index, _)| index).collect();
        for event in events {
            self.arm_event(event);
        }
        let markets: Vec<MarketIndex> = self.catalogue.markets().map(|(index, _)| index).collect();
        for market in markets {
            self.arm_announced_terms(market);
        }
        let operators: Vec<OperatorId> = self.directory.operators.keys().copied().collect();
        for operator in operators {
            self.arm_suspension(operator);
        }
        self.list_ended_events();
        let series: Vec<SeriesId> = self.catalogue.series.keys().copied().collect();
        for id in series {
            self.arm_series(id);
        }
        self.ageing_at = None;
        self.arm_ageing();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::*;
    use crate::command::{
        CancelMarkets, CancelOrder, Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession,
        PauseSeries, PauseTrading, RecordPrice, Request, ResolveMarket, ResumeTrading, Target,
    };
    use crate::id::{EventId, Hash32, KeyId, MarketId, OrderId, OutcomeId, RowId, SessionId, UserId};
    use crate::identity::Actor;
    use crate::index::MarketIndex;
    use crate::numbers::{Cents, Currency, Money, PerCurrency, Price, Shares};
    use crate::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
    use crate::text::Text;
    use crate::time::{Span, Time};

    const START: Time = Time::from_seconds(1_767_225_600);
    const KEY: Actor = Actor::Key { key: KeyId::new(1), generation: 0 };

    /// Applies a command, and a tick a microsecond later. After each, the timers must equal those that a restart would
    /// set.
    fn step(exchange: &mut Exchange, minutes: i64, actor: Actor, command: Command) {
        let at = START + Span::minutes(minutes);
        let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
        let request = Request { actor, idempotency: None, command };
        for (at, request) in [(at, request), (at + Span::MICROSECOND, tick)] {
            exchange.apply(at, &request).expect("a request of this build").expect("a step that is allowed");
            let mut restarted = exchange.clone();
            restarted.arm_timers();
            assert_eq!(
                format!("{:?}", restarted.timers),
                format!("{:?}", exchange.timers),
                "after {request:?}"
            );
        }
    }

    fn set_stage(exchange: &mut Exchange) {
        let (user, hash) = (UserId::new(1), Hash32::of("token"));
        let text = Text::from;
        let commands = [
            Command::CreateUser(CreateUser {
                id: user,
                address: hash,
                tag: text("alice"),
                row: RowId::new(1),
                expires_at: Time::NEVER,
            }),
            Command::OpenSession(OpenSession {
                user,
                password_version: 0,
                id: SessionId::new(1),
                token_hash: hash,
                device: text("device"),
            }),
            Command::CreditWallet(CreditWallet {
                user,
                currency: Currency::Usd,
                amount: Money::whole(100),
                reference: text("first"),
            }),
            Command::CreateEvent(new_event()),
            Command::OpenEvent(OpenEvent { event: EventId::new(1) }),
            Command::CreateSeries(new_series()),
        ];
        for command in commands {
            step(exchange, 0, Actor::System, command);
        }
        let key = Command::CreateApiKey(CreateApiKey {
            id: KeyId::new(1),
            name: text("key"),
            public_key: text("pk_1"),
        });
        step(exchange, 0, Actor::Session { session: SessionId::new(1) }, key);
    }

    fn new_event() -> NewEvent {
        let market = |id| NewMarket {
            id: MarketId::new(id),
            details: MarketDetails { title: Text::from("market"), ..MarketDetails::default() },
        };
        NewEvent {
            id: EventId::new(1),
            slug: Text::from("event"),
            kind: EventKind::Grouped,
            engine: Engine::Clob,
            currencies: vec![Currency::Usd],
            details: EventDetails {
                title: Text::from("event"),
                category: Text::from("test"),
                closing_date: Some(START + Span::minutes(70)),
                ..EventDetails::default()
            },
            markets: vec![market(1), market(2)],
            link: EventLink::None,
        }
    }

    fn new_series() -> NewSeries {
        NewSeries {
            id: SeriesId::new(1),
            slug: Text::from("series"),
            display_name: Text::from("series"),
            description: Text::default(),
            category: SeriesCategory::Crypto,
            interval: Interval::FifteenMinute,
            asset_symbol: Text::from("BTC"),
            automation: Automation::PriceUpDown,
            icon_url: Text::default(),
            engine: Engine::Clob,
            currencies: vec![Currency::Usd],
            market: MarketDetails::default(),
            seed: PerCurrency::default(),
            sources: Vec::new(),
            tolerance_ppm: 0,
        }
    }

    fn order(id: u128, market: u128, expires_after: i64) -> Command {
        Command::PlaceOrder(NewOrder {
            id: OrderId::new(id),
            outcome: OutcomeId::of(MarketId::new(market), 0),
            side: Side::Buy,
            kind: OrderKind::Limit,
            currency: Currency::Usd,
            sizing: Sizing::Quantity(Shares::whole(10)),
            price: Price::new(40),
            time_in_force: Some(TimeInForce::Gtd),
            post_only: false,
            self_trade: SelfTrade::Skip,
            max_slippage: None,
            expires_at: Some(START + Span::minutes(expires_after)),
            client_order_id: None,
            path: None,
        })
    }

    fn price(minutes: i64) -> Command {
        let (symbol, source) = (Text::from("BTC"), Text::from("feed"));
        Command::RecordPrice(RecordPrice {
            symbol,
            value: AssetPrice(100),
            source,
            source_time: START + Span::minutes(minutes),
        })
    }

    #[test]
    fn a_restart_sets_the_timers_that_stood_before() {
        let mut exchange = Exchange::new();
        set_stage(&mut exchange);
        let pause = |paused| Command::PauseSeries(PauseSeries { series: SeriesId::new(1), paused });
        let event = Target::Event(EventId::new(1));
        let cancel = Command::CancelMarkets(CancelMarkets {
            target: Target::Market(MarketId::new(2)),
            yes: Cents::HALF,
        });
        let steps = [
            (1, KEY, order(1, 1, 20)),
            (2, KEY, order(2, 1, 60)),
            (3, KEY, order(3, 2, 90)),
            (4, KEY, order(4, 1, 90)),
            (5, KEY, Command::CancelOrder(CancelOrder { order: OrderId::new(2) })),
            (15, Actor::System, price(15)),
            (16, Actor::System, Command::PauseTrading(PauseTrading { target: event })),
            (20, Actor::System, Command::Tick),
            (21, Actor::System, pause(true)),
            (22, Actor::System, pause(false)),
            (30, Actor::System, price(30)),
            (31, Actor::System, pause(true)),
            (32, Actor::System, cancel),
            (45, Actor::System, price(45)),
            (46, Actor::System, Command::Tick),
            (50, Actor::System, pause(false)),
            (51, Actor::System, Command::ResumeTrading(ResumeTrading { target: event })),
            (60, Actor::System, price(60)),
            (70, Actor::System, Command::Tick),
            (75, Actor::System, price(75)),
            (300, Actor::System, Command::Tick),
            (60 * 24 * 40, Actor::System, Command::Tick),
        ];
        for (minutes, actor, command) in steps {
            step(&mut exchange, minutes, actor, command);
        }
        assert_eq!(exchange.orders.len(), 0);
        assert_eq!(exchange.timers.len(), 2, "only the series has timers: its boundary and its creation");
        assert_eq!(exchange.catalogue.ended.len(), 0, "all ended events have retired");
    }

    #[test]
    fn a_series_event_that_an_operator_resolves_within_its_minute_leaves_no_timer() {
        let mut exchange = Exchange::new();
        step(&mut exchange, 0, Actor::System, Command::CreateSeries(new_series()));
        step(&mut exchange, 15, Actor::System, price(15));
        step(&mut exchange, 30, Actor::System, price(30));
        let market = exchange.catalogue.market(MarketIndex(0)).id;
        let before = exchange.timers.len();
        step(
            &mut exchange,
            30,
            Actor::System,
            Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No }),
        );
        assert_eq!(exchange.timers.len(), before, "the retirement timer replaces the resolution timer");
    }
}
