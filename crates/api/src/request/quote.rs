//! Asking for a quote.

use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::place_order::{Sizing, currency_or_default, sizing};
use super::schema::{MoneyAsked, SharesAsked, schema_of};
use crate::decimal::{Money, Shares};
use crate::identifier;
use crate::terms::{Currency, Side};

/// A quote that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "QuoteBody")]
pub struct Quote {
    pub side: Side,
    pub outcome_id: Uuid,
    pub sizing: Sizing,
    pub currency: Currency,
}

/// An order to be reckoned through, not placed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuoteBody {
    side: Side,
    #[serde(deserialize_with = "identifier::deserialize")]
    outcome_id: Uuid,
    /// To spend (BUY) or to receive (SELL), in `currency`. Either this or `quantity`.
    #[schema(value_type = Option<MoneyAsked>)]
    amount: Option<Money>,
    /// A number of shares instead of an amount.
    #[schema(value_type = Option<SharesAsked>)]
    quantity: Option<Shares>,
    #[schema(default = "USD")]
    currency: Option<Currency>,
}

schema_of! { Quote, QuoteBody, "QuoteRequest", with one_sizing; }

impl TryFrom<QuoteBody> for Quote {
    type Error = String;

    fn try_from(body: QuoteBody) -> Result<Quote, String> {
        Ok(Quote {
            side: body.side,
            outcome_id: body.outcome_id,
            sizing: sizing(body.amount, body.quantity)?,
            currency: currency_or_default(body.currency),
        })
    }
}
