//! Placing an order: alone, or as one item of a batch.
//!
//! The checks here depend only on the fields. The combinations of type, time in force and `postOnly`, minimums and
//! funds are rules of the exchange.

use crate::schema::ToSchema;
use serde::{Deserialize, Deserializer};
use uuid::Uuid;

use super::schema_of::schema_of;
use crate::decimal::{GivenPrice, Money, Price, Shares, Slippage};
use crate::error::BadRequest;
use crate::identifier;
use crate::json::{PlainReader, put};
use crate::read::read;
use crate::terms::{Currency, OrderType, Side, StpMode, TimeInForce};
use crate::timestamp::Timestamp;
use crate::words::Word;

/// The requested size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizing {
    Amount(Money),
    Quantity(Shares),
}

/// An order that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PlaceOrderBody")]
pub struct PlaceOrder {
    pub side: Side,
    pub outcome_id: Uuid,
    pub sizing: Sizing,
    pub order_type: OrderType,
    pub currency: Currency,
    /// Set for a LIMIT order, `None` for a MARKET order.
    pub price: Option<Price>,
    /// `None`: the default of the order type.
    pub time_in_force: Option<TimeInForce>,
    pub post_only: bool,
    pub stp_mode: StpMode,
    /// `None` for a LIMIT order, which ignores it.
    pub max_slippage: Option<Slippage>,
    pub expires_at: Option<Timestamp>,
    pub client_order_id: Option<String>,
}

/// An order to place.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlaceOrderBody {
    side: Side,
    /// One of the market's outcome ids.
    #[serde(deserialize_with = "identifier::deserialize")]
    outcome_id: Uuid,
    /// To spend (BUY) or to receive (SELL), in `currency`; at least 1.00 USD or 100.00 NGN. Either this or `quantity`.
    #[schema(value_type = Option<super::schema::MoneyAsked>)]
    amount: Option<Money>,
    /// A number of shares instead of an amount.
    #[schema(value_type = Option<super::schema::SharesAsked>)]
    quantity: Option<Shares>,
    #[serde(rename = "type")]
    order_type: OrderType,
    #[schema(default = "USD")]
    currency: Option<Currency>,
    /// Required for LIMIT: 0.01 to 0.99 in whole cents. Ignored for MARKET.
    #[schema(value_type = Option<super::schema::LimitPrice>)]
    price: Option<GivenPrice>,
    /// GTC is the default for LIMIT, FAK for MARKET.
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
    /// Required for GTD.
    #[serde(default, deserialize_with = "deserialize_date")]
    expires_at: Option<Timestamp>,
    /// A name of your own: 1 to 64 letters, digits, `_` and `-`, unique among your open orders.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,64}$", example = "mm-001")]
    client_order_id: Option<String>,
}

impl PlaceOrder {
    pub fn read(body: &[u8]) -> Result<PlaceOrder, BadRequest> {
        PlainReader::body(body, PlaceOrder::read_plain).map_or_else(|| read(body), Ok)
    }

    /// Reads an order in its plain form; `None` if it has another form or is refused.
    pub(super) fn read_plain(reader: &mut PlainReader<'_>) -> Option<PlaceOrder> {
        let (mut side, mut outcome_id, mut order_type, mut currency) = (None, None, None, None);
        let (mut amount, mut quantity, mut price, mut max_slippage) = (None, None, None, None);
        let (mut time_in_force, mut post_only, mut stp_mode) = (None, None, None);
        let (mut expires_at, mut client_order_id) = (None, None);
        reader.object(|reader, key| match key {
            "side" => put(&mut side, reader.word()),
            "outcomeId" => put(&mut outcome_id, reader.identifier()),
            "amount" => put(&mut amount, reader.optional(|reader| reader.number(Money::parse))),
            "quantity" => put(&mut quantity, reader.optional(|reader| reader.number(Shares::parse))),
            "type" => put(&mut order_type, reader.word()),
            "currency" => put(&mut currency, reader.optional(PlainReader::word)),
            "price" => put(&mut price, reader.optional(|reader| reader.number(GivenPrice::parse))),
            "timeInForce" => put(&mut time_in_force, reader.optional(PlainReader::word)),
            "postOnly" => put(&mut post_only, reader.optional(PlainReader::boolean)),
            "stpMode" => put(&mut stp_mode, reader.optional(PlainReader::string)),
            "maxSlippage" => put(&mut max_slippage, reader.optional(|reader| reader.number(Slippage::parse))),
            "expiresAt" => put(&mut expires_at, reader.optional(PlainReader::string)),
            "clientOrderId" => put(&mut client_order_id, reader.optional(PlainReader::string)),
            _ => None,
        })?;
        let expires_at = expires_at.flatten().filter(|text| !text.is_empty());
        let body = PlaceOrderBody {
            side: side?,
            outcome_id: outcome_id?,
            amount: amount.flatten(),
            quantity: quantity.flatten(),
            order_type: order_type?,
            currency: currency.flatten(),
            price: price.flatten(),
            time_in_force: time_in_force.flatten(),
            post_only: post_only.flatten(),
            stp_mode: stp_mode.flatten().and_then(StpMode::find),
            max_slippage: max_slippage.flatten(),
            expires_at: expires_at.map(Timestamp::parse).transpose().ok()?,
            client_order_id: client_order_id.flatten().map(str::to_owned),
        };
        PlaceOrder::try_from(body).ok()
    }
}

