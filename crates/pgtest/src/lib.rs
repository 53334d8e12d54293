//! A PostgreSQL server for one test, a proxy that cuts connections to it, and certificates. For tests only.
//!
//! A server runs in a temporary folder on a free loopback port, as an unprivileged user. It ends when the value that
//! started it is dropped, or with the test process. The programs are those of the Debian package; its default cluster
//! is never touched.

mod authority;
mod proxy;
mod server;

pub use authority::Authority;
pub use proxy::Proxy;
pub use server::{Server, as_database_user, free_port, give_to_database_user};
