//! Headers of deprecated operations: `Deprecation` (RFC 9745), since when, and `Sunset` (RFC 8594), until when it is
//! served.
//!
//! No operation is deprecated at present. To deprecate one, set `deprecated` in its row of `openapi/operations.rs`; the
//! headers and the OpenAPI document follow from it.

use std::sync::LazyLock;

use axum::extract::{MatchedPath, Request};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::openapi::{ADMIN_OPERATIONS, OPERATIONS, Operation};

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Dates in the format of the headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// Unix seconds after an `@`, as in `@1893456000`.
    pub since: &'static str,
    /// An HTTP date, such as `Wed, 01 Jan 2031 00:00:00 GMT`.
    pub sunset: &'static str,
}

/// The deprecated operations. Usually empty, so that requests are not compared with every row.
static GOING: LazyLock<Vec<&Operation>> = LazyLock::new(|| {
    let all = OPERATIONS.iter().chain(ADMIN_OPERATIONS);
    all.filter(|operation| operation.deprecated.is_some()).collect()
});

/// Whether any operation is deprecated.
pub(crate) fn is_any() -> bool {
    !GOING.is_empty()
}

/// The deprecation of the requested operation, if any.
pub(super) fn of(request: &Request) -> Option<Deprecated> {
    let route = request.extensions().get::<MatchedPath>();
    if GOING.is_empty() { None } else { find(&GOING, request.method().as_str(), route?.as_str()) }
}

fn find(going: &[&Operation], method: &str, route: &str) -> Option<Deprecated> {
    let is_asked = |operation: &&&Operation| operation.method.as_str() == method && operation.path == route;
    going.iter().find(is_asked).and_then(|operation| operation.deprecated)
}

pub(super) fn write(deprecated: Deprecated, headers: &mut HeaderMap) {
    headers.insert(DEPRECATION, HeaderValue::from_static(deprecated.since));
    headers.insert(SUNSET, HeaderValue::from_static(deprecated.sunset));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openapi::{Method, ROW};

    const OLD: Deprecated = Deprecated { since: "@1893456000", sunset: "Wed, 01 Jan 2031 00:00:00 GMT" };

    #[test]
    fn only_a_deprecated_operation_has_deprecation_and_sunset_headers() {
        let path = "/v1/pm/orders/{orderId}";
        let old = Operation { method: Method::Delete, path, deprecated: Some(OLD), ..ROW };
        assert_eq!(find(&[&old], "GET", path), None);
        assert_eq!(find(&[&old], "DELETE", "/v1/pm/orders"), None);
        let found = find(&[&old], "DELETE", path).expect("a row that is to go");
        let mut headers = HeaderMap::new();
        write(found, &mut headers);
        assert_eq!(headers[DEPRECATION], "@1893456000");
        assert_eq!(headers[SUNSET], "Wed, 01 Jan 2031 00:00:00 GMT");
    }
}
