//! `suspend_user`: suspends an account, or lifts the suspension.
//!
//! The user's sessions end; API keys stay and are refused until the suspension is lifted. Open orders are cancelled
//! unless the operator keeps them. Money may still be credited and debited.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct SuspendUser {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub suspended: bool,
    #[n(2)]
    pub keep_orders: bool,
}

impl Exchange {
    pub(crate) fn suspend_user(&mut self, caller: Caller, command: &SuspendUser) -> Result<Reply, Reject> {
        let SuspendUser { user, suspended, keep_orders } = *command;
        let index = self.find_account(user)?;
        if suspended {
            self.end_access(index);
            if !keep_orders {
                self.close_all_orders(index, OrderCause::Operator);
            }
        } else {
            self.check_alone(caller)?;
        }
        if self.directory.user(index).disabled != suspended {
            self.directory.set_suspended(index, suspended);
            self.changes.push(Change::AccessChanged { user });
        }
        Ok(Reply::Done)
    }
}
