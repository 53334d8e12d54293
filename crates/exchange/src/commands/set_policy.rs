//! `SetPolicy`: what operators may do alone from now on. Where two are required, one cannot change that alone.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::governance::Policy;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn set_policy(&mut self, caller: Caller, policy: Policy) -> Result<Reply, Reject> {
        policy.check()?;
        self.check_alone(caller)?;
        self.governance.policy = policy;
        Ok(Reply::Done)
    }
}
