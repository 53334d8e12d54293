//! The streams through real sockets: one module for each endpoint, then one for each rule that holds for all of them.
//!
//! `hall` is a stage with a listener, `reader` a WebSocket client that checks every message.

mod contract;
mod hall;
mod reader;

mod markets;
mod realtime;
mod user;

mod changes;

mod access;
mod arming;
mod closing;
mod disconnecting;
mod flooding;
mod games;
mod limits;
mod lists;
mod malformed;
mod networks;
mod numbers;
mod origins;
mod page;
mod retirement;
mod slow_readers;
mod stopping;
mod terms;
