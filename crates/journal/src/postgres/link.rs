//! A connection that is re-established after any error; a connection in an unknown state is never reused.

use std::fmt;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Statement};

use super::address::Address;
use super::mark::Mark;
use super::{CALL_MAX, preflight, schema};
use crate::Error;

/// A connection with its prepared statements.
pub(super) struct Connected {
    pub(super) client: Client,
    /// Filled on first use.
    statements: Vec<(&'static str, Statement)>,
    /// Whether this session holds the link's mark.
    has_mark: bool,
}

impl Connected {
    /// The prepared statement; prepared once per connection.
    pub(super) async fn prepare(&mut self, sql: &'static str) -> Result<Statement, tokio_postgres::Error> {
        if let Some((_, statement)) = self.statements.iter().find(|(text, _)| *text == sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.push((sql, statement.clone()));
        Ok(statement)
    }
}

/// A connection for one thread, which waits for each response.
pub(super) struct Link {
    address: Address,
    /// If set, every new connection checks that the server's settings are safe and that it has this many synchronous
    /// standbys. A new connection may reach another server than the last one.
    replicas_min: Option<u32>,
    /// If set, a session makes no call before it has claimed this mark.
    mark: Option<Mark>,
    /// `None` only while the link is being dropped.
    runtime: Option<Runtime>,
    connected: Option<Connected>,
}

impl Link {
    /// For reading, and for writing data that can be recreated.
    pub(super) fn new(address: &Address) -> Result<Link, Error> {
        Link::with(address, None)
    }

    /// For writes that must be durable: checks the server's settings on every connection.
    pub(super) fn with_checked_settings(address: &Address, replicas_min: u32) -> Result<Link, Error> {
        Link::with(address, Some(replicas_min))
    }

    fn with(address: &Address, replicas_min: Option<u32>) -> Result<Link, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::disk("make a runtime for", "the database"))?;
        Ok(Link {
            address: address.clone(),
            replicas_min,
            mark: None,
            runtime: Some(runtime),
            connected: None,
        })
    }

    /// Claims a mark, now and on every later connection. Returns `false` if another process holds it.
    pub(super) fn claim(&mut self, mark: Mark) -> Result<bool, Error> {
        self.mark = Some(mark);
        match self.call("claim a mark in", async |_| Ok(())) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.mark = None;
                if matches!(error, Error::MarkTaken) { Ok(false) } else { Err(error) }
            }
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.connected.is_some()
    }

    /// Executes `work`, on a new connection if there is none.
    pub(super) fn call<T>(
        &mut self,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connected) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        self.call_within(CALL_MAX, doing, work)
    }

    /// Checks the server's settings again, since they can change during a connection. Closes the connection if they are
    /// no longer safe.
    pub(super) fn check_again(&mut self) -> Result<(), Error> {
        let Some(replicas_min) = self.replicas_min else { return Ok(()) };
        let found =
            self.call(preflight::DOING, async |connected| preflight::read_settings(&connected.client).await)?;
        preflight::check(&found, replicas_min).inspect_err(|_| self.connected = None)
    }

    /// Like `call`, with another timeout.
    pub(super) fn call_within<T>(
        &mut self,
        patience: Duration,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connected) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        let runtime = self.runtime.as_ref().expect("the runtime is set until the link is dropped");
        let taken = self.connected.take();
        let (address, replicas_min, mark) = (&self.address, self.replicas_min, self.mark.as_mut());
        let outcome = runtime.block_on(async {
            let working = async {
                let mut connected = match taken {
                    Some(connected) => connected,
                    None => connect(address, replicas_min).await?,
                };
                if let Some(mark) = mark.filter(|_| !connected.has_mark) {
                    let claimed = mark.claim(&connected.client).await;
                    match claimed.map_err(|error| Error::database("claim a mark in", &error))? {
                        Some(has_mark) => connected.has_mark = has_mark,
                        None => return Ok((connected, None)),
                    }
                }
                let value = work(&mut connected).await.map_err(|error| Error::database(doing, &error))?;
                Ok((connected, Some(value)))
            };
            tokio::time::timeout(patience, working).await
        });
        match outcome {
            Ok(Ok((connected, value))) => {
                self.connected = Some(connected);
                value.ok_or(Error::MarkTaken)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(Error::Database { doing, cause: format!("no response within {patience:?}") }),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.connected = None;
        // Does not block: a link may be dropped inside another runtime, where waiting is not allowed.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Link")
            .field("is_connected", &self.connected.is_some())
            .finish_non_exhaustive()
    }
}

/// Connects to the host that accepts writes and, where settings are checked, whose settings are safe.
async fn connect(address: &Address, replicas_min: Option<u32>) -> Result<Connected, Error> {
    address.connect_to_any(move |host| connect_to(host, replicas_min)).await
}

async fn connect_to(address: Address, replicas_min: Option<u32>) -> Result<Connected, Error> {
    let (client, connection) =
        address.connect().await.map_err(|error| Error::database("connect to", &error))?;
    // If the connection ends, the pending call returns the error.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    let begun = client.batch_execute(schema::SESSION).await;
    begun.map_err(|error| Error::database("begin a session with", &error))?;
    if let Some(replicas_min) = replicas_min {
        let found = preflight::read_settings(&client).await;
        let found = found.map_err(|error| Error::database(preflight::DOING, &error))?;
        preflight::check(&found, replicas_min)?;
        if replicas_min > 0 {
            let passed = client.batch_execute(preflight::REPLICATED).await;
            passed.map_err(|error| Error::database("wait for the standbys of", &error))?;
        }
    }
    Ok(Connected { client, statements: Vec::new(), has_mark: false })
}
