//! `SetPolicy`: sets what operators may do alone and when ended events retire. Where two persons are required, one
//! cannot change that alone.

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::governance::Policy;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn set_policy(&mut self, caller: Caller, policy: &Policy) -> Result<Reply, Reject> {
        self.check_policy(policy)?;
        self.check_alone(caller)?;
        if policy.two_required && !self.governance.policy.two_required {
            // Nothing could be finalised if they counted as one person. This command confirms each of them as a
            // separate person.
            for operator in self.directory.operators.values_mut().filter(|each| each.is_active_approver()) {
                operator.become_own_person();
            }
        }
        self.governance.policy = *policy;
        self.arm_retirement();
        Ok(Reply::Done)
    }

    pub(crate) fn check_policy(&self, policy: &Policy) -> Result<(), Reject> {
        policy.check()?;
        let has_two = self.directory.active_approvers().take(2).count() == 2;
        if policy.two_required && !self.governance.policy.two_required && !has_two {
            return Err(Reject::TooFewApprovers);
        }
        Ok(())
    }
}
