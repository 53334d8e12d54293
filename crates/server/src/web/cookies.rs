//! Cookies as they are set and taken back. No script can read one, and no other site can make a browser send one.

use axum::response::Response;
use http::{HeaderValue, header};

use crate::http::page::Cookie;

/// Puts a cookie into an answer, for so many seconds.
pub(super) fn set(response: &mut Response, cookie: Cookie, value: &str, seconds: i64, is_secure: bool) {
    let secure = if is_secure { "; Secure" } else { "" };
    let name = cookie.name(is_secure);
    let field = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    // Values are of our own making: letters, digits and points.
    if let Ok(mut field) = HeaderValue::try_from(field) {
        field.set_sensitive(true);
        response.headers_mut().append(header::SET_COOKIE, field);
    }
}

/// Takes a cookie back.
pub(super) fn clear(response: &mut Response, cookie: Cookie, is_secure: bool) {
    set(response, cookie, "", 0, is_secure);
}
