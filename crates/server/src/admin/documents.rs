//! The operators' API described, for machines and for people. Open to all who reach the listener: it tells nothing that the
//! source does not, and a browser has no token to send.

use std::sync::LazyLock;

use crate::http::Answered;
use crate::openapi;
use crate::routes::documents::{html, text};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi::admin_document().to_json().unwrap_or_default());
static PAGE: LazyLock<String> = LazyLock::new(openapi::admin_page);

pub(super) async fn openapi() -> Answered {
    Ok(text(&DOCUMENT, "application/json"))
}

pub(super) async fn docs() -> Answered {
    Ok(html(&PAGE))
}
