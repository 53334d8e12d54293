//! The documents at `/docs/guide`. They have the headers of the web page's files.

use std::sync::Arc;

use axum::extract::{Request, State};

use super::assets::respond;
use crate::app::App;
use crate::http::Answered;
use crate::http::not_found;

pub(super) const FIRST_PAGE: &str = "/docs/guide";
pub(super) const PAGES: &str = "/docs/guide/{*path}";

pub(super) async fn page(State(app): State<Arc<App>>, request: Request) -> Answered {
    let path = request.uri().path();
    let below = path.strip_prefix(FIRST_PAGE).unwrap_or(path);
    match app.web().find_guide_file(below.strip_prefix('/').unwrap_or(below)) {
        Some(file) => Ok(respond(file, path, request.headers())),
        None => Err(not_found().await),
    }
}
