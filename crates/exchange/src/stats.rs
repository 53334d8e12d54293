//! Rolling 24-hour statistics of one listing, in one-minute buckets of YES price.
//!
//! Readers pass a time; trades more than 24 hours before it are ignored, even if nothing was traded since. NO's numbers
//! are the complements.

use std::collections::VecDeque;

use minicbor::{Decode, Encode};

use crate::numbers::{Price, Shares};
use crate::order::Outcome;
use crate::time::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
struct Bucket {
    #[n(0)]
    minute: i64,
    #[n(1)]
    open: Price,
    #[n(2)]
    high: Price,
    #[n(3)]
    low: Price,
    #[n(4)]
    close: Price,
    #[n(5)]
    count: u64,
    #[n(6)]
    volume: Shares,
}

const MINUTES: i64 = 1_440;

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Stats {
    /// Minutes with trades, oldest first; at most 1,440.
    #[n(0)]
    buckets: VecDeque<Bucket>,
    /// The last price before the oldest bucket.
    #[n(1)]
    before: Option<Price>,
}

/// The values of a ticker. Prices are `None` if nothing was traded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Day {
    pub last: Option<Price>,
    pub high: Option<Price>,
    pub low: Option<Price>,
    /// Last price minus the price 24 hours ago (or the first one within), in cents.
    pub change: i64,
    pub volume: Shares,
    pub count: u64,
}

impl Stats {
    pub(crate) fn record(&mut self, at: Time, price: Price, quantity: Shares) {
        let minute = at.minute();
        while let Some(old) = self.buckets.front().filter(|bucket| bucket.minute <= minute - MINUTES) {
            self.before = Some(old.close);
            self.buckets.pop_front();
        }
        match self.buckets.back_mut() {
            Some(bucket) if bucket.minute == minute => {
                bucket.high = bucket.high.max(price);
                bucket.low = bucket.low.min(price);
                bucket.close = price;
                bucket.count += 1;
                bucket.volume = bucket.volume.saturating_add(quantity);
            }
            _ => self.buckets.push_back(Bucket {
                minute,
                open: price,
                high: price,
                low: price,
                close: price,
                count: 1,
                volume: quantity,
            }),
        }
    }

    /// The 24 hours up to `at`, for `outcome`.
    pub fn day(&self, at: Time, outcome: Outcome) -> Day {
        let from = at.minute() - MINUTES;
        let first = self.buckets.partition_point(|bucket| bucket.minute <= from);
        let mut day = Day::default();
        let start = match first.checked_sub(1) {
            Some(older) => self.buckets.get(older).map(|bucket| bucket.close),
            None => self.before,
        };
        let start = start.or(self.buckets.get(first).map(|bucket| bucket.open));
        day.last = self.buckets.back().map(|bucket| bucket.close).or(self.before);
        for bucket in self.buckets.range(first..) {
            day.high = day.high.max(Some(bucket.high));
            day.low = Some(day.low.map_or(bucket.low, |low| low.min(bucket.low)));
            day.count += bucket.count;
            day.volume = day.volume.saturating_add(bucket.volume);
        }
        if let (Some(last), Some(start)) = (day.last, start) {
            day.change = i64::from(last.cents()) - i64::from(start.cents());
        }
        day.seen_from(outcome)
    }
}

impl Day {
    /// Converts statistics in YES to those of `outcome`.
    pub fn seen_from(self, outcome: Outcome) -> Day {
        match outcome {
            Outcome::Yes => self,
            Outcome::No => self.complement(),
        }
    }

    fn complement(self) -> Day {
        Day {
            last: self.last.map(Price::complement),
            high: self.low.map(Price::complement),
            low: self.high.map(Price::complement),
            change: -self.change,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(cents: u8) -> Price {
        Price::clamp(i64::from(cents))
    }

    #[test]
    fn a_day_ages_by_time_and_keeps_the_price_it_began_with() {
        let mut stats = Stats::default();
        let start = Time::from_seconds(1_000_000 * 60);
        let after = |minutes: i64| start + crate::time::Span::minutes(minutes);
        stats.record(after(0), price(40), Shares::whole(1));
        stats.record(after(10), price(60), Shares::whole(2));
        stats.record(after(10), price(55), Shares::whole(3));
        let day = stats.day(after(10), Outcome::Yes);
        assert_eq!((day.last, day.high, day.low), (Some(price(55)), Some(price(60)), Some(price(40))));
        assert_eq!((day.change, day.volume, day.count), (15, Shares::whole(6), 3));
        let later = stats.day(after(1_440), Outcome::No);
        assert_eq!((later.last, later.high, later.low), (Some(price(45)), Some(price(45)), Some(price(40))));
        assert_eq!((later.change, later.volume, later.count), (-15, Shares::whole(5), 2));
        let quiet = stats.day(after(3_000), Outcome::Yes);
        assert_eq!((quiet.last, quiet.high, quiet.change, quiet.count), (Some(price(55)), None, 0, 0));
        stats.record(after(1_451), price(50), Shares::whole(1));
        assert_eq!(stats.day(after(1_451), Outcome::Yes).change, -5);
    }
}
