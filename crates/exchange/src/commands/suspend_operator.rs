//! `suspend_operator`: any approver can suspend any operator immediately, which ends its console sessions. Lifting the
//! suspension takes two persons where two are required.
//!
//! From rules 4 on a suspension may have an end. Where two are required it must have one if it leaves fewer than two
//! approvers: otherwise nothing could be finalised any more, not even lifting it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::catalogue::checks::invalid;
use crate::exchange::Exchange;
use crate::id::OperatorId;
use crate::identity::Operator;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::{Span, Time};
use crate::timers::TimerKind;

/// The longest suspension that has an end.
const SUSPENDED_MAX: Span = Span::days(30);

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SuspendOperator {
    #[n(0)]
    pub operator: OperatorId,
    #[n(1)]
    pub suspended: bool,
    /// When the suspension ends by itself. From rules 4 on.
    #[n(2)]
    pub until: Option<Time>,
}

impl Exchange {
    pub(crate) fn suspend_operator(
        &mut self,
        caller: Caller,
        command: &SuspendOperator,
    ) -> Result<Reply, Reject> {
        let SuspendOperator { operator, suspended, until } = *command;
        let record = self.find_operator(operator)?;
        // A further suspension never shortens the first: that would lift it.
        let until = match (record.suspended, record.suspended_until) {
            (true, None) => None,
            (true, Some(end)) => until.map(|until| until.max(end)),
            (false, _) => until,
        };
        if suspended {
            self.check_suspension(caller, operator, until)?;
            self.directory.keep_operator_sessions(operator, |_| false);
            self.arm_ageing();
        } else {
            self.check_alone(caller)?;
        }
        self.end_suspension(operator);
        if let Some(record) = self.directory.operators.get_mut(&operator) {
            record.suspended = suspended;
            record.suspended_until = until.filter(|_| suspended);
        }
        self.arm_suspension(operator);
        Ok(Reply::Done)
    }

    fn check_suspension(
        &self,
        caller: Caller,
        operator: OperatorId,
        until: Option<Time>,
    ) -> Result<(), Reject> {
        let is_approver = self.directory.operator(operator).is_some_and(Operator::is_active_approver);
        let is_last = is_approver && self.directory.active_approvers().count() == 1;
        if is_last && caller != Caller::System {
            return Err(Reject::LastApprover);
        }
        if until.is_some_and(|until| until <= self.now || until > self.now + SUSPENDED_MAX) {
            return Err(invalid("until", "within 30 days from now"));
        }
        match self.check_leaves_approvers(caller, operator) {
            Err(Reject::TooFewApprovers) if self.since(4) && until.is_none() => {
                Err(Reject::SuspensionNeedsEnd)
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Lifts a suspension at its end, or before another decision on the operator.
    pub(crate) fn end_suspension(&mut self, operator: OperatorId) {
        let Some(record) = self.directory.operators.get_mut(&operator) else { return };
        if let Some(until) = record.suspended_until.take() {
            record.suspended = false;
            self.timers.clear(until, TimerKind::Suspension, operator.as_u128());
        }
    }

    pub(crate) fn arm_suspension(&mut self, operator: OperatorId) {
        let until = self.directory.operator(operator).and_then(|record| record.suspended_until);
        if let Some(until) = until {
            self.timers.set(until, TimerKind::Suspension, operator.as_u128());
        }
    }
}
