//! Creating an API key.

use crate::schema::ToSchema;
use serde::Deserialize;

const NAME_CHARACTERS_MAX: usize = 64;

/// The name of the new key, unique among the account's keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct CreateApiKey {
    #[serde(deserialize_with = "deserialize_name")]
    // Neither end is a space, and nothing is a control character.
    #[schema(
        min_length = 1,
        max_length = 64,
        pattern = r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?$",
        example = "market maker"
    )]
    pub name: String,
}

fn deserialize_name<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let fault = match name.chars().count() {
        0 => "must not be empty",
        count if count > NAME_CHARACTERS_MAX => "must have at most 64 characters",
        _ if name.trim() != name => "must not begin or end with a space",
        _ if name.chars().any(char::is_control) => "must not have control characters",
        _ => return Ok(name),
    };
    Err(serde::de::Error::custom(fault))
}
