//! A token bucket that may go into debt.
//!
//! A request of cost c passes if the bucket holds min(c, capacity), and then takes all of c. A batch larger than the bucket
//! thus passes when the bucket is full, and the debt is refilled afterwards. Integer arithmetic only.

/// How fast a bucket fills, and how many tokens it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Tokens for each `seconds`.
    pub tokens: u32,
    pub seconds: u32,
    pub capacity: u32,
}

impl Rate {
    /// A burst of at most one second's tokens.
    pub const fn per_second(per_second: u32) -> Rate {
        Rate { tokens: per_second, seconds: 1, capacity: per_second }
    }

    pub const fn times(self, factor: u32) -> Rate {
        Rate {
            tokens: self.tokens.saturating_mul(factor),
            seconds: self.seconds,
            capacity: self.capacity.saturating_mul(factor),
        }
    }

    /// Units per token. A bucket gains `tokens` units in a microsecond, so that no refill is rounded.
    const fn token(self) -> i64 {
        1_000_000 * self.seconds as i64
    }

    /// The units of a full bucket.
    const fn full(self) -> i64 {
        self.capacity as i64 * self.token()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Negative is debt.
    units: i64,
    /// The time of `units`, in microseconds.
    at: i64,
}

/// The bucket after a request that passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// Whole tokens left; 0 in debt.
    pub remaining: u32,
    /// Seconds until the bucket is full again, rounded up.
    pub reset_seconds: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Seconds until this request would pass, rounded up, at least 1.
    pub retry_after_seconds: u64,
}

impl Bucket {
    pub fn full(rate: Rate, now: i64) -> Bucket {
        Bucket { units: rate.full(), at: now }
    }

    /// Takes `cost` tokens at `now`, in microseconds.
    pub fn take(&mut self, rate: Rate, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.raise(rate, 0, cost, now)
    }

    /// Raises the cost of a request that has already paid `paid` to `cost`. It passes if `cost` at once would have
    /// passed. A refusal returns `paid`; otherwise retries of a large request would keep the bucket empty forever.
    pub fn raise(&mut self, rate: Rate, paid: u32, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.refill(rate, now);
        let needed = i64::from(cost.min(rate.capacity)) * rate.token();
        let held = self.units + i64::from(paid) * rate.token();
        if held < needed {
            self.units = held.min(rate.full());
            let wait = micros_until(needed - held, rate);
            return Err(Refused { retry_after_seconds: seconds(wait).max(1) });
        }
        self.units -= i64::from(cost.saturating_sub(paid)) * rate.token();
        Ok(self.state(rate))
    }

    /// Returns unused tokens.
    pub fn give_back(&mut self, rate: Rate, tokens: u32, now: i64) -> Allowed {
        self.refill(rate, now);
        self.units = (self.units + i64::from(tokens) * rate.token()).min(rate.full());
        self.state(rate)
    }

    /// Takes `cost` tokens at `now`, going into debt if there are not enough.
    pub fn charge_debt(&mut self, rate: Rate, cost: u32, now: i64) {
        self.refill(rate, now);
        self.units = self.units.saturating_sub(i64::from(cost) * rate.token());
    }

    fn refill(&mut self, rate: Rate, now: i64) {
        let elapsed = now.saturating_sub(self.at).max(0);
        let gained = elapsed.saturating_mul(i64::from(rate.tokens));
        self.units = self.units.saturating_add(gained).min(rate.full());
        self.at = self.at.max(now);
    }

    fn state(&self, rate: Rate) -> Allowed {
        let missing = rate.full() - self.units;
        Allowed {
            remaining: u32::try_from(self.units.max(0) / rate.token()).unwrap_or(u32::MAX),
            reset_seconds: seconds(micros_until(missing, rate)),
        }
    }

    /// Whether the bucket is full: removing it then changes nothing.
    pub(super) fn is_full(&mut self, rate: Rate, now: i64) -> bool {
        self.refill(rate, now);
        self.units == rate.full()
    }
}

fn micros_until(units: i64, rate: Rate) -> u64 {
    let per_micro = u64::from(rate.tokens.max(1));
    units.max(0).unsigned_abs().div_ceil(per_micro)
}

