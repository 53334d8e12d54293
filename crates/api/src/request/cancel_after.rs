//! A dead man's switch: all resting orders are cancelled unless this is sent again in time.

use crate::schema::ToSchema;
use serde::Deserialize;

use super::whole::whole;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct CancelAfter {
    /// From now, at most a day; 0 takes the switch off.
    #[serde(deserialize_with = "whole")]
    #[schema(maximum = 86_400, example = 60)]
    pub seconds: u32,
}
