//! Orders and traded value of one listing over the last day, by the hour: the basis for trending events.
//!
//! Readers pass a time; hours outside the 24 up to it are ignored, even if nothing was recorded since. Prices and exact
//! 24-hour statistics are in `stats.rs`.

use std::collections::VecDeque;

use minicbor::{Decode, Encode};

use crate::numbers::Money;
use crate::time::Time;

const HOURS: i64 = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
struct Hour {
    /// Hours since 1970.
    #[n(0)]
    hour: i64,
    #[n(1)]
    volume: Money,
    #[n(2)]
    orders: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
#[cbor(transparent)]
pub struct Activity {
    /// Hours with activity, oldest first; at most 24.
    #[n(0)]
    hours: VecDeque<Hour>,
}

/// Activity of the current hour and the 23 before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecentActivity {
    pub volume: Money,
    pub orders: u64,
}

impl Activity {
    pub(crate) fn record(&mut self, at: Time, volume: Money, orders: u64) {
        let hour = at.hour();
        match self.hours.back_mut() {
            Some(last) if last.hour == hour => {
                last.volume = last.volume.saturating_add(volume);
                last.orders += orders;
            }
            _ => self.begin(Hour { hour, volume, orders }),
        }
    }

    #[cold]
    fn begin(&mut self, new: Hour) {
        while self.hours.front().is_some_and(|old| old.hour <= new.hour - HOURS) {
            self.hours.pop_front();
        }
        self.hours.push_back(new);
    }

    /// Releases unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.hours.shrink_to_fit();
    }

    /// Whether activity at `then` still counts at the later time `at`: in the current hour or the 23 before it.
    pub const fn is_recent(then: Time, at: Time) -> bool {
        then.hour() > at.hour() - HOURS
    }

    /// The last hour with activity, in hours since 1970.
    pub fn last_hour(&self) -> Option<i64> {
        self.hours.back().map(|last| last.hour)
    }

    /// The 24 hours that end with the hour of `at`.
    pub fn recent(&self, at: Time) -> RecentActivity {
        let from = at.hour() - HOURS;
        let mut recent = RecentActivity::default();
        for hour in self.hours.iter().rev().take_while(|hour| hour.hour > from) {
            recent.volume = recent.volume.saturating_add(hour.volume);
            recent.orders += hour.orders;
        }
        recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    #[test]
    fn activity_ages_by_the_hour_whether_or_not_anything_happens() {
        let start = Time::from_seconds(1_000 * 3_600);
        let after = |minutes: i64| start + Span::minutes(minutes);
        let mut activity = Activity::default();
        activity.record(after(0), Money::whole(5), 1);
        activity.record(after(59), Money::whole(7), 0);
        activity.record(after(60), Money::ZERO, 2);
        let at = |minutes: i64| {
            let RecentActivity { volume, orders } = activity.recent(after(minutes));
            (volume, orders)
        };
        assert_eq!(at(60), (Money::whole(12), 3));
        assert_eq!(at(24 * 60 - 1), (Money::whole(12), 3));
        assert_eq!(at(24 * 60), (Money::ZERO, 2));
        assert_eq!(at(25 * 60), (Money::ZERO, 0));
        activity.record(after(30 * 60), Money::whole(1), 1);
        assert_eq!(activity.hours.len(), 1, "past hours are removed");
    }
}
