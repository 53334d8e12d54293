//! `revoke_api_key`: revokes a key. Requests signed with it that are sequenced later are refused.

use minicbor::{Decode, Encode};

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{KeyId, SessionId};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RevokeApiKey {
    #[n(0)]
    pub key: KeyId,
}

impl Exchange {
    pub(crate) fn revoke_api_key(
        &mut self,
        (user, session): (UserIndex, SessionId),
        command: &RevokeApiKey,
    ) -> Result<Reply, Reject> {
        let RevokeApiKey { key } = *command;
        // Spec, Limits: revoke and rotate share 2 requests per 30 minutes per session.
        self.spend_allowance(user, session, |session| &mut session.key_changes)?;
        let record = self.directory.user(user);
        let revoked = record.key(key).cloned().ok_or(Reject::KeyNotFound)?;
        let user_id = record.id;
        self.directory.remove_key(user, key);
        self.changes.push(Change::AccessChanged { user: user_id });
        Ok(Reply::ApiKey(revoked))
    }
}
