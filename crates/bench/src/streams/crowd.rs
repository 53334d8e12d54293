//! Controls the reader process: starts it, waits for messages, stops it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Problem;
use crate::readers::{ALL_OF_IT, END};

/// A limit for every wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// The configuration of the readers.
#[derive(Clone, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) address: SocketAddr,
    pub(crate) path: &'a str,
    /// The first message of each reader; none if empty.
    pub(crate) subscription: String,
    pub(crate) readers: usize,
    /// How many of them never read.
    pub(crate) stalled: usize,
    /// Whether to record when each message arrived.
    pub(crate) is_timed: bool,
}

pub(crate) struct Crowd {
    process: Child,
    control: TcpStream,
    /// The number of readers that read.
    pub(crate) reading: u64,
    /// Messages that each of them should have received.
    sent: u64,
}

impl Crowd {
    pub(crate) fn gather(wanted: &Wanted<'_>) -> Result<Crowd, Problem> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let process = Command::new(std::env::current_exe()?)
            .arg("read")
            .args([listener.local_addr()?.to_string(), wanted.address.to_string(), wanted.path.to_owned()])
            .args([wanted.readers.to_string(), wanted.stalled.to_string(), wanted.is_timed.to_string()])
            .arg(&wanted.subscription)
            .stdin(Stdio::null())
            .spawn()?;
        let (mut control, _) = listener.accept()?;
        control.set_nodelay(true)?;
        control.set_read_timeout(Some(PATIENCE))?;
        // All are connected and subscribed.
        receive(&mut control)?;
        Ok(Crowd { process, control, reading: (wanted.readers - wanted.stalled) as u64, sent: 0 })
    }

    /// Waits until every active reader has received this many more messages.
    pub(crate) fn wait_for(&mut self, messages: u64) -> Result<(), Problem> {
        self.sent += messages;
        let total = self.sent * self.reading;
        self.control.write_all(&total.to_le_bytes())?;
        let seen = receive(&mut self.control)?;
        if seen < total { Err(format!("{seen} of {total} messages arrived").into()) } else { Ok(()) }
    }

    /// When each message reached each reader: its number, and nanoseconds of the monotonic clock.
    pub(crate) fn times(&mut self) -> Result<Vec<(u64, u64)>, Problem> {
        self.control.write_all(&ALL_OF_IT.to_le_bytes())?;
        let count = receive(&mut self.control)?;
        (0..count).map(|_| Ok((receive(&mut self.control)?, receive(&mut self.control)?))).collect()
    }

    pub(crate) fn leave(mut self) -> Result<(), Problem> {
        self.control.write_all(&END.to_le_bytes())?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        // After a failure, do not leave the process behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn receive(control: &mut TcpStream) -> Result<u64, Problem> {
    let mut bytes = [0; 8];
    control.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
