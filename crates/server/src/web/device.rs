//! Browsers that have logged in before: a device id in a cookie, with a code that this venue gave for one email.
//!
//! A known device has login attempts of its own, so that strangers who use up those of an email do not lock its owner
//! out. The cookie opens nothing: a login needs the password all the same, and a logout leaves the cookie.

use axum::response::Response;
use http::HeaderMap;
use uuid::Uuid;

use super::cookies;
use crate::app::App;
use crate::http::page::{Brought, Cookie, find_cookie};

/// 400 days: browsers keep no cookie longer.
const LIFE_SECONDS: i64 = 400 * 86_400;
/// Keeps these codes apart from other uses of the master key.
const PURPOSE: &str = "device cookie";

/// What a browser brought as its device cookie; not verified.
pub(super) fn brought(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    match find_cookie(headers, Cookie::Device.name(is_secure)) {
        Brought::One(value) => Some(value.to_owned()),
        Brought::Nothing | Brought::Several => None,
    }
}

/// The device id of a cookie whose code is right for this email.
pub(super) fn verified<'c>(app: &App, cookie: Option<&'c str>, email: &str) -> Option<&'c str> {
    let (device, code) = cookie?.split_once('.')?;
    app.keyring.is_code(PURPOSE, &[device, email], code).then_some(device)
}

/// Makes the browser known for this email, under the id that it has or under a new one.
pub(super) fn remember(response: &mut Response, app: &App, cookie: Option<&str>, email: &str) {
    let known = verified(app, cookie, email).map(str::to_owned);
    let device = known.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
    let value = format!("{device}.{}", app.keyring.code(PURPOSE, &[&device, email]));
    cookies::set(response, Cookie::Device, &value, LIFE_SECONDS, app.web.is_secure());
}