fn seconds(micros: u64) -> u64 {
    micros.div_ceil(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::per_second(20);

    #[test]
    fn twenty_pass_at_once_and_the_next_waits_for_its_token() {
        let mut bucket = Bucket::full(RATE, 0);
        for left in (0..20).rev() {
            assert_eq!(bucket.take(RATE, 1, 0).map(|allowed| allowed.remaining), Ok(left));
        }
        assert_eq!(bucket.take(RATE, 1, 0), Err(Refused { retry_after_seconds: 1 }));
        assert_eq!(bucket.take(RATE, 1, 49_999), Err(Refused { retry_after_seconds: 1 }));
        assert_eq!(bucket.take(RATE, 1, 50_000).map(|allowed| allowed.remaining), Ok(0));
    }

    #[test]
    fn a_batch_larger_than_the_bucket_passes_when_it_is_full_and_the_debt_is_worked_off() {
        let mut bucket = Bucket::full(RATE, 0);
        let allowed = bucket.take(RATE, 100, 0).expect("a full bucket");
        assert_eq!((allowed.remaining, allowed.reset_seconds), (0, 5));
        assert_eq!(bucket.take(RATE, 1, 0), Err(Refused { retry_after_seconds: 5 }), "4.05 s, rounded up");
        assert_eq!(bucket.take(RATE, 1, 4_049_999), Err(Refused { retry_after_seconds: 1 }));
        assert!(bucket.take(RATE, 1, 4_050_000).is_ok());
        assert_eq!(bucket.take(RATE, 100, 4_050_000), Err(Refused { retry_after_seconds: 1 }));
        assert!(bucket.take(RATE, 100, 5_050_000).is_ok());
    }

    #[test]
    fn a_price_that_is_raised_passes_where_the_whole_price_would_have_passed() {
        for cost in [1, 2, 19, 20, 21, 100] {
            let (mut whole, mut raised) = (Bucket::full(RATE, 0), Bucket::full(RATE, 0));
            let expected = whole.take(RATE, cost, 0);
            raised.take(RATE, 1, 0).expect("a full bucket");
            assert_eq!(raised.raise(RATE, 1, cost, 0), expected, "{cost}");
            assert_eq!(raised, whole, "{cost}");
        }
        let mut bucket = Bucket::full(RATE, 0);
        bucket.take(RATE, 15, 0).expect("a full bucket");
        bucket.take(RATE, 1, 0).expect("five are left");
        assert_eq!(bucket.raise(RATE, 1, 6, 0), Err(Refused { retry_after_seconds: 1 }));
        assert_eq!(
            bucket.take(RATE, 5, 0).map(|allowed| allowed.remaining),
            Ok(0),
            "the refusal returned the token"
        );
    }

    #[test]
    fn retries_of_a_refused_large_request_do_not_keep_the_bucket_empty() {
        let mut bucket = Bucket::full(RATE, 0);
        bucket.take(RATE, 20, 0).expect("a full bucket");
        let passed = (1..=1_000).filter(|millisecond| {
            let now = millisecond * 1_000;
            bucket.take(RATE, 1, now).is_ok() && bucket.raise(RATE, 1, 5, now).is_ok()
        });
        assert_eq!(passed.count(), 4, "20 tokens in a second, 5 for each request");
    }

    #[test]
    fn a_slow_bucket_that_is_looked_at_often_fills_as_fast_as_any() {
        let slow = Rate { tokens: 1, seconds: 30, capacity: 2 };
        let mut bucket = Bucket::full(slow, 0);
        assert_eq!(bucket.take(slow, 1, 0), Ok(Allowed { remaining: 1, reset_seconds: 30 }));
        assert_eq!(bucket.take(slow, 1, 0), Ok(Allowed { remaining: 0, reset_seconds: 60 }));
        for now in 1..30_000 {
            let retry_after_seconds = 30_u64.saturating_sub(now as u64 / 1_000).max(1);
            assert_eq!(bucket.take(slow, 1, now * 1_000), Err(Refused { retry_after_seconds }));
        }
        assert!(bucket.take(slow, 1, 30_000_000).is_ok());
    }

    #[test]
    fn tokens_that_are_given_back_never_overfill_a_bucket() {
        let mut bucket = Bucket::full(RATE, 0);
        bucket.take(RATE, 2, 0).expect("a full bucket");
        assert_eq!(bucket.give_back(RATE, 1, 0).remaining, 19);
        assert_eq!(bucket.give_back(RATE, 7, 0).remaining, 20);
    }

    #[test]
    fn a_debt_is_paid_before_anything_passes() {
        let mut bucket = Bucket::full(RATE, 0);
        bucket.charge_debt(RATE, 30, 0);
        assert_eq!(bucket.take(RATE, 1, 500_000), Err(Refused { retry_after_seconds: 1 }));
        assert_eq!(bucket.take(RATE, 1, 550_000).map(|allowed| allowed.remaining), Ok(0));
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        let mut bucket = Bucket::full(RATE, 1_000_000);
        for _ in 0..20 {
            bucket.take(RATE, 1, 1_000_000).expect("a token");
        }
        assert!(bucket.take(RATE, 1, 0).is_err());
        assert!(bucket.take(RATE, 1, 1_000_000).is_err());
        assert!(bucket.take(RATE, 1, 1_050_000).is_ok());
    }
}
