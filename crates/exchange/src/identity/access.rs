//! What the commands about people share: finding someone who can log in, words they may choose, allowances.

use super::{Allowance, Session};
use crate::exchange::Exchange;
use crate::id::{SessionId, UserId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::time::Time;

const NAME_LENGTH_MAX: usize = 64;

/// The name of a key or an operator, as its owner chose it.
pub(crate) fn check_name(name: &str) -> Result<(), Reject> {
    let is_blank = name.chars().all(|c| c == ' ');
    if is_blank || name.chars().count() > NAME_LENGTH_MAX || name.chars().any(char::is_control) {
        return Err(Reject::InvalidField { field: "name", rule: "1 to 64 printable characters" });
    }
    Ok(())
}

impl Exchange {
    /// A user who can have sessions and keys. The house is an account, nobody logs in as it; an erased user is gone.
    pub(crate) fn find_person(&self, user: UserId) -> Result<UserIndex, Reject> {
        self.find_present(user).filter(|index| *index != UserIndex::HOUSE).ok_or(Reject::UserNotFound)
    }

    /// An account that has not been erased.
    pub(crate) fn find_present(&self, user: UserId) -> Option<UserIndex> {
        self.directory.find(user).filter(|index| !self.directory.user(*index).erased)
    }

    /// Refuses a command that names a row of the people store which may be gone. A row that no command has named is removed once
    /// the journal's time has passed its expiry.
    pub(crate) fn check_row(&self, expires_at: Time) -> Result<(), Reject> {
        if self.now < expires_at { Ok(()) } else { Err(Reject::RowExpired) }
    }

    /// Counts one more request of a session against one of its allowances.
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
