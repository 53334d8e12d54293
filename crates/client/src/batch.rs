//! The results of batches.

use serde::Deserialize;
use uuid::Uuid;

use crate::client::Client;
use crate::error::{Error, Result};
use crate::models::{ItemError, OrderData, Summary};
use crate::order::Order;
use crate::wire::Answer;

/// The result of one item of a batch: an order, or an error.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchItem {
    /// Its place in the batch, from 0.
    pub index: u32,
    /// The order, if the item succeeded.
    pub order: Option<Order>,
    /// The id that an amend named.
    pub order_id: Option<Uuid>,
    /// The name that a placement gave.
    pub client_order_id: Option<String>,
    /// The error, if the item failed.
    pub error: Option<ItemError>,
    /// An earlier try of the amend got no answer: an error may be of its own effect. False for placements, which the
    /// exchange executes once.
    pub is_repeated: bool,
}

impl BatchItem {
    /// Whether the item succeeded.
    pub fn is_success(&self) -> bool {
        self.order.is_some()
    }

    /// The order, or the item's error.
    pub fn placed(self) -> Result<Order> {
        match (self.order, self.error) {
            (Some(order), _) => Ok(order),
            (None, Some(error)) => {
                Err(Error::Item { index: self.index, error, is_repeated: self.is_repeated })
            }
            (None, None) => Err(Error::Unreadable {
                request: format!("item {} of a batch", self.index),
                cause: "neither an order nor an error".to_owned(),
            }),
        }
    }
}

/// The results of a batch, in the order of its items. Items succeed and fail one by one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Batch {
    /// One for each item.
    pub results: Vec<BatchItem>,
    /// How many succeeded.
    pub summary: Summary,
    /// An earlier try of the amend got no answer: an item that failed may have been amended by it. False for placements.
    pub is_repeated: bool,
}

#[derive(Deserialize)]
struct Payload {
    results: Vec<Row>,
    summary: Summary,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    index: u32,
    order: Option<OrderData>,
    order_id: Option<String>,
    client_order_id: Option<String>,
    error: Option<ItemError>,
}

impl Batch {
    /// `is_repeated`: see the field.
    pub(crate) fn read(client: &Client, answer: &Answer, is_repeated: bool) -> Result<Batch> {
        let Payload { results, summary } = answer.read()?;
        if let Some(row) = results.iter().find(|row| row.order.is_none() && row.error.is_none()) {
            return Err(answer.unreadable(&format!("item {} has neither an order nor an error", row.index)));
        }
        let item = |row: Row| BatchItem {
            index: row.index,
            order: row.order.map(|data| Order::new(client.clone(), data, answer.as_of)),
            order_id: row.order_id.and_then(|id| Uuid::parse_str(&id).ok()),
            client_order_id: row.client_order_id,
            error: row.error,
            is_repeated,
        };
        Ok(Batch { results: results.into_iter().map(item).collect(), summary, is_repeated })
    }

    /// The orders of the items that succeeded.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.results.iter().filter_map(|item| item.order.as_ref())
    }

    /// The items that failed.
    pub fn failures(&self) -> impl Iterator<Item = &BatchItem> {
        self.results.iter().filter(|item| !item.is_success())
    }
}
