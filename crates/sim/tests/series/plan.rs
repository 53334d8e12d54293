//! The scenario of a run: prices with their times and sources, trades, downtimes, restarts, snapshots.
//!
//! Everything follows from the seed. Nothing here computes an expected result.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, Interval, MarketDetails, NewSeries, SeriesCategory,
};
use exchange::id::SeriesId;
use exchange::numbers::{Currency, Money, PerCurrency};
use exchange::text::Text;
use exchange::time::{Span, Time};
use sim::random::Random;

pub const SYMBOL: &str = "BTCUSDT";
pub const SOURCES: [&str; 3] = ["leading", "checking", "third"];
const TOLERANCE_PPM: u32 = 200;
/// 2026-01-01T00:00:00Z: every interval begins there.
pub const BEGIN: Time = Time::from_seconds(1_767_225_600);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// A price that a source saw at another time.
    Price {
        source: usize,
        value: i64,
        seen: Time,
    },
    /// A price of another asset, which must have no effect.
    OtherAsset {
        value: i64,
    },
    /// Two people take opposite sides of the interval that begins at `start`.
    Trade {
        start: Time,
        currency: Currency,
    },
    Snapshot,
    Restart,
}

/// The node is down between these two instants.
#[derive(Clone, Copy, Debug)]
pub struct Sleep {
    pub from: Time,
    pub until: Time,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub terms: NewSeries,
    pub length: i64,
    pub deeds: Vec<(Time, Deed)>,
    pub sleeps: Vec<Sleep>,
    /// The delays of the ticks, in turn.
    pub lags: Vec<i64>,
}

/// The defect of the prices at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fine,
    AtTolerance,
    Disagreeing,
    StaleLeading,
    StaleChecking,
    Silent,
    FromTheFuture,
    TooLate,
}

impl Plan {
    pub fn new(seed: u64, interval: Interval, engine: Engine, length: i64) -> Plan {
        let mut random = Random::new(seed * 8 + interval as u64 * 2 + engine as u64);
        let named = (seed % 3) as usize;
        let terms = terms(interval, engine, named);
        let mut plan = Plan { terms, length, deeds: Vec::new(), sleeps: Vec::new(), lags: Vec::new() };
        let mut price = 60_000_000_000;
        for number in 1..=length {
            let start = plan.start(number);
            price += random.between(-40, 40) * 1_000_000;
            plan.prices(&mut random, start, price);
            plan.life(&mut random, start);
        }
        plan.deeds.sort();
        plan.sleep(&mut random);
        plan.lags = (0..50).map(|_| random.between(0, 900_000)).collect();
        plan
    }

    pub fn span(&self) -> Span {
        self.terms.interval.span()
    }

    /// The start of the n-th interval.
    pub fn start(&self, number: i64) -> Time {
        BEGIN + Span::seconds(self.span().micros() / 1_000_000 * number)
    }

    fn price(&mut self, at: Time, source: usize, value: i64, seen: Time) {
        self.deeds.push((at, Deed::Price { source, value, seen }));
    }

    /// Adds prices around a boundary. Prices that must not count have other values, so that using one would show.
    fn prices(&mut self, random: &mut Random, boundary: Time, price: i64) {
        let kind = match random.below(20) {
            0 => Kind::AtTolerance,
            1 | 2 => Kind::Disagreeing,
            3 => Kind::StaleLeading,
            4 => Kind::StaleChecking,
            5 => Kind::Silent,
            6 => Kind::FromTheFuture,
            7 => Kind::TooLate,
            _ => Kind::Fine,
        };
        let before = |seconds| boundary - Span::seconds(seconds);
        let within = price * i64::from(TOLERANCE_PPM) / 1_000_000;
        let sign = random.one_of([-1, 1]);
        for source in 0..2 {
            // Prices that must not count: too old, or replaced by a newer one.
            let old = random.between(60, 110);
            self.price(before(old), source, price + random.between(1, 90) * 1_000_000, before(old));
            let value = match (kind, source) {
                (Kind::AtTolerance, 1) => price + sign * within,
                (Kind::Disagreeing, 1) => price + sign * (within + 1),
                (_, 1) => price + random.between(-within, within),
                _ => price,
            };
            let anywhere = random.between(0, 59);
            let at = random.one_of([0, 1, 5, 59, anywhere]);
            let delay = random.between(0, 59 - at);
            match kind {
                Kind::Silent => {}
                Kind::StaleLeading if source == 0 => self.price(before(at), 0, value + 7, before(60)),
                Kind::StaleChecking if source == 1 => self.price(before(at), 1, value + 7, before(61)),
                Kind::FromTheFuture => {
                    self.price(before(at.max(1)), source, value + 9, boundary + Span::seconds(1));
                }
                Kind::TooLate => {
                    let late = boundary + Span::seconds(random.between(1, 8));
                    self.price(late, source, value + 11, boundary);
                }
                _ => self.price(before(at), source, value, before(at + delay)),
            }
        }
        if random.chance(40) {
            self.price(before(random.between(1, 50)), 2, price * 2, before(random.between(50, 70)));
        }
        if random.chance(20) {
            self.deeds.push((before(random.between(1, 50)), Deed::OtherAsset { value: price / 2 }));
        }
    }

    fn life(&mut self, random: &mut Random, start: Time) {
        let inside = |random: &mut Random| start + Span::seconds(random.between(70, 700));
        if random.chance(80) {
            let currency = random.one_of([Currency::Usd, Currency::Ngn]);
            self.deeds
                .push((start + Span::seconds(random.between(11, 300)), Deed::Trade { start, currency }));
        }
        if random.chance(10) {
            self.deeds.push((inside(random), Deed::Snapshot));
        }
        if random.chance(10) {
            self.deeds.push((inside(random), Deed::Restart));
        }
        if random.chance(3) {
            // In the minute between the close and the result.
            self.deeds.push((start + Span::seconds(random.between(1, 59)), Deed::Restart));
        }
    }

    /// Adds downtimes, most of them over a boundary, and removes all deeds during them.
    fn sleep(&mut self, random: &mut Random) {
        let span = self.span().micros();
        let mut number = 1;
        while number < self.length {
            number += random.between(3, 14);
            let boundary = self.start(number);
            let from = Time::from_micros(boundary.micros() - random.between(0, 75) * 1_000_000 - 1);
            let length = match random.below(6) {
                0 => random.between(1, 9_999_999),
                1 => 10_000_000,
                2 => 10_000_001,
                3 => random.between(11, 200) * 1_000_000,
                _ => random.between(span / 2, span * 7 / 2),
            };
            let until = Time::from_micros(boundary.micros() + length);
            self.sleeps.push(Sleep { from, until });
            number += length / span;
        }
        let sleeps = &self.sleeps;
        let is_heard = |at: Time| !sleeps.iter().any(|sleep| sleep.from <= at && at < sleep.until);
        self.deeds.retain(|(at, _)| is_heard(*at));
    }
}

fn terms(interval: Interval, engine: Engine, named: usize) -> NewSeries {
    NewSeries {
        id: SeriesId::new(77),
        slug: Text::from("btc"),
        display_name: Text::from("Bitcoin"),
        description: Text::default(),
        category: SeriesCategory::Crypto,
        interval,
        asset_symbol: Text::from(SYMBOL),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        seed: PerCurrency { usd: Money::whole(100), ngn: Money::whole(10_000) },
        sources: SOURCES[..named].iter().copied().map(Text::from).collect(),
        tolerance_ppm: if named == 2 { TOLERANCE_PPM } else { 0 },
    }
}

pub fn asset_price(value: i64) -> AssetPrice {
    AssetPrice(value)
}
