//! The callers of a drill against the executable: `plan` says how long it lasts, `operation` is a request and its effect on
//! holdings, `wire` sends it.

pub mod operation;
pub mod plan;
pub mod wire;
