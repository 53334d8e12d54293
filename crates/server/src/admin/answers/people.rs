//! Operators and users. Never contains a password, a token or a hash of either.

use api::Timestamp;
use api::decimal::{Money, Price, Shares};
use api::response::Pagination;
use api::terms;
use exchange::Exchange;
use exchange::identity::{Operator, PasswordReset, User};
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::Currency;
use exchange::order::Outcome;
use exchange::position::Position;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Sum;
use crate::people::Person;
use crate::view::orders::open_orders;
use crate::view::words::ToApi;

/// At most this many positions and orders of one user are shown.
const ROWS_MAX: usize = 200;

/// A person who runs the venue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorState {
    pub operator_id: Uuid,
    pub name: String,
    pub role: terms::Role,
    pub revoked: bool,
    pub suspended: bool,
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

impl OperatorState {
    pub fn of(exchange: &Exchange, operator: &Operator) -> OperatorState {
        let moved = |currency: Currency| {
            let is_today = operator.moved_on == exchange.now().day();
            let amount = if is_today { operator.moved.get(currency).to_api() } else { Money::ZERO };
            Sum { currency: currency.to_api(), amount }
        };
        let holders = operator.holders.iter().filter(|holder| **holder != operator.id);
        let others = holders.filter_map(|holder| exchange.directory().operator(*holder));
        OperatorState {
            operator_id: operator.id.to_api(),
            name: operator.name.to_string(),
            role: operator.role.to_api(),
            revoked: operator.revoked,
            suspended: operator.suspended,
            created_at: operator.created_at.to_api(),
            one_person_with: others.map(|holder| holder.name.to_string()).collect(),
            break_glass_at: operator.break_glass_at.map(ToApi::to_api),
            moved_today: Currency::ALL.map(moved).to_vec(),
        }
    }
}

/// Everyone who runs or ran the venue.
#[derive(Debug, Serialize, ToSchema)]
pub struct Operators {
    pub operators: Vec<OperatorState>,
}

/// A new operator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedOperator {
    pub operator_id: Uuid,
    pub name: String,
    pub role: terms::Role,
    /// Where two persons are required the operator is only proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal_id: Option<Uuid>,
    pub message: &'static str,
}

/// The id of a new account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedUser {
    pub user_id: Uuid,
}

/// A request for a new password that an operator may approve.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordResetRow {
    user_id: Uuid,
    tag: String,
    email: String,
    /// The code that the person reads from their page.
    code: String,
    approved: bool,
    requested_at: Timestamp,
    expires_at: Timestamp,
}

impl PasswordResetRow {
    pub fn of(user: &User, email: String, reset: &PasswordReset) -> PasswordResetRow {
        PasswordResetRow {
            user_id: user.id.to_api(),
            tag: user.tag.to_string(),
            email,
            code: reset.code.to_string(),
            approved: reset.is_approved,
            requested_at: reset.requested_at.to_api(),
            expires_at: reset.expires_at().to_api(),
        }
    }

    pub fn requested_at(&self) -> Timestamp {
        self.requested_at
    }
}

/// Requests for new passwords, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasswordResets {
    pub resets: Vec<PasswordResetRow>,
}

/// A request for a new password was approved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovedReset {
    pub user_id: Uuid,
    pub code: String,
    pub message: &'static str,
}

/// Orders that an operator cancelled.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct CancelledOrders {
    pub cancelled: usize,
}

/// A user's money in one currency.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    user_id: Uuid,
    currency: terms::Currency,
    available_balance: Money,
    pending_balance: Money,
}

impl Wallet {
    pub fn of(exchange: &Exchange, user: UserIndex, currency: Currency) -> Wallet {
        let wallet = exchange.ledger().wallet(user, currency);
        Wallet {
            user_id: exchange.directory().user(user).id.to_api(),
            currency: currency.to_api(),
            available_balance: wallet.free.to_api(),
            pending_balance: wallet.held.to_api(),
        }
    }
}

