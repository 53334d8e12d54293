//! Users, their sessions and API keys, operators, and the sequenced limits on them.
//!
//! No secrets and no emails: those are rows of the people store. Session and reset tokens are stored as hashes, API
//! secrets are derived elsewhere from a key's id and generation.

mod access;
mod actor;
mod allowance;
mod api_key;
mod directory;
pub mod login_limit;
mod operator;
mod person;
mod session;
mod user;

pub(crate) use access::check_label;
pub use actor::Actor;
pub use allowance::Allowance;
pub use api_key::{ApiKey, KEYS_MAX};
#[cfg(test)]
pub(crate) use directory::push;
pub use directory::{Directory, DirectoryVersions};
pub use login_limit::{LoginLimit, LoginScope};
pub use operator::{
    BREAK_GLASS_LIFE, OPERATOR_SESSION_LIFE, OPERATOR_SESSIONS_MAX, Operator, OperatorSession, Role,
};
pub use session::{SESSION_LIFE, SESSIONS_MAX, Session};
pub use user::{CONNECTIONS_MAX, PasswordReset, RESET_LIFE, RESETS_MAX, User, WATCHLIST_MAX};
