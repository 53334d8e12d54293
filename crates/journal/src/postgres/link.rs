//! A connection that is made again when it was lost. Whatever goes wrong ends it: nothing is asked on one in doubt.

use std::fmt;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Statement};

use super::address::Address;
use super::{CALL_MAX, preflight, schema};
use crate::Error;

/// A connection with its prepared statements.
pub(super) struct Connected {
    pub(super) client: Client,
    /// Prepared when first used.
    statements: Vec<(&'static str, Statement)>,
}

impl Connected {
    /// The statement, prepared once for each connection.
    pub(super) async fn prepare(&mut self, sql: &'static str) -> Result<Statement, tokio_postgres::Error> {
        if let Some((_, statement)) = self.statements.iter().find(|(text, _)| *text == sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.push((sql, statement.clone()));
        Ok(statement)
    }
}

/// Owned by one thread, which waits for each answer.
pub(super) struct Link {
    address: Address,
    /// What every connection's server must prove before anything is asked of it: that answers may rest on it, and on so
    /// many standbys. A new connection may lead to another server than the last.
    replicas_min: Option<u32>,
    /// Given up only when the link is dropped.
    runtime: Option<Runtime>,
    connected: Option<Connected>,
}

impl Link {
    /// For whoever reads, or writes what can be made again.
    pub(super) fn new(address: &Address) -> Result<Link, Error> {
        Link::with(address, None)
    }

    /// For the writer of the log.
    pub(super) fn to_fit(address: &Address, replicas_min: u32) -> Result<Link, Error> {
        Link::with(address, Some(replicas_min))
    }

    fn with(address: &Address, replicas_min: Option<u32>) -> Result<Link, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::disk("make a runtime for", "the database"))?;
        Ok(Link { address: address.clone(), replicas_min, runtime: Some(runtime), connected: None })
    }

    /// Asks one question, on a new connection if there is none.
    pub(super) fn call<T>(
        &mut self,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connected) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        self.call_within(CALL_MAX, doing, work)
    }

    /// Looks again whether answers may still rest on the server; settings can change under a connection. If not, there
    /// is no connection any more.
    pub(super) fn check_again(&mut self) -> Result<(), Error> {
        let Some(replicas_min) = self.replicas_min else { return Ok(()) };
        let found =
            self.call(preflight::DOING, async |connected| preflight::look(&connected.client).await)?;
        preflight::judge(&found, replicas_min).inspect_err(|_| self.connected = None)
    }

    /// The same for one that may take longer.
    pub(super) fn call_within<T>(
        &mut self,
        patience: Duration,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connected) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        let runtime = self.runtime.as_ref().expect("a link has its runtime until it is dropped");
        let taken = self.connected.take();
        let (address, replicas_min) = (&self.address, self.replicas_min);
        let outcome = runtime.block_on(async {
            let working = async {
                let mut connected = match taken {
                    Some(connected) => connected,
                    None => connect(address, replicas_min).await?,
                };
                let value = work(&mut connected).await.map_err(|error| Error::database(doing, &error))?;
                Ok((connected, value))
            };
            tokio::time::timeout(patience, working).await
        });
        match outcome {
            Ok(Ok((connected, value))) => {
                self.connected = Some(connected);
                Ok(value)
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(Error::Database { doing, cause: format!("no answer within {patience:?}") }),
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.connected = None;
        // Also where a runtime must not be waited for, as inside of another one.
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

async fn connect(address: &Address, replicas_min: Option<u32>) -> Result<Connected, Error> {
    let (client, connection) =
        address.connect().await.map_err(|error| Error::database("connect to", &error))?;
    // Whoever asks learns of its end by the answer that does not come.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    let begun = client.batch_execute(schema::SESSION).await;
    begun.map_err(|error| Error::database("begin a session with", &error))?;
    if let Some(replicas_min) = replicas_min {
        let found = preflight::look(&client).await;
        let found = found.map_err(|error| Error::database(preflight::DOING, &error))?;
        preflight::judge(&found, replicas_min)?;
    }
    Ok(Connected { client, statements: Vec::new() })
}
