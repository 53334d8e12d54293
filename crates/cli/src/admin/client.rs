//! A small HTTP client: one request with the operator's token, one response. Requests refused by the rate limit are
//! retried: they had no effect, and a script with many commands should slow down, not fail.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::{RequestBuilder, StatusCode, header};
use server::admin::access::{FirstOperatorError, read_token};

use crate::blocking_http::{NoResponse, Response, client, send};

const PATIENCE: Duration = Duration::from_secs(60);
/// A longer wait is left to the user.
const RATE_LIMIT_WAIT_MAX: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
    Put,
    Delete,
}

pub(super) struct Client {
    client: reqwest::Client,
    url: String,
    token: String,
    /// Sent with writes.
    idempotency_key: Option<String>,
}

pub(super) struct Answer {
    pub(super) is_success: bool,
    pub(super) body: String,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ClientError {
    #[error(transparent)]
    Token(#[from] FirstOperatorError),
    #[error("there is no token in {0}: name the right file with --token-file")]
    NoToken(String),
    #[error(
        "{url} did not answer: {cause}. If the request was sent, it may have been carried out: \
             the same command with the same --idempotency-key does it once"
    )]
    Transport { url: String, cause: NoResponse },
}

impl Client {
    pub(super) fn new(url: &str, token_file: &Path) -> Result<Client, ClientError> {
        let token = read_token(token_file)?;
        let token = token.ok_or_else(|| ClientError::NoToken(token_file.display().to_string()))?;
        Client::with_token(url, token)
    }

    /// A write that was carried out under this key within a day is not carried out again.
    pub(super) fn with_key(self, idempotency_key: Option<String>) -> Client {
        Client { idempotency_key, ..self }
    }

    fn with_token(url: &str, token: String) -> Result<Client, ClientError> {
        let url = url.trim_end_matches('/').to_owned();
        match client(&url, PATIENCE).build() {
            Ok(client) => Ok(Client { client, url, token, idempotency_key: None }),
            Err(error) => Err(ClientError::Transport { url, cause: error.into() }),
        }
    }

    pub(super) fn send(&self, method: Method, path: &str, body: &str) -> Result<Answer, ClientError> {
        let started = Instant::now();
        let failed = |cause| ClientError::Transport { url: self.url.clone(), cause };
        loop {
            let response = self.send_once(method, path, body).map_err(failed)?;
            if let Some(wait) = rate_limit_wait(&response)
                && started.elapsed() + wait <= PATIENCE
            {
                std::thread::sleep(wait);
                continue;
            }
            return Ok(Answer { is_success: response.status.is_success(), body: response.body });
        }
    }

    fn send_once(&self, method: Method, path: &str, body: &str) -> Result<Response, NoResponse> {
        let url = format!("{}{path}", self.url);
        let request = match method {
            Method::Get => self.client.get(url),
            Method::Post => with_body(self.client.post(url), body),
            Method::Put => with_body(self.client.put(url), body),
            Method::Delete => self.client.delete(url),
        };
        let request = match &self.idempotency_key {
            Some(key) if method != Method::Get => request.header("idempotency-key", key),
            _ => request,
        };
        send(request.bearer_auth(&self.token))
    }
}

/// How long to wait before retrying a request that the rate limit refused.
fn rate_limit_wait(response: &Response) -> Option<Duration> {
    if response.status != StatusCode::TOO_MANY_REQUESTS {
        return None;
    }
    let seconds = response.headers.get(header::RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds)).filter(|wait| *wait <= RATE_LIMIT_WAIT_MAX)
}

fn with_body(request: RequestBuilder, body: &str) -> RequestBuilder {
    request.header(header::CONTENT_TYPE, "application/json").body(body.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use super::*;

    /// A server that sends these heads, one per connection, and returns the number of requests.
    fn answering(heads: Vec<&'static str>) -> (String, std::thread::JoinHandle<usize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let served = move || {
            let asked = heads.len();
            for head in heads {
                let (mut socket, _) = listener.accept().expect("a connection");
                let lines = BufReader::new(&socket).lines().map_while(Result::ok);
                lines.take_while(|line| !line.is_empty()).for_each(drop);
                write!(socket, "HTTP/1.1 {head}content-length: 2\r\nconnection: close\r\n\r\n{{}}")
                    .expect("sent");
            }
            asked
        };
        (url, std::thread::spawn(served))
    }

    fn client(url: &str) -> Client {
        Client::with_token(url, "op_test".to_owned()).expect("a client")
    }

    #[test]
    fn a_request_that_the_rate_limit_refused_is_sent_again() {
        let (url, served) = answering(vec!["429 Too Many Requests\r\nretry-after: 0\r\n", "200 OK\r\n"]);
        assert!(client(&url).send(Method::Get, "/admin/v1/status", "").expect("an answer").is_success);
        assert_eq!(served.join().expect("a server"), 2);
    }

    #[test]
    fn a_long_wait_or_another_refusal_is_the_answer() {
        for head in ["429 Too Many Requests\r\nretry-after: 3600\r\n", "503 Down\r\nretry-after: 0\r\n"] {
            let (url, served) = answering(vec![head]);
            assert!(!client(&url).send(Method::Get, "/admin/v1/status", "").expect("an answer").is_success);
            assert_eq!(served.join().expect("a server"), 1);
        }
    }
}
