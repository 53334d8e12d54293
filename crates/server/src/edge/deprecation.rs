//! Deprecated operations: their responses carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). The row says both dates.

use http::HeaderName;

pub(crate) const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
pub(crate) const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// When an operation was deprecated, and when it may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// Unix seconds after an `@`, as in `@1893456000`.
    pub since: &'static str,
    /// An HTTP date, such as `Wed, 01 Jan 2031 00:00:00 GMT`.
    pub sunset: &'static str,
}
