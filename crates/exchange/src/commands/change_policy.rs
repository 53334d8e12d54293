//! `ChangePolicy`: changes the given fields of the policy and leaves the others as they are when it is carried out, so that
//! of two changes at once, or of a proposal and what was agreed after it, neither undoes the other.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::governance::Policy;
use crate::numbers::{Money, PerCurrency};
use crate::reject::Reject;
use crate::reply::Reply;

/// The fields of `Policy` that a command gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct PolicyChange {
    #[n(0)]
    pub two_required: Option<bool>,
    #[n(1)]
    pub resolution_delay_seconds: Option<u32>,
    #[n(2)]
    pub entry_max: PerCurrency<Option<Money>>,
    #[n(3)]
    pub day_max: PerCurrency<Option<Money>>,
    #[n(4)]
    pub retire_after_seconds: Option<u32>,
}

impl PolicyChange {
    /// The policy after the change.
    pub fn over(&self, policy: &Policy) -> Policy {
        Policy {
            two_required: self.two_required.unwrap_or(policy.two_required),
            resolution_delay_seconds: self
                .resolution_delay_seconds
                .unwrap_or(policy.resolution_delay_seconds),
            entry_max: self.entry_max.over(policy.entry_max),
            day_max: self.day_max.over(policy.day_max),
            retire_after_seconds: self.retire_after_seconds.unwrap_or(policy.retire_after_seconds),
        }
    }
}

impl Exchange {
    pub(crate) fn change_policy(&mut self, caller: Caller, change: &PolicyChange) -> Result<Reply, Reject> {
        self.set_policy(caller, &change.over(&self.governance.policy))
    }

    pub(crate) fn check_policy_change(&self, change: &PolicyChange) -> Result<(), Reject> {
        self.check_policy(&change.over(&self.governance.policy))
    }
}
