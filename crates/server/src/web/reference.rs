//! The files of the reference of the API at `/docs`: Swagger UI, and the script that signs its requests. `web/reference` has
//! them, the large ones compressed; `npm run reference` makes those. The page itself is `openapi/page.rs`.

use axum::extract::{Path, Request};
use bytes::Bytes;

use super::assets::{respond, respond_packed};
use crate::http::Answered;
use crate::http::caching::tag_of;
use crate::http::envelope::not_found;

pub(super) const FILES: &str = "/docs/reference/{file}";

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

static BUNDLE: &[u8] = include_bytes!("../../../../web/reference/swagger-ui-bundle.js.gz");
static BUNDLE_STYLE: &[u8] = include_bytes!("../../../../web/reference/swagger-ui.css.gz");
static OWN: &[u8] = include_bytes!("../../../../web/reference/reference.js");
static OWN_STYLE: &[u8] = include_bytes!("../../../../web/reference/reference.css");

pub(super) async fn file(Path(file): Path<String>, request: Request) -> Answered {
    let (path, headers) = (request.uri().path(), request.headers());
    let plain = |kind, bytes: &'static [u8]| {
        Some(respond(path, &tag_of(bytes), kind, Bytes::from_static(bytes), headers))
    };
    let found = match file.as_str() {
        "swagger-ui-bundle.js" => respond_packed(SCRIPT, BUNDLE, headers),
        "swagger-ui.css" => respond_packed(STYLE, BUNDLE_STYLE, headers),
        "reference.js" => plain(SCRIPT, OWN),
        "reference.css" => plain(STYLE, OWN_STYLE),
        _ => None,
    };
    match found {
        Some(response) => Ok(response),
        None => Err(not_found().await),
    }
}
