//! Distinguishes the caller's closed orders from unknown ones in responses.
//!
//! The exchange keeps only open orders and reports all others as not found. History has the closed ones, so the
//! response is corrected afterwards. First responses and replays are corrected alike, so that their bytes stay
//! identical. A batch has been carried out by then: while history cannot be read, its response is sent uncorrected.

use exchange::command::{CancelOrder, Command};
use exchange::id::OrderId;
use exchange::index::UserIndex;
use exchange::order::OrderRecord;

use super::Writing;
use crate::failure::Failure;
use crate::history::{HistoryError, RetiredName};
use crate::reading::history_failure;
use crate::respond::Content;
use crate::view::refusal::{of_closed, of_closed_item};

impl Writing {
    /// Corrects a response from history. `seq` is the sequence that history must have reached.
    pub(super) async fn correct_closed_orders(
        &self,
        user: UserIndex,
        seq: u64,
        command: &Command,
        mut content: Content,
    ) -> Result<Content, Failure> {
        match command {
            Command::CancelOrder(CancelOrder { order }) if content.is_not_found() => {
                Ok(self.find_closed_refusal(user, seq, *order).await?.unwrap_or(content))
            }
            Command::CancelOrders(_) | Command::AmendOrders(_) => {
                // The batch was carried out: if history cannot be read, its response stays uncorrected.
                if let Err(failure) = self.correct_items(user, seq, &mut content).await {
                    tracing::debug!(?failure, "the response to a batch was not corrected");
                }
                Ok(content)
            }
            _ => Ok(content),
        }
    }

    /// `None` if there never was such an order.
    async fn find_closed_refusal(
        &self,
        user: UserIndex,
        seq: u64,
        order: OrderId,
    ) -> Result<Option<Content>, Failure> {
        let closed = self.closed(user, seq, vec![order]).await?;
        let Some(record) = closed.first() else { return Ok(None) };
        let known = self.reading.with_retired(vec![RetiredName::Market(record.market)]).await?;
        Ok(Some(Content::refusal(&of_closed(known.exchange_of(record.market), record))))
    }

    async fn correct_items(&self, user: UserIndex, seq: u64, content: &mut Content) -> Result<(), Failure> {
        let missing = content.missing_orders();
        if missing.is_empty() {
            return Ok(());
        }
        let closed = self.closed(user, seq, missing).await?;
        let markets = closed.iter().map(|record| RetiredName::Market(record.market)).collect();
        let known = self.reading.with_retired(markets).await?;
        content.correct_orders(|order| {
            let record = closed.iter().find(|record| record.terms.id == order)?;
            Some(of_closed_item(known.exchange_of(record.market), record))
        });
        Ok(())
    }

    async fn closed(
        &self,
        user: UserIndex,
        seq: u64,
        orders: Vec<OrderId>,
    ) -> Result<Vec<OrderRecord>, Failure> {
        let user = self.shared.read().directory().user(user).id;
        let closed = async {
            self.reading.history().wait_for(seq).await?;
            self.reading.history().closed_orders(user, orders).await
        };
        closed.await.map_err(|error: HistoryError| history_failure(error))
    }
}
