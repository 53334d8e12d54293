//! Cancelling every open order, or those of one event, market or currency.
//!
//! This is the only body that refuses unknown keys and nulls: a misspelt condition, or one without a value, would widen
//! the request to all orders.

use crate::schema::ToSchema;
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use crate::error::BadRequest;
use crate::identifier;
use crate::read::read;
use crate::terms::Currency;

/// Which orders to cancel. All conditions must hold; an empty object, or no body at all, means all orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelAll {
    #[serde(default, deserialize_with = "given_id")]
    #[schema(nullable = false)]
    pub market_id: Option<Uuid>,
    #[serde(default, deserialize_with = "given_id")]
    #[schema(nullable = false)]
    pub event_id: Option<Uuid>,
    #[serde(default, deserialize_with = "given_currency")]
    #[schema(nullable = false)]
    pub currency: Option<Currency>,
}

impl CancelAll {
    /// Only an empty body counts as no body: its signature then proves that there are no conditions.
    pub fn read(body: &[u8]) -> Result<CancelAll, BadRequest> {
        if body.is_empty() { Ok(CancelAll::default()) } else { read(body) }
    }
}

fn given_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Uuid>, D::Error> {
    identifier::deserialize(deserializer).map(Some)
}

fn given_currency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Currency>, D::Error> {
    Currency::deserialize(deserializer).map(Some)
}
