//! Login and password reset. Their `Debug` output never shows a password.

use std::fmt;

use crate::schema::ToSchema;
use data_encoding::HEXLOWER_PERMISSIVE;
use serde::Deserialize;

use super::schema_of::schema_of;

/// Characters of a password at login.
pub const PASSWORD_CHARACTERS_MAX: usize = 128;
const PASSWORD_CHARACTERS_MIN: usize = 8;
const EMAIL_BYTES_MAX: usize = 254;
const TOKEN_CHARACTERS_MAX: usize = 256;

/// Email and password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "LoginBody")]
pub struct Login {
    pub email: String,
    pub password: String,
}

/// Email and password.
#[derive(Deserialize, ToSchema)]
struct LoginBody {
    #[schema(format = "email", max_length = 254, example = "ada@example.org")]
    email: String,
    #[schema(format = "password", min_length = 1, max_length = 128)]
    password: String,
}

impl TryFrom<LoginBody> for Login {
    type Error = String;

    fn try_from(body: LoginBody) -> Result<Login, String> {
        check_email(&body.email)?;
        match body.password.chars().count() {
            0 => Err("password: must not be empty".to_owned()),
            count if count > PASSWORD_CHARACTERS_MAX => Err(password_too_long()),
            _ => Ok(Login { email: body.email, password: body.password }),
        }
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Login").field("email", &self.email).finish_non_exhaustive()
    }
}

/// A one-time token and the new password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PasswordResetBody")]
pub struct PasswordReset {
    pub token: String,
    pub password: String,
    pub keep_api_keys: bool,
}

/// A one-time token and the new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordResetBody {
    /// The token whose hash an operator approved.
    #[schema(min_length = 1, max_length = 256)]
    token: String,
    /// The new password.
    #[schema(format = "password", min_length = 8, max_length = 128)]
    password: String,
    /// Whether the account's API keys go on working. They are revoked otherwise.
    #[serde(default)]
    keep_api_keys: bool,
}

impl TryFrom<PasswordResetBody> for PasswordReset {
    type Error = String;

    fn try_from(body: PasswordResetBody) -> Result<PasswordReset, String> {
        if !(1..=TOKEN_CHARACTERS_MAX).contains(&body.token.chars().count()) {
            return Err(format!("token: must have 1 to {TOKEN_CHARACTERS_MAX} characters"));
        }
        match body.password.chars().count() {
            count if count > PASSWORD_CHARACTERS_MAX => Err(password_too_long()),
            count if count < PASSWORD_CHARACTERS_MIN => {
                Err(format!("password: must have at least {PASSWORD_CHARACTERS_MIN} characters"))
            }
            _ => {
                let PasswordResetBody { token, password, keep_api_keys } = body;
                Ok(PasswordReset { token, password, keep_api_keys })
            }
        }
    }
}

/// A person asks for a new password.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PasswordResetRequestBody")]
pub struct PasswordResetRequest {
    pub email: String,
    /// SHA-256 of the token.
    pub token_hash: [u8; 32],
}

/// A person asks for a new password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordResetRequestBody {
    #[schema(format = "email", max_length = 254)]
    email: String,
    /// SHA-256 of a token of at least 128 random bits that the caller made and keeps, in 64 hexadecimal digits.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-fA-F]{64}$")]
    token_hash: String,
}

impl TryFrom<PasswordResetRequestBody> for PasswordResetRequest {
    type Error = String;

    fn try_from(body: PasswordResetRequestBody) -> Result<PasswordResetRequest, String> {
        check_email(&body.email)?;
        let token_hash = read_hexadecimal(&body.token_hash)
            .ok_or_else(|| "tokenHash: must have 64 hexadecimal digits".to_owned())?;
        Ok(PasswordResetRequest { email: body.email, token_hash })
    }
}

/// Parses 64 hexadecimal digits to 32 bytes.
pub fn read_hexadecimal(text: &str) -> Option<[u8; 32]> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok()?.try_into().ok()
}

impl fmt::Debug for PasswordReset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PasswordReset").finish_non_exhaustive()
    }
}

schema_of! {
    Login, LoginBody, "Login";
    PasswordReset, PasswordResetBody, "PasswordReset";
    PasswordResetRequest, PasswordResetRequestBody, "PasswordResetRequest";
}

fn password_too_long() -> String {
    format!("password: must have at most {PASSWORD_CHARACTERS_MAX} characters")
}

/// Requires text before and after one `@`, without spaces or control characters. Does not check that the address
/// exists.
fn check_email(email: &str) -> Result<(), String> {
    let well_formed = email.len() <= EMAIL_BYTES_MAX
        && !email.chars().any(|character| character.is_whitespace() || character.is_control())
        && email
            .split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
    if well_formed { Ok(()) } else { Err("email: must be an email address".to_owned()) }
}
