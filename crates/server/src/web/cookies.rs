//! Cookies as they are set and taken back. No script can read one, and no other site can make a browser send one.

use axum::response::Response;
use http::{HeaderValue, header};

use crate::http::page::Cookie;

/// Puts a cookie into an answer: for so many seconds, or until the browser is closed.
pub(super) fn set(
    response: &mut Response,
    cookie: Cookie,
    value: &str,
    seconds: Option<i64>,
    is_secure: bool,
) {
    let lasting = seconds.map(|seconds| format!("; Max-Age={seconds}")).unwrap_or_default();
    let secure = if is_secure { "; Secure" } else { "" };
    let name = cookie.name(is_secure);
    let field = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/{lasting}{secure}");
    // Values are of our own making: letters and digits.
    if let Ok(mut field) = HeaderValue::try_from(field) {
        field.set_sensitive(true);
        response.headers_mut().append(header::SET_COOKIE, field);
    }
}

/// Takes a cookie back.
pub(super) fn clear(response: &mut Response, cookie: Cookie, is_secure: bool) {
    set(response, cookie, "", Some(0), is_secure);
}
