//! A token bucket that may go into debt.
//!
//! A request of cost c passes if the bucket holds min(c, capacity), and then takes all of c. A batch larger than the bucket
//! thus passes when the bucket is full, and the debt is refilled afterwards. Integer arithmetic only.

/// Tokens per second, and how many a bucket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub per_second: u32,
    pub capacity: u32,
}

impl Rate {
    /// A burst of at most one second's tokens.
    pub const fn per_second(per_second: u32) -> Rate {
        Rate { per_second, capacity: per_second }
    }

    pub const fn times(self, factor: u32) -> Rate {
        Rate {
            per_second: self.per_second.saturating_mul(factor),
            capacity: self.capacity.saturating_mul(factor),
        }
    }
}

/// Units per token: buckets count in millionths.
const TOKEN: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// In millionths; negative is debt.
    tokens: i64,
    /// The time of `tokens`, in microseconds.
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
        Bucket { tokens: i64::from(rate.capacity) * TOKEN, at: now }
    }

    /// Takes `cost` tokens at `now`, in microseconds.
    pub fn take(&mut self, rate: Rate, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.raise(rate, 0, cost, now)
    }

    /// Raises the cost of a request that has already paid `paid` to `cost`. It passes if `cost` at once would have
    /// passed. A refusal returns `paid`; otherwise retries of a large request would keep the bucket empty forever.
    pub fn raise(&mut self, rate: Rate, paid: u32, cost: u32, now: i64) -> Result<Allowed, Refused> {
        self.refill(rate, now);
        let needed = i64::from(cost.min(rate.capacity)) * TOKEN;
        let held = self.tokens + i64::from(paid) * TOKEN;
        if held < needed {
            self.tokens = held.min(i64::from(rate.capacity) * TOKEN);
            let wait = micros_until(needed - held, rate);
            return Err(Refused { retry_after_seconds: seconds(wait).max(1) });
        }
        self.tokens -= i64::from(cost.saturating_sub(paid)) * TOKEN;
        Ok(self.state(rate))
    }

    /// Returns unused tokens.
    pub fn give_back(&mut self, rate: Rate, tokens: u32, now: i64) -> Allowed {
        self.refill(rate, now);
        let capacity = i64::from(rate.capacity) * TOKEN;
        self.tokens = (self.tokens + i64::from(tokens) * TOKEN).min(capacity);
        self.state(rate)
    }

    /// Takes `cost` tokens at `now`, going into debt if there are not enough.
    pub fn charge_debt(&mut self, rate: Rate, cost: u32, now: i64) {
        self.refill(rate, now);
        self.tokens = self.tokens.saturating_sub(i64::from(cost) * TOKEN);
    }

    fn refill(&mut self, rate: Rate, now: i64) {
        let capacity = i64::from(rate.capacity) * TOKEN;
        let elapsed = now.saturating_sub(self.at).max(0);
        let gained = elapsed.saturating_mul(i64::from(rate.per_second));
        self.tokens = self.tokens.saturating_add(gained).min(capacity);
        self.at = self.at.max(now);
    }

    fn state(&self, rate: Rate) -> Allowed {
        let missing = i64::from(rate.capacity) * TOKEN - self.tokens;
        Allowed {
            remaining: u32::try_from(self.tokens.max(0) / TOKEN).unwrap_or(u32::MAX),
            reset_seconds: seconds(micros_until(missing, rate)),
        }
    }

    /// Whether the bucket is full: removing it then changes nothing.
    pub(super) fn is_full(&mut self, rate: Rate, now: i64) -> bool {
        self.refill(rate, now);
        self.tokens == i64::from(rate.capacity) * TOKEN
    }
}

fn micros_until(millionths: i64, rate: Rate) -> u64 {
    let per_micro = u64::from(rate.per_second.max(1));
    millionths.max(0).unsigned_abs().div_ceil(per_micro)
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
