//! The server to be judged, and the credentials and bounds of a run.

use std::fmt;

use crate::decimal::Decimal;

/// An API key pair of an account that nothing else trades with.
#[derive(Clone)]
pub struct Key {
    pub public: String,
    pub secret: String,
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Key({})", self.public)
    }
}

/// A login, for the checks of sessions and keys.
#[derive(Clone)]
pub struct Login {
    pub email: String,
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Login({})", self.email)
    }
}

/// The server, the credentials, and the bounds of a run.
#[derive(Clone, Debug)]
pub struct Target {
    /// The base address, without a slash at its end.
    pub url: String,
    /// The base address of the streams, with `ws://` or `wss://`.
    pub stream_url: String,
    /// A client that follows no redirects and has a timeout.
    pub client: reqwest::Client,
    pub key: Option<Key>,
    /// The key of another account, for trades between the two.
    pub second_key: Option<Key>,
    pub login: Option<Login>,
    /// The most that orders and mints may bind at a time, in USD. 0: nothing is written.
    pub max_spend: Decimal,
    /// Only checks whose id begins with one of these. Empty: all.
    pub only: Vec<String>,
}

impl Target {
    /// Whether a check is wanted.
    pub fn wants(&self, id: &str) -> bool {
        is_wanted(&self.only, id)
    }

    /// The key of one of the two accounts.
    pub(crate) fn key_of(&self, is_second: bool) -> Option<&Key> {
        if is_second { self.second_key.as_ref() } else { self.key.as_ref() }
    }
}

/// Whether an id begins with one of the prefixes, or there are none.
pub fn is_wanted(only: &[String], id: &str) -> bool {
    only.is_empty() || only.iter().any(|start| id.starts_with(start.as_str()))
}
