//! One request to an endpoint. It fails on a timeout, on more than 64 KiB, and on any status but success.
//!
//! No proxy and no redirects: the price comes from the configured address only.

use std::error::Error;
use std::time::Duration;

use exchange::catalogue::AssetPrice;
use exchange::time::Time;
use reqwest::Url;
use reqwest::redirect::Policy;
use rustls::crypto::ring;

use super::pointer;
use super::settings::HttpSettings;

pub(super) type Client = reqwest::Client;

/// Prices are short; anything longer is not a price.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// A client for one endpoint. It trusts the machine's certificates, which need to exist only for https.
pub(super) fn client(url: &Url, timeout: Duration) -> Result<Client, String> {
    // Fails if another crate installed a provider first; any provider will do.
    let _ = ring::default_provider().install_default();
    let mut builder = Client::builder()
        .timeout(timeout)
        .redirect(Policy::none())
        .no_proxy()
        .user_agent(concat!("bellwether/", env!("CARGO_PKG_VERSION")));
    if url.scheme() == "http" {
        builder = builder.tls_certs_only([]);
    }
    builder.build().map_err(|error| describe(&error))
}

/// Sends one request. `requested_at` is the sample's time if the endpoint returns none: the price is at least as new as
/// that, and the later time of the response would hide the delay of a slow endpoint.
pub(super) async fn fetch(settings: &HttpSettings, requested_at: Time) -> Result<(AssetPrice, Time), String> {
    let request = settings.client.get(settings.url.clone()).header("accept", "application/json");
    let mut response = request.send().await.map_err(|error| describe(&error))?;
    if !response.status().is_success() {
        return Err(format!("the endpoint answered {}", response.status()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| describe(&error))? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(format!("the answer is longer than {ANSWER_BYTES_MAX} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    let json = std::str::from_utf8(&body).map_err(|_| "the answer is not JSON: not UTF-8".to_owned())?;
    let value = pointer::price(json, &settings.value_pointer)?;
    let seen = match &settings.time_pointer {
        Some(place) => pointer::time(json, place, settings.time_format)?,
        None => requested_at,
    };
    Ok((value, seen))
}

/// The whole chain of causes, without the URL, which may contain a key.
fn describe(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "no answer in time".to_owned();
    }
    let mut words = String::from(if error.is_connect() { "no connection" } else { "the question failed" });
    let mut cause = error.source();
    while let Some(inner) = cause {
        words = format!("{words}: {inner}");
        cause = inner.source();
    }
    words
}
