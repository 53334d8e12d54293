//! Trades under every combination of filters.

use exchange::catalogue::Engine;
use exchange::id::{MarketId, OrderId, TradeId, UserId};
use exchange::order::Outcome;
use exchange::time::{Span, Time};
use server::history::{Execution, Page, StoredTrade, TradeFilter, Window};
use sim::random::Random;

use crate::history::model::Model;
use crate::history::pages::{page, walking_size, window};
use crate::history::trial::Trial;

type Row = StoredTrade<Execution>;

/// The fields that filters use. A pool's maker is the house, which has no order and no outcome of its own.
struct Seen {
    engine: Engine,
    id: TradeId,
    market: MarketId,
    orders: Vec<OrderId>,
    outcomes: Vec<Outcome>,
    users: [UserId; 2],
}

fn seen(trade: &Execution) -> Seen {
    match trade {
        Execution::Book(trade) => Seen {
            engine: Engine::Clob,
            id: TradeId::of(trade.taker.order, trade.index),
            market: trade.market,
            orders: vec![trade.taker.order, trade.maker.order],
            outcomes: vec![trade.taker.outcome, trade.maker.outcome],
            users: [trade.taker.user, trade.maker.user],
        },
        Execution::Pool(record) => Seen {
            engine: Engine::Amm,
            id: TradeId::of(record.terms.id, 0),
            market: record.market,
            orders: vec![record.terms.id],
            outcomes: vec![record.terms.outcome],
            users: [record.user, UserId::new(0)],
        },
    }
}

/// All trades that pass, newest first.
pub fn matching<'a>(model: &'a Model, filter: &TradeFilter) -> Vec<(u64, &'a Row)> {
    let passes = |stored: &Row| {
        let trade = seen(&stored.trade);
        let is_of_outcome = |(market, outcome)| trade.market == market && trade.outcomes.contains(&outcome);
        filter.engine.is_none_or(|engine| trade.engine == engine)
            && filter.id.is_none_or(|id| trade.id == id)
            && filter.market.is_none_or(|market| trade.market == market)
            && filter.order.is_none_or(|order| trade.orders.contains(&order))
            && filter.outcome.is_none_or(is_of_outcome)
            && filter.user.is_none_or(|user| trade.users.contains(&user))
            && filter.from.is_none_or(|from| from <= stored.at)
            && filter.to.is_none_or(|to| stored.at <= to)
    };
    let all = model.trades.iter().rev();
    all.filter(|stored| passes(stored)).map(|stored| (stored.serial, stored)).collect()
}

impl Trial<'_> {
    pub fn trades(&mut self, filter: TradeFilter, window: Window) -> Page<Row> {
        self.kept.ask(self.exchange, |history| history.trades(filter, window))
    }

    pub fn compare_trades(&mut self, filter: TradeFilter, window: Window) -> Page<Row> {
        let got = self.trades(filter, window);
        let rows = matching(self.model, &filter);
        self.same_page(&got, &page(&rows, window), || format!("trades {filter:?} {window:?}"));
        got
    }

    /// By page number up to the page after the last one, and by cursor.
    fn walk_trades(&mut self, filter: TradeFilter) {
        let count = matching(self.model, &filter).len();
        let size = walking_size(self.random, count);
        for number in 1..=count as u64 / size + 2 {
            self.compare_trades(filter, Window::Page { page: number, size });
        }
        let mut next = self.compare_trades(filter, Window::Page { page: 1, size }).next;
        while let Some(cursor) = next {
            next = self.compare_trades(filter, Window::After { cursor, size }).next;
        }
    }

    /// Every subset of the eight filters, `rounds` times with other values and windows; each of them alone, walked.
    pub fn check_trades(&mut self, rounds: usize) {
        for _ in 0..rounds {
            for subset in 0..1 << 8 {
                let filter = filter(self.random, self.model, subset);
                let count = matching(self.model, &filter).len();
                let number_max = self.model.trades.len() as u64;
                let window = window(self.random, count, number_max);
                self.compare_trades(filter, window);
            }
        }
        for alone in 0..8 {
            let filter = filter(self.random, self.model, 1 << alone);
            self.walk_trades(filter);
        }
        self.walk_trades(TradeFilter::default());
    }

    /// Every market with every outcome and every user.
    pub fn check_trades_of_all(&mut self) {
        let catalogue = self.exchange.catalogue();
        let markets: Vec<_> = catalogue.markets().map(|(_, market)| market.id).collect();
        let users: Vec<_> = self.exchange.directory().users().map(|(_, user)| user.id).collect();
        for market in markets {
            for outcome in [None, Some(Outcome::Yes), Some(Outcome::No)] {
                for user in users.iter().copied().map(Some).chain([None]) {
                    let outcome = outcome.map(|outcome| (market, outcome));
                    let market = Some(market).filter(|_| outcome.is_none() || self.random.chance(50));
                    let engine = self.random.one_of([None, Some(Engine::Clob), Some(Engine::Amm)]);
                    let filter = TradeFilter { engine, market, outcome, user, ..TradeFilter::default() };
                    self.compare_trades(filter, Window::Page { page: 1, size: 20 });
                }
            }
        }
    }
}

/// Mostly values of one trade, so that something is found; now and then of another, or of none.
fn filter(random: &mut Random, model: &Model, subset: u32) -> TradeFilter {
    let usual = random.pick(&places(model));
    let mut pick = |bit: u32| -> Option<Option<&Row>> {
        let place = match random.below(20) {
            0 if random.chance(40) => None,
            1 => random.pick(&places(model)),
            _ => usual,
        };
        (subset & (1 << bit) != 0).then(|| place.map(|place| &model.trades[place]))
    };
    let (id, market, ordered, outcome) = (pick(0), pick(1), pick(2), pick(3));
    let (user, from, to) = (pick(4), pick(5), pick(6));
    let engine = pick(7).map(|stored| stored.map_or(Engine::Amm, |stored| seen(&stored.trade).engine));
    let party = usize::from(random.chance(50));
    let order = |stored: &Row| seen(&stored.trade).orders.into_iter().cycle().nth(party);
    let outcome_of = |stored: &Row| seen(&stored.trade).outcomes.into_iter().cycle().nth(party);
    // Mostly on the side that includes the trade, and often its very instant.
    let mut time = |stored: Option<&Row>, sign: i64| {
        let at = stored.map_or(model.now, |stored| stored.at);
        let away = random.one_of([0, 0, 1, 60, 900, 90_000]) * random.one_of([1, 1, 1, -1]);
        at + Span::seconds(sign * away) + micros(random.one_of([0, 0, 1, -1]))
    };
    let none = (MarketId::new(1), Outcome::Yes);
    TradeFilter {
        engine,
        id: id.map(|stored| stored.map_or(TradeId::new(1), |stored| seen(&stored.trade).id)),
        market: market.map(|stored| stored.map_or(none.0, |stored| seen(&stored.trade).market)),
        order: ordered.map(|stored| stored.and_then(order).unwrap_or(OrderId::new(1))),
        outcome: outcome.map(|stored| {
            stored.map_or(none, |row| (seen(&row.trade).market, outcome_of(row).unwrap_or(none.1)))
        }),
        user: user.map(|stored| stored.map_or(UserId::new(77), |stored| seen(&stored.trade).users[party])),
        from: from.map(|stored| time(stored, -1)),
        to: to.map(|stored| time(stored, 1)),
    }
}

fn places(model: &Model) -> Vec<usize> {
    (0..model.trades.len()).collect()
}

fn micros(micros: i64) -> Span {
    Time::from_micros(micros) - Time::ZERO
}
