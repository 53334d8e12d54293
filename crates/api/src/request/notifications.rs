//! Read marks, price alerts and push subscriptions.

use crate::schema::ToSchema;
use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use uuid::Uuid;

use super::place_order::currency_or_default;
use super::schema_of::schema_of;
use super::whole::whole;
use crate::decimal::{GivenPrice, Price};
use crate::terms::{Currency, OutcomeSide};

/// Longer than the address of any push service.
const ENDPOINT_CHARACTERS_MAX: usize = 1_024;

/// Marks notifications as read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct ReadNotifications {
    /// Up to this sequence, included.
    #[serde(deserialize_with = "whole")]
    pub sequence: u64,
}

/// A price to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PriceAlertBody")]
pub struct CreatePriceAlert {
    pub market_id: Uuid,
    pub outcome: OutcomeSide,
    pub price: Price,
    pub currency: Currency,
}

/// The price of an outcome to wait for, once.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceAlertBody {
    market_id: Uuid,
    outcome: OutcomeSide,
    #[schema(value_type = super::schema::LimitPrice)]
    price: GivenPrice,
    #[schema(default = "USD")]
    currency: Option<Currency>,
}

impl TryFrom<PriceAlertBody> for CreatePriceAlert {
    type Error = String;

    fn try_from(body: PriceAlertBody) -> Result<CreatePriceAlert, String> {
        let price = body.price.limit().map_err(|fault| format!("price: {fault}"))?;
        let (market_id, outcome) = (body.market_id, body.outcome);
        Ok(CreatePriceAlert { market_id, outcome, price, currency: currency_or_default(body.currency) })
    }
}

/// A browser's push subscription.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SubscriptionBody")]
pub struct SubscribePush {
    pub endpoint: String,
    /// An uncompressed point of P-256.
    pub public_key: Vec<u8>,
    pub secret: Vec<u8>,
}

impl std::fmt::Debug for SubscribePush {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SubscribePush(…)")
    }
}

/// A push subscription, as `PushSubscription.toJSON()` of a browser gives it.
#[derive(Deserialize, ToSchema)]
struct SubscriptionBody {
    /// An address of https at a public host.
    #[schema(max_length = 1024)]
    endpoint: String,
    keys: SubscriptionKeys,
}

/// The keys of a push subscription, in base64url.
#[derive(Deserialize, ToSchema)]
pub struct SubscriptionKeys {
    /// An uncompressed point of P-256.
    #[schema(pattern = "^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]=?$")]
    p256dh: String,
    /// 16 bytes.
    #[schema(pattern = "^[A-Za-z0-9_-]{21}[AQgw](==)?$")]
    auth: String,
}

impl std::fmt::Debug for SubscriptionKeys {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SubscriptionKeys(…)")
    }
}

impl TryFrom<SubscriptionBody> for SubscribePush {
    type Error = String;

    fn try_from(body: SubscriptionBody) -> Result<SubscribePush, String> {
        if body.endpoint.chars().count() > ENDPOINT_CHARACTERS_MAX {
            return Err(format!("endpoint: must have at most {ENDPOINT_CHARACTERS_MAX} characters"));
        }
        let decode = |text: &str| BASE64URL_NOPAD.decode(text.trim_end_matches('=').as_bytes()).ok();
        let is_point = |bytes: &Vec<u8>| bytes.len() == 65 && bytes[0] == 4;
        let public_key = decode(&body.keys.p256dh).filter(is_point);
        let public_key =
            public_key.ok_or("keys.p256dh: must be an uncompressed point of P-256 in base64url")?;
        let secret = decode(&body.keys.auth).filter(|secret| secret.len() == 16);
        let secret = secret.ok_or("keys.auth: must be 16 bytes in base64url")?;
        Ok(SubscribePush { endpoint: body.endpoint, public_key, secret })
    }
}

schema_of! {
    CreatePriceAlert, PriceAlertBody, "CreatePriceAlert";
    SubscribePush, SubscriptionBody, "SubscribePush";
}
