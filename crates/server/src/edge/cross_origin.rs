//! CORS: which responses scripts of other origins may read, and the answers to preflight requests.
//!
//! Everything that a program without a browser can read is open to every origin, so the allowed origin is always `*`,
//! and credentials are never allowed. Requests that a page of ours makes with its cookie stay closed: `/web/…`, logins
//! and password resets get no CORS headers (`own()` in their rows), and the header `X-Bellwether-Page`, without which a
//! cookie is ignored (`http/page.rs`), is never allowed. The operators' listener has no CORS headers.

use http::{HeaderName, HeaderValue, Method, StatusCode, header};

use super::answer::Rendered;
use super::fields::Fields;

/// Request headers that a script may set.
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "X-Public-Key, X-Timestamp, X-Signature, x-auth-token, x-device-id, Content-Type, Idempotency-Key, \
     Idempotency-Window, X-Number-Format, x-trace-id, x-request-id, traceparent, x-wait-for-sequence, If-None-Match",
);
const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, POST, PUT, DELETE");
/// Response headers that a script may read, besides the CORS-safelisted ones.
const EXPOSED_HEADERS: &str = "RateLimit, RateLimit-Policy, Retry-After, x-sequence, Idempotent-Replayed, \
     x-request-id, x-trace-id, x-server-time-ms, X-Number-Format, ETag";
/// How long a browser may cache a preflight response, in seconds.
const MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("600");

/// The fields of a response that scripts of any origin may read.
pub(crate) const OPEN: [(HeaderName, &str); 2] =
    [(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"), (header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS)];

/// The answer to a preflight.
pub(crate) fn granted() -> Rendered {
    Rendered {
        status: StatusCode::NO_CONTENT.as_u16(),
        fields: vec![
            (header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS),
            (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS),
        ],
        ..Rendered::empty()
    }
}

pub(crate) fn is_preflight(method: &Method, fields: &impl Fields) -> bool {
    *method == Method::OPTIONS
        && fields.has_field(&header::ORIGIN)
        && fields.has_field(&header::ACCESS_CONTROL_REQUEST_METHOD)
}
