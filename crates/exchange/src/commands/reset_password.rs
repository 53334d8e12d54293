//! `reset_password`: the holder of an approved reset token sets a new password.
//!
//! All sessions end, and a pending login with the old password fails. API keys are revoked unless their owner keeps
//! them: an intruder with the old password may have created one.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{Hash32, RowId};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Time;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ResetPassword {
    #[n(0)]
    pub token_hash: Hash32,
    /// The row of the people store with the new password hash.
    #[n(1)]
    pub row: RowId,
    /// When the row may be removed unless a command refers to it.
    #[n(2)]
    pub expires_at: Time,
    #[n(3)]
    pub keep_keys: bool,
}

impl Exchange {
    pub(crate) fn reset_password(&mut self, _: Caller, command: &ResetPassword) -> Result<Reply, Reject> {
        let ResetPassword { token_hash, row, expires_at, keep_keys } = *command;
        // Expired tokens were removed before this command.
        let reset = self.directory.find_reset(token_hash).filter(|(_, reset)| reset.is_approved);
        let (index, _) = reset.ok_or(Reject::TokenNotFound)?;
        self.directory.user(index).check_active()?;
        self.check_row(expires_at)?;
        self.end_access(index);
        if !keep_keys {
            self.directory.remove_all_keys(index);
        }
        let user = self.directory.user_mut(index);
        user.row = Some(row);
        user.password_version += 1;
        self.changes.push(Change::AccessChanged { user: user.id });
        Ok(Reply::Done)
    }
}
