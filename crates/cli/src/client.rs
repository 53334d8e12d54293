//! The HTTP client of all commands that talk to a running exchange: with a timeout, over TLS for https, trusting the
//! machine's certificates.

use std::error::Error;
use std::sync::LazyLock;
use std::time::Duration;
use std::{io, iter};

use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, RequestBuilder, StatusCode};
use rustls::crypto::{CryptoProvider, ring};
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
    choose_cryptography();
    // The exchange redirects nothing, and a token goes to no other address.
    let builder = reqwest::Client::builder().timeout(timeout).redirect(Policy::none());
    // The client loads certificates when it is built. That takes time, and fails in an image without certificates.
    if url.starts_with("http://") { builder.tls_certs_only([]) } else { builder }
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

/// Installs the process-wide provider, for libraries that cannot be given one.
pub(crate) fn choose_cryptography() {
    // Fails only if it is already installed.
    let _ = CryptoProvider::install_default(ring::default_provider());
}
