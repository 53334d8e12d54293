//! A connection that is made again when it was lost. Whatever goes wrong ends it: nothing is asked on one in doubt.

use std::fmt;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::{CALL_MAX, schema};
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
    config: Config,
    /// Given up only when the link is dropped.
    runtime: Option<Runtime>,
    connected: Option<Connected>,
}

impl Link {
    pub(super) fn new(config: &Config) -> Result<Link, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::disk("make a runtime for", "the database"))?;
        Ok(Link { config: config.clone(), runtime: Some(runtime), connected: None })
    }

    /// Asks one question, on a new connection if there is none.
    pub(super) fn call<T>(
        &mut self,
        doing: &'static str,
        work: impl AsyncFnOnce(&mut Connected) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        self.call_within(CALL_MAX, doing, work)
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
        let config = &self.config;
        let outcome = runtime.block_on(async {
            let working = async {
                let mut connected = match taken {
                    Some(connected) => connected,
                    None => connect(config).await?,
                };
                let value = work(&mut connected).await?;
                Ok((connected, value))
            };
            tokio::time::timeout(patience, working).await
        });
        match outcome {
            Ok(Ok((connected, value))) => {
                self.connected = Some(connected);
                Ok(value)
            }
            Ok(Err(error)) => Err(Error::database(doing, &error)),
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

async fn connect(config: &Config) -> Result<Connected, tokio_postgres::Error> {
    let (client, connection) = config.connect(NoTls).await?;
    // Whoever asks learns of its end by the answer that does not come.
    tokio::spawn(async move {
        let _ = connection.await;
    });
    client.batch_execute(schema::SESSION).await?;
    Ok(Connected { client, statements: Vec::new() })
}
