//! `approve_password_reset`: an operator has identified the person by the code of the request. The token may then set a
//! password once.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::exchange::Exchange;
use crate::id::{Hash32, UserId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ApprovePasswordReset {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub token_hash: Hash32,
}

impl Exchange {
    pub(crate) fn approve_password_reset(
        &mut self,
        caller: Caller,
        command: &ApprovePasswordReset,
    ) -> Result<Reply, Reject> {
        let ApprovePasswordReset { user, token_hash } = *command;
        let index = self.check_password_reset(user, token_hash)?;
        self.check_alone(caller)?;
        self.directory.approve_reset(index, token_hash);
        Ok(Reply::Done)
    }

    /// The owner of a request that an operator may approve.
    pub(crate) fn check_password_reset(&self, user: UserId, token_hash: Hash32) -> Result<UserIndex, Reject> {
        let index = self.find_person(user)?;
        self.directory.user(index).check_active()?;
        match self.directory.find_reset(token_hash) {
            Some((owner, reset)) if owner == index && !reset.is_approved => Ok(index),
            _ => Err(Reject::TokenNotFound),
        }
    }
}
