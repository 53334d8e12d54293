//! The seam between the transport and the server: the trait that the server implements, and the types of its methods.

use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

use crate::head::Head;
use crate::mailbox::{Mailbox, Ticket};
use crate::response::{Outcome, Response};

/// Serves the requests of all lanes. All methods run on a lane's thread and must not block, except that `hand_over` also
/// runs on the thread that calls `Lanes::add`.
///
/// A panic in a method that has one connection as argument ends at most that connection; a panic in `end_turn` closes
/// all connections of the lane that wait for a reply.
pub trait Service: Send + Sync + Sized + 'static {
    /// The service's state of a connection: its admission, its peer's address, and the request in flight. It is dropped
    /// with the connection.
    type Connection: Send;
    /// A reply from another thread.
    type Reply: Send;
    /// The state of a lane: the requests submitted in this turn, reused buffers.
    type Lane;

    /// Creates the state of a lane, on its thread. Other threads send replies to the mailbox.
    fn start_lane(&self, mailbox: &Arc<Mailbox<Self>>) -> Self::Lane;

    /// Decides whether a plain request is served here. Called once per request, when its head is complete and before
    /// its body is awaited: the place for charges that must precede the body. `now` is the time of the turn.
    fn begin(
        &self,
        lane: &mut Self::Lane,
        connection: &mut Self::Connection,
        head: &Head<'_>,
        now: Instant,
    ) -> Begin;

    /// Handles a request. Either sends the response now, or keeps the ticket for another thread and returns
    /// `Outcome::waiting()`.
    fn call(
        &self,
        lane: &mut Self::Lane,
        connection: &mut Self::Connection,
        request: &Request<'_>,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome;

    /// Handles a reply to the request in flight. `Outcome::waiting()` means that another reply with this ticket follows.
    fn complete(
        &self,
        lane: &mut Self::Lane,
        connection: &mut Self::Connection,
        reply: Self::Reply,
        ticket: Ticket,
        response: Response<'_>,
    ) -> Outcome;

    /// Called once per turn, after all calls and before anything is written: submits the requests of the turn.
    fn end_turn(&self, lane: &mut Self::Lane);

    /// The kernel has accepted the last byte of the response.
    fn flushed(&self, _connection: &mut Self::Connection) {}

    /// Takes over a connection. The lane forgets it.
    fn hand_over(&self, handed: HandedOver<Self::Connection>);

    /// A connection has ended.
    fn closed(&self, _connection: Self::Connection, _closing: Closing) {}
}

/// Where a request is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Here, when its body is complete.
    Serve,
    /// Here and now: the response does not depend on the body. If the body is incomplete, the connection is closed after
    /// the response.
    ServeNow,
    /// Not here.
    HandOver,
}

/// A complete request. It borrows from the buffer that the socket was read into.
#[derive(Debug)]
pub struct Request<'a> {
    pub head: Head<'a>,
    pub body: Body<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    Whole(&'a [u8]),
    /// The time limit expired first. The connection is closed after the response.
    Late,
    /// `begin` returned `ServeNow`, and the body was incomplete.
    Unread,
}

/// A connection that continues elsewhere. Its socket is non-blocking.
#[derive(Debug)]
pub struct HandedOver<C> {
    pub stream: TcpStream,
    /// Bytes that were read and not served: the beginning of the next request.
    pub read: Vec<u8>,
    pub connection: C,
}

/// Why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// The peer closed it, or the socket failed.
    ByPeer,
    /// The head did not arrive in time.
    HeadLate,
    /// The peer read the response too slowly.
    TooSlow,
    /// The response was the connection's last: its request's body was not read, or the lanes drain.
    Finished,
    /// The drain's time limit expired.
    Cut,
    /// The service panicked.
    Panicked,
}
