//! Shared by the commands about people: finding a user who can log in, checking names, allowances.

use super::{Allowance, Session};
use crate::exchange::Exchange;
use crate::id::{SessionId, UserId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::time::Time;

const NAME_LENGTH_MAX: usize = 64;

/// Checks the name that an owner chose for a key or an operator.
pub(crate) fn check_label(name: &str) -> Result<(), Reject> {
    let is_blank = name.chars().all(|c| c == ' ');
    if is_blank || name.chars().count() > NAME_LENGTH_MAX || name.chars().any(char::is_control) {
        return Err(Reject::InvalidField { field: "name", rule: "1 to 64 printable characters" });
    }
    Ok(())
}

impl Exchange {
    /// Finds a user who can have sessions and keys: not the house, and not an erased user.
    pub(crate) fn find_person(&self, user: UserId) -> Result<UserIndex, Reject> {
        self.find_present(user).filter(|index| *index != UserIndex::HOUSE).ok_or(Reject::UserNotFound)
    }

    /// Finds an account that was not erased.
    pub(crate) fn find_present(&self, user: UserId) -> Option<UserIndex> {
        self.directory.find(user).filter(|index| !self.directory.user(*index).erased)
    }

    /// Refuses a row of the people store that may have been removed. A row that no command refers to is removed once
    /// the journal's time has passed its expiry.
    pub(crate) fn check_row(&self, expires_at: Time) -> Result<(), Reject> {
        if self.now < expires_at { Ok(()) } else { Err(Reject::RowExpired) }
    }

    /// Counts a request of a session against one of its allowances.
    pub(crate) fn spend_allowance(
        &mut self,
        user: UserIndex,
        session: SessionId,
        allowance: impl FnOnce(&mut Session) -> &mut Allowance,
    ) -> Result<(), Reject> {
        let sessions = &mut self.directory.user_mut(user).sessions;
        let session = sessions.iter_mut().find(|own| own.id == session).ok_or(Reject::UnknownSession)?;
        allowance(session).spend(self.now).map_err(|retry_at| Reject::LimitReached { retry_at })
    }
}
