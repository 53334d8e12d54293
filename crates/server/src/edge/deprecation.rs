//! Deprecated operations: their responses carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). The row says both dates.

use http::HeaderName;

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Gives `put` the fields of a deprecated operation's response.
pub(crate) fn write(deprecated: Option<Deprecated>, mut put: impl FnMut(&HeaderName, &'static str)) {
    if let Some(Deprecated { since, sunset }) = deprecated {
        put(&DEPRECATION, since);
        put(&SUNSET, sunset);
    }
}

/// When an operation was deprecated, and when it may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// Unix seconds after an `@`, as in `@1893456000`.
    pub since: &'static str,
    /// An HTTP date, such as `Wed, 01 Jan 2031 00:00:00 GMT`.
    pub sunset: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_deprecated_operation_has_deprecation_and_sunset_headers() {
        let written = |deprecated| {
            let mut fields = Vec::new();
            write(deprecated, |name, value| fields.push((name.to_string(), value)));
            fields
        };
        assert_eq!(written(None), []);
        let (since, sunset) = ("@1893456000", "Wed, 01 Jan 2031 00:00:00 GMT");
        let expected = [("deprecation".to_owned(), since), ("sunset".to_owned(), sunset)];
        assert_eq!(written(Some(Deprecated { since, sunset })), expected);
    }
}
