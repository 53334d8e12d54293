//! The load generator: one thread, many keep-alive connections, a minimal HTTP/1.1 client.
//!
//! Closed: a connection sends its next request after its response. Paced: requests are due by an absolute schedule and
//! wait for a free connection; their time counts from when they were due. The thread sleeps until then.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::unix::SourceFd;
use mio::{Events, Interest, Poll, Token};

use crate::Problem;
use crate::pace::{Schedule, Timer};
use crate::requests::Script;

/// The token of the timer; connections have smaller ones.
const TIMER: Token = Token(usize::MAX);

/// The result of a round of load.
#[derive(Debug, Default)]
pub struct Load {
    pub answers: usize,
    /// Responses other than 200, and the first of them.
    pub refused: usize,
    pub first_refusal: String,
    pub elapsed: Duration,
    /// From when a request was due to its response; only for paced and timed load.
    pub times: Vec<Duration>,
}

impl Load {
    /// Fails if any request was refused.
    pub fn check(&self) -> Result<(), Problem> {
        match self.refused {
            0 => Ok(()),
            refused => {
                Err(format!("{refused} of {} were refused: {}", self.answers, self.first_refusal).into())
            }
        }
    }
}

#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    out: Vec<u8>,
    sent: usize,
    reply: Vec<u8>,
    filled: usize,
    /// The start and end of the last response's body.
    body: (usize, usize),
    /// When the current request was due.
    due: Option<Instant>,
}

#[derive(Debug)]
pub struct Generator {
    poll: Poll,
    events: Events,
    /// The connections of `events`. Kept, so that a poll allocates nothing.
    ready: Vec<usize>,
    connections: Vec<Connection>,
}

impl Generator {
    pub fn connect(address: SocketAddr, connections: usize) -> io::Result<Generator> {
        Generator::spread(&[address], connections)
    }

    /// Connections to several servers, equally many to each; neighbours use different servers.
    pub fn spread(addresses: &[SocketAddr], connections: usize) -> io::Result<Generator> {
        let poll = Poll::new()?;
        let mut opened = Vec::new();
        for (index, address) in (0..connections).zip(addresses.iter().cycle()) {
            // Blocking connect, so that every round begins with open connections.
            let stream = std::net::TcpStream::connect(*address)?;
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(stream);
            let interest = Interest::READABLE | Interest::WRITABLE;
            poll.registry().register(&mut stream, Token(index), interest)?;
            let (out, reply) = (Vec::new(), vec![0; 64 << 10]);
            opened.push(Connection { stream, out, sent: 0, reply, filled: 0, body: (0, 0), due: None });
        }
        let events = Events::with_capacity(connections + 1);
        Ok(Generator { poll, events, ready: Vec::new(), connections: opened })
    }

    /// Every connection at full speed for this long; then waits for pending responses.
    pub fn closed(&mut self, script: &mut dyn Script, time: Duration) -> io::Result<Load> {
        self.full_speed(script, time, || None)
    }

    /// Like `closed`, with the time of every request.
    pub fn timed(&mut self, script: &mut dyn Script, time: Duration) -> io::Result<Load> {
        self.full_speed(script, time, || Some(Instant::now()))
    }

    fn full_speed(
        &mut self,
        script: &mut dyn Script,
        time: Duration,
        due: impl Fn() -> Option<Instant>,
    ) -> io::Result<Load> {
        let mut load = Load::default();
        let start = Instant::now();
        let mut waiting = self.connections.len();
        for index in 0..self.connections.len() {
            self.send(index, script, due())?;
        }
        while waiting > 0 {
            self.poll()?;
            let is_over = start.elapsed() >= time;
            for place in 0..self.ready.len() {
                let index = self.ready[place];
                if !self.connections[index].advance(&mut load)? {
                    continue;
                }
                if is_over {
                    waiting -= 1;
                } else {
                    self.send(index, script, due())?;
                }
            }
        }
        load.elapsed = start.elapsed();
        Ok(load)
    }

