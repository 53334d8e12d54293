//! Options of a connection's socket. All are optional: if the kernel refuses one, the socket still works.

use std::time::Duration;

use mio::net::TcpStream;
use socket2::SockRef;

/// Unsent bytes that the kernel may buffer. With its default of megabytes a client could read for minutes before the
/// next write succeeds, and its progress would be invisible.
#[cfg(target_os = "linux")]
const UNSENT_BYTES_MAX: u32 = 16 << 10;

pub(crate) fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = SockRef::from(stream).set_tcp_notsent_lowat(UNSENT_BYTES_MAX);
}

/// Makes the close of a socket drop its unsent bytes, instead of keeping them in the kernel.
pub(crate) fn reset_on_close(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}
