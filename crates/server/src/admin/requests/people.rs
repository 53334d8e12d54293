//! Operators, users, and money that comes and goes.

use api::decimal::Money;
use api::error::BadRequest;
use api::terms;
use serde::Deserialize;
use utoipa::ToSchema;

const PASSWORD_CHARACTERS: std::ops::RangeInclusive<usize> = 8..=128;
const RESET_HOURS_DEFAULT: u32 = 24;
const RESET_HOURS_MAX: u32 = 7 * 24;

/// One more person who runs the venue.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CreateOperator {
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
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

/// How long a token for a new password is good for.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct IssueReset {
    /// A day if left out, seven at most.
    #[schema(minimum = 1, maximum = 168)]
    hours: Option<u32>,
}

impl IssueReset {
    pub fn hours(&self) -> Result<u32, BadRequest> {
        let hours = self.hours.unwrap_or(RESET_HOURS_DEFAULT);
        if (1..=RESET_HOURS_MAX).contains(&hours) {
            Ok(hours)
        } else {
            Err(BadRequest::at("hours", "must be 1 to 168"))
        }
    }
}

/// Money that comes from outside or goes there.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Transfer {
    pub currency: terms::Currency,
    pub amount: Money,
    /// Whatever stands for this payment elsewhere. Each is taken once, so trying again is safe.
    #[schema(min_length = 1, max_length = 128)]
    pub reference: String,
}