    /// This many requests per second, evenly spaced, for this long.
    pub fn paced(&mut self, script: &mut dyn Script, per_second: f64, time: Duration) -> io::Result<Load> {
        // `armed` is the request that the timer is set for.
        let (mut load, mut next, mut armed) = (Load::default(), 0, None);
        let mut free: Vec<usize> = (0..self.connections.len()).collect();
        let timer = Timer::new()?;
        let source = &timer.as_raw_fd();
        self.poll.registry().register(&mut SourceFd(source), TIMER, Interest::READABLE)?;
        let start = Instant::now();
        let schedule = Schedule::begin(per_second, time);
        loop {
            let now = Instant::now();
            while let Some(due) = schedule.due(next).filter(|due| *due <= now)
                && let Some(index) = free.pop()
            {
                self.send(index, script, Some(due))?;
                next += 1;
            }
            match schedule.due(next) {
                None if free.len() == self.connections.len() => break,
                // Without a free connection, only a response helps.
                Some(due) if !free.is_empty() && armed != Some(next) => {
                    timer.arm(due)?;
                    armed = Some(next);
                }
                _ => {}
            }
            self.poll()?;
            for place in 0..self.ready.len() {
                let index = self.ready[place];
                if self.connections[index].advance(&mut load)? {
                    free.push(index);
                }
            }
        }
        self.poll.registry().deregister(&mut SourceFd(source))?;
        load.elapsed = start.elapsed();
        Ok(load)
    }

    /// One request on the first connection; returns the body of its response. `last` is the previous body.
    pub fn once(&mut self, script: &mut dyn Script, last: &[u8]) -> io::Result<Vec<u8>> {
        let connection = &mut self.connections[0];
        connection.reply[..last.len()].copy_from_slice(last);
        connection.body = (0, last.len());
        self.send(0, script, None)?;
        let mut load = Load::default();
        loop {
            self.poll()?;
            if self.connections[0].advance(&mut load)? {
                break;
            }
        }
        if load.refused > 0 {
            return Err(io::Error::other(load.first_refusal));
        }
        let Connection { reply, body: (start, end), .. } = &self.connections[0];
        Ok(reply[*start..*end].to_vec())
    }

    /// Waits for events and lists the connections that have one.
    fn poll(&mut self) -> io::Result<()> {
        self.poll.poll(&mut self.events, None)?;
        self.ready.clear();
        let tokens = self.events.iter().map(|event| event.token());
        self.ready.extend(tokens.filter(|token| *token != TIMER).map(|token| token.0));
        Ok(())
    }

    fn send(&mut self, index: usize, script: &mut dyn Script, due: Option<Instant>) -> io::Result<()> {
        let connection = &mut self.connections[index];
        connection.out.clear();
        let (start, end) = connection.body;
        script.next(index, &connection.reply[start..end], &mut connection.out);
        (connection.sent, connection.filled, connection.due) = (0, 0, due);
        connection.flush()
    }
}

impl Connection {
    fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.out.len() {
            match self.stream.write(&self.out[self.sent..]) {
                Ok(written) => self.sent += written,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads and writes as far as the socket allows. Returns true when the response is complete.
    fn advance(&mut self, load: &mut Load) -> io::Result<bool> {
        if self.out.is_empty() {
            return Ok(false);
        }
        self.flush()?;
        loop {
            match self.stream.read(&mut self.reply[self.filled..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
            if let Some(body) = whole_answer(&self.reply[..self.filled]) {
                self.body = body;
                break;
            }
        }
        self.out.clear();
        load.answers += 1;
        load.times.extend(self.due.map(|due| due.elapsed()));
        if !self.reply.starts_with(b"HTTP/1.1 200") {
            load.refused += 1;
            if load.first_refusal.is_empty() {
                load.first_refusal = String::from_utf8_lossy(&self.reply[..self.filled]).into_owned();
            }
        }
        Ok(true)
    }
}

/// The start and end of a response's body, once it is complete.
pub fn whole_answer(bytes: &[u8]) -> Option<(usize, usize)> {
    const LENGTH: &[u8] = b"content-length: ";
    let (mut line_start, mut length) = (0, 0);
    loop {
        let line_length = bytes[line_start..].iter().position(|byte| *byte == b'\n')?;
        let line = &bytes[line_start..line_start + line_length];
        line_start += line_length + 1;
        if line.len() <= 1 {
            let end = line_start + length;
            return (bytes.len() >= end).then_some((line_start, end));
        }
        if line.len() > LENGTH.len() && line[..LENGTH.len()].eq_ignore_ascii_case(LENGTH) {
            let digits = line[LENGTH.len()..].iter().filter(|byte| byte.is_ascii_digit());
            length = digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0'));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::whole_answer;

    #[test]
    fn an_answer_is_whole_when_its_announced_length_is_there() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\ndate: today\r\n\r\n{}";
        assert_eq!(whole_answer(answer), Some((answer.len() - 2, answer.len())));
        for cut in 0..answer.len() {
            assert_eq!(whole_answer(&answer[..cut]), None, "{cut}");
        }
    }
}
