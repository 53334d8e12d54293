//! The HTTP client of commands that use an exchange's other routes: those of operators, and of its state. It has a timeout.
//! Commands that trade or read the public API use `crates/client` directly.

use std::error::Error;
use std::sync::LazyLock;
use std::time::Duration;
use std::{io, iter};

use reqwest::header::HeaderMap;
use reqwest::{ClientBuilder, RequestBuilder, StatusCode};
use tokio::runtime::{Builder, Runtime};

/// Runs the requests. Never dropped: a drop would wait for a name lookup that outlives its request's timeout.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_current_thread().enable_all().build());

/// A whole response.
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

/// A request without a whole response, with the chain of causes.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoResponse(String);

impl NoResponse {
    fn of(error: &(dyn Error + 'static)) -> NoResponse {
        let causes = iter::successors(Some(error), |&error| error.source());
        NoResponse(causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
    }
}

impl From<reqwest::Error> for NoResponse {
    fn from(error: reqwest::Error) -> NoResponse {
        NoResponse::of(&error.without_url())
    }
}

/// A client for the exchange at `url`. The timeout covers a request and its whole response.
pub(crate) fn client(url: &str, timeout: Duration) -> ClientBuilder {
    ::client::http_builder(url).timeout(timeout)
}

/// Sends a request and waits for the response. Not for async code: the thread blocks.
pub(crate) fn send(request: RequestBuilder) -> Result<Response, NoResponse> {
    let runtime = RUNTIME.as_ref().map_err(|error| NoResponse::of(error))?;
    runtime.block_on(async {
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Response { status, headers, body: response.text().await? })
    })
}
