//! The reader process: thousands of sockets in one thread, which counts messages and discards them.
//!
//! It serves a control connection: a number is a total of messages, and is answered when that total has arrived.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream as Blocking};
use std::time::Duration;

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use rustix::time::{ClockId, clock_gettime};

use crate::{Problem, raise_files};

/// Ends the process.
pub(crate) const END: u64 = u64::MAX;
/// Requests the times.
pub(crate) const ALL_OF_IT: u64 = u64::MAX - 1;
const CONTROL: Token = Token(usize::MAX);
const TEXT: u8 = 1;
/// The receive buffer of stalled readers, kept small.
const STALLED_BYTES: usize = 4_096;
const PATIENCE: Duration = Duration::from_secs(30);

/// Nanoseconds of a clock shared by all processes.
pub(crate) fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    (time.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec as u64)
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Problem> {
    let [control, address, path, readers, stalled, is_timed, subscription] = arguments else {
        return Err("the arguments of the readers are missing".into());
    };
    raise_files()?;
    let mut control = Blocking::connect(control)?;
    control.set_nodelay(true)?;
    let (readers, stalled): (usize, usize) = (readers.parse()?, stalled.parse()?);
    let address: SocketAddr = address.parse()?;
    let poll = Poll::new()?;
    let (mut reading, mut not_reading) = (Vec::new(), Vec::new());
    for number in 0..readers {
        let socket = enter(address, path, subscription, number < stalled)?;
        if number < stalled {
            not_reading.push(socket);
            continue;
        }
        socket.set_nonblocking(true)?;
        let mut reader = Reader { socket: TcpStream::from_std(socket), counter: Counter::default(), seen: 0 };
        poll.registry().register(&mut reader.socket, Token(reading.len()), Interest::READABLE)?;
        reading.push(reader);
    }
    control.write_all(&0_u64.to_le_bytes())?;
    control.set_nonblocking(true)?;
    let mut control = TcpStream::from_std(control);
    poll.registry().register(&mut control, CONTROL, Interest::READABLE)?;
    let mut hall = Hall { reading, seen: 0, is_timed: is_timed == "true", times: Vec::new() };
    let result = hall.serve(poll, control);
    drop(not_reading);
    result
}

