//! A response of a lane before its common fields.

use bytes::Bytes;
use lane::{Outcome, Response, ResponseHead};

use crate::http::Failure;
use crate::http::caching::{Freshness, tag_of};
use crate::respond::encode_refusal;
use crate::routes::hot::HotBody;
use crate::signals::refusals::RefusalReason;
use crate::writing::WriteResponse;

#[derive(Debug)]
pub struct LaneResponse {
    status: u16,
    body: Bytes,
    freshness: Option<Freshness>,
    retry_after: Option<u64>,
    is_replayed: bool,
    refusal_reason: Option<RefusalReason>,
}

impl LaneResponse {
    pub(super) fn refusal(failure: &Failure) -> LaneResponse {
        let (status, body) = encode_refusal(&failure.body);
        let retry_after = failure.body.retry_after;
        LaneResponse {
            status,
            body: body.into(),
            freshness: None,
            retry_after,
            is_replayed: false,
            refusal_reason: Some(RefusalReason::from(&*failure.body)),
        }
    }

    pub(super) fn of_write(response: Result<WriteResponse, Failure>) -> LaneResponse {
        match response {
            Ok(WriteResponse { status, body, is_replayed }) => LaneResponse {
                status,
                body,
                freshness: None,
                retry_after: None,
                is_replayed,
                refusal_reason: None,
            },
            Err(failure) => LaneResponse::refusal(&failure),
        }
    }

    pub(super) fn of_read(answer: Result<HotBody, Failure>) -> LaneResponse {
        match answer {
            Ok(HotBody { json, freshness }) => LaneResponse {
                status: 200,
                body: json.into(),
                freshness,
                retry_after: None,
                is_replayed: false,
                refusal_reason: None,
            },
            Err(failure) => LaneResponse::refusal(&failure),
        }
    }

    /// Set for a refusal that the edge counts.
    pub(super) fn refusal_reason(&self) -> Option<RefusalReason> {
        self.refusal_reason
    }

    pub(super) fn status(&self) -> u16 {
        self.status
    }

    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Begins the head with the fields of this response. A personal response has its own `Cache-Control`.
    pub(super) fn begin<'a>(&self, response: Response<'a>, is_personal: bool) -> ResponseHead<'a> {
        let mut head = response.status(self.status).lines("content-type: application/json\r\n");
        if let Some(seconds) = self.retry_after {
            head = head.number("retry-after", seconds);
        }
        if self.is_replayed {
            head = head.lines("idempotent-replayed: true\r\n");
        }
        if let Some(freshness) = self.freshness {
            head = head.field("etag", tag_of(&self.body).as_bytes());
            if !is_personal {
                head = head.field("cache-control", freshness.cache_control().as_bytes());
            }
        }
        head
    }

    /// Writes the response without the common fields.
    pub(super) fn write(&self, response: Response<'_>) -> Outcome {
        self.begin(response, false).send(self.body())
    }
}
