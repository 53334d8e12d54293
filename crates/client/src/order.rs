//! An order that can be watched, changed and cancelled.

use std::ops::Deref;
use std::time::Duration;

use api::terms::OrderStatus;
use rust_decimal::Decimal;
use serde::Deserialize;
use tokio::time::timeout;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::models::{AccountChanges, OrderData};
use crate::new_order::Amendment;
use crate::query::Query;
use crate::request::{Access, Request};

/// The longest time that the exchange lets one request wait for a change.
const POLL: Duration = Duration::from_secs(20);

/// An order of yours. Its fields (`OrderData`) are those of the last answer; each method brings them up to date.
#[derive(Clone, Debug)]
pub struct Order {
    client: Client,
    data: OrderData,
    as_of: Option<u64>,
}

impl Deref for Order {
    type Target = OrderData;

    fn deref(&self) -> &OrderData {
        &self.data
    }
}

#[derive(Deserialize)]
pub(crate) struct OneOrder {
    pub(crate) order: OrderData,
}

/// The answer to a read of an account's changes, as far as `wait` needs it.
#[derive(Deserialize)]
struct Changes {
    sequence: u64,
    changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    #[serde(rename = "type")]
    kind: String,
    data: AccountChanges,
}

impl Order {
    pub(crate) fn new(client: Client, data: OrderData, as_of: Option<u64>) -> Order {
        Order { client, data, as_of }
    }

    /// The sequence of the exchange's state that this was read from; none if the answer had none.
    pub fn as_of(&self) -> Option<u64> {
        self.as_of
    }

    /// The fields alone.
    pub fn data(&self) -> &OrderData {
        &self.data
    }

    /// Reads the order again.
    pub async fn refresh(&mut self) -> Result<()> {
        *self = self.client.order(self.id).await?;
        Ok(())
    }

    /// Cancels the rest of the order. Fills remain.
    pub async fn cancel(&mut self) -> Result<()> {
        let request = Request::write("DELETE", &format!("/v1/pm/orders/{}", self.id), None::<&()>)?;
        let answer = match self.client.send(&request).await {
            Ok(answer) => answer,
            Err(error) => return self.unless_cancelled(error).await,
        };
        self.data = answer.read::<OneOrder>()?.order;
        self.as_of = answer.as_of;
        Ok(())
    }

    /// A first try without an answer may be the reason for the refusal of the second. If a read confirms that, the cancel
    /// has succeeded; without a read it stays the refusal, whose `is_repeated` tells.
    async fn unless_cancelled(&mut self, error: Error) -> Result<()> {
        let is_repeated = error.refusal().is_some_and(|refusal| refusal.is_repeated);
        let may_be_own = is_repeated && error.code() == "ORDER_NOT_OPEN";
        if may_be_own && self.refresh().await.is_ok() && self.status == OrderStatus::Cancelled {
            return Ok(());
        }
        Err(error)
    }

    /// Sets a new price, a new total size in shares (the filled part included), or both.
    pub async fn amend(&mut self, price: Option<Decimal>, size: Option<Decimal>) -> Result<()> {
        let batch = self.client.amend(&[Amendment { order_id: self.id, price, size }]).await?;
        let Some(item) = batch.results.into_iter().next() else {
            let (request, cause) = (format!("the amend of order {}", self.id), "no result".to_owned());
            return Err(Error::Unreadable { request, cause });
        };
        match item.placed() {
            Ok(order) => *self = order,
            Err(error @ Error::Item { is_repeated: true, .. }) => {
                return self.unless_amended(error, price, size).await;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The first try may have amended an order that has traded or closed since. If a read shows the new terms, the amend
    /// has succeeded.
    async fn unless_amended(
        &mut self,
        error: Error,
        price: Option<Decimal>,
        size: Option<Decimal>,
    ) -> Result<()> {
        let is_read = self.refresh().await.is_ok();
        let has = |wanted: Option<Decimal>, found| wanted.is_none_or(|wanted| wanted == found);
        if is_read && has(price, self.price) && has(size, self.size) { Ok(()) } else { Err(error) }
    }

    /// Waits until the order is filled, cancelled, expired or rejected.
    pub async fn wait(&mut self) -> Result<()> {
        self.refresh().await?;
        while !self.is_closed() {
            if self.has_changed(POLL.as_secs()).await? {
                self.refresh().await?;
            }
        }
        Ok(())
    }

    /// Like `wait`, but ends with `Error::WaitTimedOut` after this time. The order then stays as it is.
    pub async fn wait_for(&mut self, longest: Duration) -> Result<()> {
        match timeout(longest, self.wait()).await {
            Ok(ended) => ended,
            Err(_) => Err(Error::WaitTimedOut { order_id: self.id, status: self.status.to_string() }),
        }
    }

    /// Waits for a change of the account, and says whether it concerns this order.
    async fn has_changed(&mut self, seconds: u64) -> Result<bool> {
        let query = Query::default().with("after", self.as_of.unwrap_or(0)).with("wait", seconds);
        let mut request = Request::get("/v1/pm/account/changes".to_owned(), &query, Access::Read);
        request.timeout = Some(Duration::from_secs(seconds + 10));
        let answer = self.client.send(&request).await?;
        let changes: Changes = answer.read()?;
        self.as_of = Some(changes.sequence);
        Ok(changes.changes.iter().any(|change| {
            change.kind == "snapshot" || change.data.orders.iter().any(|changed| changed.order.id == self.id)
        }))
    }
}
