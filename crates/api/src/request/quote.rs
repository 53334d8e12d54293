//! Asking for a quote.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::place_order::{
    Sizing, check_price, check_slippage, currency_or_default, deserialize_stp_mode, sizing,
};
use super::schema_of::schema_of;
use crate::decimal::{GivenPrice, Money, Price, Shares, Slippage};
use crate::error::BadRequest;
use crate::identifier;
use crate::json::{PlainReader, put};
use crate::read::read;
use crate::terms::{Currency, OrderType, Side, StpMode, TimeInForce};
use crate::words::Word;

/// A quote that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "QuoteBody")]
pub struct Quote {
    pub side: Side,
    pub outcome_id: Uuid,
    pub sizing: Sizing,
    pub currency: Currency,
    /// Present if the request has at least one of the order's other fields.
    pub terms: Option<QuotedTerms>,
}

/// The fields of an order that a plain quote does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedTerms {
    pub order_type: OrderType,
    /// Set for a LIMIT order, `None` for a MARKET order.
    pub price: Option<Price>,
    pub time_in_force: Option<TimeInForce>,
    pub post_only: bool,
    pub stp_mode: StpMode,
    /// `None` for a LIMIT order, which ignores it.
    pub max_slippage: Option<Slippage>,
}

/// An order to be reckoned through, not placed. With one of `type`, `price`, `timeInForce`, `postOnly`, `stpMode` and
/// `maxSlippage`, the response describes exactly that order; without them, a MARKET order without a bound.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuoteBody {
    side: Side,
    #[serde(deserialize_with = "identifier::deserialize")]
    outcome_id: Uuid,
    /// To spend (BUY) or to receive (SELL), in `currency`. Either this or `quantity`.
    #[schema(value_type = Option<super::schema::MoneyAsked>)]
    amount: Option<Money>,
    /// A number of shares instead of an amount.
    #[schema(value_type = Option<super::schema::SharesAsked>)]
    quantity: Option<Shares>,
    #[schema(default = "USD")]
    currency: Option<Currency>,
    /// LIMIT is the default with a `price`, otherwise MARKET.
    #[serde(rename = "type")]
    order_type: Option<OrderType>,
    /// Required for LIMIT: 0.01 to 0.99 in whole cents. Ignored for MARKET.
    #[schema(value_type = Option<super::schema::LimitPrice>)]
    price: Option<GivenPrice>,
    /// GTC is the default for LIMIT, FAK for MARKET. GTD is quoted without its expiry.
    time_in_force: Option<TimeInForce>,
    /// LIMIT only: reject the order instead of crossing the spread.
    #[schema(default = false)]
    post_only: Option<bool>,
    /// Order book only: SKIP, CANCEL_OLDEST, CANCEL_NEWEST or CANCEL_BOTH; an unknown value means SKIP.
    #[serde(default, deserialize_with = "deserialize_stp_mode")]
    #[schema(value_type = Option<String>, default = "SKIP")]
    stp_mode: Option<StpMode>,
    /// MARKET only: 0.00 to 1.00.
    #[schema(value_type = Option<super::schema::SlippageAsked>)]
    max_slippage: Option<Slippage>,
}

impl Quote {
    pub fn read(body: &[u8]) -> Result<Quote, BadRequest> {
        PlainReader::body(body, Quote::read_plain).map_or_else(|| read(body), Ok)
    }

    /// Reads a quote in its plain form; `None` if it has another form or is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<Quote> {
        let (mut side, mut outcome_id) = (None, None);
        let (mut amount, mut quantity, mut currency) = (None, None, None);
        let (mut order_type, mut price, mut time_in_force) = (None, None, None);
        let (mut post_only, mut stp_mode, mut max_slippage) = (None, None, None);
        reader.object(|reader, key| match key {
            "side" => put(&mut side, reader.word()),
            "outcomeId" => put(&mut outcome_id, reader.identifier()),
            "amount" => put(&mut amount, reader.optional(|reader| reader.number(Money::parse))),
            "quantity" => put(&mut quantity, reader.optional(|reader| reader.number(Shares::parse))),
            "currency" => put(&mut currency, reader.optional(PlainReader::word)),
            "type" => put(&mut order_type, reader.optional(PlainReader::word)),
            "price" => put(&mut price, reader.optional(|reader| reader.number(GivenPrice::parse))),
            "timeInForce" => put(&mut time_in_force, reader.optional(PlainReader::word)),
            "postOnly" => put(&mut post_only, reader.optional(PlainReader::boolean)),
            "stpMode" => put(&mut stp_mode, reader.optional(PlainReader::string)),
            "maxSlippage" => put(&mut max_slippage, reader.optional(|reader| reader.number(Slippage::parse))),
            _ => None,
        })?;
        let body = QuoteBody {
            side: side?,
            outcome_id: outcome_id?,
            amount: amount.flatten(),
            quantity: quantity.flatten(),
            currency: currency.flatten(),
            order_type: order_type.flatten(),
            price: price.flatten(),
            time_in_force: time_in_force.flatten(),
            post_only: post_only.flatten(),
            stp_mode: stp_mode.flatten().and_then(StpMode::find),
            max_slippage: max_slippage.flatten(),
        };
        Quote::try_from(body).ok()
    }
}

schema_of! { Quote, QuoteBody, "QuoteRequest", with one_sizing; }

impl QuoteBody {
    fn terms(&self) -> Result<Option<QuotedTerms>, String> {
        let order_type = match (self.order_type, &self.price) {
            (Some(given), _) => given,
            (None, Some(_)) => OrderType::Limit,
            (None, None)
                if self.time_in_force.is_none()
                    && self.post_only.is_none()
                    && self.stp_mode.is_none()
                    && self.max_slippage.is_none() =>
            {
                return Ok(None);
            }
            (None, None) => OrderType::Market,
        };
        Ok(Some(QuotedTerms {
            order_type,
            price: check_price(order_type, self.price)?,
            time_in_force: self.time_in_force,
            post_only: self.post_only.unwrap_or(false),
            stp_mode: self.stp_mode.unwrap_or(StpMode::Skip),
            max_slippage: check_slippage(order_type, self.max_slippage)?,
        }))
    }
}

impl TryFrom<QuoteBody> for Quote {
    type Error = String;

    fn try_from(body: QuoteBody) -> Result<Quote, String> {
        Ok(Quote {
            side: body.side,
            outcome_id: body.outcome_id,
            sizing: sizing(body.amount, body.quantity)?,
            currency: currency_or_default(body.currency),
            terms: body.terms()?,
        })
    }
}
