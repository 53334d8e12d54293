//! Distinguishes the caller's closed orders from unknown ones in responses.
//!
//! The exchange keeps only open orders and reports all others as not found. History has the closed ones, so the
//! response is corrected afterwards. First responses and replays are corrected alike, so that their bytes stay
//! identical. A batch has been carried out by then: while history cannot be read, its response is sent uncorrected.

use bytes::Bytes;
use exchange::command::{CancelOrder, Command};
use exchange::id::OrderId;
use exchange::index::UserIndex;
use exchange::order::OrderRecord;

use super::Writing;
use crate::failure::Failure;
use crate::history::{HistoryError, RetiredName};
use crate::reading::history_failure;
use crate::respond::batch_answer::BatchAnswer;
use crate::respond::{encode_refusal, unwritable};
use crate::view::refusal::of_closed;

/// How a command names orders.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    None,
    One(OrderId),
    Items,
}

impl Named {
    pub fn by(command: &Command) -> Named {
        match command {
            Command::CancelOrder(CancelOrder { order }) => Named::One(*order),
            Command::CancelOrders(_) | Command::AmendOrders(_) => Named::Items,
            _ => Named::None,
        }
    }
}

impl Writing {
    /// Corrects a response from history. History must have reached `seq`.
    pub(super) async fn tell_closed_apart(
        &self,
        user: UserIndex,
        seq: u64,
        named: &Named,
        status: u16,
        body: Bytes,
    ) -> Result<(u16, Bytes), Failure> {
        let told = match named {
            Named::One(order) if status == 404 => self.tell_one(user, seq, *order).await?,
            Named::Items if status == 200 => match self.tell_items(user, seq, &body).await {
                Ok(told) => told.map(|body| (status, body)),
                Err(_) => None,
            },
            _ => None,
        };
        Ok(told.map_or((status, body), |(status, body)| (status, body.into())))
    }

    /// `None` if there never was such an order.
    async fn tell_one(
        &self,
        user: UserIndex,
        seq: u64,
        order: OrderId,
    ) -> Result<Option<(u16, Vec<u8>)>, Failure> {
        let closed = self.closed(user, seq, vec![order]).await?;
        let Some(record) = closed.first() else { return Ok(None) };
        let known = self.reading.known(vec![RetiredName::Market(record.market)]).await?;
        let refusal = of_closed(known.home(record.market), record);
        drop(known);
        Ok(Some(encode_refusal(&refusal)))
    }

    /// `None` if no item is missing, or history has none of the missing ones.
    async fn tell_items(&self, user: UserIndex, seq: u64, body: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        if !BatchAnswer::may_miss_orders(body) {
            return Ok(None);
        }
        let mut answer = BatchAnswer::decode(body).map_err(unwritable)?;
        let missing = answer.missing_orders();
        if missing.is_empty() {
            return Ok(None);
        }
        let closed = self.closed(user, seq, missing).await?;
        if closed.is_empty() {
            return Ok(None);
        }
        let markets = closed.iter().map(|record| RetiredName::Market(record.market)).collect();
        let known = self.reading.known(markets).await?;
        answer.correct_closed(&known, &closed).map_err(unwritable)?;
        answer.encode().map(Some).map_err(unwritable)
    }

    async fn closed(
        &self,
        user: UserIndex,
        seq: u64,
        orders: Vec<OrderId>,
    ) -> Result<Vec<OrderRecord>, Failure> {
        let user = self.shared.read().directory().user(user).id;
        let closed = async {
            self.reading.history().reach(seq).await?;
            self.reading.history().closed_orders(user, orders).await
        };
        closed.await.map_err(|error: HistoryError| history_failure(error))
    }
}
