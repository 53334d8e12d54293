//! Profit and loss of users in random spans; prices in every interval; answers under idempotency keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use api::json::Decimals;
use exchange::id::{EventId, MarketId, UserId};
use exchange::numbers::Currency;
use exchange::time::{Span, Time};
use server::history::{
    Candle, CandleRange, EventResult, FoundCandles, FoundResults, Interval, ResultSpan, Sums,
};
use server::respond::stored::{self, OperatorsAnswer};

use crate::history::model::{Model, Priced, StoredAnswer, Won};
use crate::history::trial::Trial;

/// Events of one answer.
const EVENTS_MAX: usize = 30;
/// Answers are kept an hour longer than their keys.
const ANSWERS_KEPT: Span = Span::hours(25);

fn sum<'a>(results: impl Iterator<Item = &'a Won>) -> Sums {
    let mut sums = Sums::default();
    for won in results {
        let result = i128::from(won.received.units()) - i128::from(won.cost.units());
        sums.cost += i128::from(won.cost.units());
        match won.settled {
            None => sums.trade += result,
            Some((wins, losses)) => {
                sums.settlement += result;
                sums.wins += wins;
                sums.losses += losses;
            }
        }
    }
    sums
}

fn results(model: &Model, span: &ResultSpan, with_events: bool) -> FoundResults {
    let is_within = |won: &&Won| {
        won.user == span.user
            && won.currency == span.currency
            && (span.from.micros()..=span.to.micros()).contains(&won.at.micros())
    };
    let all: Vec<&Won> = model.results.iter().filter(is_within).collect();
    let mut last: BTreeMap<EventId, Time> = BTreeMap::new();
    for won in all.iter().filter(|_| with_events) {
        last.insert(won.event, won.at);
    }
    let mut events: Vec<_> = last.into_iter().collect();
    events.sort_by_key(|(event, last)| (Reverse(*last), *event));
    let events = events.into_iter().take(EVENTS_MAX).map(|(event, last)| {
        let sums = sum(all.iter().copied().filter(|won| won.event == event));
        EventResult { event, sums, last }
    });
    FoundResults { events: events.collect(), all: sum(all.iter().copied()) }
}

/// The candles of a listing, oldest first.
fn candles(model: &Model, market: MarketId, currency: Currency, interval: Interval) -> Vec<Candle> {
    let length = interval.micros();
    let mut candles: Vec<Candle> = Vec::new();
    let is_of = |priced: &&Priced| priced.market == market && priced.currency == currency;
    for Priced { at, price, volume, .. } in model.prices.iter().filter(is_of).copied() {
        let start = Time::from_micros(at.micros() - at.micros().rem_euclid(length));
        let traded = u64::from(volume.units() > 0);
        match candles.last_mut().filter(|last| last.start == start) {
            Some(last) => {
                last.high = last.high.max(price);
                last.low = last.low.min(price);
                last.close = price;
                last.volume += volume;
                last.count += traded;
            }
            None => candles.push(Candle {
                start,
                open: price,
                high: price,
                low: price,
                close: price,
                volume,
                count: traded,
            }),
        }
    }
    candles
}

fn found(model: &Model, range: &CandleRange) -> FoundCandles {
    let all = candles(model, range.market, range.currency, range.interval);
    let until: Vec<_> = all.into_iter().filter(|candle| candle.start <= range.to).collect();
    let within = until.iter().filter(|candle| candle.start >= range.from).count();
    let first = until.len() - within.min(range.count_max);
    FoundCandles { before: first.checked_sub(1).map(|place| until[place]), candles: until[first..].to_vec() }
}

impl Trial<'_> {
    /// An instant of the day: of an event, or near one.
    fn instant(&mut self, known: &[Time]) -> Time {
        let at = self.random.pick(known).unwrap_or(self.model.now);
        let away = self.random.one_of([0, 0, 0, 1, -1, 60_000_000, -3_600_000_000]);
        Time::from_micros(at.micros() + away)
    }

    pub fn check_results(&mut self, rounds: usize) {
        let users: Vec<_> = self.exchange.directory().users().map(|(_, user)| user.id).collect();
        let times: Vec<_> = self.model.results.iter().map(|won| won.at).collect();
        for round in 0..rounds {
            let user = self.random.pick(&users).filter(|_| !self.random.chance(5));
            let user = user.unwrap_or(UserId::new(77));
            let currency = self.random.one_of(Currency::ALL);
            let (one, other) = (self.instant(&times), self.instant(&times));
            let span = match round % 4 {
                0 => ResultSpan { user, currency, from: Time::ZERO, to: self.model.now },
                // A reversed span is empty.
                1 => ResultSpan { user, currency, from: one, to: other },
                _ => ResultSpan { user, currency, from: one.min(other), to: one.max(other) },
            };
            let with_events = !self.random.chance(25);
            let got = self.kept.ask(self.exchange, |history| history.results(span, with_events));
            let expected = results(self.model, &span, with_events);
            self.same(&got, &expected, || format!("results {span:?}, events {with_events}"));
        }
    }

    pub fn check_candles(&mut self, rounds: usize) {
        let mut markets: Vec<_> = self.model.prices.iter().map(|priced| priced.market).collect();
        markets.push(MarketId::new(1));
        let times: Vec<_> = self.model.prices.iter().map(|priced| priced.at).collect();
        for _ in 0..rounds {
            let market = self.random.pick(&markets).unwrap_or(MarketId::new(1));
            let currency = if self.random.chance(75) { Currency::Usd } else { Currency::Ngn };
            let one_of_all = self.random.below(3);
            let (one, other) = (self.instant(&times), self.instant(&times));
            let count_max = self.random.one_of([0, 1, 3, 1_000, usize::MAX]);
            let ranges = Interval::ALL.map(|interval| CandleRange {
                market,
                currency,
                interval,
                from: if one_of_all == 0 { Time::from_micros(i64::MIN) } else { one.min(other) },
                to: if one_of_all == 1 { self.model.now } else { one.max(other) },
                count_max,
            });
            let got = self.kept.ask(self.exchange, |history| history.candles(ranges.to_vec()));
            for (got, range) in got.iter().zip(&ranges) {
                self.same(got, &found(self.model, range), || format!("candles {range:?}"));
            }
        }
    }

    /// Answers are replayed as long as their keys are known, and not much longer.
    pub fn check_answers(&mut self) {
        let is_kept = |at: Time| at >= self.model.now - ANSWERS_KEPT;
        for answer in &self.model.answers {
            let got = self.kept.ask(self.exchange, |history| history.answer(answer.seq));
            let got = got.map(|bytes| match &answer.stored {
                StoredAnswer::Shown(_) => match stored::decode_operators(&bytes).expect("our own encoding") {
                    OperatorsAnswer::Shown(shown) => StoredAnswer::Shown(Box::new(shown)),
                    OperatorsAnswer::Reply(reply) => panic!("{reply:?} is of an earlier build"),
                },
                StoredAnswer::Response(..) => {
                    let (status, body) =
                        stored::decode(&bytes).expect("our own encoding").render(Decimals::Numbers);
                    StoredAnswer::Response(status, body)
                }
            });
            let expected = is_kept(answer.at).then(|| answer.stored.clone());
            self.tally.answers_forgotten += u64::from(expected.is_none());
            self.same(&got, &expected, || format!("the answer at {}", answer.seq));
        }
        let got = self.kept.ask(self.exchange, |history| history.answer(u64::from(u32::MAX)));
        self.same(&got, &None, || "the answer at a sequence to come".to_owned());
    }
}
