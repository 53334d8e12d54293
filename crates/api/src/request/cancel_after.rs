//! A dead man's switch: all resting orders are cancelled unless this is sent again in time.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::decimal;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct CancelAfter {
    /// From now, at most a day; 0 takes the switch off.
    #[serde(deserialize_with = "whole")]
    #[schema(maximum = 86_400, example = 60)]
    pub seconds: u32,
}

/// An integer in any spelling: `60` and `60.0` are the same JSON number.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    let millionths = decimal::parse(text, 6).ok().filter(|millionths| millionths % 1_000_000 == 0);
    let seconds = millionths.and_then(|millionths| u32::try_from(millionths / 1_000_000).ok());
    seconds.ok_or_else(|| D::Error::custom("must be a whole number, 0 or more"))
}
