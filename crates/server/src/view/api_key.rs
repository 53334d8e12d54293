//! API keys. The exchange stores no secrets, so the caller, who has the master key, passes in the secret or its hint.

use api::response::{ApiKey, IssuedApiKey, ShownSecret, SigningInstructions};
use api::signing::SecretKey;

use super::words::ToApi;

/// A key with its masked secret, for lists.
pub fn api_key(key: &exchange::identity::ApiKey, secret_key_hint: String) -> ApiKey {
    ApiKey {
        id: key.id.to_api(),
        name: key.name.to_string(),
        public_key: key.public_key.to_string(),
        secret_key_hint,
        created_at: key.created_at.to_api(),
    }
}

/// A key that was just created or rotated: the only response with its secret.
pub fn issued(key: &exchange::identity::ApiKey, secret_key: SecretKey) -> IssuedApiKey {
    IssuedApiKey {
        id: key.id.to_api(),
        name: key.name.to_string(),
        public_key: key.public_key.to_string(),
        secret_key: ShownSecret(secret_key),
        signing_instructions: SigningInstructions::CURRENT,
        created_at: key.created_at.to_api(),
    }
}
