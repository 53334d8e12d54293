//! Uploads of pictures, and the pictures that a command names.
//!
//! The role, the rate limit, a free place and the size of the body are checked before a byte is decoded. The exchange
//! records each upload and each refusal for the role, so both are in the audit log.

use std::sync::Arc;

use api::admin::response::UploadedPicture;
use api::error::{BadRequest, ErrorBody};
use axum::extract::{Request, State};
use exchange::command::{Command, RecordPicture};
use exchange::id::Hash32;
use http::StatusCode;

use super::access::OperatorCaller;
use super::operator_request::require_permission;
use crate::app::App;
use crate::edge::meter;
use crate::http::body;
use crate::http::{Answered, Failure, json};
use crate::limits::UPLOAD_TOKENS;
use crate::pictures::address::{PictureHash, PictureSize, parse_address};
use crate::pictures::making::PictureFault;
use crate::pictures::{PictureError, naming};

pub(super) async fn upload_picture(State(app): State<Arc<App>>, request: Request) -> Answered {
    let (parts, body) = request.into_parts();
    // `require_operator` has already refused requests without a token.
    let operator = *parts.extensions.get::<OperatorCaller>().ok_or_else(ErrorBody::internal)?;
    let upload = |picture: Hash32, bytes| Command::RecordPicture(RecordPicture { picture, bytes });
    require_permission(&app, operator, &upload(Hash32::new([0; 32]), 0)).await?;
    charge(&app, operator)?;
    let busy = || ErrorBody::unavailable("Other pictures are being uploaded: try again", 2);
    let _slot = app.pictures().begin_upload().ok_or_else(busy)?;
    let file = body::read_within(RecordPicture::BYTES_MAX as usize, &parts.headers, body).await?;
    // Invariant: `BYTES_MAX`, which the body does not exceed, is a `u32`.
    let bytes = u32::try_from(file.len()).expect("a bounded body");
    let made = app.pictures().make(file).await.map_err(refused)?;
    let picture = app.pictures().put(&made).await.map_err(unavailable)?;
    submit(&app, operator, upload(picture.to_exchange(), bytes)).await?;
    let uploaded = UploadedPicture {
        image_url: picture.address(PictureSize::Large),
        image128_url: picture.address(PictureSize::Small),
        width: made.width,
        height: made.height,
    };
    Ok(json(StatusCode::CREATED, &uploaded))
}

/// Raises the price of the request, which has paid one token.
fn charge(app: &App, operator: OperatorCaller) -> Result<(), Failure> {
    let operators = &app.limits().operators;
    let taken = operators.raise(operator.0, 1, UPLOAD_TOKENS, app.now_micros());
    match meter::current() {
        Some(meter) => meter.charge("operators", operators.rate(), taken),
        None => Ok(()),
    }
}

async fn submit(app: &App, operator: OperatorCaller, command: Command) -> Result<(), Failure> {
    let answer = app.writing().submit(operator.actor(), None, command).await?;
    app.writing().reply(answer).map(drop)
}

fn refused(fault: PictureFault) -> Failure {
    BadRequest::new(fault.to_string()).into()
}

pub(super) fn unavailable(error: PictureError) -> Failure {
    tracing::error!(%error, "cannot use the picture store");
    ErrorBody::unavailable("Pictures cannot be stored right now", 2).into()
}

/// Keeps the pictures that a command names, and refuses a command that names a missing one.
pub(super) async fn name(app: &App, command: &Command) -> Result<(), Failure> {
    let addresses = naming::addresses_in(command);
    if let Some(odd) = addresses.iter().find(|address| parse_address(address).is_none()) {
        return Err(BadRequest::new(format!("{odd} is not the address of a picture")).into());
    }
    let named = addresses.into_iter().filter_map(parse_address).collect();
    match app.pictures().name(named).await.map_err(unavailable)?.first() {
        None => Ok(()),
        Some(missing) => Err(BadRequest::new(missing_text(*missing)).into()),
    }
}

fn missing_text(picture: PictureHash) -> String {
    format!("There is no picture {}: upload it first", picture.address(PictureSize::Large))
}
