//! Orders of a user under every combination of filters, queried as in the API.

use api::query::OrdersQuery;
use exchange::id::{EventId, MarketId, OrderId, OutcomeId, UserId};
use exchange::numbers::Currency;
use exchange::order::{OrderRecord, OrderStatus, Outcome, Side};
use server::history::{Page, Window};
use server::view::orders::{OrdersSource, seek};
use sim::random::Random;

use crate::history::model::Model;
use crate::history::pages::{page, walking_size, window};
use crate::history::trial::Trial;

const STATUSES: [&str; 7] =
    ["open", "partial_filled", "filled", "cancelled", "rejected", "expired", "pending"];

#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub side: Option<Side>,
    pub status: Option<&'static str>,
    pub event: Option<EventId>,
    pub market: Option<MarketId>,
    pub outcome: Option<OutcomeId>,
    pub currency: Option<Currency>,
    pub name: Option<String>,
}

impl Asked {
    pub fn status(status: &'static str) -> Asked {
        Asked { status: Some(status), ..Asked::default() }
    }

    pub fn text(&self, window: Window) -> String {
        let side = self.side.map(|side| match side {
            Side::Buy => "side=BUY".to_owned(),
            Side::Sell => "side=SELL".to_owned(),
        });
        let rows = match window {
            Window::Page { page, size } => format!("page={page}&size={size}"),
            Window::After { cursor, size } => format!("after={cursor}&size={size}"),
        };
        let parts = [
            side,
            self.status.map(|status| format!("status={status}")),
            self.event.map(|event| format!("eventId={event}")),
            self.market.map(|market| format!("marketId={market}")),
            self.outcome.map(|outcome| format!("outcomeId={outcome}")),
            self.currency.map(|currency| format!("currency={}", currency.code())),
            self.name.as_ref().map(|name| format!("clientOrderId={name}")),
            Some(rows),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("&")
    }

    fn passes(&self, model: &Model, record: &OrderRecord) -> bool {
        let terms = &record.terms;
        let outcome = OutcomeId::of(record.market, terms.outcome as u64);
        self.side.is_none_or(|side| terms.side == side)
            && self.status.is_none_or(|status| word(record.status) == status)
            && self.event.is_none_or(|event| model.events[&record.market] == event)
            && self.market.is_none_or(|market| record.market == market)
            && self.outcome.is_none_or(|asked| asked == outcome)
            && self.currency.is_none_or(|currency| record.currency == currency)
            && self.name.as_ref().is_none_or(|name| terms.client_order_id.as_deref() == Some(name))
    }
}

fn word(status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Open => "open",
        OrderStatus::PartialFilled => "partial_filled",
        OrderStatus::Filled => "filled",
        OrderStatus::Cancelled => "cancelled",
        OrderStatus::Rejected => "rejected",
        OrderStatus::Expired => "expired",
    }
}

/// All of a user's orders that pass, newest first.
pub fn matching<'a>(model: &'a Model, user: UserId, asked: &Asked) -> Vec<(u64, &'a OrderRecord)> {
    let of_user = model.orders.iter().rev().filter(|record| record.user == user);
    of_user.filter(|record| asked.passes(model, record)).map(|record| (record.terms.serial, record)).collect()
}

