//! Audits and backups: `verify`, `replay`, `backup`, `restore`, `archive` on a data folder, `verify-proof` on a file.
//!
//! The work is in `server::audit` and `api::proof`; these files parse options and print results.

pub mod archive;
pub mod backup;
mod detail;
pub mod replay;
pub mod restore;
mod rounds;
mod state;
pub mod verify;
pub mod verify_proof;
