//! Operators, users, credits, debits and fees. `Debug` output never shows a password.

use std::fmt;

use crate::schema::ToSchema;
use serde::Deserialize;

use crate::Timestamp;
use crate::decimal::Money;
use crate::error::BadRequest;
use crate::json::WriteJson;
use crate::terms;

const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=128;

/// One more operator, with the hash of a token that the new operator made (`bellwether operator token`).
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateOperator {
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    pub role: terms::Role,
    /// SHA-256 of the token, in 64 hexadecimal digits.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-fA-F]{64}$")]
    pub token_hash: String,
}

/// The new role of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct ChangeRole {
    pub role: terms::Role,
}

/// A new account. Shows nothing when debugged: it has a password.
#[derive(Clone, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct CreateUser {
    pub email: String,
    /// The name that others see: 3 to 30 letters, digits or underscores.
    pub tag: String,
    /// Without one the account cannot log in until its owner sets one.
    #[serde(skip_serializing_if = "Option::is_none")]
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

impl fmt::Debug for CreateUser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CreateUser").finish_non_exhaustive()
    }
}

/// How an operator is shut out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SuspendOperator {
    /// When the suspension ends by itself, within 30 days. Where two persons are required it must have an end if it leaves
    /// fewer than two approvers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// How an account is shut out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SuspendUser {
    /// Leave open orders where they are. Otherwise they are cancelled.
    pub keep_orders: bool,
}

/// Which open orders of an account are cancelled: all, or those of an event, a market, a currency.
#[derive(Clone, Debug, Default, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelOrdersOf {
    /// A slug or an id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<terms::Currency>,
}

/// The code that the person read from their page.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct ApproveReset {
    #[schema(min_length = 6, max_length = 6)]
    pub code: String,
}

/// Fees that leave the exchange's own account.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct MoveFees {
    pub currency: terms::Currency,
    pub amount: Money,
    pub to: terms::FeesTo,
    /// The payment's reference in another system. Each is taken once.
    #[schema(min_length = 1, max_length = 128)]
    pub reference: String,
}

/// Money that comes from outside or goes there.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Transfer {
    pub currency: terms::Currency,
    pub amount: Money,
    /// The payment's reference in another system. Each is taken once, so trying again is safe.
    #[schema(min_length = 1, max_length = 128)]
    pub reference: String,
}
