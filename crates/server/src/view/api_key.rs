//! API keys. The exchange has no secret, so whoever has the master key hands in what is shown of one.

use api::response::{ApiKey, IssuedApiKey, SigningInstructions};
use api::signing::SecretKey;

use super::words::ToApi;

/// A key as it is listed, with its masked secret.
pub fn api_key(key: &exchange::identity::ApiKey, secret_key_hint: String) -> ApiKey {
    ApiKey {
        id: key.id.to_api(),
        name: key.name.to_string(),
        public_key: key.public_key.to_string(),
        secret_key_hint,
        created_at: key.created_at.to_api(),
    }
}

/// A key that was created or rotated just now: the one answer that shows its secret.
pub fn issued(key: &exchange::identity::ApiKey, secret_key: SecretKey) -> IssuedApiKey {
    IssuedApiKey {
        id: key.id.to_api(),
        name: key.name.to_string(),
        public_key: key.public_key.to_string(),
        secret_key,
        signing_instructions: SigningInstructions::CURRENT,
        created_at: key.created_at.to_api(),
    }
}
