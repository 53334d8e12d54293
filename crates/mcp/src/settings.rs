//! Settings that the owner of the account chooses at the start. No tool can change them.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use api::decimal::Money;
use api::terms::Currency;

/// The choices of the account's owner.
#[derive(Debug)]
pub struct Settings {
    /// The address of the exchange, without a slash at its end.
    pub url: String,
    /// Without a key, only public data can be read.
    pub key: Option<Key>,
    /// The only currency that is spent.
    pub currency: Currency,
    /// The most that may be spent.
    pub caps: Caps,
    /// Remembers what was spent when the process ends.
    pub spent_file: Option<PathBuf>,
    /// How the client of the protocol reaches this process.
    pub transport: Transport,
}

/// An API key. The secret is missing if the account may only be read.
#[derive(Clone)]
pub struct Key {
    /// `pk_…`
    pub public: String,
    /// `sk_…`
    pub secret: Option<String>,
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Key").field("can_trade", &self.secret.is_some()).finish_non_exhaustive()
    }
}

/// The most that BUYs and mints may cost, fees included, while the process runs or since the file of what was spent began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// All of them together.
    pub spend_max: Money,
    /// Each of them.
    pub order_max: Money,
}

/// How the client of the protocol reaches this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP on a loopback address.
    Http(SocketAddr),
}

/// A failure to serve.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The executable lacks the feature.
    #[error(
        "this executable was built without tools for agents; build it with `cargo build --release --features mcp`"
    )]
    NotBuilt,
    /// An address that other machines could reach.
    #[error("{0} is not a loopback address: the tools are for programs of this machine only")]
    NotLoopback(SocketAddr),
    /// The address of the exchange or the key cannot be used.
    #[error("the exchange cannot be used: {0}")]
    Exchange(String),
    /// The file of what was spent cannot be used.
    #[error("{path}: {error}")]
    SpentFile {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The listener failed.
    #[error("{address}: {error}")]
    Listen {
        /// Where it should listen.
        address: SocketAddr,
        /// The cause.
        error: std::io::Error,
    },
    /// A failure of this machine.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The client did not speak the protocol.
    #[error("the client of the protocol failed: {0}")]
    Protocol(String),
}

#[cfg(test)]
mod tests {
    use super::{Key, McpError};

    #[test]
    fn an_executable_without_the_tools_says_how_to_get_them() {
        assert!(McpError::NotBuilt.to_string().contains("cargo build --release --features mcp"));
    }

    #[test]
    fn the_debug_form_of_a_key_shows_neither_part() {
        let key = Key { public: "pk_live_a".to_owned(), secret: Some("sk_live_b".to_owned()) };
        let shown = format!("{key:?}");
        assert!(!shown.contains("pk_live") && !shown.contains("sk_live"), "{shown}");
    }
}
