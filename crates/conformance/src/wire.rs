//! Requests and their answers. Every answer is kept, so that rules about all answers can be checked at the end.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::iter;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use api::signing::{Payload, SecretKey, SigningKey, body_hash};
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::check::{Difference, Stop};
use crate::json::{Json, shorten};
use crate::target::{Key, Target};

/// Between a request and a read: at most 30 reads a second, the limit of a key.
const READ_PAUSE: Duration = Duration::from_millis(34);
/// Between a request and a write: at most 20 writes a second, the limit of a key.
const WRITE_PAUSE: Duration = Duration::from_millis(50);
/// The longest `Retry-After` that is waited out, and the number of attempts.
const WAIT_MAX: Duration = Duration::from_secs(10);
const ATTEMPTS: usize = 4;
/// The largest body and the largest stream message that is read.
pub(crate) const BODY_MAX: usize = 16 << 20;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    pub method: &'a str,
    /// With the query string.
    pub path: &'a str,
    pub body: Option<&'a str>,
    pub headers: Vec<(&'a str, String)>,
    /// Signs the request each time that it is sent.
    signer: Option<&'a Key>,
    /// Whether the answer holds a secret or a token, which no report may show.
    is_secret: bool,
}

impl<'a> Call<'a> {
    pub fn new(method: &'a str, path: &'a str) -> Call<'a> {
        Call { method, path, body: None, headers: Vec::new(), signer: None, is_secret: false }
    }

    pub fn body(mut self, body: &'a str) -> Call<'a> {
        self.body = Some(body);
        self
    }

    pub fn header(mut self, name: &'a str, value: impl Into<String>) -> Call<'a> {
        self.headers.push((name, value.into()));
        self
    }

    /// Keeps the body of the answer out of reports.
    pub fn secret(mut self) -> Call<'a> {
        self.is_secret = true;
        self
    }

    /// The caller's public key, without a signature.
    pub fn reader(self, key: &Key) -> Call<'a> {
        self.header("X-Public-Key", key.public.as_str())
    }

    /// Signed when it is sent, and again for each repetition: a server may refuse a signature that it has seen.
    pub fn signed(mut self, key: &'a Key) -> Call<'a> {
        self.signer = Some(key);
        self
    }

    /// Signed with a fixed time in Unix seconds.
    pub fn signed_at(self, key: &Key, seconds: i64) -> Call<'a> {
        let signature = signature(key, seconds, self.method, self.path, self.body);
        self.reader(key).header("X-Timestamp", seconds.to_string()).header("X-Signature", signature)
    }

    /// The headers of a request that is sent at this time.
    fn headers_at(&self, seconds: i64) -> Vec<(&'a str, String)> {
        match self.signer {
            Some(key) => self.clone().signed_at(key, seconds).headers,
            None => self.headers.clone(),
        }
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
    /// Whether the body holds a secret or a token.
    pub is_secret: bool,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as JSON; null if it is something else.
    pub fn value(&self) -> &Json {
        self.json.as_ref().unwrap_or(&Json::Null)
    }

    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Status and body, for reports. A secret body is withheld.
    pub fn shown(&self) -> String {
        if self.is_secret {
            return format!("{} (body withheld)", self.status);
        }
        format!("{} {}", self.status, shorten(&String::from_utf8_lossy(&self.body)))
    }
}

/// The connection to the server.
pub(crate) struct Wire {
    pub runtime: Runtime,
    client: reqwest::Client,
    url: String,
    stream_url: String,
    last: Cell<Option<Instant>>,
    seen: RefCell<Vec<Answer>>,
}

impl Wire {
    pub fn new(runtime: Runtime, target: &Target) -> Wire {
        Wire {
            runtime,
            client: target.client.clone(),
            url: target.url.clone(),
            stream_url: target.stream_url.clone(),
            last: Cell::new(None),
            seen: RefCell::new(Vec::new()),
        }
    }

