//! Sends requests: signs each try anew, and repeats only what may be repeated.

use std::time::{Duration, SystemTime};

use reqwest::{Method, RequestBuilder};
use tokio::time::sleep;
use uuid::Uuid;

use crate::credentials::Credentials;
use crate::error::{Error, Refusal, Result};
use crate::request::{Access, Request};
use crate::retry::{Attempts, Clocks, Failure, Real, classify, settles};
use crate::wire::{Answer, NoAnswer, send_try};

/// One exchange, one set of credentials, and the rules of repetition.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) base_url: String,
    pub(crate) credentials: Option<Credentials>,
    pub(crate) http: reqwest::Client,
    pub(crate) retry: Duration,
    pub(crate) timeout: Duration,
}

/// A try that brought no success.
struct Failed {
    failure: Failure,
    refusal: Option<Refusal>,
    words: String,
}

impl Transport {
    /// The answer of a success; the error of a refusal, or of a request that got no answer in time.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer> {
        let mut attempts = Attempts::new(self.retry, request.repeat, Real::new());
        let trace_id = Uuid::new_v4().to_string();
        loop {
            let failed = match self.try_once(request, &trace_id).await? {
                Ok(answer) => return Ok(Answer { is_repeated: attempts.maybe_executed(), ..answer }),
                Err(failed) => failed,
            };
            let retry_after = failed.refusal.as_ref().and_then(|refusal| refusal.retry_after);
            let Some(wait) = attempts.next_wait(failed.failure, retry_after) else {
                return Err(final_error(request, &attempts, failed, trace_id));
            };
            tracing::debug!(%request, cause = failed.words, ?wait, "a request failed and is tried again");
            sleep(wait).await;
            if !attempts.is_in_time() {
                return Err(final_error(request, &attempts, failed, trace_id));
            }
        }
    }

    async fn try_once(&self, request: &Request, trace_id: &str) -> Result<Result<Answer, Failed>> {
        let prepared = self.prepare(request, trace_id)?;
        let failed = match send_try(prepared, request.to_string()).await {
            Ok(answer) => {
                if !answer.deprecation.is_empty() {
                    tracing::warn!(%request, deprecation = answer.deprecation, "a request is deprecated");
                }
                if answer.is_success() {
                    return Ok(Ok(answer));
                }
                let refusal = answer.refusal();
                Failed { failure: classify(&refusal), words: refusal.to_string(), refusal: Some(refusal) }
            }
            Err(NoAnswer::NotSent(words)) => Failed { failure: Failure::NotExecuted, refusal: None, words },
            Err(NoAnswer::Lost(words)) => Failed { failure: Failure::MaybeExecuted, refusal: None, words },
        };
        Ok(Err(failed))
    }

    fn prepare(&self, request: &Request, trace_id: &str) -> Result<RequestBuilder> {
        let url = format!("{}{}{}", self.base_url, request.path, request.query);
        let method = Method::from_bytes(request.method.as_bytes())
            .map_err(|_| Error::Usage(format!("{} is no method", request.method)))?;
        let mut builder = self
            .http
            .request(method, url)
            .timeout(request.timeout.unwrap_or(self.timeout))
            .header("x-trace-id", trace_id)
            .header("accept", "application/json");
        for (name, value) in &request.headers {
            builder = builder.header(*name, value);
        }
        if let Some(key) = &request.idempotency_key {
            builder = builder.header("idempotency-key", key);
        }
        if let Some(window) = request.idempotency_window {
            builder = builder.header("idempotency-window", window);
        }
        builder = self.authenticate(request, builder)?;
        Ok(match &request.body {
            Some(body) => builder.header("content-type", "application/json").body(body.clone()),
            None => builder,
        })
    }

    fn authenticate(&self, request: &Request, builder: RequestBuilder) -> Result<RequestBuilder> {
        let credentials = match (request.access, &self.credentials) {
            (Access::Session, _) | (Access::Public, None) => return Ok(builder),
            (_, Some(credentials)) => credentials,
            (_, None) => return Err(Error::Usage(format!("{request} needs a key: give one to the client"))),
        };
        let builder = builder.header("x-public-key", credentials.public_key());
        if !matches!(request.access, Access::Private | Access::Write) {
            return Ok(builder);
        }
        let now = unix_seconds();
        let body = request.body.as_deref().unwrap_or_default();
        let Some(signature) = credentials.sign(&now, request.method, &request.path, body) else {
            return Err(Error::Usage(format!(
                "{request} needs a signature: give a secret key to the client"
            )));
        };
        Ok(builder.header("x-timestamp", now).header("x-signature", signature))
    }
}

/// The machine's time in Unix seconds, as it is signed.
pub(crate) fn unix_seconds() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_secs().to_string()
}

/// The error of a request after its last try.
fn final_error<C: Clocks>(
    request: &Request,
    attempts: &Attempts<C>,
    failed: Failed,
    trace_id: String,
) -> Error {
    let is_settled = failed.refusal.as_ref().is_some_and(settles);
    if request.is_write() && attempts.maybe_executed() && !is_settled {
        return Error::OutcomeUnknown {
            request: request.to_string(),
            cause: failed.words,
            idempotency_key: request.idempotency_key.clone(),
            command_id: failed.refusal.and_then(|refusal| refusal.command_id),
            trace_id,
        };
    }
    match failed.refusal {
        Some(refusal) => {
            // Under a key the exchange remembers results: a refusal is the result of the first try too.
            let is_repeated =
                attempts.maybe_executed() && request.is_write() && request.idempotency_key.is_none();
            Error::of(Refusal { is_repeated, trace_id, ..refusal })
        }
        None => Error::Transport { request: request.to_string(), cause: failed.words, trace_id },
    }
}
