//! Moving the clock: to each moment at which something is due, in order, until the wanted time is reached. At a moment
//! timers fire first, then past commands are submitted and asset prices recorded, then virtual traders act in the order of
//! their creation.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use api::Timestamp;
use api::error::ErrorBody;
use exchange::catalogue::AssetPrice;
use exchange::command::{Command, RecordPrice};
use exchange::identity::Actor;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::error::Refusal;
use crate::past::Past;
use crate::samples::{FIRST_PRICE, SYMBOL};
use crate::traders;
use crate::venue::Venue;

/// Interval between asset prices; it divides every interval of a series.
const PRICES_EVERY: Span = Span::minutes(5);
/// How long before such a moment its price is recorded: a series counts a price of its last minute.
const PRICED_BEFORE: Span = Span::seconds(15);
/// The largest step of an asset price, in millionths.
const WALK_PPM: i64 = 1_200;
/// One request may move the clock by this at most.
pub(crate) const ADVANCE_MAX: Span = Span::days(400);
/// One request may pass this many moments at most: it has the venue for itself meanwhile.
const MOMENTS_MAX: usize = 50_000;

/// The source of made-up prices.
const SOURCE: &str = "sandbox";

impl Venue {
    /// Moves the clock to `target`, which is not before its time. Refused if too many moments are in between; the clock
    /// then stands at the last one that it has passed.
    pub(crate) fn advance_to(&mut self, target: Time) -> Result<(), Refusal> {
        if self.advance_within(target, MOMENTS_MAX)? {
            return Ok(());
        }
        let now = Timestamp::from_micros(self.fixed.clock.time().micros());
        Err(Refusal::conflict(format!(
            "The clock has passed {MOMENTS_MAX} moments and stands at {now}: advance in smaller steps"
        )))
    }

    /// Moves the clock towards `target`, past a number of moments at most. Returns whether it is there.
    pub(crate) fn advance_within(&mut self, target: Time, moments: usize) -> Result<bool, Refusal> {
        self.check_past()?;
        for _ in 0..moments {
            if self.fixed.is_stopping.load(Ordering::Acquire) {
                return Err(ErrorBody::unavailable("The sandbox stops", 1).into());
            }
            let Some(moment) = self.next_moment()?.filter(|moment| *moment <= target) else {
                self.fixed.clock.set(target);
                return Ok(true);
            };
            self.pass(moment)?;
        }
        Ok(false)
    }

    /// The next moment at which something is due.
    fn next_moment(&self) -> Result<Option<Time>, Refusal> {
        let now = self.fixed.clock.time();
        let timer = self.app()?.reading().state().next_due();
        // Timers that are due already fire at the present.
        let timer = timer.map(|due| due.max(now));
        let past = self.past.as_ref().and_then(Past::next_at).map(|at| at.max(now));
        // A past has its own ticks and prices. Its ticks come too late for timers of other orders.
        let timer = if self.follows_past()? { None } else { timer };
        let price = (!self.fixed.is_past).then(|| next_price(now));
        let trader = self.record.traders.iter().map(|trader| trader.next_act(now)).min();
        Ok([timer, past, price, trader].into_iter().flatten().min())
    }

    /// Lets everything happen that is due at a moment.
    fn pass(&mut self, moment: Time) -> Result<(), Refusal> {
        let before = self.fixed.clock.time();
        self.fixed.clock.set(moment);
        let is_due = |venue: &Venue| -> Result<bool, Refusal> {
            Ok(venue.app()?.reading().state().next_due().is_some_and(|due| due <= moment))
        };
        while !self.follows_past()? && is_due(self)? {
            self.submit(Actor::System, Command::Tick)?;
        }
        self.relive_until(moment)?;
        if !self.fixed.is_past && next_price(before) == moment {
            let held = self.record.held_prices.keys().map(String::as_str);
            for symbol in held.chain([SYMBOL]).collect::<BTreeSet<_>>() {
                Refusal::ignore(self.record_price(symbol))?;
            }
        }
        for place in 0..self.record.traders.len() {
            if self.record.traders[place].next_act(before) == moment {
                traders::act(self, place)?;
            }
        }
        Ok(())
    }

    /// Records the next price of an asset: the one that a request has set, or a step of a walk.
    fn record_price(&self, symbol: &str) -> Result<(), Refusal> {
        let value = match self.record.held_prices.get(symbol) {
            Some(held) => *held,
            None => self.walk(symbol)?,
        };
        self.submit_price(symbol, value)
    }

    pub(crate) fn submit_price(&self, symbol: &str, value: i64) -> Result<(), Refusal> {
        let command = Command::RecordPrice(RecordPrice {
            symbol: Text::from(symbol),
            value: AssetPrice(value),
            source: Text::from(SOURCE),
            source_time: self.fixed.clock.time(),
        });
        self.submit(Actor::System, command).map(drop)
    }

    fn walk(&self, symbol: &str) -> Result<i64, Refusal> {
        let exchange = self.app()?.reading().state();
        let last = exchange.catalogue().assets().get(&Text::from(symbol)).and_then(|samples| samples.last());
        let last = last.map_or(FIRST_PRICE, |last| last.value.0);
        let mut rng = traders::draws(self.record.seed, symbol, self.fixed.clock.time());
        let step = last / 1_000 * rng.i64(-WALK_PPM..=WALK_PPM) / 1_000;
        Ok((last + step).clamp(FIRST_PRICE / 2, FIRST_PRICE * 2))
    }
}

/// The first moment after `now` at which asset prices are recorded.
fn next_price(now: Time) -> Time {
    (now + PRICED_BEFORE).next_multiple(PRICES_EVERY) - PRICED_BEFORE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_recorded_just_before_each_five_minutes() {
        let start = Time::from_seconds(1_767_225_600);
        let first = next_price(start);
        assert_eq!(first, start + Span::seconds(285));
        assert_eq!(next_price(first), start + Span::seconds(585));
        assert_eq!(next_price(first - Span::MICROSECOND), first);
    }
}
