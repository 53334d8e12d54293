//! The documents at `/docs/guide`, rendered by the crate `guide`. They have the headers of the web page's files.

use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::HeaderMap;

use super::assets::respond;
use crate::http::Answered;
use crate::http::envelope::not_found;

pub(super) const FIRST_PAGE: &str = "/docs/guide";
pub(super) const PAGES: &str = "/docs/guide/{*path}";

pub(super) async fn page(request: Request) -> Answered {
    match find(request.uri().path(), request.headers()) {
        Some(response) => Ok(response),
        None => Err(not_found().await),
    }
}

fn find(path: &str, headers: &HeaderMap) -> Option<Response> {
    let below = path.strip_prefix(guide::PREFIX)?;
    let page = guide::page(below.strip_prefix('/').unwrap_or(below))?;
    Some(respond(path, &page.etag, page.content_type, Bytes::from_static(&page.bytes), headers))
}
