//! Reads the body of a request within its limits of size and time.

use api::error::{BadRequest, ErrorBody, ErrorKind};
use api::read::BODY_BYTES_MAX;
use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::{Failure, timed_body};

/// Reads a JSON body of bounded size, uncompressed. `serving` limits how long it may take.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    read_within(BODY_BYTES_MAX, headers, body).await
}

/// Like `read`, with another size.
pub async fn read_within(bytes_max: usize, headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    if headers.get(http::header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(
            ErrorBody::new(ErrorKind::UnsupportedMediaType, "Compressed bodies are not accepted").into()
        );
    }
    match Limited::new(body, bytes_max).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => {
            let kind = ErrorKind::PayloadTooLarge;
            Err(ErrorBody::new(kind, format!("The body must not be longer than {bytes_max} bytes")).into())
        }
        Err(error) if timed_body::is_late(&*error) => {
            let kind = ErrorKind::RequestTimeout;
            Err(ErrorBody::new(kind, "The body did not come in time").into())
        }
        Err(_) => Err(BadRequest::new("The body cannot be read").into()),
    }
}
