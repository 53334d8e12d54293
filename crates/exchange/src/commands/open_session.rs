//! `open_session`: turns a successful login into a session of thirty days.
//!
//! The edge checked the password after `start_login`; if the password changed since, the login is refused.

use minicbor::{Decode, Encode};

use crate::authority::Caller;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{Hash32, SessionId, UserId};
use crate::identity::{SESSIONS_MAX, Session};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

const DEVICE_BYTES_MAX: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct OpenSession {
    #[n(0)]
    pub user: UserId,
    #[n(1)]
    pub password_version: u32,
    #[n(2)]
    pub id: SessionId,
    #[n(3)]
    pub token_hash: Hash32,
    #[n(4)]
    pub device: Text,
}

impl Exchange {
    pub(crate) fn open_session(&mut self, _: Caller, command: &OpenSession) -> Result<Reply, Reject> {
        let &OpenSession { user, password_version, id, token_hash, ref device } = command;
        if device.len() > DEVICE_BYTES_MAX || device.chars().any(char::is_control) {
            return Err(Reject::InvalidField { field: "device", rule: "at most 128 printable bytes" });
        }
        let index = self.find_person(user)?;
        let record = self.directory.user(index);
        record.check_active()?;
        if self.directory.find_by_session(id).is_some() || self.directory.find_by_token(token_hash).is_some()
        {
            return Err(Reject::DuplicateId);
        }
        if record.password_version != password_version {
            return Err(Reject::PasswordChanged);
        }
        if let Some(oldest) = record.sessions.first().filter(|_| record.sessions.len() >= SESSIONS_MAX) {
            let oldest = oldest.id;
            self.directory.remove_session(index, oldest);
        }
        self.directory.add_session(index, Session::new(id, token_hash, device.clone(), self.now));
        self.arm_ageing();
        self.changes.push(Change::AccessChanged { user });
        Ok(Reply::Done)
    }
}
