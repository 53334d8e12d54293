//! The channel `changes`: `rooms` has its messages and seams one by one, `runs` the checker on random days in process,
//! `sockets` the same over WebSocket, `planted` the proof that the checker fires.

mod follower;
mod planted;
pub mod replica;
mod rooms;
mod runs;
mod sockets;
mod traffic;
