//! Amounts with their currencies.

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::decimal::Money;
use crate::json::WriteJson;
use crate::terms;

/// An amount in each currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Amounts {
    #[serde(rename = "USD", skip_serializing_if = "Option::is_none")]
    pub usd: Option<Money>,
    #[serde(rename = "NGN", skip_serializing_if = "Option::is_none")]
    pub ngn: Option<Money>,
}

/// An amount of one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Sum {
    pub currency: terms::Currency,
    pub amount: Money,
}
