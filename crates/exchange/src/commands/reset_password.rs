//! `reset_password`: the bearer of an approved reset's token sets a new password.
//!
//! All sessions end, and a login in flight with the old password comes to nothing. API keys are revoked unless their
//! owner keeps them: a stranger who had the password may have made one.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::identity::check_password_hash;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct ResetPassword {
    #[n(0)]
    pub token_hash: Hash32,
    #[n(1)]
    pub password_hash: Text,
    #[n(2)]
    pub keep_keys: bool,
}

impl Exchange {
    pub(crate) fn reset_password(&mut self, _: Caller, command: &ResetPassword) -> Result<Reply, Reject> {
        let &ResetPassword { token_hash, ref password_hash, keep_keys } = command;
        check_password_hash(password_hash)?;
        // An expired token was forgotten before this command was decided.
        let reset = self.directory.find_reset(token_hash).filter(|(_, reset)| reset.is_approved);
        let (index, _) = reset.ok_or(Reject::TokenNotFound)?;
        self.directory.user(index).check_active()?;
        self.end_access(index);
        if !keep_keys {
            self.directory.remove_all_keys(index);
        }
        let user = self.directory.user_mut(index);
        user.password_hash = Some(password_hash.clone());
        user.password_version += 1;
        self.changes.push(Change::AccessChanged { user: user.id });
        Ok(Reply::Done)
    }
}
