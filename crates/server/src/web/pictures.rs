//! Pictures by address, on both listeners. An address never changes its content, so browsers keep it for ever.
//!
//! A picture in memory costs what a file of the page costs. A read of the store costs a public request in addition, so
//! that addresses of missing pictures cannot occupy the store.

use std::sync::Arc;

use api::error::ErrorBody;
use axum::extract::{Path, State};
use http::HeaderMap;

use super::assets;
use crate::app::App;
use crate::edge::meter;
use crate::http::Answered;
use crate::http::not_found;
use crate::pictures::address::parse_name;

pub(super) const PICTURES: &str = "/pictures/{name}";

pub(super) async fn picture(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Answered {
    let Some((hash, size)) = parse_name(&name) else { return Err(not_found().await) };
    let found = match app.pictures().find_cached(hash) {
        Some(picture) => Some(picture),
        None => {
            let public = &app.limits().public;
            if let Some(meter) = meter::current() {
                let taken = public.take(meter.network(), 1, app.now_micros());
                meter.charge("public", public.rate(), taken)?;
            }
            app.pictures().read(hash).await.map_err(|error| {
                tracing::error!(%error, "cannot read a picture");
                ErrorBody::unavailable("The picture cannot be read right now", 2)
            })?
        }
    };
    let Some(picture) = found else { return Err(not_found().await) };
    Ok(assets::picture(&name, picture.of_size(size), &headers))
}
