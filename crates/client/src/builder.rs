//! Makes a client: where the exchange is, as whom to act, and how long to try.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use api::terms::Currency;
use reqwest::redirect::Policy;
use rustls::crypto::{CryptoProvider, ring};

use crate::client::Client;
use crate::credentials::Credentials;
use crate::error::{Error, Result};
use crate::retry::{RETRY, RETRY_MAX};
use crate::settings::{self, Settings};
use crate::transport::Transport;

const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time to connect, at most half of a try. A try that ends while it connects was not sent.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// Settings of a client. Made by `Client::builder`.
#[derive(Clone)]
#[must_use]
pub struct ClientBuilder {
    base_url: String,
    credentials: Option<Credentials>,
    currency: Currency,
    retry: Duration,
    timeout: Duration,
}

impl ClientBuilder {
    /// A client of the exchange at an address such as `http://127.0.0.1:8080`, without a path before `/v1`.
    pub fn new(base_url: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            base_url: base_url.into(),
            credentials: None,
            currency: Currency::Usd,
            retry: RETRY,
            timeout: TIMEOUT,
        }
    }

    /// Reads `BASE_URL`, `PUBLIC_KEY` and `SECRET_KEY`; without an address, the demo's file that `DEMO` names, as its
    /// `USER_NUMBER`-th person.
    pub fn from_env() -> Result<ClientBuilder> {
        settings::from_env().map(ClientBuilder::of)
    }

    /// Reads the file of a running `bellwether demo`, such as `data/demo.json`, as its n-th person.
    pub fn from_demo(file: impl AsRef<Path>, user: usize) -> Result<ClientBuilder> {
        settings::from_demo(file.as_ref(), user).map(ClientBuilder::of)
    }

    fn of(settings: Settings) -> ClientBuilder {
        ClientBuilder { credentials: settings.credentials, ..ClientBuilder::new(settings.base_url) }
    }

    /// Signs with this key.
    pub fn key(self, public_key: impl Into<String>, secret_key: &str) -> ClientBuilder {
        self.credentials(Credentials::new(public_key, secret_key))
    }

    /// Reads the account with this key, and changes nothing.
    pub fn public_key(self, public_key: impl Into<String>) -> ClientBuilder {
        self.credentials(Credentials::public(public_key))
    }

    /// Reads the key from a JSON file with `publicKey` and `secretKey`, such as the saved answer of the exchange.
    pub fn key_file(self, file: impl AsRef<Path>) -> Result<ClientBuilder> {
        Ok(self.credentials(settings::from_key_file(file.as_ref())?))
    }

    /// Acts with this key.
    pub fn credentials(mut self, credentials: Credentials) -> ClientBuilder {
        self.credentials = Some(credentials);
        self
    }

    /// The currency of reads and trades, unless a call names another: USD by default.
    pub fn currency(mut self, currency: Currency) -> ClientBuilder {
        self.currency = currency;
        self
    }

    /// How long a request is tried, from zero (once) to 300 seconds; 60 seconds by default.
    pub fn retry(mut self, retry: Duration) -> ClientBuilder {
        self.retry = retry;
        self
    }

    /// How long one try may take; 10 seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> ClientBuilder {
        self.timeout = timeout;
        self
    }

    /// The client.
    pub fn build(self) -> Result<Client> {
        if self.retry > RETRY_MAX {
            return Err(Error::Usage(format!(
                "a request is tried for at most 300 seconds, not {:?}",
                self.retry
            )));
        }
        let base_url = checked(&self.base_url)?;
        let Self { credentials, retry, timeout, .. } = self;
        let http = http(&base_url, timeout).map_err(|error| Error::Usage(error.to_string()))?;
        let transport = Transport { base_url, credentials, http, retry, timeout };
        Ok(Client::new(Arc::new(transport), self.currency))
    }
}

/// The base address without its last slash. An error does not repeat the text: it may contain a password.
fn checked(base_url: &str) -> Result<String> {
    let wrong = |words: &str| Err(Error::Usage(format!("the address of the exchange {words}")));
    let Ok(url) = reqwest::Url::parse(base_url) else { return wrong("cannot be read") };
    if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
        return wrong("begins with http:// or https:// and names a host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return wrong("has no user and no password in it: a key is given separately");
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return wrong("ends after the host and the port");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Without the address, which is not checked yet and may contain a password, and without the key.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { currency, retry, timeout, .. } = self;
        formatter
            .debug_struct("ClientBuilder")
            .field("currency", currency)
            .field("retry", retry)
            .field("timeout", timeout)
            .finish_non_exhaustive()
    }
}

fn http(base_url: &str, timeout: Duration) -> reqwest::Result<reqwest::Client> {
    let builder = http_builder(base_url).connect_timeout((timeout / 2).min(CONNECT_MAX));
    builder.user_agent(concat!("bellwether-rust/", env!("CARGO_PKG_VERSION"))).build()
}

/// An HTTP client for the exchange at an address, for routes outside the public API: over TLS for https, trusting the
/// machine's certificates.
pub fn http_builder(base_url: &str) -> reqwest::ClientBuilder {
    choose_cryptography();
    // The exchange redirects nothing. A signature covers the path, and a key goes to no other address.
    let builder = reqwest::Client::builder().redirect(Policy::none());
    // Loading certificates takes time, and fails in an image without them.
    if base_url.starts_with("http://") { builder.tls_certs_only([]) } else { builder }
}

/// Installs the process-wide provider, for libraries that cannot be given one.
fn choose_cryptography() {
    // Fails only if it is already installed.
    let _ = CryptoProvider::install_default(ring::default_provider());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_needs_an_address_and_tries_for_five_minutes_at_most() {
        assert!(ClientBuilder::new("http://127.0.0.1:8080/").build().is_ok());
        for address in ["127.0.0.1:8080", "ftp://a", "http://", "http://a b"] {
            assert!(matches!(ClientBuilder::new(address).build(), Err(Error::Usage(_))), "{address}");
        }
        let long = ClientBuilder::new("http://a").retry(Duration::from_secs(301));
        assert!(matches!(long.build(), Err(Error::Usage(_))));
    }

    #[test]
    fn an_address_is_a_host_and_a_port_and_a_refused_one_is_not_repeated() {
        for address in [
            "http://ada:hunter2@a",
            "http://hunter2@a",
            "http://a/hunter2",
            "http://a/?hunter2",
            "http://a#hunter2",
            "hunter2://a",
            "http://hunter2 a",
        ] {
            let builder = ClientBuilder::new(address);
            let shown = format!("{builder:?} {:?}", builder.clone().build().expect_err("no address"));
            assert!(!shown.contains("hunter2"), "{shown}");
        }
        let client = ClientBuilder::new("https://a.example:8443/").build().expect("a client");
        assert_eq!(client.base_url(), "https://a.example:8443");
    }

    #[test]
    fn no_key_is_shown() {
        let builder = ClientBuilder::new("http://a").key("pk_live_1", "sk_live_2");
        let shown = format!("{builder:?} {:?}", builder.clone().build());
        assert!(!shown.contains("live"), "{shown}");
    }
}
