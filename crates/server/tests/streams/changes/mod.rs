//! The channel `changes`: `rooms` tests its messages and edge cases one by one, `runs` the checker on random days in
//! process, `sockets` the checker over WebSocket, `planted` proves that the checker fires.

mod follower;
mod planted;
mod rooms;
mod runs;
mod sockets;
mod traffic;
