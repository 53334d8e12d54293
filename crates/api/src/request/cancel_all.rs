//! Cancelling every open order, or those of one event, market or currency.

use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::identifier;
use crate::terms::Currency;

/// What to cancel. All conditions must hold; an empty object means everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancelAll {
    #[serde(default, deserialize_with = "identifier::deserialize_optional")]
    pub market_id: Option<Uuid>,
    #[serde(default, deserialize_with = "identifier::deserialize_optional")]
    pub event_id: Option<Uuid>,
    pub currency: Option<Currency>,
}
