//! Notifies a supervisor that the exchange serves, and that it is about to stop.
//!
//! Uses systemd's protocol (`Type=notify`): a datagram to the socket in `NOTIFY_SOCKET`. Without that variable nothing
//! happens.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

pub const READY: &str = "READY=1";
pub const STOPPING: &str = "STOPPING=1";

/// A failure is only logged: the exchange serves regardless.
pub fn notify(state: &str) {
    let socket = env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty());
    if let Some(error) = socket.and_then(|socket| send(&socket, state).err()) {
        tracing::warn!(state, %error, "cannot notify the supervisor");
    }
}

fn send(socket: &OsStr, state: &str) -> io::Result<()> {
    let address = match socket.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(socket: &UnixDatagram) -> String {
        let mut buffer = [0; 64];
        let length = socket.recv(&mut buffer).expect("a datagram");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    #[test]
    fn a_socket_is_notified_by_its_path_or_by_its_abstract_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).expect("a socket");
        send(path.as_os_str(), READY).expect("it is told");
        assert_eq!(heard(&socket), "READY=1");
        let name = path.to_str().expect("a path of letters");
        let address = SocketAddr::from_abstract_name(name).expect("an address");
        let socket = UnixDatagram::bind_addr(&address).expect("a socket");
        send(OsStr::new(&format!("@{name}")), STOPPING).expect("it is told");
        assert_eq!(heard(&socket), "STOPPING=1");
    }

    #[test]
    fn a_socket_without_a_listener_is_an_error_and_no_panic() {
        assert!(send(OsStr::new("/nowhere/notify"), READY).is_err());
    }
}
