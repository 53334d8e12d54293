//! `suspend_user`: shuts an account out, or lets it in again.
//!
//! A suspended user's sessions end; keys stay and are refused until the suspension is lifted. Open orders are cancelled,
//! unless the operator keeps them. Money may still be credited and debited.

use crate::authority::Caller;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::reject::Reject;
use crate::reply::Reply;

impl Exchange {
    pub(crate) fn suspend_user(
        &mut self,
        caller: Caller,
        user: UserId,
        suspended: bool,
        keep_orders: bool,
    ) -> Result<Reply, Reject> {
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
            self.directory.user_mut(index).disabled = suspended;
            self.changes.push(Change::AccessChanged { user });
        }
        Ok(Reply::Done)
    }
}
