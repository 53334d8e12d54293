//! `freeze_user`: freezes an account completely, or releases it.
//!
//! Sessions end and open orders are cancelled. Until the release, every command of the user and every credit and debit
//! is refused. Markets still settle and pay into the wallet; nothing else changes it.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::{Change, OrderCause};
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FreezeUser {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub frozen: bool,
}

impl Exchange {
    pub(crate) fn freeze_user(&mut self, caller: Caller, command: &FreezeUser) -> Result<Reply, Reject> {
        let FreezeUser { user, frozen } = *command;
        let index = self.find_account(user)?;
        if frozen {
            self.end_access(index);
            self.close_all_orders(index, OrderCause::Operator);
        } else {
            self.check_alone(caller)?;
        }
        if self.directory.user(index).frozen != frozen {
            self.directory.user_mut(index).frozen = frozen;
            self.changes.push(Change::AccessChanged { user });
        }
        Ok(Reply::Done)
    }

    /// Finds an account that can be suspended, frozen or erased: any but the house.
    pub(crate) fn find_account(&self, user: UserId) -> Result<UserIndex, Reject> {
        match self.find_present(user).ok_or(Reject::UserNotFound)? {
            UserIndex::HOUSE => Err(Reject::NotAllowed),
            index => Ok(index),
        }
    }

    /// Ends every session of a user, and the password resets that could start a new one.
    pub(crate) fn end_access(&mut self, user: UserIndex) {
        self.directory.remove_all_sessions(user);
        self.directory.keep_resets(user, |_| false);
        self.arm_ageing();
    }
}
