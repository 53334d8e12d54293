//! API keys: as issued, with their secret, and as listed, without.

use crate::schema::ToSchema;
use uuid::Uuid;

use crate::json::{WriteJson, Writer};
use crate::signing::{
    ALGORITHM, PAYLOAD_FORMAT, PUBLIC_KEY_HEADER, SIGNATURE_HEADER, SecretKey, TIMESTAMP_HEADER,
    TIMESTAMP_WINDOW_SECONDS,
};
use crate::timestamp::Timestamp;

/// A key that was created or rotated: the only time its secret is shown.
#[derive(Clone, Debug, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedApiKey {
    pub id: Uuid,
    #[schema(example = "market maker")]
    pub name: String,
    #[schema(example = "pk_live_5f0c2a9be1d34c7796a0be0fd3c1a877")]
    pub public_key: String,
    /// Shown once. It cannot be asked for again; rotate the key if it is lost.
    #[schema(value_type = String, example = "sk_live_...")]
    pub secret_key: ShownSecret,
    pub signing_instructions: SigningInstructions,
    pub created_at: Timestamp,
}

/// A secret in the one response that shows it.
#[derive(Clone, Debug)]
pub struct ShownSecret(pub SecretKey);

impl WriteJson for ShownSecret {
    fn write_json(&self, out: &mut Writer) {
        self.0.expose().write_json(out);
    }
}

/// How requests are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SigningInstructions {
    #[schema(example = "HMAC-SHA256")]
    pub algorithm: &'static str,
    #[schema(value_type = Vec<String>, example = json!(["X-Public-Key", "X-Timestamp", "X-Signature"]))]
    pub headers: [&'static str; 3],
    #[schema(example = "{timestamp}.{method}.{path}.{bodyHash}")]
    pub payload_format: &'static str,
    #[schema(example = 300)]
    pub timestamp_window_seconds: u64,
}

impl SigningInstructions {
    pub const CURRENT: SigningInstructions = SigningInstructions {
        algorithm: ALGORITHM,
        headers: [PUBLIC_KEY_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER],
        payload_format: PAYLOAD_FORMAT,
        timestamp_window_seconds: TIMESTAMP_WINDOW_SECONDS,
    };
}

/// A key as it is listed. One public client reads the keys in snake case, so these three are there in both spellings.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ApiKey {
    pub id: Uuid,
    #[schema(example = "market maker")]
    pub name: String,
    pub public_key: String,
    /// The beginning and the last three characters of the secret.
    #[schema(example = "sk_live_...xyz")]
    pub secret_key_hint: String,
    pub created_at: Timestamp,
}

#[derive(WriteJson)]
#[serde(rename_all = "camelCase")]
struct SpeltTwice<'a> {
    id: Uuid,
    name: &'a str,
    public_key: &'a str,
    secret_key_hint: &'a str,
    created_at: Timestamp,
    #[serde(rename = "public_key")]
    public_key_in_snake_case: &'a str,
    #[serde(rename = "secret_key_hint")]
    secret_key_hint_in_snake_case: &'a str,
    #[serde(rename = "created_at")]
    created_at_in_snake_case: Timestamp,
}

impl WriteJson for ApiKey {
    fn write_json(&self, out: &mut Writer) {
        let ApiKey { id, name, public_key, secret_key_hint, created_at } = self;
        let spelt_twice = SpeltTwice {
            id: *id,
            name,
            public_key,
            secret_key_hint,
            created_at: *created_at,
            public_key_in_snake_case: public_key,
            secret_key_hint_in_snake_case: secret_key_hint,
            created_at_in_snake_case: *created_at,
        };
        spelt_twice.write_json(out);
    }
}

/// The account's active keys.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, ToSchema)]
pub struct ApiKeys {
    pub keys: Vec<ApiKey>,
    #[schema(example = 1)]
    pub total: u32,
}

impl From<Vec<ApiKey>> for ApiKeys {
    fn from(keys: Vec<ApiKey>) -> ApiKeys {
        ApiKeys { total: keys.len() as u32, keys }
    }
}
