//! The API documentation, for machines and for people.

use std::sync::LazyLock;

use api::error::BadRequest;
use api::query::NumbersQuery;
use axum::body::Body;
use axum::extract::RawQuery;
use axum::response::Response;
use http::{HeaderValue, header};

use crate::http::Answered;
use crate::openapi;
use crate::openapi::served::{ASYNCAPI, OPENAPI, OPENAPI_VALUE};

/// For the reference: files of this origin, requests to it, and the icons inside the style sheet. No inline code.
const REFERENCE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static STRING_DOCUMENT: LazyLock<String> = LazyLock::new(|| openapi::string_document().to_string());
static YAML: LazyLock<String> = LazyLock::new(|| openapi::yaml(&OPENAPI_VALUE));
static STRING_YAML: LazyLock<String> = LazyLock::new(|| openapi::yaml(&openapi::string_document()));
static PAGE: LazyLock<String> = LazyLock::new(openapi::page);

pub(super) async fn openapi(RawQuery(query): RawQuery) -> Answered {
    let document = if has_strings(query)? { STRING_DOCUMENT.as_str() } else { OPENAPI };
    Ok(text(document, "application/json"))
}

pub(super) async fn openapi_yaml(RawQuery(query): RawQuery) -> Answered {
    let document = if has_strings(query)? { &STRING_YAML } else { &YAML };
    Ok(text(document, "application/yaml"))
}

fn has_strings(query: Option<String>) -> Result<bool, BadRequest> {
    Ok(NumbersQuery::parse(query.as_deref().unwrap_or_default())?.numbers.is_some())
}

pub(super) async fn asyncapi() -> Answered {
    Ok(text(ASYNCAPI, "application/json"))
}

pub(super) async fn docs() -> Answered {
    let mut response = text(&PAGE, "text/html; charset=utf-8");
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REFERENCE_POLICY));
    Ok(response)
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
