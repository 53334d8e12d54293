//! The reading half: each look opens the file for itself, off the async threads.

use exchange::codec;
use exchange::id::{OrderId, UserId};
use exchange::order::OrderRecord;
use rusqlite::{Connection, OptionalExtension, params};

use super::{History, HistoryError, schema};

/// An order that has left memory.
pub type ClosedOrder = OrderRecord;

impl History {
    async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, HistoryError> + Send + 'static,
    ) -> Result<T, HistoryError> {
        let path = self.path.clone();
        let looking = tokio::task::spawn_blocking(move || look(&schema::open_for_reading(&path)?));
        looking.await.map_err(|_| HistoryError::Stopped)?
    }

    /// One closed order of a user.
    pub async fn order(&self, user: UserId, id: OrderId) -> Result<Option<ClosedOrder>, HistoryError> {
        self.look(move |connection| {
            let query = "SELECT record FROM closed_orders WHERE id = ?1 AND user = ?2";
            let keys = params![id.as_u128().to_be_bytes(), user.as_u128().to_be_bytes()];
            let bytes: Option<Vec<u8>> = connection.query_row(query, keys, |row| row.get(0)).optional()?;
            bytes.map(|bytes| decode(&bytes)).transpose()
        })
        .await
    }

    /// Those of the named orders that are the user's and closed.
    pub async fn closed_orders(
        &self,
        user: UserId,
        ids: Vec<OrderId>,
    ) -> Result<Vec<ClosedOrder>, HistoryError> {
        self.look(move |connection| {
            let query = "SELECT record FROM closed_orders WHERE id = ?1 AND user = ?2";
            let mut statement = connection.prepare_cached(query)?;
            let mut found = Vec::new();
            for id in ids {
                let keys = params![id.as_u128().to_be_bytes(), user.as_u128().to_be_bytes()];
                let bytes: Option<Vec<u8>> = statement.query_row(keys, |row| row.get(0)).optional()?;
                found.extend(bytes.map(|bytes| decode(&bytes)).transpose()?);
            }
            Ok(found)
        })
        .await
    }

    /// All closed orders of a user, newest first.
    pub async fn orders(&self, user: UserId) -> Result<Vec<ClosedOrder>, HistoryError> {
        self.look(move |connection| {
            let query = "SELECT record FROM closed_orders WHERE user = ?1 ORDER BY serial DESC";
            let mut statement = connection.prepare_cached(query)?;
            let rows = statement.query_map([user.as_u128().to_be_bytes()], |row| row.get::<_, Vec<u8>>(0))?;
            rows.map(|bytes| decode(&bytes?)).collect()
        })
        .await
    }

    /// The answer that was given at a sequence: status and body.
    pub async fn reply(&self, seq: u64) -> Result<Option<(u16, Vec<u8>)>, HistoryError> {
        self.look(move |connection| {
            let query = "SELECT status, body FROM replies WHERE sequence = ?1";
            let found =
                connection.query_row(query, [seq.cast_signed()], |row| Ok((row.get(0)?, row.get(1)?)));
            Ok(found.optional()?)
        })
        .await
    }
}

fn decode(bytes: &[u8]) -> Result<ClosedOrder, HistoryError> {
    codec::decode_record(bytes).map_err(|error| HistoryError::Record(error.to_string()))
}
