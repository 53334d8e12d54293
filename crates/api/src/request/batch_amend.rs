//! Amending several orders at once. An item that cannot be parsed fails alone, in its position.

use crate::schema::ToSchema;
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::BATCH_ITEMS_MAX;
use super::batch_place::check_count;
use super::schema_of::schema_of;
use crate::decimal::{Price, Shares};
use crate::error::BadRequest;
use crate::identifier;
use crate::json::{PlainReader, put, text_of};
use crate::read::{read, read_item};

/// Amendments, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchAmend {
    pub items: Vec<AmendItem>,
}

/// One item: the parsed amendment, or the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmendItem {
    /// The order's id as sent, for the result; empty if there was none.
    pub order_id: String,
    pub amendment: Result<Amendment, BadRequest>,
}

/// A new price, a new total size, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Amendment {
    #[serde(deserialize_with = "identifier::deserialize")]
    pub order_id: Uuid,
    /// Left out: the price stays.
    #[schema(value_type = Option<super::schema::LimitPrice>)]
    pub new_price: Option<Price>,
    /// The new total, what has filled included. Left out: the size stays.
    #[schema(value_type = Option<super::schema::SharesAsked>)]
    pub new_size: Option<Shares>,
}

/// Orders to amend, each on its own. `orders` is taken as another name for `items`.
#[derive(Debug, Deserialize, ToSchema)]
struct BatchAmendBody<'a> {
    #[serde(borrow)]
    #[schema(value_type = Vec<Amendment>, required, min_items = 1, max_items = 20)]
    items: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    #[schema(ignore)]
    orders: Option<Vec<&'a RawValue>>,
}

/// Reads only the id and ignores all other fields of an item.
#[derive(Deserialize)]
struct Named {
    #[serde(rename = "orderId")]
    order_id: String,
}

/// The maximum length of an echoed id.
const ECHO_BYTES_MAX: usize = 64;

schema_of! { BatchAmend, BatchAmendBody<'_>, "BatchAmend"; }

impl BatchAmend {
    pub fn read(body: &[u8]) -> Result<BatchAmend, BadRequest> {
        PlainReader::body(body, BatchAmend::read_plain).map_or_else(|| BatchAmend::read_any(body), Ok)
    }

    /// Reads a batch in its plain form; `None` if it has another form or an item is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<BatchAmend> {
        let mut items = None;
        reader.object(|reader, key| match key {
            "items" | "orders" => put(&mut items, reader.list(BATCH_ITEMS_MAX, AmendItem::read_plain)),
            _ => None,
        })?;
        Some(BatchAmend { items: items? })
    }

    pub(super) fn read_any(body: &[u8]) -> Result<BatchAmend, BadRequest> {
        let body: BatchAmendBody<'_> = read(body)?;
        let (name, items) = match (body.items, body.orders) {
            (Some(items), None) => ("items", items),
            (None, Some(orders)) => ("orders", orders),
            (Some(_), Some(_)) => {
                return Err(BadRequest::new("items and orders: give one of them, not both"));
            }
            (None, None) => return Err(BadRequest::at("items", "is required")),
        };
        check_count(name, items.len())?;
        Ok(BatchAmend { items: items.into_iter().map(read_amendment).collect() })
    }
}

impl AmendItem {
    fn read_plain(reader: &mut PlainReader<'_>) -> Option<AmendItem> {
        let (mut order_id, mut new_price, mut new_size) = (None, None, None);
        reader.object(|reader, key| match key {
            "orderId" => put(&mut order_id, reader.identifier()),
            "newPrice" => put(&mut new_price, reader.optional(|reader| reader.number(Price::parse))),
            "newSize" => put(&mut new_size, reader.optional(|reader| reader.number(Shares::parse))),
            _ => None,
        })?;
        let amendment =
            Amendment { order_id: order_id?, new_price: new_price.flatten(), new_size: new_size.flatten() };
        Some(AmendItem { order_id: text_of(amendment.order_id), amendment: Ok(amendment) })
    }
}

fn read_amendment(item: &RawValue) -> AmendItem {
    let amendment = read_item::<Amendment>(item);
    let mut order_id = match &amendment {
        Ok(amendment) => amendment.order_id.to_string(),
        Err(_) => read_item::<Named>(item).map(|named| named.order_id).unwrap_or_default(),
    };
    order_id.truncate(order_id.floor_char_boundary(ECHO_BYTES_MAX));
    AmendItem { order_id, amendment }
}
