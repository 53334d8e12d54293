//! The documentation of the operators' API. Needs no token: it contains nothing that the source code does not, and a
//! browser cannot send a token.

use std::sync::LazyLock;

use http::HeaderMap;

use crate::http::Answered;
use crate::http::unchanging::Unchanging;
use crate::openapi;
use crate::openapi::served::ADMIN_OPENAPI;
use crate::routes::documents::{HTML, JSON, respond, with_policy};

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

static DOCUMENT: LazyLock<Unchanging> = LazyLock::new(|| Unchanging::new(JSON, ADMIN_OPENAPI));
static PAGE: LazyLock<Unchanging> = LazyLock::new(|| Unchanging::new(HTML, openapi::admin_page()));

pub(super) async fn openapi(headers: HeaderMap) -> Answered {
    Ok(respond(&DOCUMENT, &headers))
}

pub(super) async fn docs(headers: HeaderMap) -> Answered {
    Ok(with_policy(respond(&PAGE, &headers), POLICY))
}
