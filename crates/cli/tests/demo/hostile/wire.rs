//! A bare HTTP/1.1 connection from a loopback address of one's choice.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use patience::PATIENCE;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

pub(super) struct Wire {
    reader: BufReader<TcpStream>,
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: String,
}

/// Connects from `address`; the standard library cannot choose one.
pub(super) fn dial(address: &str, base: &str) -> io::Result<TcpStream> {
    let server: SocketAddr = base.trim_start_matches("http://").parse().map_err(io::Error::other)?;
    let own: SocketAddr = format!("{address}:0").parse().map_err(io::Error::other)?;
    let descriptor = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&descriptor, &own)?;
    connect(&descriptor, &server)?;
    let stream = TcpStream::from(descriptor);
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

impl Wire {
    pub(super) fn connect(address: &str, base: &str) -> io::Result<Wire> {
        Ok(Wire { reader: BufReader::new(dial(address, base)?) })
    }

    pub(super) fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, String)],
        body: &str,
    ) -> io::Result<Answer> {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nhost: venue\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let request = format!("{head}\r\n{body}");
        self.reader.get_mut().write_all(request.as_bytes())?;
        self.answer()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut length = 0;
        loop {
            line.clear();
            self.reader.read_line(&mut line)?;
            let field = line.trim_end();
            if field.is_empty() {
                break;
            }
            if let Some((name, value)) = field.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        Ok(Answer { status, body: String::from_utf8_lossy(&body).into_owned() })
    }
}
