//! The client of an exchange. Its calls are in `calls`: market data, trading, the account, streams.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use api::terms::Currency;

use crate::builder::ClientBuilder;
use crate::credentials::Credentials;
use crate::error::Result;
use crate::request::Request;
use crate::transport::Transport;
use crate::wire::Answer;

/// A client of an exchange, with the key of one account or without a key. Clones share their connections.
///
/// Without a key it reads public data. With a public key it reads the account; with a secret key it trades.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    currency: Currency,
}

impl Client {
    /// A client of the exchange at an address such as `http://127.0.0.1:8080`.
    pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
        ClientBuilder::new(base_url)
    }

    /// A client from the environment; see `ClientBuilder::from_env`.
    pub fn from_env() -> Result<Client> {
        ClientBuilder::from_env()?.build()
    }

    /// A client of a running `bellwether demo`, as its n-th person.
    pub fn from_demo(file: impl AsRef<Path>, user: usize) -> Result<Client> {
        ClientBuilder::from_demo(file, user)?.build()
    }

    pub(crate) fn new(transport: Arc<Transport>, currency: Currency) -> Client {
        Client { transport, currency }
    }

    /// This client, with another currency.
    #[must_use]
    pub fn in_currency(&self, currency: Currency) -> Client {
        Client { currency, ..self.clone() }
    }

    /// The address of the exchange.
    pub fn base_url(&self) -> &str {
        &self.transport.base_url
    }

    /// The currency of reads and trades.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// The key, if there is one.
    pub fn credentials(&self) -> Option<&Credentials> {
        self.transport.credentials.as_ref()
    }

    /// Sends any request, signed and repeated as it allows.
    pub async fn send(&self, request: &Request) -> Result<Answer> {
        self.transport.send(request).await
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("base_url", &self.base_url()).finish_non_exhaustive()
    }
}