/// Connects, performs the handshake, subscribes and waits for the confirmation.
fn enter(address: SocketAddr, path: &str, subscription: &str, is_stalled: bool) -> Result<Blocking, Problem> {
    let mut socket = Blocking::connect(address)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    if is_stalled {
        rustix::net::sockopt::set_socket_recv_buffer_size(&socket, STALLED_BYTES)?;
    }
    let shake = format!(
        "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(shake.as_bytes())?;
    if subscription.is_empty() {
        until(&mut socket, b"\r\n\r\n")?;
        return Ok(socket);
    }
    // Client messages are masked; a zero mask leaves them unchanged.
    let length = u8::try_from(subscription.len()).ok().filter(|length| *length < 126).unwrap_or(126);
    let mut frame = vec![0x80 | TEXT, 0x80 | length];
    if length == 126 {
        frame.extend(u16::try_from(subscription.len())?.to_be_bytes());
    }
    frame.extend([0; 4]);
    frame.extend(subscription.as_bytes());
    socket.write_all(&frame)?;
    until(&mut socket, b"Subscribed to: ")?;
    until(&mut socket, b"}")?;
    Ok(socket)
}

/// Reads byte by byte until `wanted` was read.
fn until(socket: &mut Blocking, wanted: &[u8]) -> io::Result<()> {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(wanted) {
        socket.read_exact(&mut byte)?;
        seen.push(byte[0]);
    }
    Ok(())
}

/// A single reader that parses its messages.
pub(crate) struct Single(Blocking);

impl Single {
    pub(crate) fn enter(address: SocketAddr, path: &str, subscription: &str) -> Result<Single, Problem> {
        enter(address, path, subscription, false).map(Single)
    }

    /// The next text message.
    pub(crate) fn text(&mut self) -> Result<String, Problem> {
        let mut head = Vec::new();
        let mut byte = [0];
        let length = loop {
            self.0.read_exact(&mut byte)?;
            head.push(byte[0]);
            if let Some(length) = content(&head) {
                break length;
            }
        };
        let mut text = vec![0; length];
        self.0.read_exact(&mut text)?;
        Ok(String::from_utf8(text)?)
    }
}

struct Reader {
    socket: TcpStream,
    counter: Counter,
    seen: u64,
}

struct Hall {
    reading: Vec<Reader>,
    seen: u64,
    is_timed: bool,
    times: Vec<(u64, u64)>,
}

impl Hall {
    fn serve(&mut self, mut poll: Poll, mut control: TcpStream) -> Result<(), Problem> {
        let mut events = Events::with_capacity(1_024);
        let mut buffer = vec![0; 256 << 10];
        let mut wanted = None;
        loop {
            poll.poll(&mut events, None)?;
            for event in &events {
                if event.token() != CONTROL {
                    self.read(event.token().0, &mut buffer)?;
                    continue;
                }
                while let Some(asked) = asked(&mut control)? {
                    match asked {
                        END => return Ok(()),
                        ALL_OF_IT => self.tell_times(&mut control)?,
                        total => wanted = Some(total),
                    }
                }
            }
            if wanted.is_some_and(|total| self.seen >= total) {
                answer(&mut control, self.seen)?;
                wanted = None;
            }
        }
    }

    fn read(&mut self, place: usize, buffer: &mut [u8]) -> Result<(), Problem> {
        let reader = &mut self.reading[place];
        loop {
            match reader.socket.read(buffer) {
                Ok(0) => {
                    return Err(format!("a reader was disconnected after {} messages", reader.seen).into());
                }
                Ok(count) => {
                    let messages = reader.counter.count(&buffer[..count]);
                    if self.is_timed {
                        let at = now();
                        self.times.extend((reader.seen..reader.seen + messages).map(|number| (number, at)));
                    }
                    reader.seen += messages;
                    self.seen += messages;
                    if count < buffer.len() {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn tell_times(&self, control: &mut TcpStream) -> Result<(), Problem> {
        answer(control, self.times.len() as u64)?;
        for (number, at) in &self.times {
            answer(control, *number)?;
            answer(control, *at)?;
        }
        Ok(())
    }
}

/// The next number from the control connection, if it has arrived.
fn asked(control: &mut TcpStream) -> Result<Option<u64>, Problem> {
    let mut bytes = [0; 8];
    match control.read(&mut bytes) {
        // Over loopback, each number arrives in one piece.
        Ok(8) => Ok(Some(u64::from_le_bytes(bytes))),
        Ok(_) => Ok(Some(END)),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn answer(control: &mut TcpStream, number: u64) -> Result<(), Problem> {
    let bytes = number.to_le_bytes();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        match control.write(rest) {
            Ok(written) => rest = &rest[written..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Finds the ends of messages in a stream of bytes.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// The header of a frame that is still incomplete.
    head: Vec<u8>,
    /// Remaining bytes of its content, once the header is complete.
    left: Option<usize>,
}

impl Counter {
    /// The number of text messages that end in these bytes.
    pub(crate) fn count(&mut self, mut bytes: &[u8]) -> u64 {
        let mut texts = 0;
        loop {
            if let Some(left) = self.left {
                let taken = left.min(bytes.len());
                bytes = &bytes[taken..];
                if taken < left {
                    self.left = Some(left - taken);
                    return texts;
                }
                texts += u64::from(self.head[0] & 0x0f == TEXT);
                self.head.clear();
                self.left = None;
            }
            let Some((first, rest)) = bytes.split_first() else { return texts };
            self.head.push(*first);
            bytes = rest;
            self.left = content(&self.head);
        }
    }
}

/// The content length, once the header is complete. A server's frames are not masked.
fn content(head: &[u8]) -> Option<usize> {
    match head {
        [_, 126, high, low] => Some(usize::from(u16::from_be_bytes([*high, *low]))),
        [_, 127, length @ ..] => length.try_into().ok().map(|bytes| u64::from_be_bytes(bytes) as usize),
        [_, length] if *length < 126 => Some(usize::from(*length)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;

    #[test]
    fn messages_are_counted_however_they_are_cut() {
        let mut stream = vec![0x81, 2, b'h', b'i', 0x89, 0, 0x81, 0];
        stream.extend([0x81, 126, 1, 44]);
        stream.extend([7; 300]);
        stream.extend([0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70]);
        stream.extend(vec![7; 70_000]);
        for step in [1, 2, 3, 7, 1_000, stream.len()] {
            let mut counter = Counter::default();
            let counted: u64 = stream.chunks(step).map(|piece| counter.count(piece)).sum();
            assert_eq!(counted, 4, "in pieces of {step}");
        }
    }
}
