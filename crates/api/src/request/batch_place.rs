//! Placing several orders at once. An item that cannot be parsed fails alone, in its position.

use crate::schema::ToSchema;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::place_order::PlaceOrder;
use super::schema_of::schema_of;
use super::{BATCH_ITEMS_MAX, place_order};
use crate::error::BadRequest;
use crate::json::{PlainReader, put};
use crate::read::{read, read_item};

/// Orders to place, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchPlace {
    pub items: Vec<PlaceItem>,
}

/// One item: the parsed order, or the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceItem {
    /// Echoed in the result, even if the rest of the item cannot be parsed.
    pub client_order_id: Option<String>,
    pub order: Result<PlaceOrder, BadRequest>,
}

/// Orders to place, each on its own; the market is found by `outcomeId`.
#[derive(Debug, Deserialize, ToSchema)]
struct BatchPlaceBody<'a> {
    #[serde(borrow)]
    #[schema(value_type = Vec<PlaceOrder>, min_items = 1, max_items = 20)]
    orders: Vec<&'a RawValue>,
}

/// Reads only the client order id and ignores all other fields of an item.
#[derive(Deserialize)]
struct Named {
    #[serde(rename = "clientOrderId")]
    client_order_id: Option<String>,
}

schema_of! { BatchPlace, BatchPlaceBody<'_>, "BatchPlace"; }

impl BatchPlace {
    pub fn read(body: &[u8]) -> Result<BatchPlace, BadRequest> {
        PlainReader::body(body, BatchPlace::read_plain).map_or_else(|| BatchPlace::read_any(body), Ok)
    }

    /// Reads a batch in its plain form; `None` if it has another form or an item is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<BatchPlace> {
        let mut items = None;
        reader.object(|reader, key| match key {
            "orders" => put(&mut items, reader.list(BATCH_ITEMS_MAX, PlaceItem::read_plain)),
            _ => None,
        })?;
        Some(BatchPlace { items: items? })
    }

    pub(super) fn read_any(body: &[u8]) -> Result<BatchPlace, BadRequest> {
        let body: BatchPlaceBody<'_> = read(body)?;
        check_count("orders", body.orders.len())?;
        Ok(BatchPlace { items: body.orders.into_iter().map(read_place).collect() })
    }
}

impl PlaceItem {
    fn read_plain(reader: &mut PlainReader<'_>) -> Option<PlaceItem> {
        let order = PlaceOrder::read_plain(reader)?;
        Some(PlaceItem { client_order_id: order.client_order_id.clone(), order: Ok(order) })
    }
}

fn read_place(item: &RawValue) -> PlaceItem {
    let order = read_item::<PlaceOrder>(item);
    let client_order_id = match &order {
        Ok(order) => order.client_order_id.clone(),
        Err(_) => read_item::<Named>(item)
            .ok()
            .and_then(|named| named.client_order_id)
            .and_then(|id| place_order::check_client_order_id(id).ok()),
    };
    PlaceItem { client_order_id, order }
}

/// A batch of placements or amendments is refused as a whole if it is empty or too long.
pub(super) fn check_count(name: &str, count: usize) -> Result<(), BadRequest> {
    if (1..=BATCH_ITEMS_MAX).contains(&count) {
        Ok(())
    } else {
        Err(BadRequest::at(name, format_args!("must have 1 to {BATCH_ITEMS_MAX} items, not {count}")))
    }
}
