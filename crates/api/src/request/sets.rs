//! Minting and burning complete sets. `quantity` is money in both: the amount spent, or the amount to receive.

use crate::schema::ToSchema;
use serde::Deserialize;

use super::place_order::currency_or_default;
use super::schema_of::schema_of;
use crate::decimal::Money;
use crate::terms::Currency;

/// Sets to mint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SetsBody")]
pub struct MintSets {
    pub amount: Money,
    pub currency: Currency,
}

/// Sets to burn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SetsBody")]
pub struct BurnSets {
    pub amount: Money,
    pub currency: Currency,
}

/// Complete sets, by what they cost or bring.
#[derive(Debug, Deserialize, ToSchema)]
struct SetsBody {
    /// A wallet amount in `currency`, above 0: to spend (mint) or to receive (burn).
    #[schema(value_type = super::schema::MoneyAsked)]
    quantity: Money,
    #[schema(default = "USD")]
    currency: Option<Currency>,
}

impl SetsBody {
    fn check(self) -> Result<(Money, Currency), String> {
        if self.quantity <= Money::ZERO {
            return Err("quantity: must be above 0".to_owned());
        }
        Ok((self.quantity, currency_or_default(self.currency)))
    }
}

impl TryFrom<SetsBody> for MintSets {
    type Error = String;

    fn try_from(body: SetsBody) -> Result<MintSets, String> {
        body.check().map(|(amount, currency)| MintSets { amount, currency })
    }
}

impl TryFrom<SetsBody> for BurnSets {
    type Error = String;

    fn try_from(body: SetsBody) -> Result<BurnSets, String> {
        body.check().map(|(amount, currency)| BurnSets { amount, currency })
    }
}

schema_of! {
    MintSets, SetsBody, "MintSets";
    BurnSets, SetsBody, "BurnSets";
}
