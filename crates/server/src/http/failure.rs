//! Every error response: a JSON body, its status, and `Retry-After` where there is one.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::json;
use crate::failure::Failure;
use crate::signals::refusals::RefusalReason;

impl Failure {
    pub fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.body.status_code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json(status, &*self.body);
        // The envelope counts it.
        response.extensions_mut().insert(RefusalReason::from(&*self.body));
        if let Some(seconds) = self.body.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        Failure::into_response(self)
    }
}
