//! A PostgreSQL server for one test, a proxy that cuts connections to it, three servers under Patroni, and
//! certificates. For tests only.
//!
//! A server runs in a temporary folder on a free loopback port, as an unprivileged user. It ends when the value that
//! started it is dropped, or with the test process. The programs are those of the Debian package; its default cluster
//! is never touched.

mod authority;
mod patroni;
mod proxy;
mod server;

pub use authority::Authority;
pub use patroni::Patroni;
pub use proxy::Proxy;
pub use server::{Server, as_database_user, execute, free_port, give_to_database_user};
