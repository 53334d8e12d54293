//! A rate limit: 2 requests per 30 minutes for key management.

use minicbor::encode::{self, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};

use crate::time::{Span, Time};

/// No request yet. Half of the size of an `Option<Time>`; every session has two allowances.
const NONE: Time = Time::NEVER;

/// Two requests per 30 minutes. Spec, Limits: create; revoke and rotate share another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The last two requests, older first.
    older: Time,
    newer: Time,
}

/// The encoded form.
#[derive(Encode, Decode)]
struct Encoded {
    #[n(0)]
    older: Option<Time>,
    #[n(1)]
    newer: Option<Time>,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance { older: NONE, newer: NONE }
    }
}

impl<C> Encode<C> for Allowance {
    fn encode<W: Write>(&self, e: &mut Encoder<W>, context: &mut C) -> Result<(), encode::Error<W::Error>> {
        let request = |at: Time| (at != NONE).then_some(at);
        Encoded { older: request(self.older), newer: request(self.newer) }.encode(e, context)
    }
}

impl<'b, C> Decode<'b, C> for Allowance {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Allowance, minicbor::decode::Error> {
        let Encoded { older, newer } = Encoded::decode(d, context)?;
        Ok(Allowance { older: older.unwrap_or(NONE), newer: newer.unwrap_or(NONE) })
    }
}

const SPAN: Span = Span::minutes(30);

impl Allowance {
    /// Counts a request at `at`, or returns when the next one is allowed.
    pub(crate) fn spend(&mut self, at: Time) -> Result<(), Time> {
        if self.older != NONE && self.older + SPAN > at {
            return Err(self.older + SPAN);
        }
        (self.older, self.newer) = (self.newer, at);
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

    #[test]
    fn an_allowance_is_read_back_with_none_one_and_two_requests() {
        let mut allowance = Allowance::default();
        for minute in [0, 10, 60] {
            let bytes = minicbor::to_vec(allowance).unwrap();
            assert_eq!(minicbor::decode::<Allowance>(&bytes).unwrap(), allowance);
            allowance.spend(Time::from_seconds(minute * 60)).unwrap();
        }
        assert_eq!(
            minicbor::to_vec(Allowance::default()).unwrap(),
            minicbor::to_vec(Encoded { older: None, newer: None }).unwrap()
        );
    }
}
