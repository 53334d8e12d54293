//! Answers: what an endpoint returns, and its bytes before a transport writes them.

use std::marker::PhantomData;

use api::json::{Decimals, WriteJson, Writer};
use bytes::Bytes;
use http::{HeaderName, HeaderValue};

use super::freshness::Freshness;
use super::operation::Operation;
use crate::failure::Failure;
use crate::respond::encode_refusal;
use crate::signals::refusals::RefusalReason;
use crate::writing::WriteResponse;

/// An answer of an endpoint. Its status is the row's unless it says another.
#[derive(Debug)]
pub(crate) struct Answer<A> {
    value: A,
    status: Option<u16>,
    is_replayed: bool,
}

impl<A> Answer<Written<A>> {
    /// The response to a user's write.
    pub(crate) fn of_write(response: WriteResponse) -> Answer<Written<A>> {
        let WriteResponse { status, body, is_replayed } = response;
        Answer { value: Written::new(body.into()), status: Some(status), is_replayed }
    }
}

impl<A> Answer<A> {
    pub(crate) fn new(value: A) -> Answer<A> {
        Answer { value, status: None, is_replayed: false }
    }

    pub(crate) fn status(self, status: u16) -> Answer<A> {
        Answer { status: Some(status), ..self }
    }
}

impl<A> From<A> for Answer<A> {
    fn from(value: A) -> Answer<A> {
        Answer::new(value)
    }
}

/// An answer of type `A` that is already written as JSON.
#[derive(Debug)]
pub(crate) struct Written<A>(pub(crate) Vec<u8>, PhantomData<fn() -> A>);

impl<A> Written<A> {
    pub(crate) fn new(json: Vec<u8>) -> Written<A> {
        Written(json, PhantomData)
    }
}

impl<A> WriteJson for Written<A> {
    fn write_json(&self, out: &mut Writer) {
        out.raw(&self.0);
    }
}

/// A response before the fields of every response.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) status: u16,
    pub(crate) content: &'static str,
    pub(crate) body: Bytes,
    pub(crate) fields: Vec<(HeaderName, HeaderValue)>,
    /// Set for a success that may be cached.
    pub(crate) freshness: Option<Freshness>,
    pub(crate) retry_after: Option<u64>,
    pub(crate) is_replayed: bool,
    /// Set for a refusal that the edge counts.
    pub(crate) refusal: Option<RefusalReason>,
}

impl<A: WriteJson> Answer<A> {
    pub(crate) fn render(self, operation: &Operation, decimals: Decimals) -> Rendered {
        // Large enough for most responses, to avoid reallocation.
        let mut out = Writer::new(Vec::with_capacity(2_048), decimals);
        self.value.write_json(&mut out);
        Rendered {
            status: self.status.unwrap_or(operation.success),
            content: operation.content,
            body: out.into_bytes().into(),
            fields: Vec::new(),
            freshness: operation.freshness,
            retry_after: None,
            is_replayed: self.is_replayed,
            refusal: None,
        }
    }
}

impl Rendered {
    /// 200 without a body, for the fields of others.
    pub(crate) fn empty() -> Rendered {
        Rendered::json(200, Bytes::new())
    }

    fn json(status: u16, body: Bytes) -> Rendered {
        Rendered {
            status,
            content: super::operation::JSON,
            body,
            fields: Vec::new(),
            freshness: None,
            retry_after: None,
            is_replayed: false,
            refusal: None,
        }
    }

    pub(crate) fn refusal(failure: &Failure) -> Rendered {
        let (status, body) = encode_refusal(&failure.body);
        Rendered {
            retry_after: failure.body.retry_after,
            refusal: Some(RefusalReason::from(&*failure.body)),
            ..Rendered::json(status, body.into())
        }
    }

    pub(crate) fn of(result: Result<Rendered, Failure>) -> Rendered {
        result.unwrap_or_else(|failure| Rendered::refusal(&failure))
    }

    pub(crate) fn of_write(response: WriteResponse) -> Rendered {
        let WriteResponse { status, body, is_replayed } = response;
        Rendered { is_replayed, ..Rendered::json(status, body) }
    }
}
