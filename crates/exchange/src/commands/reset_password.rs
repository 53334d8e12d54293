//! `reset_password`: the bearer of a reset token sets a new password.
//!
//! All sessions end, and a login in flight with the old password comes to nothing. API keys are revoked unless their
//! owner keeps them: a stranger who had the password may have made one.

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::Hash32;
use crate::identity::check_password_hash;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

impl Exchange {
    pub(crate) fn reset_password(
        &mut self,
        token_hash: Hash32,
        password_hash: &Text,
        keep_keys: bool,
    ) -> Result<Reply, Reject> {
        check_password_hash(password_hash)?;
        // A token that is over was forgotten before this command was looked at.
        let index = self.directory.find_by_reset(token_hash).ok_or(Reject::TokenNotFound)?;
        self.directory.clear_reset(index);
        self.directory.remove_all_sessions(index);
        if !keep_keys {
            self.directory.remove_all_keys(index);
        }
        self.arm_ageing();
        let user = self.directory.user_mut(index);
        user.password_hash = Some(password_hash.clone());
        user.password_version += 1;
        self.changes.push(Change::AccessChanged { user: user.id });
        Ok(Reply::Done)
    }
}
