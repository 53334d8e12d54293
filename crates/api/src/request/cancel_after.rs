//! A dead man's switch: everything that rests is cancelled unless this is sent again in time.

use serde::Deserialize;
use utoipa::ToSchema;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct CancelAfter {
    /// From now, at most a day; 0 takes the switch off.
    #[schema(maximum = 86_400, example = 60)]
    pub seconds: u32,
}
