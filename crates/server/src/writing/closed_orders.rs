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
use crate::respond::{encode_refusal, json_failure};
use crate::view::refusal::of_closed;

/// How a command names orders.
#[derive(Clone, Copy, Debug)]
pub enum NamedOrders {
    None,
    One(OrderId),
    Items,
}

impl NamedOrders {
    pub fn by(command: &Command) -> NamedOrders {
        match command {
            Command::CancelOrder(CancelOrder { order }) => NamedOrders::One(*order),
            Command::CancelOrders(_) | Command::AmendOrders(_) => NamedOrders::Items,
            _ => NamedOrders::None,
        }
    }
}

impl Writing {
    /// Corrects a response from history. History must have reached `seq`.
    pub(super) async fn correct_closed_orders(
        &self,
        user: UserIndex,
        seq: u64,
        named: &NamedOrders,
        status: u16,
        body: Bytes,
    ) -> Result<(u16, Bytes), Failure> {
        let corrected = match named {
            NamedOrders::One(order) if status == 404 => self.correct_one(user, seq, *order).await?,
            NamedOrders::Items if status == 200 => match self.correct_items(user, seq, &body).await {
                Ok(corrected) => corrected.map(|body| (status, body)),
                Err(_) => None,
            },
            _ => None,
        };
        Ok(corrected.map_or((status, body), |(status, body)| (status, body.into())))
    }

    /// `None` if there never was such an order.
    async fn correct_one(
        &self,
        user: UserIndex,
        seq: u64,
        order: OrderId,
    ) -> Result<Option<(u16, Vec<u8>)>, Failure> {
        let closed = self.closed(user, seq, vec![order]).await?;
        let Some(record) = closed.first() else { return Ok(None) };
        let known = self.reading.with_retired(vec![RetiredName::Market(record.market)]).await?;
        let refusal = of_closed(known.exchange_of(record.market), record);
        drop(known);
        Ok(Some(encode_refusal(&refusal)))
    }

    /// `None` if no item is missing, or history has none of the missing ones.
    async fn correct_items(
        &self,
        user: UserIndex,
        seq: u64,
        body: &[u8],
    ) -> Result<Option<Vec<u8>>, Failure> {
        if !BatchAnswer::may_miss_orders(body) {
            return Ok(None);
        }
        let mut answer = BatchAnswer::decode(body).map_err(json_failure)?;
        let missing = answer.missing_orders();
        if missing.is_empty() {
            return Ok(None);
        }
        let closed = self.closed(user, seq, missing).await?;
        if closed.is_empty() {
            return Ok(None);
        }
        let markets = closed.iter().map(|record| RetiredName::Market(record.market)).collect();
        let known = self.reading.with_retired(markets).await?;
        answer.correct_closed(&known, &closed).map_err(json_failure)?;
        answer.encode().map(Some).map_err(json_failure)
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
