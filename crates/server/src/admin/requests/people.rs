//! Operators, users, credits and debits.

use api::decimal::Money;
use api::error::BadRequest;
use api::terms;
use exchange::id::Hash32;
use serde::Deserialize;
use utoipa::ToSchema;

const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=128;

/// One more operator, with the hash of a token that the new operator made (`bellwether operator token`).
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateOperator {
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    pub role: terms::Role,
    /// SHA-256 of the token, in 64 hexadecimal digits.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-fA-F]{64}$")]
    token_hash: String,
}

impl CreateOperator {
    pub fn token_hash(&self) -> Result<Hash32, BadRequest> {
        crate::secrets::read_hash(&self.token_hash)
            .ok_or_else(|| BadRequest::at("tokenHash", "must have 64 hexadecimal digits"))
    }
}

/// The new role of an operator.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct ChangeRole {
    pub role: terms::Role,
}

/// A new account. Shows nothing when debugged: it has a password.
#[derive(Deserialize, ToSchema)]
pub struct CreateUser {
    pub email: String,
    /// The name that others see: 3 to 30 letters, digits or underscores.
    pub tag: String,
    /// Without one the account cannot log in until its owner sets one.
    #[schema(min_length = 8, max_length = 128)]
    pub password: Option<String>,
}

impl CreateUser {
    pub fn check(&self) -> Result<(), BadRequest> {
        let fits = |password: &String| PASSWORD_CHARACTERS.contains(&password.chars().count());
        if self.password.as_ref().is_none_or(fits) {
            return Ok(());
        }
        Err(BadRequest::at("password", "must have 8 to 128 characters"))
    }
}

/// How an account is shut out.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SuspendUser {
    /// Leave open orders where they are. Otherwise they are cancelled.
    pub keep_orders: bool,
}

/// Which open orders of an account are cancelled: all, or those of an event, a market, a currency.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelOrdersOf {
    /// A slug or an id.
    pub event: Option<String>,
    pub market: Option<String>,
    pub currency: Option<terms::Currency>,
}

/// The code that the person read from their page.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ApproveReset {
    #[schema(min_length = 6, max_length = 6)]
    pub code: String,
}

/// Fees that leave the exchange's own account.
#[derive(Debug, Deserialize, ToSchema)]
pub struct MoveFees {
    pub currency: terms::Currency,
    pub amount: Money,
    pub to: terms::FeesTo,
    /// The payment's reference in another system. Each is taken once.
    #[schema(min_length = 1, max_length = 128)]
    pub reference: String,
}

/// Money that comes from outside or goes there.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Transfer {
    pub currency: terms::Currency,
    pub amount: Money,
    /// The payment's reference in another system. Each is taken once, so trying again is safe.
    #[schema(min_length = 1, max_length = 128)]
    pub reference: String,
}
