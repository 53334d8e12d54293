//! Sets and clears cookies. They are HttpOnly and SameSite=Strict: scripts cannot read them, other sites cannot send them.

use axum::response::Response;
use http::{HeaderValue, header};

use crate::http::page::Cookie;

/// Sets a cookie for a number of seconds.
pub(super) fn set(response: &mut Response, cookie: Cookie, value: &str, seconds: i64, is_secure: bool) {
    let secure = if is_secure { "; Secure" } else { "" };
    let name = cookie.name(is_secure);
    let field = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    // Values are generated here and contain only letters, digits and dots.
    if let Ok(mut field) = HeaderValue::try_from(field) {
        field.set_sensitive(true);
        response.headers_mut().append(header::SET_COOKIE, field);
    }
}

/// Clears a cookie.
pub(super) fn clear(response: &mut Response, cookie: Cookie, is_secure: bool) {
    set(response, cookie, "", 0, is_secure);
}
