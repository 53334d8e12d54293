//! A PostgreSQL of a test's own, a proxy that cuts connections to it, and certificates. For tests alone.
//!
//! A server lives in a temporary folder, on a free port of the loopback, run by an ordinary user, and ends with the
//! value that started it, or with the test process. It is Debian's package; the cluster that the package makes is never touched.

mod authority;
mod proxy;
mod server;

pub use authority::Authority;
pub use proxy::Proxy;
pub use server::{Server, as_database_user, free_port, give_to_database_user};