/// An account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserState {
    user_id: Uuid,
    tag: String,
    email: String,
    suspended: bool,
    frozen: bool,
    /// The person is forgotten: neither email nor password nor access, and nothing in the account.
    erased: bool,
    has_password: bool,
    open_orders: u32,
    created_at: Timestamp,
}

impl UserState {
    pub fn of(user: &User, known: Option<&Person>) -> UserState {
        UserState {
            user_id: user.id.to_api(),
            tag: user.tag.to_string(),
            email: known.map(|known| known.email.to_string()).unwrap_or_default(),
            suspended: user.disabled,
            frozen: user.frozen,
            erased: user.erased,
            has_password: known.is_some_and(|known| known.password_hash.is_some()),
            open_orders: user.open_orders(),
            created_at: user.created_at.to_api(),
        }
    }
}

/// A page of accounts, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserList {
    pub users: Vec<UserState>,
    pub pagination: Pagination,
}

/// An account with what it holds: at most 200 positions and 200 orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserDetail {
    user: UserState,
    sessions: usize,
    wallets: Vec<Wallet>,
    keys: Vec<UserKey>,
    positions: Vec<UserPosition>,
    orders: Vec<UserOrder>,
}

/// An active key pair, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserKey {
    key_id: Uuid,
    name: String,
    created_at: Timestamp,
}

/// Shares of one market in one currency.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserPosition {
    event_slug: String,
    market_id: Uuid,
    market: String,
    currency: terms::Currency,
    yes: Shares,
    no: Shares,
}

/// An open order.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UserOrder {
    order_id: Uuid,
    market_id: Uuid,
    side: terms::Side,
    outcome: terms::OutcomeSide,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<Price>,
    size: Shares,
    filled: Shares,
    currency: terms::Currency,
}

impl UserDetail {
    pub fn of(exchange: &Exchange, index: UserIndex, known: Option<&Person>) -> UserDetail {
        let user = exchange.directory().user(index);
        let key = |key: &exchange::identity::ApiKey| UserKey {
            key_id: key.id.to_api(),
            name: key.name.to_string(),
            created_at: key.created_at.to_api(),
        };
        let positions = exchange.positions_of(index).map(|position| held(exchange, position));
        let orders = open_orders(exchange, index).map(|order| open_order(exchange, order));
        UserDetail {
            user: UserState::of(user, known),
            sessions: user.sessions.len(),
            wallets: Vec::from(Currency::ALL.map(|currency| Wallet::of(exchange, index, currency))),
            keys: user.keys.iter().map(key).collect(),
            positions: positions.filter(UserPosition::is_held).take(ROWS_MAX).collect(),
            orders: orders.take(ROWS_MAX).collect(),
        }
    }
}

impl UserPosition {
    fn is_held(&self) -> bool {
        self.yes > Shares::ZERO || self.no > Shares::ZERO
    }
}

fn held(exchange: &Exchange, position: &Position) -> UserPosition {
    let market = exchange.catalogue().market(position.listing.market());
    UserPosition {
        event_slug: exchange.catalogue().event(market.event).slug.to_string(),
        market_id: market.id.to_api(),
        market: market.details.title.to_string(),
        currency: position.listing.currency().to_api(),
        yes: position.holding(Outcome::Yes).total().to_api(),
        no: position.holding(Outcome::No).total().to_api(),
    }
}

fn open_order(exchange: &Exchange, order: &exchange::order::Order) -> UserOrder {
    let listing: ListingIndex = order.listing;
    UserOrder {
        order_id: order.terms.id.to_api(),
        market_id: exchange.catalogue().market(listing.market()).id.to_api(),
        side: order.terms.side.to_api(),
        outcome: order.terms.outcome.to_api(),
        price: order.terms.price.map(ToApi::to_api),
        size: order.terms.size.to_api(),
        filled: order.terms.filled.to_api(),
        currency: listing.currency().to_api(),
    }
}
