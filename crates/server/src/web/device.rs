//! Known devices: a cookie with a device id and a code that this venue issued for one email after a login.
//!
//! A known device has its own login attempts, so that strangers who use up the attempts of an email do not lock out its
//! owner. The cookie grants no access: a login still needs the password, and a logout keeps the cookie.

use axum::response::Response;
use http::HeaderMap;

use super::cookies;
use crate::app::App;
use crate::http::page::{Cookie, FoundCookie, find_cookie};
use crate::identifiers::random_id;

/// 400 days, the longest that browsers keep a cookie.
const LIFE_SECONDS: i64 = 400 * 86_400;
/// Separates these codes from other uses of the master key.
const PURPOSE: &str = "device cookie";

/// The device cookie of a request, unverified.
pub(super) fn find_device(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    match find_cookie(headers, Cookie::Device.name(is_secure)) {
        FoundCookie::One(value) => Some(value.to_owned()),
        FoundCookie::Missing | FoundCookie::Several => None,
    }
}

/// The device id of a cookie whose code is valid for this email.
pub(super) fn verified<'c>(app: &App, cookie: Option<&'c str>, email: &str) -> Option<&'c str> {
    let (device, code) = cookie?.split_once('.')?;
    app.access().keyring().is_code(PURPOSE, &[device, email], code).then_some(device)
}

/// Sets the device cookie for this email, keeping a valid id or issuing a new one.
pub(super) fn remember(response: &mut Response, app: &App, cookie: Option<&str>, email: &str) {
    let known = verified(app, cookie, email).map(str::to_owned);
    let device = known.unwrap_or_else(|| random_id().simple().to_string());
    let value = format!("{device}.{}", app.access().keyring().code(PURPOSE, &[&device, email]));
    cookies::set(response, Cookie::Device, &value, LIFE_SECONDS, app.web().is_secure());
}
