//! `create_api_key`: registers the public half of a key pair. The secret is derived elsewhere from the id and the
//! generation.
//!
//! Every request that gets here spends the session's allowance, even if it is refused: the limit is on requests.
//! Nothing else changes before the last refusal.

use minicbor::{Decode, Encode};

use crate::change::Change;
use crate::exchange::Exchange;
use crate::id::{KeyId, SessionId};
use crate::identity::{ApiKey, KEYS_MAX, check_label};
use crate::index::UserIndex;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::text::Text;

const PUBLIC_KEY_BYTES_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CreateApiKey {
    #[n(0)]
    pub id: KeyId,
    #[n(1)]
    pub name: Text,
    #[n(2)]
    pub public_key: Text,
}

impl Exchange {
    pub(crate) fn create_api_key(
        &mut self,
        (user, session): (UserIndex, SessionId),
        command: &CreateApiKey,
    ) -> Result<Reply, Reject> {
        let &CreateApiKey { id, ref name, ref public_key } = command;
        // Spec, Limits: create API key, 2 requests per 30 minutes per session.
        self.spend_allowance(user, session, |session| &mut session.key_creations)?;
        check_label(name)?;
        if public_key.is_empty()
            || public_key.len() > PUBLIC_KEY_BYTES_MAX
            || !public_key.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(Reject::InvalidField {
                field: "public_key",
                rule: "1 to 64 visible ASCII characters",
            });
        }
        if self.directory.find_by_key(id).is_some() || self.directory.find_by_public_key(public_key).is_some()
        {
            return Err(Reject::DuplicateId);
        }
        let record = self.directory.user(user);
        if record.keys.iter().any(|key| key.name == *name) {
            return Err(Reject::DuplicateName);
        }
        if record.keys.len() >= KEYS_MAX {
            return Err(Reject::TooManyApiKeys);
        }
        let user_id = record.id;
        let key = ApiKey {
            id,
            name: name.clone(),
            public_key: public_key.clone(),
            generation: 0,
            created_at: self.now,
            needs_rotation: false,
        };
        self.directory.add_key(user, key.clone());
        self.changes.push(Change::AccessChanged { user: user_id });
        Ok(Reply::ApiKey(key))
    }
}
