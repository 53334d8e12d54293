//! The API documentation, for machines and for people.

use std::sync::LazyLock;

use api::error::BadRequest;
use api::query::NumbersQuery;
use axum::extract::RawQuery;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, header};

use crate::http::Answered;
use crate::http::unchanging::Unchanging;
use crate::openapi;
use crate::openapi::served::{ASYNCAPI, OPENAPI, OPENAPI_VALUE};

pub(crate) const JSON: &str = "application/json";
pub(crate) const HTML: &str = "text/html; charset=utf-8";
const YAML: &str = "application/yaml";

/// For the reference: files of this origin, requests to it, and the icons inside the style sheet. No inline code.
const REFERENCE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static DOCUMENT: LazyLock<Unchanging> = LazyLock::new(|| Unchanging::new(JSON, OPENAPI));
static STRING_DOCUMENT: LazyLock<Unchanging> =
    LazyLock::new(|| Unchanging::new(JSON, openapi::string_document().to_string()));
static YAML_DOCUMENT: LazyLock<Unchanging> =
    LazyLock::new(|| Unchanging::new(YAML, openapi::yaml(&OPENAPI_VALUE)));
static STRING_YAML_DOCUMENT: LazyLock<Unchanging> =
    LazyLock::new(|| Unchanging::new(YAML, openapi::yaml(&openapi::string_document())));
static STREAMS: LazyLock<Unchanging> = LazyLock::new(|| Unchanging::new(JSON, ASYNCAPI));
static PAGE: LazyLock<Unchanging> = LazyLock::new(|| Unchanging::new(HTML, openapi::page()));

pub(super) async fn openapi(RawQuery(query): RawQuery, headers: HeaderMap) -> Answered {
    let document = if has_strings(query)? { &STRING_DOCUMENT } else { &DOCUMENT };
    Ok(respond(document, &headers))
}

pub(super) async fn openapi_yaml(RawQuery(query): RawQuery, headers: HeaderMap) -> Answered {
    let document = if has_strings(query)? { &STRING_YAML_DOCUMENT } else { &YAML_DOCUMENT };
    Ok(respond(document, &headers))
}

fn has_strings(query: Option<String>) -> Result<bool, BadRequest> {
    Ok(NumbersQuery::parse(query.as_deref().unwrap_or_default())?.numbers.is_some())
}

pub(super) async fn asyncapi(headers: HeaderMap) -> Answered {
    Ok(respond(&STREAMS, &headers))
}

pub(super) async fn docs(headers: HeaderMap) -> Answered {
    Ok(with_policy(respond(&PAGE, &headers), REFERENCE_POLICY))
}

/// A document, which changes only with the executable.
pub(crate) fn respond(document: &Unchanging, headers: &HeaderMap) -> Response {
    document.respond(headers, "public, no-cache")
}

pub(crate) fn with_policy(mut response: Response, policy: &'static str) -> Response {
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
