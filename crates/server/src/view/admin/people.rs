//! Operators and users. Of a person the exchange knows neither email nor password: the handler adds both.

use api::admin::Sum;
use api::admin::response::{
    OperatorState, PasswordResetRow, UserDetail, UserKey, UserOrder, UserPosition, UserState, Wallet,
};
use api::decimal::Money;
use exchange::Exchange;
use exchange::id::{RowId, UserId};
use exchange::identity::{Operator, PasswordReset, User};
use exchange::index::{ListingIndex, UserIndex};
use exchange::numbers::{Currency, Shares};
use exchange::order::Outcome;
use exchange::position::Position;

use crate::view::orders::open_orders;
use crate::view::words::ToApi;

/// At most this many positions and orders of one user are shown.
const ROWS_MAX: usize = 200;

pub fn operator_state(exchange: &Exchange, operator: &Operator) -> OperatorState {
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
        suspended_until: operator.suspended_until.map(ToApi::to_api),
        created_at: operator.created_at.to_api(),
        one_person_with: others.map(|holder| holder.name.to_string()).collect(),
        break_glass_at: operator.break_glass_at.map(ToApi::to_api),
        moved_today: Currency::ALL.map(moved).to_vec(),
    }
}

/// A user in a list, copied from the state.
#[derive(Clone, Debug)]
pub struct UserRow {
    pub id: UserId,
    pub row: Option<RowId>,
    pub state: UserState,
}

impl UserRow {
    pub fn of(user: &User) -> UserRow {
        UserRow { id: user.id, row: user.row, state: user_state(user) }
    }
}

/// An account without the person's email and password.
pub fn user_state(user: &User) -> UserState {
    UserState {
        user_id: user.id.to_api(),
        tag: user.tag.to_string(),
        email: String::new(),
        suspended: user.disabled,
        frozen: user.frozen,
        erased: user.erased,
        has_password: false,
        open_orders: user.open_orders(),
        created_at: user.created_at.to_api(),
    }
}

pub fn password_reset(user: &UserRow, email: String, reset: &PasswordReset) -> PasswordResetRow {
    PasswordResetRow {
        user_id: user.id.to_api(),
        tag: user.state.tag.clone(),
        email,
        code: reset.code.to_string(),
        approved: reset.is_approved,
        requested_at: reset.requested_at.to_api(),
        expires_at: reset.expires_at().to_api(),
    }
}

pub fn wallet(exchange: &Exchange, user: UserIndex, currency: Currency) -> Wallet {
    let wallet = exchange.ledger().wallet(user, currency);
    Wallet {
        user_id: exchange.directory().user(user).id.to_api(),
        currency: currency.to_api(),
        available_balance: wallet.free.to_api(),
        pending_balance: wallet.held.to_api(),
    }
}

/// A user with the first positions and open orders. `held` are the listings where the user has shares.
pub fn user_detail(
    exchange: &Exchange,
    index: UserIndex,
    held: impl Iterator<Item = ListingIndex>,
) -> UserDetail {
    let user = exchange.directory().user(index);
    let key = |key: &exchange::identity::ApiKey| UserKey {
        key_id: key.id.to_api(),
        name: key.name.to_string(),
        created_at: key.created_at.to_api(),
    };
    let positions = held.take(ROWS_MAX).filter_map(|listing| exchange.position(index, listing));
    let orders = open_orders(exchange, index).take(ROWS_MAX);
    UserDetail {
        user: user_state(user),
        sessions: user.sessions.len(),
        wallets: Vec::from(Currency::ALL.map(|currency| wallet(exchange, index, currency))),
        keys: user.keys.iter().map(key).collect(),
        positions: positions.map(|position| held_position(exchange, position)).collect(),
        orders: orders.map(|order| open_order(exchange, order)).collect(),
    }
}

/// Whether a position has shares, held ones included.
pub fn is_held(position: &Position) -> bool {
    Outcome::BOTH.into_iter().any(|outcome| position.holding(outcome).total() > Shares::ZERO)
}

fn held_position(exchange: &Exchange, position: &Position) -> UserPosition {
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
    let market = exchange.catalogue().market(listing.market());
    UserOrder {
        order_id: order.terms.id.to_api(),
        event_slug: exchange.catalogue().event(market.event).slug.to_string(),
        market_id: market.id.to_api(),
        market: market.details.title.to_string(),
        side: order.terms.side.to_api(),
        outcome: order.terms.outcome.to_api(),
        price: order.terms.price.map(ToApi::to_api),
        size: order.terms.size.to_api(),
        filled: order.terms.progress.filled.to_api(),
        currency: listing.currency().to_api(),
    }
}
