//! What the commands about people share: finding someone who can log in, words they may choose, allowances.

use super::{Allowance, Session};
use crate::exchange::Exchange;
use crate::id::{SessionId, UserId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::text::Text;

const NAME_LENGTH_MAX: usize = 64;
const PASSWORD_HASH_BYTES_MAX: usize = 256;

/// The name of a key or an operator, as its owner chose it.
pub(crate) fn check_name(name: &str) -> Result<(), Reject> {
    let is_blank = name.chars().all(|c| c == ' ');
    if is_blank || name.chars().count() > NAME_LENGTH_MAX || name.chars().any(char::is_control) {
        return Err(Reject::InvalidField { field: "name", rule: "1 to 64 printable characters" });
    }
    Ok(())
}

/// The edge makes it; here it only must not be nothing or a book.
pub(crate) fn check_password_hash(password_hash: &Text) -> Result<(), Reject> {
    if password_hash.is_empty() || password_hash.len() > PASSWORD_HASH_BYTES_MAX {
        return Err(Reject::InvalidField { field: "password_hash", rule: "1 to 256 bytes" });
    }
    Ok(())
}

impl Exchange {
    /// A user who can have sessions and keys. The house is an account, nobody logs in as it.
    pub(crate) fn find_person(&self, user: UserId) -> Result<UserIndex, Reject> {
        self.directory.find(user).filter(|index| *index != UserIndex::HOUSE).ok_or(Reject::UserNotFound)
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
