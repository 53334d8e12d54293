//! `/.well-known/security.txt` (RFC 9116): where to report a vulnerability, as configured by the operator.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use api::Timestamp;
use axum::extract::State;
use axum::response::IntoResponse;
use http::header;
use serde::Deserialize;

use crate::app::App;
use crate::http::Answered;
use crate::http::not_found;

/// Validity in days: less than a year, as the RFC recommends.
const EXPIRES_DAYS: i64 = 364;
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The text, or 404 if no contact is configured.
pub(super) async fn security_txt(State(app): State<Arc<App>>) -> Answered {
    let Some(contact) = app.web().security_contact() else { return Err(not_found().await) };
    // Counted from the day of the request, so that a long-running venue never serves an expired text.
    let today = app.now_micros().div_euclid(DAY_MICROS);
    let expires = Timestamp::from_micros((today + EXPIRES_DAYS) * DAY_MICROS);
    let text = format!("Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en\n");
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// A `mailto:` or `https:` URI on one line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SecurityContact(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecurityContactFault;

impl fmt::Display for SecurityContactFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .write_str("must be a URI such as mailto:security@example.org or https://example.org/security")
    }
}

impl std::error::Error for SecurityContactFault {}

impl FromStr for SecurityContact {
    type Err = SecurityContactFault;

    fn from_str(text: &str) -> Result<SecurityContact, SecurityContactFault> {
        let rest = text.strip_prefix("mailto:").or_else(|| text.strip_prefix("https://"));
        // A URI is printable ASCII; a line break could inject additional fields.
        let is_uri =
            rest.is_some_and(|rest| !rest.is_empty()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_uri { Ok(SecurityContact(text.to_owned())) } else { Err(SecurityContactFault) }
    }
}

impl TryFrom<String> for SecurityContact {
    type Error = SecurityContactFault;

    fn try_from(text: String) -> Result<SecurityContact, SecurityContactFault> {
        text.parse()
    }
}

impl fmt::Display for SecurityContact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::SecurityContact;

    #[test]
    fn a_contact_is_a_mail_address_or_a_page_as_a_uri() {
        for text in ["mailto:security@example.org", "https://example.org/security?a=1"] {
            assert_eq!(text.parse::<SecurityContact>().expect("a contact").to_string(), text);
        }
        for text in [
            "",
            "mailto:",
            "https://",
            "security@example.org",
            "http://example.org",
            "mailto:a@example.org\nExpires: 1970-01-01T00:00:00Z",
            "https://example.org/a b",
            "https://example.org/é",
        ] {
            assert!(text.parse::<SecurityContact>().is_err(), "{text:?}");
        }
    }
}
