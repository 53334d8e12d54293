//! `CancelAfter`: a dead man's switch. Unless it is renewed in time, all resting orders of the caller are cancelled.
//!
//! It is part of the state, so it survives a crash, and it fires by the journal's time.

use minicbor::{Decode, Encode};

use crate::change::OrderCause;
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Span;
use crate::timers::TimerKind;

/// A longer switch would be useless.
const SECONDS_MAX: u32 = 86_400;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CancelAfter {
    #[n(0)]
    pub seconds: u32,
}

impl Exchange {
    /// Sets the switch; 0 removes it.
    pub(crate) fn cancel_after(&mut self, user: UserIndex, command: &CancelAfter) -> Result<Reply, Reject> {
        let CancelAfter { seconds } = *command;
        if seconds > SECONDS_MAX {
            return Err(Reject::InvalidField { field: "seconds", rule: "is at most 86400" });
        }
        let cancel_at = (seconds > 0).then(|| self.now + Span::seconds(seconds.into()));
        self.clear_switch(user);
        self.directory.user_mut(user).cancel_at = cancel_at;
        self.arm_switch(user);
        Ok(Reply::CancelAt(cancel_at))
    }

    pub(crate) fn arm_switch(&mut self, user: UserIndex) {
        let record = self.directory.user(user);
        if let Some(due) = record.cancel_at {
            self.timers.set(due, TimerKind::Switch, record.id.as_u128());
        }
    }

    pub(crate) fn clear_switch(&mut self, user: UserIndex) {
        let record = self.directory.user(user);
        if let Some(due) = record.cancel_at {
            self.timers.clear(due, TimerKind::Switch, record.id.as_u128());
        }
    }

    /// The switch was not renewed in time.
    pub(crate) fn fire_switch(&mut self, id: u128) {
        let Some(user) = self.directory.find(UserId::new(id)) else { return };
        self.directory.user_mut(user).cancel_at = None;
        self.close_all_orders(user, OrderCause::Switch);
    }
}
