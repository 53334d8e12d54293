//! A sandbox for tests: an exchange whose clock you move and whose faults you plant.
//!
//! `Sandbox::start` runs `bellwether sandbox` until the value is dropped; `Sandbox::connect` uses a running sandbox. The routes
//! are those of `/sandbox/v1` (docs/sandbox.md). Nothing here is for a real exchange.

mod fault;
mod process;

use std::fmt;
use std::time::Duration;

use api::Timestamp;
use api::terms::Currency;
use reqwest::Method;
use rust_decimal::Decimal;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

pub use fault::{Fault, FaultConditions, FaultCounts, FaultKind};
pub use process::SandboxOptions;

use crate::builder::{ClientBuilder, http_builder};
use crate::error::{Error, Result};
use crate::number;
use crate::wire::{NoAnswer, send_try};
use process::Process;

/// A running sandbox. Its clock stands unless you move it.
#[derive(Debug)]
pub struct Sandbox {
    addresses: Addresses,
    http: reqwest::Client,
    /// None for a sandbox that another program started.
    _process: Option<Process>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Addresses {
    base_url: String,
    sandbox_url: String,
}

/// The clock of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ClockState {
    /// The venue's time.
    pub now: Timestamp,
    /// The last request of the venue.
    pub sequence: u64,
    /// Whether it runs at a speed.
    pub running: bool,
    /// Whether the venue follows from the seed and the requests alone: false once the clock has run at a speed.
    pub deterministic: bool,
}

/// A user of a sandbox, with its key.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SandboxUser {
    /// The user's id.
    pub user_id: Uuid,
    /// The user's name.
    pub tag: String,
    /// The address that the user signs in with.
    pub email: String,
    /// The public half of the key.
    pub public_key: String,
    /// The secret half. It is worth nothing outside this sandbox.
    pub secret_key: String,
}

impl fmt::Debug for SandboxUser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SandboxUser({} {})", self.tag, self.user_id)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fill {
    order_id: Uuid,
    #[serde(with = "number::option", skip_serializing_if = "Option::is_none")]
    quantity: Option<Decimal>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Price {
    market_id: Uuid,
    #[serde(with = "number")]
    price: Decimal,
}

#[derive(Serialize)]
struct Credit<'a> {
    user: &'a str,
    #[serde(with = "number")]
    amount: Decimal,
    currency: Currency,
}

