//! What proves and what keeps: `verify`, `replay`, `backup`, `restore`, `archive` on a data folder, `verify-proof` on a file.
//!
//! The work is in `server::audit` and `api::proof`; here it is asked for and shown.

pub mod archive;
pub mod backup;
mod detail;
pub mod replay;
pub mod restore;
mod state;
pub mod verify;
pub mod verify_proof;
