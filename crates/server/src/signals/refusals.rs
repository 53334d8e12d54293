//! Refusals by reason: the rule's code where there is one, else the kind of error. Rate limits by policy.

use std::sync::atomic::{AtomicU64, Ordering};

use api::Word;
use api::error::{ErrorBody, ErrorCode, ErrorKind};

/// The policies of rate limits.
pub const POLICIES: [&str; 10] =
    ["files", "public", "proofs", "operators", "read", "write", "cancel", "passwords", "strangers", "unread"];

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalReason {
    kind: ErrorKind,
    code: Option<ErrorCode>,
}

impl From<&ErrorBody> for RefusalReason {
    fn from(body: &ErrorBody) -> RefusalReason {
        RefusalReason { kind: body.error, code: body.code }
    }
}

#[derive(Debug)]
pub struct RefusalCounters {
    kinds: Vec<AtomicU64>,
    codes: Vec<AtomicU64>,
    policies: [AtomicU64; POLICIES.len()],
    other_policies: AtomicU64,
}

impl Default for RefusalCounters {
    fn default() -> RefusalCounters {
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        RefusalCounters {
            kinds: zeros(ErrorKind::ALL.len()),
            codes: zeros(ErrorCode::ALL.len()),
            policies: Default::default(),
            other_policies: AtomicU64::new(0),
        }
    }
}

impl RefusalCounters {
    pub fn record(&self, reason: RefusalReason) {
        let counter = match reason.code {
            Some(code) => self.codes.get(code as usize),
            None => self.kinds.get(reason.kind as usize),
        };
        if let Some(counter) = counter {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a request over a rate limit.
    pub fn record_rate_limit(&self, policy: &str) {
        let known = POLICIES.iter().position(|known| *known == policy);
        known.map_or(&self.other_policies, |at| &self.policies[at]).fetch_add(1, Ordering::Relaxed);
    }

    /// Reasons with their counts, without those that have not occurred.
    pub fn reasons(&self) -> Vec<(&'static str, u64)> {
        let kinds = ErrorKind::ALL.iter().map(|kind| kind.as_str()).zip(&self.kinds);
        let codes = ErrorCode::ALL.iter().map(|code| code.as_str()).zip(&self.codes);
        let counts = kinds.chain(codes).map(|(reason, count)| (reason, count.load(Ordering::Relaxed)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// All policies with their counts.
    pub fn rate_limits(&self) -> Vec<(&'static str, u64)> {
        let named = POLICIES.into_iter().zip(&self.policies).chain([("other", &self.other_policies)]);
        named.map(|(policy, count)| (policy, count.load(Ordering::Relaxed))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_counts_under_its_code_or_its_kind() {
        let counters = RefusalCounters::default();
        counters.record((&ErrorBody::not_found("x")).into());
        for _ in 0..2 {
            counters.record((&ErrorBody::unprocessable(ErrorCode::Slippage, "x")).into());
        }
        counters.record_rate_limit("write");
        counters.record_rate_limit("unheard of");
        assert_eq!(counters.reasons(), [("not_found", 1), ("SLIPPAGE", 2)]);
        let limits = counters.rate_limits();
        assert!(limits.contains(&("write", 1)) && limits.contains(&("other", 1)));
        assert!(limits.contains(&("read", 0)));
    }

    #[test]
    fn words_are_counted_at_their_place_in_the_list() {
        assert!(ErrorKind::ALL.iter().enumerate().all(|(at, kind)| *kind as usize == at));
        assert!(ErrorCode::ALL.iter().enumerate().all(|(at, code)| *code as usize == at));
    }
}
