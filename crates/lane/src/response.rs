//! Writes responses: status line, fields, `content-length`, `date` and body, in hyper's order and spelling.

use std::time::Instant;

use http::StatusCode;

/// The place for one response. Sending it gives the `Outcome` that a service returns.
#[derive(Debug)]
pub struct Response<'a> {
    out: &'a mut Vec<u8>,
    date: &'a str,
    now: Instant,
    is_last: bool,
}

/// A response whose head is being written.
#[derive(Debug)]
pub struct ResponseHead<'a> {
    response: Response<'a>,
    status: StatusCode,
}

/// How a call to the service ended.
#[derive(Debug)]
#[must_use]
pub struct Outcome {
    pub(crate) is_answered: bool,
}

impl Outcome {
    /// The response follows from another thread, through the lane's mailbox.
    pub fn waiting() -> Outcome {
        Outcome { is_answered: false }
    }
}

impl<'a> Response<'a> {
    /// `is_last`: the response announces that the connection is closed after it.
    pub(crate) fn new(out: &'a mut Vec<u8>, date: &'a str, now: Instant, is_last: bool) -> Response<'a> {
        Response { out, date, now, is_last }
    }

    /// The time of the turn: a reading of the clock that all its responses share.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Begins a response. A number that is no status becomes 500.
    pub fn status(self, status: u16) -> ResponseHead<'a> {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status == StatusCode::OK {
            self.out.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
        } else {
            let reason = status.canonical_reason().unwrap_or("<none>");
            for part in ["HTTP/1.1 ", status.as_str(), " ", reason, "\r\n"] {
                self.out.extend_from_slice(part.as_bytes());
            }
        }
        ResponseHead { response: self, status }
    }
}

impl ResponseHead<'_> {
    /// Writes a field. Its name is in lower case.
    pub fn field(self, name: &str, value: &[u8]) -> Self {
        assert!(!value.iter().any(|byte| matches!(byte, b'\r' | b'\n')), "a field's value is one line");
        for part in [name.as_bytes(), b": ", value, b"\r\n"] {
            self.response.out.extend_from_slice(part);
        }
        self
    }

    pub fn number(self, name: &str, value: u64) -> Self {
        for part in [name.as_bytes(), b": "] {
            self.response.out.extend_from_slice(part);
        }
        write_number(self.response.out, value);
        self.response.out.extend_from_slice(b"\r\n");
        self
    }

    /// Writes prepared fields, each ending with a line break.
    pub fn lines(self, lines: &str) -> Self {
        assert!(lines.is_empty() || lines.ends_with("\r\n"), "each field ends with a line break");
        self.response.out.extend_from_slice(lines.as_bytes());
        self
    }

    /// Ends the head and writes the body. A 204 or 304 has neither length nor body.
    pub fn send(self, body: &[u8]) -> Outcome {
        let Response { out, date, is_last, .. } = self.response;
        let has_body = !matches!(self.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
        if is_last {
            out.extend_from_slice(b"connection: close\r\n");
        }
        if has_body {
            out.extend_from_slice(b"content-length: ");
            write_number(out, body.len() as u64);
            out.extend_from_slice(b"\r\n");
        }
        for part in ["date: ", date, "\r\n\r\n"] {
            out.extend_from_slice(part.as_bytes());
        }
        if has_body {
            out.extend_from_slice(body);
        }
        Outcome { is_answered: true }
    }
}

fn write_number(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    fn written(is_last: bool, respond: impl FnOnce(Response<'_>) -> Outcome) -> String {
        let mut out = Vec::new();
        assert!(respond(Response::new(&mut out, DATE, Instant::now(), is_last)).is_answered);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_response_has_its_fields_its_length_and_its_date() {
        let text = written(false, |response| {
            let head = response.status(200).lines("vary: X-Public-Key\r\n").field("a", b"b");
            head.number("x-sequence", 1_203).send(b"body")
        });
        let fields = "vary: X-Public-Key\r\na: b\r\nx-sequence: 1203\r\ncontent-length: 4\r\n";
        assert_eq!(text, format!("HTTP/1.1 200 OK\r\n{fields}date: {DATE}\r\n\r\nbody"));
    }

    #[test]
    fn a_last_response_says_so_and_a_304_has_no_length() {
        let text = written(true, |response| response.status(422).send(b""));
        let fields = "connection: close\r\ncontent-length: 0\r\n";
        assert_eq!(text, format!("HTTP/1.1 422 Unprocessable Entity\r\n{fields}date: {DATE}\r\n\r\n"));
        let text = written(false, |response| response.status(304).field("etag", b"W/\"1\"").send(b"ignored"));
        assert_eq!(text, format!("HTTP/1.1 304 Not Modified\r\netag: W/\"1\"\r\ndate: {DATE}\r\n\r\n"));
    }

    #[test]
    fn a_number_is_written_in_decimal() {
        for value in [0, 9, 10, 4_096, u64::MAX] {
            let mut out = Vec::new();
            write_number(&mut out, value);
            assert_eq!(out, value.to_string().into_bytes());
        }
    }

    #[test]
    #[should_panic(expected = "a field's value is one line")]
    fn a_value_with_a_line_break_is_a_bug() {
        written(false, |response| response.status(200).field("a", b"b\r\nc: d").send(b""));
    }
}
