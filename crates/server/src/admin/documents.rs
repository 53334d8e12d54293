//! The documentation of the operators' API. Needs no token: it contains nothing that the source code does not, and a
//! browser cannot send a token.

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
