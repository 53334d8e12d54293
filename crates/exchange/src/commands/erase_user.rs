//! `erase_user`: erases a person. The account must be empty: no money, no shares, no open orders.
//!
//! Sessions end, API keys and password resets are revoked, and the address can be used by another account. The row in
//! the people store is no longer referenced, so the people store overwrites it. Id and tag stay: trades refer to the
//! id, and a tag that others know never passes to another person.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::UserId;
use crate::index::UserIndex;
use crate::numbers::{Currency, Money, Shares};
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct EraseUser {
    #[n(0)]
    pub user: UserId,
}

impl Exchange {
    pub(crate) fn erase_user(&mut self, caller: Caller, command: &EraseUser) -> Result<Reply, Reject> {
        let EraseUser { user } = *command;
        let index = self.check_erasure(user)?;
        self.check_alone(caller)?;
        self.end_access(index);
        self.directory.remove_all_keys(index);
        self.clear_switch(index);
        self.directory.user_mut(index).cancel_at = None;
        self.directory.erase(index);
        self.changes.push(Change::AccessChanged { user });
        self.changes.push(Change::UserErased { user });
        Ok(Reply::Done)
    }

    /// Finds an account that can be erased. A frozen account must be released first, since a freeze preserves
    /// everything.
    pub(crate) fn check_erasure(&self, user: UserId) -> Result<UserIndex, Reject> {
        let index = self.find_account(user)?;
        if self.directory.user(index).frozen {
            return Err(Reject::UserFrozen);
        }
        if self.is_empty(index) { Ok(index) } else { Err(Reject::AccountNotEmpty) }
    }

    /// Whether an account has no money, no shares and no open orders.
    pub(crate) fn is_empty(&self, user: UserIndex) -> bool {
        let has_money = |currency| self.ledger.wallet(user, currency).total() != Money::ZERO;
        let mut positions = self.positions_of(user);
        self.directory.user(user).open_orders.is_empty()
            && !Currency::ALL.into_iter().any(has_money)
            && positions
                .all(|position| position.yes.total() == Shares::ZERO && position.no.total() == Shares::ZERO)
    }
}