    /// Sends a request. After a 429 it waits for `Retry-After`, if that is short, and sends the request again.
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
            let pause = if call.method == "GET" { READ_PAUSE } else { WRITE_PAUSE };
            thread::sleep(pause.saturating_sub(last.elapsed()));
        }
        let answer = self.send_at_once(call);
        self.last.set(Some(Instant::now()));
        answer
    }

    /// Sends a request without a pause.
    fn send_at_once(&self, call: &Call<'_>) -> Result<Answer, Stop> {
        let answer = self.runtime.block_on(exchange(self.prepare(call)?));
        self.keep(answer.map_err(|seen| no_answer(call, seen))?)
    }

    /// Sends a request several times at once, each with its own signature. Returns the answers that came.
    pub fn send_together(&self, call: &Call<'_>, count: usize) -> Result<Vec<Answer>, Stop> {
        let prepared = (0..count).map(|_| self.prepare(call)).collect::<Result<Vec<_>, Stop>>()?;
        let answers = self.runtime.block_on(async {
            let mut tasks = JoinSet::new();
            for request in prepared {
                tasks.spawn(exchange(request));
            }
            tasks.join_all().await
        });
        self.last.set(Some(Instant::now()));
        answers.into_iter().map(|answer| self.keep(answer.map_err(|seen| no_answer(call, seen))?)).collect()
    }

    fn keep(&self, answer: Answer) -> Result<Answer, Stop> {
        self.seen.borrow_mut().push(answer.clone());
        Ok(answer)
    }

    fn prepare(&self, call: &Call<'_>) -> Result<Prepared, Stop> {
        let method = Method::from_bytes(call.method.as_bytes());
        let method = method.map_err(|error| no_answer(call, error.to_string()))?;
        let mut request = self.client.request(method, format!("{}{}", self.url, call.path));
        if let Some(body) = call.body {
            request = request.header("Content-Type", "application/json").body(body.to_owned());
        }
        for (name, value) in call.headers_at(now()) {
            request = request.header(name, value);
        }
        Ok(Prepared { request, name: format!("{} {}", call.method, call.path), is_secret: call.is_secret })
    }

    /// Every answer so far.
    pub fn seen(&self) -> Vec<Answer> {
        self.seen.borrow().clone()
    }

    /// The address of a stream.
    pub fn stream_url(&self, path: &str) -> String {
        format!("{}{path}", self.stream_url)
    }
}

/// A request that is ready to be sent.
struct Prepared {
    request: RequestBuilder,
    /// Method and path, for reports.
    name: String,
    is_secret: bool,
}

async fn exchange(prepared: Prepared) -> Result<Answer, String> {
    let Prepared { request, name, is_secret } = prepared;
    let mut response = request.send().await.map_err(|error| causes(&error))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| causes(&error))? {
        if body.len() + chunk.len() > BODY_MAX {
            return Err(format!("status {status}, and a body of more than {BODY_MAX} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    let json = Json::parse(&body).ok();
    Ok(Answer { request: name, status, headers, body, json, is_secret })
}

fn no_answer(call: &Call<'_>, seen: String) -> Stop {
    let what = format!("{} {}", call.method, call.path);
    Stop::Broken(Difference { what, expected: "an answer".to_owned(), seen })
}

/// An error with its causes, on one line.
fn causes(error: &(dyn Error + 'static)) -> String {
    let chain = iter::successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;

    use super::{Answer, Call, signature};
    use crate::json::Json;
    use crate::target::Key;

    fn key() -> Key {
        Key { public: "pk_live_x".to_owned(), secret: "sk_live_secret789xyz".to_owned() }
    }

    /// Two published requests with their signatures, so that a mistake shared with our server is found.
    #[test]
    fn signatures_are_those_of_public_examples() {
        let order = r#"{"side":"BUY","outcomeId":"abc","amount":100,"type":"MARKET","currency":"USD"}"#;
        let path = "/v1/pm/events/evt_123/markets/mkt_456/orders";
        assert_eq!(
            signature(&key(), 1_730_000_000, "POST", path, Some(order)),
            "eHnnuHkCoYh6RWaXzb1MGrbjnuvENAUXpeEFs9Guano="
        );
        assert_eq!(
            signature(&key(), 1_730_000_000, "DELETE", "/v1/pm/orders/ord_1", None),
            "P3zqZRSqwC5MFKtA1QIO+/tNKw+V1JTZCVgOpJ8YEIQ="
        );
    }

    #[test]
    fn a_signed_call_carries_three_headers() {
        let call = Call::new("DELETE", "/v1/pm/orders/x").signed_at(&key(), 5);
        let names: Vec<_> = call.headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["X-Public-Key", "X-Timestamp", "X-Signature"]);
        assert_eq!(call.headers[1].1, "5");
    }

    #[test]
    fn a_call_that_is_sent_again_is_signed_again() {
        let key = key();
        let call = Call::new("DELETE", "/v1/pm/orders/x").signed(&key);
        let [first, again] = [5, 6].map(|seconds| call.headers_at(seconds));
        assert_eq!((first[1].1.as_str(), again[1].1.as_str()), ("5", "6"));
        assert_ne!(first[2], again[2]);
    }

    #[test]
    fn a_report_does_not_show_the_body_of_a_secret_answer() {
        let body = br#"{"secretKey":"sk_live_1"}"#.to_vec();
        let json = Json::parse(&body).ok();
        let (request, headers) = ("POST /v1/user/me/api-keys".to_owned(), HeaderMap::new());
        let answer = Answer { request, status: 201, headers, body, json, is_secret: true };
        assert_eq!(answer.shown(), "201 (body withheld)");
    }
}
