//! A rate limit: 2 requests per 30 minutes for key management.

use minicbor::{Decode, Encode};

use crate::time::{Span, Time};

/// Two requests per 30 minutes. Spec, Limits: create; revoke and rotate share another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Allowance {
    /// The last two requests, older first.
    #[n(0)]
    older: Option<Time>,
    #[n(1)]
    newer: Option<Time>,
}

const SPAN: Span = Span::minutes(30);

impl Allowance {
    /// Counts a request at `at`, or returns when the next one is allowed.
    pub(crate) fn spend(&mut self, at: Time) -> Result<(), Time> {
        if let Some(older) = self.older.filter(|older| *older + SPAN > at) {
            return Err(older + SPAN);
        }
        (self.older, self.newer) = (self.newer, Some(at));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_requests_pass_and_the_third_waits_for_the_first_to_age() {
        let mut allowance = Allowance::default();
        let at = |minute: i64| Time::from_seconds(minute * 60);
        assert_eq!(allowance.spend(at(0)), Ok(()));
        assert_eq!(allowance.spend(at(10)), Ok(()));
        assert_eq!(allowance.spend(at(29)), Err(at(30)));
        assert_eq!(allowance.spend(at(30)), Ok(()));
        assert_eq!(allowance.spend(at(31)), Err(at(40)));
    }
}
