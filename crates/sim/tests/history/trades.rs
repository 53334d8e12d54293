//! Trades under every combination of filters.

use exchange::id::{MarketId, OrderId, TradeId, UserId};
use exchange::order::Outcome;
use exchange::time::{Span, Time};
use server::history::{Page, StoredTrade, TradeFilter, Window};
use sim::random::Random;

use crate::model::Model;
use crate::pages::{page, walking_size, window};
use crate::trial::Trial;

/// All trades that pass, newest first.
pub fn matching<'a>(model: &'a Model, filter: &TradeFilter) -> Vec<(u64, &'a StoredTrade)> {
    let passes = |stored: &StoredTrade| {
        let trade = &stored.trade;
        let (taker, maker) = (&trade.taker, &trade.maker);
        let is_of_outcome = |(market, outcome)| {
            trade.market == market && (taker.outcome == outcome || maker.outcome == outcome)
        };
        filter.id.is_none_or(|id| TradeId::of(taker.order, trade.index) == id)
            && filter.market.is_none_or(|market| trade.market == market)
            && filter.order.is_none_or(|order| taker.order == order || maker.order == order)
            && filter.outcome.is_none_or(is_of_outcome)
            && filter.user.is_none_or(|user| taker.user == user || maker.user == user)
            && filter.from.is_none_or(|from| from <= stored.at)
            && filter.to.is_none_or(|to| stored.at <= to)
    };
    let all = model.trades.iter().rev();
    all.filter(|stored| passes(stored)).map(|stored| (stored.serial, stored)).collect()
}

impl Trial<'_> {
    pub fn trades(&mut self, filter: TradeFilter, window: Window) -> Page<StoredTrade> {
        self.kept.ask(self.exchange, |history| history.trades(filter, window))
    }

    pub fn compare_trades(&mut self, filter: TradeFilter, window: Window) -> Page<StoredTrade> {
        let got = self.trades(filter, window);
        let rows = matching(self.model, &filter);
        self.same_page(&got, &page(&rows, window), || format!("trades {filter:?} {window:?}"));
        got
    }

    /// By number up to the page behind the last one, and by cursor.
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

    /// Every subset of the seven filters, `rounds` times with other values and windows; each of them alone, walked.
    pub fn check_trades(&mut self, rounds: usize) {
        for _ in 0..rounds {
            for subset in 0..1 << 7 {
                let filter = filter(self.random, self.model, subset);
                let count = matching(self.model, &filter).len();
                let number_max = self.model.trades.len() as u64;
                let window = window(self.random, count, number_max);
                self.compare_trades(filter, window);
            }
        }
        for alone in 0..7 {
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
                    let filter = TradeFilter { market, outcome, user, ..TradeFilter::default() };
                    self.compare_trades(filter, Window::Page { page: 1, size: 20 });
                }
            }
        }
    }
}

/// Values of one trade mostly, so that something is found; now and then of another, or of none.
fn filter(random: &mut Random, model: &Model, subset: u32) -> TradeFilter {
    let usual = random.pick(&places(model));
    let mut pick = |bit: u32| -> Option<Option<&StoredTrade>> {
        let place = match random.below(20) {
            0 if random.chance(40) => None,
            1 => random.pick(&places(model)),
            _ => usual,
        };
        (subset & (1 << bit) != 0).then(|| place.map(|place| &model.trades[place]))
    };
    let (id, market, order, outcome) = (pick(0), pick(1), pick(2), pick(3));
    let (user, from, to) = (pick(4), pick(5), pick(6));
    let takes = random.chance(50);
    let party = |stored: &StoredTrade| if takes { stored.trade.taker } else { stored.trade.maker };
    // Mostly on the side that lets the trade pass, and often its very instant.
    let mut time = |stored: Option<&StoredTrade>, sign: i64| {
        let at = stored.map_or(model.now, |stored| stored.at);
        let away = random.one_of([0, 0, 1, 60, 900, 90_000]) * random.one_of([1, 1, 1, -1]);
        at + Span::seconds(sign * away) + micros(random.one_of([0, 0, 1, -1]))
    };
    TradeFilter {
        id: id.map(|stored| stored.map_or(TradeId::new(1), |stored| stored.trade.id())),
        market: market.map(|stored| stored.map_or(MarketId::new(1), |stored| stored.trade.market)),
        order: order.map(|stored| stored.map_or(OrderId::new(1), |stored| party(stored).order)),
        outcome: outcome.map(|stored| match stored {
            Some(stored) => (stored.trade.market, party(stored).outcome),
            None => (MarketId::new(1), Outcome::Yes),
        }),
        user: user.map(|stored| stored.map_or(UserId::new(77), |stored| party(stored).user)),
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
