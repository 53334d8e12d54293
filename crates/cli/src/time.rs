//! Times on the command line, in RFC 3339 as in the API.

use api::Timestamp;

/// Parses the value of an option.
pub(crate) fn read_time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).map_err(|fault| fault.to_string())
}
