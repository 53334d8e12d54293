//! `x-wait-for-sequence`: delays a request until the node has applied a sequence, so that a client's write at one node
//! is visible at every other.

use std::time::Duration;

use api::error::{BadRequest, ErrorBody};
use http::HeaderName;

use super::fields::Fields;
use crate::failure::Failure;
use crate::reading::Reading;

pub(crate) const WAIT: HeaderName = HeaderName::from_static("x-wait-for-sequence");
/// Enough for a healthy node, and short enough for the client to try another one.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Waits for the sequence that a request names, if it names one.
pub(crate) async fn wait(reading: &Reading, fields: &dyn Fields) -> Result<(), Failure> {
    if !fields.has_field(&WAIT) {
        return Ok(());
    }
    let sequence = wanted(fields)
        .ok_or_else(|| BadRequest::new("X-Wait-For-Sequence must be a whole number, given once"))?;
    tokio::time::timeout(WAIT_MAX, reading.shared().wait_for(sequence)).await.map_err(|_| {
        let at = reading.state().seq();
        ErrorBody::unavailable(format!("This node is at sequence {at}, not yet at {sequence}"), 1).into()
    })
}

fn wanted(fields: &dyn Fields) -> Option<u64> {
    let text = std::str::from_utf8(fields.find_single(&WAIT).ok()??).ok()?;
    // `parse` would accept a sign.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::{WAIT, wanted};
    use http::{HeaderMap, HeaderValue};

    #[test]
    fn a_sequence_is_digits_and_there_once() {
        let of = |text: &'static str| wanted(&HeaderMap::from_iter([(WAIT, HeaderValue::from_static(text))]));
        assert_eq!((of("0"), of("17")), (Some(0), Some(17)));
        for bad in ["", "+1", "-1", "1.0", "seven", "99999999999999999999"] {
            assert_eq!(of(bad), None, "{bad}");
        }
        let mut twice = HeaderMap::new();
        twice.append(WAIT, HeaderValue::from_static("1"));
        twice.append(WAIT, HeaderValue::from_static("1"));
        assert_eq!(wanted(&twice), None);
    }
}