#[derive(Serialize)]
struct Resolve<'a> {
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Uuid>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Sandbox {
    /// Starts `bellwether sandbox` on free ports, in a folder of its own. It ends when the value is dropped.
    pub async fn start(options: SandboxOptions) -> Result<Sandbox> {
        let (process, addresses) = Process::start(options).await?;
        Ok(Sandbox { http: http(&addresses.sandbox_url)?, addresses, _process: Some(process) })
    }

    /// Uses a sandbox that runs, at the address of its own API.
    pub async fn connect(sandbox_url: &str) -> Result<Sandbox> {
        let [base_url, sandbox_url] = [String::new(), sandbox_url.trim_end_matches('/').to_owned()];
        let addresses = Addresses { base_url, sandbox_url };
        let mut sandbox = Sandbox { http: http(&addresses.sandbox_url)?, addresses, _process: None };
        sandbox.addresses = sandbox.get("").await?;
        Ok(sandbox)
    }

    /// The address of the exchange.
    pub fn base_url(&self) -> &str {
        &self.addresses.base_url
    }

    /// The address of the sandbox's own API.
    pub fn sandbox_url(&self) -> &str {
        &self.addresses.sandbox_url
    }

    /// Makes a user with a key and money.
    pub async fn user(&self, tag: &str) -> Result<SandboxUser> {
        self.post("/users", &json!({ "tag": tag })).await
    }

    /// Settings of a client that acts as a user.
    pub fn client(&self, user: &SandboxUser) -> ClientBuilder {
        ClientBuilder::new(self.base_url()).key(&user.public_key, &user.secret_key)
    }

    /// Gives money to a user: an id, a tag or a public key.
    pub async fn credit(&self, user: &str, amount: impl Into<Decimal>, currency: Currency) -> Result<()> {
        self.act("/credit", &Credit { user, amount: amount.into(), currency }).await
    }

    /// The clock.
    pub async fn clock(&self) -> Result<ClockState> {
        self.get("/clock").await
    }

    /// Moves the clock by up to 400 days, in whole milliseconds. Everything that is due happens before this returns.
    pub async fn advance(&self, time: Duration) -> Result<ClockState> {
        self.post("/clock/advance", &json!({ "millis": time.as_millis() as u64 })).await
    }

    /// Moves the clock to the closing date of an event, given by slug or id.
    pub async fn jump_to_close(&self, event: &str) -> Result<ClockState> {
        self.post("/clock/jump", &json!({ "event": event })).await
    }

    /// Lets the clock run: this many seconds of the venue in a second of the machine. Not deterministic.
    pub async fn run(&self, speed: u32) -> Result<ClockState> {
        self.post("/clock/run", &json!({ "speed": speed })).await
    }

    /// Stops a clock that runs.
    pub async fn stop_clock(&self) -> Result<ClockState> {
        self.post("/clock/stop", &json!({})).await
    }

    /// Lets a counterparty trade with a resting order, completely or by a number of shares.
    pub async fn fill(&self, order_id: Uuid, quantity: Option<Decimal>) -> Result<()> {
        self.act("/fill", &Fill { order_id, quantity }).await
    }

    /// Lets a counterparty trade a book to a price of its first outcome.
    pub async fn set_price(&self, market_id: Uuid, price: impl Into<Decimal>) -> Result<()> {
        self.act("/price", &Price { market_id, price: price.into() }).await
    }

    /// Ends an event, given by slug or id: the market `winner` as YES, all others as NO.
    pub async fn resolve(&self, event: &str, winner: Option<Uuid>) -> Result<()> {
        self.act("/resolve", &Resolve { event, winner }).await
    }

    /// Plants a fault.
    pub async fn fault(&self, kind: FaultKind, conditions: &FaultConditions) -> Result<Fault<'_>> {
        Fault::plant(self, kind, conditions).await
    }

    /// Takes a snapshot of the whole venue, and returns its name.
    pub async fn snapshot(&self) -> Result<String> {
        let Named { name } = self.post("/snapshots", &json!({})).await?;
        Ok(name)
    }

    /// Returns to a snapshot.
    pub async fn return_to(&self, snapshot: &str) -> Result<ClockState> {
        self.post(&format!("/snapshots/{snapshot}/return"), &json!({})).await
    }

    /// Begins again, without faults.
    pub async fn reset(&self) -> Result<ClockState> {
        self.post("/reset", &json!({})).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.send(Method::GET, path, None).await
    }

    async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        let body = serde_json::to_string(body).map_err(|error| Error::Usage(error.to_string()))?;
        self.send(Method::POST, path, Some(body)).await
    }

    /// A POST whose answer says no more than that it succeeded.
    async fn act(&self, path: &str, body: &impl Serialize) -> Result<()> {
        let IgnoredAny = self.post(path, body).await?;
        Ok(())
    }

    async fn delete(&self, path: &str) -> Result<()> {
        let IgnoredAny = self.send(Method::DELETE, path, None).await?;
        Ok(())
    }

    /// Sends one request, once: tests should see the first failure.
    async fn send<T: DeserializeOwned>(&self, method: Method, path: &str, body: Option<String>) -> Result<T> {
        let described = format!("{method} /sandbox/v1{path}");
        let mut request =
            self.http.request(method, format!("{}/sandbox/v1{path}", self.addresses.sandbox_url));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let answer = match send_try(request, described.clone()).await {
            Ok(answer) => answer,
            Err(NoAnswer::NotSent(cause)) => {
                return Err(Error::Transport { request: described, cause, trace_id: String::new() });
            }
            Err(NoAnswer::Lost(cause)) => {
                return Err(Error::OutcomeUnknown {
                    request: described,
                    cause,
                    idempotency_key: None,
                    command_id: None,
                    trace_id: String::new(),
                });
            }
        };
        if answer.is_success() { answer.read() } else { Err(Error::of(answer.refusal())) }
    }
}

fn http(sandbox_url: &str) -> Result<reqwest::Client> {
    http_builder(sandbox_url).build().map_err(|error| Error::Usage(error.to_string()))
}
