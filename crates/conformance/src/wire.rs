//! Requests and their answers. Every answer is kept, so that rules about all answers can be checked at the end.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::iter;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::runtime::Runtime;

use crate::check::{Difference, Stop};
use crate::json::{Json, shorten};
use crate::target::Key;

/// Between two requests, so that a run stays below the limits of a key.
const PAUSE: Duration = Duration::from_millis(35);
/// A refused request is sent again after at most this long, and this often.
const WAIT_MAX: Duration = Duration::from_secs(10);
const ATTEMPTS: usize = 4;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    pub method: &'a str,
    /// With the query string.
    pub path: &'a str,
    pub body: Option<&'a str>,
    pub headers: Vec<(&'a str, String)>,
}

impl<'a> Call<'a> {
    pub fn new(method: &'a str, path: &'a str) -> Call<'a> {
        Call { method, path, body: None, headers: Vec::new() }
    }

    pub fn body(mut self, body: &'a str) -> Call<'a> {
        self.body = Some(body);
        self
    }

    pub fn header(mut self, name: &'a str, value: impl Into<String>) -> Call<'a> {
        self.headers.push((name, value.into()));
        self
    }

    /// The caller's public key, without a signature.
    pub fn reader(self, key: &Key) -> Call<'a> {
        self.header("X-Public-Key", key.public.as_str())
    }

    /// Signed now.
    pub fn signed(self, key: &Key) -> Call<'a> {
        self.signed_at(key, now())
    }

    /// Signed with a time in Unix seconds.
    pub fn signed_at(self, key: &Key, seconds: i64) -> Call<'a> {
        let signature = signature(key, seconds, self.method, self.path, self.body);
        self.reader(key).header("X-Timestamp", seconds.to_string()).header("X-Signature", signature)
    }
}

/// Unix seconds.
pub(crate) fn now() -> i64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
}

/// The signature of a request, in base64.
pub(crate) fn signature(key: &Key, seconds: i64, method: &str, path: &str, body: Option<&str>) -> String {
    let (timestamp, hash) = (seconds.to_string(), body_hash(body.unwrap_or_default().as_bytes()));
    let payload = Payload { timestamp: &timestamp, method, path, body_hash: &hash };
    SigningKey::new(&SecretKey::from_text(&key.secret)).sign(&payload)
}

/// A whole answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Method and path, for reports.
    pub request: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// The body as JSON. `None`: it is something else.
    pub json: Option<Json>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as JSON; null if it is something else.
    pub fn value(&self) -> &Json {
        self.json.as_ref().unwrap_or(&Json::Null)
    }

    /// Status and body, for reports.
    pub fn shown(&self) -> String {
        format!("{} {}", self.status, shorten(&String::from_utf8_lossy(&self.body)))
    }
}

/// The connection to the server.
pub(crate) struct Wire {
    pub runtime: Runtime,
    client: reqwest::Client,
    url: String,
    last: Cell<Option<Instant>>,
    seen: RefCell<Vec<Answer>>,
}

impl Wire {
    pub fn new(runtime: Runtime, client: reqwest::Client, url: &str) -> Wire {
        Wire { runtime, client, url: url.to_owned(), last: Cell::new(None), seen: RefCell::new(Vec::new()) }
    }

    /// Sends a request, again if the server asks to wait a little.
    pub fn send(&self, call: &Call<'_>) -> Result<Answer, Stop> {
        for _ in 1..ATTEMPTS {
            let answer = self.send_once(call)?;
            let wait = answer.header("retry-after").and_then(|seconds| seconds.parse().ok());
            let wait = wait.map_or(Duration::from_secs(1), Duration::from_secs);
            if answer.status != 429 || wait > WAIT_MAX {
                return Ok(answer);
            }
            thread::sleep(wait);
        }
        self.send_once(call)
    }

    /// Sends a request once, after a pause.
    pub fn send_once(&self, call: &Call<'_>) -> Result<Answer, Stop> {
        if let Some(last) = self.last.get() {
            thread::sleep(PAUSE.saturating_sub(last.elapsed()));
        }
        let answer = self.send_at_once(call);
        self.last.set(Some(Instant::now()));
        answer
    }

    /// Sends a request without a pause.
    pub fn send_at_once(&self, call: &Call<'_>) -> Result<Answer, Stop> {
        let request = format!("{} {}", call.method, call.path);
        let answer = self.runtime.block_on(self.exchange(call)).map_err(|seen| {
            Stop::Broken(Difference { what: request.clone(), expected: "an answer".to_owned(), seen })
        })?;
        self.seen.borrow_mut().push(answer.clone());
        Ok(answer)
    }

    async fn exchange(&self, call: &Call<'_>) -> Result<Answer, String> {
        let method = Method::from_bytes(call.method.as_bytes()).map_err(|error| error.to_string())?;
        let mut request = self.client.request(method, format!("{}{}", self.url, call.path));
        if let Some(body) = call.body {
            request = request.header("Content-Type", "application/json").body(body.to_owned());
        }
        for (name, value) in &call.headers {
            request = request.header(*name, value);
        }
        let response = request.send().await.map_err(|error| causes(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.map_err(|error| causes(&error))?.to_vec();
        let json = Json::parse(&body).ok();
        Ok(Answer { request: format!("{} {}", call.method, call.path), status, headers, body, json })
    }

    /// Every answer so far.
    pub fn seen(&self) -> Vec<Answer> {
        self.seen.borrow().clone()
    }

    /// The address of a stream.
    pub fn stream_url(&self, path: &str) -> String {
        // `http` becomes `ws`, and `https` becomes `wss`.
        let rest = self.url.strip_prefix("http").unwrap_or(&self.url);
        format!("ws{rest}{path}")
    }
}

/// An error with its causes, on one line.
fn causes(error: &(dyn Error + 'static)) -> String {
    let chain = iter::successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::{Call, signature};
    use crate::target::Key;

    fn key() -> Key {
        Key { public: "pk_live_x".to_owned(), secret: "sk_live_a_secret_for_the_guide".to_owned() }
    }

    #[test]
    fn signatures_are_those_of_the_guide() {
        let path = "/v1/pm/orders/0197f3a0-0000-7000-8000-000000000004";
        let expected = "04TIH5/sNCFv2HBjPDhwA5IyQO9NNfKQTW3D7LpQSS8=";
        assert_eq!(signature(&key(), 1_767_225_600, "DELETE", path, None), expected);
    }

    #[test]
    fn a_signed_call_carries_three_headers() {
        let call = Call::new("DELETE", "/v1/pm/orders/x").signed_at(&key(), 5);
        let names: Vec<_> = call.headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["X-Public-Key", "X-Timestamp", "X-Signature"]);
        assert_eq!(call.headers[1].1, "5");
    }
}
