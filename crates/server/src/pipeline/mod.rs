//! The pipeline of a write: sequence, journal, apply, observe. One thread makes groups durable, one applies them.
//!
//! `sequencer` takes requests and runs both threads, `deciding` applies one request to the `state`, `observing` passes
//! the result to history and the streams, and `replay` does the same from frames. `follower` keeps a second state for
//! snapshots, `proofs` and the comparison with other nodes (`peers`). `clock` and `timekeeping` stamp frames.
//!
//! The pipeline renders responses through `respond`, which is below it. It must not import the edge or the services.

pub mod clock;
pub mod deciding;
pub mod follower;
pub(crate) mod gathering;
pub mod observing;
pub mod peers;
pub mod proofs;
pub mod replay;
pub mod sequencer;
pub mod skips;
pub mod state;
pub mod timekeeping;