impl Trial<'_> {
    /// Like the handler.
    pub fn orders(&mut self, user: UserId, asked: &Asked, window: Window) -> Page<OrderRecord> {
        let query = OrdersQuery::parse(&asked.text(window)).expect("the words are of the API");
        let index = self.exchange.directory().find(user).expect("the user is there");
        match seek(&self.known(), index, &query).expect("a cursor is a number") {
            OrdersSource::Memory(mut page) => {
                let rows = std::mem::take(&mut page.rows).into_iter().map(|shown| shown.record).collect();
                page.with(rows)
            }
            OrdersSource::History(question) => {
                let page = self.kept.ask(self.exchange, |history| history.orders(question));
                self.kept.with_records(self.exchange, user, page)
            }
        }
    }

    pub fn compare_orders(&mut self, user: UserId, asked: &Asked, window: Window) -> Page<OrderRecord> {
        let got = self.orders(user, asked, window);
        let rows = matching(self.model, user, asked);
        self.same_page(&got, &page(&rows, window), || format!("orders of {user} {asked:?} {window:?}"));
        got
    }

    pub fn walk_orders(&mut self, user: UserId, asked: &Asked) {
        let count = matching(self.model, user, asked).len();
        let size = walking_size(self.random, count);
        for number in 1..=count as u64 / size + 2 {
            self.compare_orders(user, asked, Window::Page { page: number, size });
        }
        let mut next = self.compare_orders(user, asked, Window::Page { page: 1, size }).next;
        while let Some(cursor) = next {
            next = self.compare_orders(user, asked, Window::After { cursor, size }).next;
        }
    }

    /// Every subset of the seven filters, `rounds` times; each of them alone, and every status, walked.
    pub fn check_orders(&mut self, rounds: usize) {
        for _ in 0..rounds {
            for subset in 0..1 << 7 {
                let (user, asked) = asked(self.random, self.model, subset);
                let user = self.known_user(user);
                let count = matching(self.model, user, &asked).len();
                let number_max = self.model.orders.len() as u64;
                let window = window(self.random, count, number_max);
                self.compare_orders(user, &asked, window);
            }
        }
        for alone in 0..7 {
            let (user, asked) = asked(self.random, self.model, 1 << alone);
            let user = self.known_user(user);
            self.walk_orders(user, &asked);
        }
        let users: Vec<_> = self.exchange.directory().users().map(|(_, user)| user.id).collect();
        let user = self.random.pick(&users).unwrap_or(UserId::new(0));
        self.walk_orders(user, &Asked::default());
        for status in STATUSES {
            self.walk_orders(user, &Asked::status(status));
        }
        self.check_closed(user);
    }

    /// Every side with every status, every currency, and every place of one of the user's orders.
    pub fn check_orders_of_all(&mut self) {
        let Some(last) = self.model.orders.last() else { return };
        let (user, outcome) = (last.user, last.terms.outcome);
        let (market, event) = (Some(last.market), Some(self.model.events[&last.market]));
        let [own, other] =
            [outcome, outcome.other()].map(|outcome| OutcomeId::of(last.market, outcome as u64));
        let nowhere = Asked::default();
        let places = [
            Asked { event, ..nowhere.clone() },
            Asked { market, ..nowhere.clone() },
            Asked { outcome: Some(own), ..nowhere.clone() },
            Asked { outcome: Some(other), ..nowhere.clone() },
            Asked { event, market, outcome: Some(own), ..nowhere.clone() },
            nowhere,
        ];
        for side in [None, Some(Side::Buy), Some(Side::Sell)] {
            for status in STATUSES.into_iter().map(Some).chain([None]) {
                for currency in [None, Some(Currency::Usd), Some(Currency::Ngn)] {
                    for place in &places {
                        let asked = Asked { side, status, currency, ..place.clone() };
                        let count = matching(self.model, user, &asked).len();
                        let window = window(self.random, count, self.model.orders.len() as u64);
                        self.compare_orders(user, &asked, window);
                    }
                }
            }
        }
    }

    /// Replaces an unknown user by user 0, so that every request comes from a user in the directory.
    fn known_user(&self, user: UserId) -> UserId {
        self.exchange.directory().find(user).map_or(UserId::new(0), |_| user)
    }

    /// By id: closed ones of the user, in the order in which they are named.
    fn check_closed(&mut self, user: UserId) {
        let mut ids = vec![OrderId::new(1)];
        for _ in 0..self.random.below(30) {
            let place = self.random.below(self.model.orders.len());
            ids.extend(self.model.orders.get(place).map(|record| record.terms.id));
        }
        let got = self.kept.ask(self.exchange, |history| history.closed_orders(user, ids.clone()));
        let closed = |id: &OrderId| {
            let mut all = self.model.orders.iter();
            all.find(|record| record.terms.id == *id && record.user == user && !record.status.is_open())
        };
        let expected: Vec<_> = ids.iter().filter_map(closed).cloned().collect();
        self.same(&got, &expected, || format!("closed orders of {user} {ids:?}"));
    }
}

/// Mostly values of one order, so that something is found; now and then of another, or of none.
fn asked(random: &mut Random, model: &Model, subset: u32) -> (UserId, Asked) {
    let usual = random.below(model.orders.len());
    let Some(order) = model.orders.get(usual) else {
        return (UserId::new(0), unknown(subset));
    };
    let user = order.user;
    let mut pick = |bit: u32| {
        let place = if random.chance(4) { random.below(model.orders.len()) } else { usual };
        (subset & (1 << bit) != 0).then(|| &model.orders[place])
    };
    let (side, status, event, market) = (pick(0), pick(1), pick(2), pick(3));
    let (outcome, currency, name) = (pick(4), pick(5), pick(6));
    let any_status = random.chance(20).then(|| random.one_of(STATUSES));
    let is_unknown = random.chance(3);
    let nowhere = MarketId::new(1);
    let place = |record: &OrderRecord| if is_unknown { nowhere } else { record.market };
    let names: Vec<_> = model.orders.iter().filter(|record| record.user == user).collect();
    let named = random.pick(&names).and_then(|record| record.terms.client_order_id.clone());
    let asked = Asked {
        side: side.map(|record| record.terms.side),
        status: status.map(|record| any_status.unwrap_or(word(record.status))),
        event: event.map(|record| model.events.get(&place(record)).copied().unwrap_or(EventId::new(1))),
        market: market.map(place),
        outcome: outcome.map(|record| OutcomeId::of(place(record), record.terms.outcome as u64)),
        currency: currency.map(|record| record.currency),
        name: name.map(|record| match record.terms.client_order_id.clone().or(named) {
            Some(name) => name.to_string(),
            None => format!("c{}", random.below(12)),
        }),
    };
    (user, asked)
}

/// A query that matches no order.
fn unknown(subset: u32) -> Asked {
    let asks = |bit: u32| subset & (1 << bit) != 0;
    Asked {
        side: asks(0).then_some(Side::Buy),
        status: asks(1).then_some("filled"),
        event: asks(2).then_some(EventId::new(1)),
        market: asks(3).then_some(MarketId::new(1)),
        outcome: asks(4).then_some(OutcomeId::of(MarketId::new(1), Outcome::Yes as u64)),
        currency: asks(5).then_some(Currency::Ngn),
        name: asks(6).then(|| "c1".to_owned()),
    }
}
