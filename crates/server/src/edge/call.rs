//! A call of an endpoint: everything that it may know of its request.

use std::net::IpAddr;

use api::error::BadRequest;
use exchange::idempotency::IdempotencyKey;
use exchange::index::UserIndex;
use exchange::time::Time;

use super::fields::Fields;
use super::matching::Parameters;
use super::meter::{Meter, OwnerBucket};
use super::operation::Operation;
use crate::access::SessionCaller;
use crate::failure::Failure;
use crate::http::credentials::Caller;

/// A user's write that may be carried out for its caller.
#[derive(Clone, Copy, Debug)]
pub struct Authorised {
    pub caller: Caller,
    pub(crate) idempotency: Option<IdempotencyKey>,
    /// The bucket that has been charged one token and is charged for further items.
    pub(crate) bucket: OwnerBucket,
}

/// The verified sender of a request, as the row's access asks.
#[derive(Debug)]
pub(crate) enum Sender {
    Anyone,
    /// A wrong key is refused only where the rest of the request is right.
    Viewer(Result<Option<UserIndex>, Failure>),
    Reader(Caller),
    Session(SessionCaller),
    Writer(Authorised),
}

/// A request whose row, sender and body are known.
pub(crate) struct Call<'a> {
    pub(crate) operation: &'static Operation,
    pub(crate) fields: &'a dyn Fields,
    query: Option<&'a str>,
    parameters: &'a Parameters<'a>,
    body: &'a [u8],
    sender: Sender,
    pub(crate) meter: &'a Meter,
    pub(crate) address: IpAddr,
    /// The venue's time.
    pub(crate) now: Time,
}

/// The parts of a request that a transport gives.
pub(crate) struct Given<'a> {
    pub(crate) operation: &'static Operation,
    pub(crate) fields: &'a dyn Fields,
    pub(crate) query: Option<&'a str>,
    pub(crate) parameters: &'a Parameters<'a>,
    pub(crate) body: &'a [u8],
    pub(crate) address: IpAddr,
}

impl<'a> Call<'a> {
    pub(crate) fn new(given: Given<'a>, sender: Sender, meter: &'a Meter, now: Time) -> Call<'a> {
        let Given { operation, fields, query, parameters, body, address } = given;
        Call { operation, fields, query, parameters, body, sender, meter, address, now }
    }

    /// The query as sent; empty without one.
    pub(crate) fn query(&self) -> &'a str {
        self.query.unwrap_or_default()
    }

    /// A parameter of the path.
    pub(crate) fn path(&self, place: usize) -> &'a str {
        &self.parameters[place]
    }

    pub(crate) fn body(&self) -> &'a [u8] {
        self.body
    }

    /// The body, read by `read`. A missing body counts as `{}` where the row says that it is optional.
    pub(crate) fn read_body<T>(
        &self,
        read: impl FnOnce(&[u8]) -> Result<T, BadRequest>,
    ) -> Result<T, Failure> {
        let is_optional = self.operation.body.is_some_and(|body| body.is_optional);
        let body = if is_optional && self.body.is_empty() { b"{}" } else { self.body };
        read(body).map_err(|bad| self.operation.refuse_body(bad).into())
    }

    /// The user of a request whose row asks for one.
    pub(crate) fn user(&self) -> UserIndex {
        self.caller().user
    }

    /// The caller of a request whose row asks for a key, a signature or a session.
    pub(crate) fn caller(&self) -> Caller {
        match &self.sender {
            Sender::Reader(caller) => *caller,
            Sender::Session(session) => Caller::from(*session),
            Sender::Writer(authorised) => authorised.caller,
            Sender::Anyone | Sender::Viewer(_) => panic!("{} asks for no user", self.operation.id),
        }
    }

    /// The session of a request whose row asks for one.
    pub(crate) fn session(&self) -> SessionCaller {
        match &self.sender {
            Sender::Session(session) => *session,
            _ => panic!("{} asks for no session", self.operation.id),
        }
    }

    /// The optional user of a public request.
    pub(crate) fn viewer(&self) -> Result<Option<UserIndex>, Failure> {
        match &self.sender {
            Sender::Viewer(viewer) => viewer.clone(),
            _ => panic!("{} is for no viewer", self.operation.id),
        }
    }

    /// The write that the sender of a request may make whose row asks for a signature.
    pub(crate) fn authorised(&self) -> Authorised {
        match &self.sender {
            Sender::Writer(authorised) => *authorised,
            _ => panic!("{} is no write", self.operation.id),
        }
    }
}