schema_of! { PlaceOrder, PlaceOrderBody, "PlaceOrder", with one_sizing; }

impl TryFrom<PlaceOrderBody> for PlaceOrder {
    type Error = String;

    fn try_from(body: PlaceOrderBody) -> Result<PlaceOrder, String> {
        let price = check_price(body.order_type, body.price)?;
        if body.time_in_force == Some(TimeInForce::Gtd) && body.expires_at.is_none() {
            return Err("expiresAt: is required for a GTD order".to_owned());
        }
        Ok(PlaceOrder {
            side: body.side,
            outcome_id: body.outcome_id,
            sizing: sizing(body.amount, body.quantity)?,
            order_type: body.order_type,
            currency: currency_or_default(body.currency),
            price,
            time_in_force: body.time_in_force,
            post_only: body.post_only.unwrap_or(false),
            stp_mode: body.stp_mode.unwrap_or(StpMode::Skip),
            max_slippage: check_slippage(body.order_type, body.max_slippage)?,
            expires_at: body.expires_at,
            client_order_id: body.client_order_id.map(check_client_order_id).transpose()?,
        })
    }
}

/// Exactly one of the two, above zero.
pub(super) fn sizing(amount: Option<Money>, quantity: Option<Shares>) -> Result<Sizing, String> {
    match (amount, quantity) {
        (Some(amount), None) if amount > Money::ZERO => Ok(Sizing::Amount(amount)),
        (None, Some(quantity)) if quantity > Shares::ZERO => Ok(Sizing::Quantity(quantity)),
        (Some(_), None) => Err("amount: must be above 0".to_owned()),
        (None, Some(_)) => Err("quantity: must be above 0".to_owned()),
        (None, None) => Err("amount: is required, or quantity instead".to_owned()),
        (Some(_), Some(_)) => Err("amount and quantity: give one of them, not both".to_owned()),
    }
}

pub(super) fn currency_or_default(currency: Option<Currency>) -> Currency {
    currency.unwrap_or(Currency::Usd)
}

/// Required for LIMIT, ignored for MARKET.
pub(super) fn check_price(order_type: OrderType, price: Option<GivenPrice>) -> Result<Option<Price>, String> {
    match (order_type, price) {
        (OrderType::Limit, Some(given)) => given.limit().map(Some).map_err(|fault| format!("price: {fault}")),
        (OrderType::Limit, None) => Err("price: is required for a LIMIT order".to_owned()),
        (OrderType::Market, _) => Ok(None),
    }
}

/// Ignored for LIMIT.
pub(super) fn check_slippage(
    order_type: OrderType,
    slippage: Option<Slippage>,
) -> Result<Option<Slippage>, String> {
    let whole = Slippage::from_units(10_i64.pow(Slippage::PLACES));
    match slippage.filter(|_| order_type == OrderType::Market) {
        Some(slippage) if slippage < Slippage::ZERO || slippage > whole => {
            Err("maxSlippage: must be between 0 and 1".to_owned())
        }
        within => Ok(within),
    }
}

/// 1 to 64 letters, digits, `_` and `-`.
pub(crate) fn check_client_order_id(id: String) -> Result<String, String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if (1..=64).contains(&id.len()) && id.bytes().all(is_allowed) {
        Ok(id)
    } else {
        Err("clientOrderId: must be 1 to 64 letters, digits, _ or -".to_owned())
    }
}

/// Spec, stpMode: unknown values fall back to SKIP. That applies to unknown texts, not to other types of values.
pub(super) fn deserialize_stp_mode<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<StpMode>, D::Error> {
    let text = Option::<std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    Ok(text.and_then(|text| StpMode::find(&text)))
}

/// A date; an empty text counts as absent, as in responses.
fn deserialize_date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    let text = text.filter(|text| !text.is_empty());
    text.map(|text| Timestamp::parse(&text)).transpose().map_err(serde::de::Error::custom)
}
