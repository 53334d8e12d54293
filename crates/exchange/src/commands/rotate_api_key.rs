//! `rotate_api_key`: issues a new secret for a key. Requests signed with the old one are refused from here on.

use minicbor::{Decode, Encode};

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{KeyId, SessionId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RotateApiKey {
    #[n(0)]
    pub key: KeyId,
}

impl Exchange {
    pub(crate) fn rotate_api_key(
        &mut self,
        (user, session): (UserIndex, SessionId),
        command: &RotateApiKey,
    ) -> Result<Reply, Reject> {
        let RotateApiKey { key } = *command;
        let is_due = self.directory.user(user).key(key).is_some_and(|key| key.needs_rotation);
        if !is_due {
            // Spec, Limits: revoke and rotate share 2 requests per 30 minutes per session.
            self.spend_allowance(user, session, |session| &mut session.key_changes)?;
        }
        let record = self.directory.user_mut(user);
        let own = record.keys.iter_mut().find(|own| own.id == key).ok_or(Reject::KeyNotFound)?;
        own.generation += 1;
        own.needs_rotation = false;
        let rotated = own.clone();
        self.changes.push(Change::AccessChanged { user: record.id });
        Ok(Reply::ApiKey(rotated))
    }
}
