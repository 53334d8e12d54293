//! An error as a response: the contract's error body. The edge turns it into HTTP (`http/failure.rs`).

use api::error::{BadRequest, ErrorBody};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub body: Box<ErrorBody>,
}

impl From<ErrorBody> for Failure {
    fn from(body: ErrorBody) -> Failure {
        Failure { body: Box::new(body) }
    }
}

impl From<BadRequest> for Failure {
    fn from(bad_request: BadRequest) -> Failure {
        Failure::from(ErrorBody::from(bad_request))
    }
}
