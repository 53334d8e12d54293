//! The four operations on API keys. A secret is derived when it is shown, and never stored.

use std::sync::Arc;

use api::error::ErrorBody;
use api::request::CreateApiKey;
use api::response::{ApiKeys, IssuedApiKey, Message};
use api::signing::secret_key_hint;
use exchange::command::{self, Command, RevokeApiKey, RotateApiKey};
use exchange::id::KeyId;
use exchange::identity::ApiKey;
use exchange::reply::Reply;
use exchange::text::Text;

use super::paths::key_id;
use crate::access::Access;
use crate::edge::{Call, Next};
use crate::failure::Failure;
use crate::identifiers::new_id;
use crate::reading::Reading;
use crate::view;

pub(super) struct ApiKeyEndpoints {
    pub(super) reading: Arc<Reading>,
    pub(super) access: Arc<Access>,
}

impl ApiKeyEndpoints {
    pub(super) fn create_api_key(
        &self,
        call: &Call<'_>,
        create: CreateApiKey,
    ) -> Result<Next<IssuedApiKey>, Failure> {
        let command = Command::CreateApiKey(command::CreateApiKey {
            id: KeyId::new(new_id().as_u128()),
            name: Text::from(create.name),
            public_key: Text::from(self.access.keyring().new_public_key()),
        });
        Ok(self.issue(call, command))
    }

    pub(super) fn rotate_api_key(&self, call: &Call<'_>) -> Result<Next<IssuedApiKey>, Failure> {
        let key = key_id(call.path(0))?;
        Ok(self.issue(call, Command::RotateApiKey(RotateApiKey { key })))
    }

    fn issue(&self, call: &Call<'_>, command: Command) -> Next<IssuedApiKey> {
        let access = self.access.clone();
        let show = move |reply| {
            let key = changed(reply)?;
            Ok(view::api_key::issued(&key, access.keyring().secret(key.id, key.generation)))
        };
        Next::Submit(call.session().actor(), command, Box::new(show))
    }

    pub(super) fn list_api_keys(&self, call: &Call<'_>) -> Result<Next<ApiKeys>, Failure> {
        let keys = self.reading.read_state().directory().user(call.user()).keys.clone();
        let hint = |key: &ApiKey| secret_key_hint(&self.access.keyring().secret(key.id, key.generation));
        let keys: Vec<_> = keys.iter().map(|key| view::api_key(key, hint(key))).collect();
        Ok(ApiKeys { total: keys.len() as u32, keys }.into())
    }

    pub(super) fn revoke_api_key(&self, call: &Call<'_>) -> Result<Next<Message>, Failure> {
        let command = Command::RevokeApiKey(RevokeApiKey { key: key_id(call.path(0))? });
        let show = |reply| changed(reply).map(|_| Message::API_KEY_REVOKED);
        Ok(Next::Submit(call.session().actor(), command, Box::new(show)))
    }
}

fn changed(reply: Reply) -> Result<ApiKey, Failure> {
    match reply {
        Reply::ApiKey(key) => Ok(key),
        _ => Err(ErrorBody::internal().into()),
    }
}
