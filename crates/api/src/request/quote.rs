//! Asking for a quote.

use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::place_order::{Sizing, currency_or_default, sizing};
use super::schema::{MoneyAsked, SharesAsked, schema_of};
use crate::decimal::{Money, Shares};
use crate::error::BadRequest;
use crate::identifier;
use crate::json::{PlainReader, put};
use crate::read::read;
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

impl Quote {
    pub fn read(body: &[u8]) -> Result<Quote, BadRequest> {
        PlainReader::body(body, Quote::read_plain).map_or_else(|| read(body), Ok)
    }

    /// Reads a quote in its plain form; `None` if it has another form or is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<Quote> {
        let (mut side, mut outcome_id) = (None, None);
        let (mut amount, mut quantity, mut currency) = (None, None, None);
        reader.object(|reader, key| match key {
            "side" => put(&mut side, reader.word()),
            "outcomeId" => put(&mut outcome_id, reader.identifier()),
            "amount" => put(&mut amount, reader.optional(|reader| reader.number(Money::parse))),
            "quantity" => put(&mut quantity, reader.optional(|reader| reader.number(Shares::parse))),
            "currency" => put(&mut currency, reader.optional(PlainReader::word)),
            _ => None,
        })?;
        let body = QuoteBody {
            side: side?,
            outcome_id: outcome_id?,
            amount: amount.flatten(),
            quantity: quantity.flatten(),
            currency: currency.flatten(),
        };
        Quote::try_from(body).ok()
    }
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
