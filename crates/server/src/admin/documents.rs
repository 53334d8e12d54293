//! The documentation of the operators' API. Needs no token: it contains nothing that the source code does not, and a
//! browser cannot send a token.

use std::sync::LazyLock;

use crate::http::Answered;
use crate::openapi;
use crate::openapi::served::ADMIN_OPENAPI;
use crate::routes::documents::{html, text};

static PAGE: LazyLock<String> = LazyLock::new(openapi::admin_page);

pub(super) async fn openapi() -> Answered {
    Ok(text(ADMIN_OPENAPI, "application/json"))
}

pub(super) async fn docs() -> Answered {
    Ok(html(&PAGE))
}
