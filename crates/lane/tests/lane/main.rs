//! The lanes over real loopback sockets. Time limits run on a clock that the tests move.

mod bounds;
mod draining;
mod harness;
mod many;
mod moving;
mod requests;
mod waiting;
