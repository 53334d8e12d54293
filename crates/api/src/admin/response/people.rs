//! Operators and users. Never contains a password, a token or a hash of either.

use crate::schema::ToSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::Timestamp;
use crate::admin::Sum;
use crate::decimal::{Money, Price, Shares};
use crate::json::WriteJson;
use crate::response::Pagination;
use crate::terms;

/// A person who runs the venue.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorState {
    pub operator_id: Uuid,
    pub name: String,
    pub role: terms::Role,
    pub revoked: bool,
    pub suspended: bool,
    /// When the suspension ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspended_until: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Names of operators who may hold this operator's token, because they made it alone. Proposals of any of them are not
    /// this operator's to finalise. Empty: a person of its own.
    pub one_person_with: Vec<String>,
    /// When the machine's owner made this operator, past all other approvers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_glass_at: Option<Timestamp>,
    /// Credits and debits of today, in UTC.
    pub moved_today: Vec<Sum>,
}

/// Everyone who runs or ran the venue.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Operators {
    pub operators: Vec<OperatorState>,
}

/// A new operator.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedOperator {
    pub operator_id: Uuid,
    pub name: String,
    pub role: terms::Role,
    /// Where two persons are required the operator is only proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<Uuid>,
    pub message: String,
}

/// The id of a new account.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedUser {
    pub user_id: Uuid,
}

/// A request for a new password that an operator may approve.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordResetRow {
    pub user_id: Uuid,
    pub tag: String,
    pub email: String,
    /// The code that the person reads from their page.
    pub code: String,
    pub approved: bool,
    pub requested_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Requests for new passwords, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct PasswordResets {
    pub resets: Vec<PasswordResetRow>,
}

/// A request for a new password was approved.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovedReset {
    pub user_id: Uuid,
    pub code: String,
    pub message: String,
}

/// Orders that an operator cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct CancelledOrders {
    pub cancelled: usize,
}

/// A user's money in one currency.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    pub user_id: Uuid,
    pub currency: terms::Currency,
    pub available_balance: Money,
    pub pending_balance: Money,
}

/// The wallet after a credit or a debit.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct Transferred {
    #[serde(flatten)]
    #[schema(inline)]
    pub wallet: Wallet,
    /// The reference had been used for exactly this before: nothing was moved now.
    pub replayed: bool,
}

/// Fees that were moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct MovedFees {
    /// The reference had been used for exactly this before: nothing was moved now.
    pub replayed: bool,
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserState {
    pub user_id: Uuid,
    pub tag: String,
    pub email: String,
    pub suspended: bool,
    pub frozen: bool,
    /// The person is forgotten: neither email nor password nor access, and nothing in the account.
    pub erased: bool,
    pub has_password: bool,
    pub open_orders: u32,
    pub created_at: Timestamp,
}

/// A page of accounts, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
pub struct UserList {
    pub users: Vec<UserState>,
    pub pagination: Pagination,
}

/// An account with what it holds: at most 200 positions and 200 orders.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserDetail {
    pub user: UserState,
    pub sessions: usize,
    pub wallets: Vec<Wallet>,
    pub keys: Vec<UserKey>,
    pub positions: Vec<UserPosition>,
    pub orders: Vec<UserOrder>,
}

/// An active key pair, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserKey {
    pub key_id: Uuid,
    pub name: String,
    pub created_at: Timestamp,
}

/// Shares of one market in one currency.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPosition {
    pub event_slug: String,
    pub market_id: Uuid,
    pub market: String,
    pub currency: terms::Currency,
    pub yes: Shares,
    pub no: Shares,
}

/// An open order.
#[derive(Clone, Debug, PartialEq, Eq, WriteJson, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserOrder {
    pub order_id: Uuid,
    pub event_slug: String,
    pub market_id: Uuid,
    pub market: String,
    pub side: terms::Side,
    pub outcome: terms::OutcomeSide,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    pub size: Shares,
    pub filled: Shares,
    pub currency: terms::Currency,
}
