//! `issue_password_reset`: a one-time token, known here by its hash, that lets its bearer set a password.
//!
//! A new token takes the place of the one before. It is also how an account without a password gets its first.

use crate::exchange::Exchange;
use crate::id::{Hash32, UserId};
use crate::identity::PasswordReset;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::{Span, Time};

const RESET_LIFE_MAX: Span = Span::days(7);

impl Exchange {
    pub(crate) fn issue_password_reset(
        &mut self,
        user: UserId,
        token_hash: Hash32,
        expires_at: Time,
    ) -> Result<Reply, Reject> {
        if expires_at <= self.now || expires_at > self.now + RESET_LIFE_MAX {
            return Err(Reject::InvalidField { field: "expires_at", rule: "in the future, within 7 days" });
        }
        let index = self.find_person(user)?;
        if self.directory.find_by_reset(token_hash).is_some() {
            return Err(Reject::DuplicateId);
        }
        self.directory.set_reset(index, PasswordReset { token_hash, expires_at });
        self.arm_ageing();
        Ok(Reply::Done)
    }
}
