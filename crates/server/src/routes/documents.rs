//! The API documentation, for machines and for people.

use std::sync::LazyLock;

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};

use crate::http::Answered;
use crate::{asyncapi, openapi};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi::document().to_json().unwrap_or_default());
static STREAMS: LazyLock<String> = LazyLock::new(|| asyncapi::document().to_string());
static PAGE: LazyLock<String> = LazyLock::new(openapi::page);

pub(super) async fn openapi() -> Answered {
    Ok(text(&DOCUMENT, "application/json"))
}

pub(super) async fn asyncapi() -> Answered {
    Ok(text(&STREAMS, "application/json"))
}

pub(super) async fn docs() -> Answered {
    Ok(html(&PAGE))
}

pub(crate) fn html(page: &'static str) -> Response {
    let mut response = text(page, "text/html; charset=utf-8");
    let policy =
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

pub(crate) fn text(text: &'static str, content: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
    response
}
