//! The fast lane: HTTP/1.1 for plain requests, one thread per core, without an async runtime.
//!
//! A lane is a thread with its own `mio::Poll` and its own connections. In a turn it reads every ready socket, calls the
//! [`Service`] for each complete request, calls `end_turn` once, renders the replies that other threads have delivered,
//! and writes. `plain` decides which requests are served here; the first other request of a connection hands the
//! connection to the service for good, with all bytes that were read.
//!
//! The crate is transport only: it has no route, no rule and no limit on rates. It never parses a chunked body, never
//! upgrades a connection and never answers a malformed request. Start reading at `service.rs`, then `lane.rs`.

mod config;
mod connection;
mod date;
mod head;
mod headers;
mod lane;
mod lanes;
mod mailbox;
mod plain;
mod response;
mod service;
mod socket;
mod stall;

pub use config::{Clock, Config, Pace, Timeouts};
pub use head::Head;
pub use headers::{Headers, Repeated};
pub use lanes::Lanes;
pub use mailbox::{Mailbox, Ticket};
pub use response::{Outcome, Response, ResponseHead};
pub use service::{Begin, Body, Closing, HandedOver, Request, Service};
