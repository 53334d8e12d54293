//! The files of the reference of the API at `/docs`: Swagger UI, and the script that signs its requests. `web/reference` has
//! them, the large ones compressed; `npm run reference` makes those. The page itself is `openapi/page.rs`.

use std::sync::LazyLock;

use axum::extract::{Path, Request};

use super::assets::respond;
use crate::http::Answered;
use crate::http::not_found;
use crate::http::unchanging::Unchanging;

pub(super) const FILES: &str = "/docs/reference/{file}";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

static BUNDLE: LazyLock<Unchanging> = LazyLock::new(|| {
    Unchanging::of_packed(SCRIPT, include_bytes!("../../../../web/reference/swagger-ui-bundle.js.gz"))
});
static BUNDLE_STYLE: LazyLock<Unchanging> = LazyLock::new(|| {
    Unchanging::of_packed(STYLE, include_bytes!("../../../../web/reference/swagger-ui.css.gz"))
});
static OWN: LazyLock<Unchanging> =
    LazyLock::new(|| Unchanging::new(SCRIPT, include_str!("../../../../web/reference/reference.js")));
static OWN_STYLE: LazyLock<Unchanging> =
    LazyLock::new(|| Unchanging::new(STYLE, include_str!("../../../../web/reference/reference.css")));

pub(super) async fn file(Path(file): Path<String>, request: Request) -> Answered {
    let found = match file.as_str() {
        "swagger-ui-bundle.js" => &BUNDLE,
        "swagger-ui.css" => &BUNDLE_STYLE,
        "reference.js" => &OWN,
        "reference.css" => &OWN_STYLE,
        _ => return Err(not_found().await),
    };
    Ok(respond(found, request.uri().path(), request.headers()))
}
