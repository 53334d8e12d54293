//! People are found by each of their ids, and have no more keys, sessions and login attempts than allowed.

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::identity::{
    CONNECTIONS_MAX, KEYS_MAX, OPERATOR_SESSIONS_MAX, Operator, OperatorSession, PasswordReset, SESSIONS_MAX,
    Session, User,
};
use crate::index::UserIndex;
use crate::time::Time;
use crate::timers::TimerKind;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    let mut remembered = 0;
    for (index, user) in exchange.directory.users() {
        remembered += user.open_orders.idempotency_keys as usize;
        ensure(is_findable(exchange, index, user), rule::PEOPLE_ARE_FINDABLE, || {
            format!("user {}", user.id)
        })?;
        ensure(!user.erased || is_gone(exchange, index, user), rule::ERASED_IS_EMPTY, || {
            format!("user {}", user.id)
        })?;
        let is_timed = |due| exchange.timers.contains(due, TimerKind::Switch, user.id.as_u128());
        ensure(user.cancel_at.is_none_or(is_timed), rule::LISTS_AGREE, || {
            format!("user {} has a switch and no timer for it", user.id)
        })?;
    }
    for operator in exchange.directory.operators() {
        ensure(has_allowed_sessions(exchange, operator), rule::PEOPLE_ARE_FINDABLE, || {
            format!("operator {} has {:?}", operator.id, operator.sessions)
        })?;
    }
    for attempts in exchange.directory.login_limit.counts() {
        ensure(attempts.is_sound(), rule::LISTS_AGREE, || format!("login attempts {attempts:?}"))?;
    }
    let (next, earliest) = (exchange.directory.next_ageing(), earliest_end(exchange));
    ensure(next == earliest, rule::LISTS_AGREE, || {
        format!("the next session or token expires at {earliest:?}, not at {next:?}")
    })?;
    ensure(exchange.memory.has_sound_counts(), rule::LISTS_AGREE, || {
        format!("counts of the operators' keys: {:?}", exchange.memory)
    })?;
    ensure(remembered == exchange.memory.len(), rule::PEOPLE_ARE_FINDABLE, || {
        format!("users count {remembered} idempotency keys, {} are remembered", exchange.memory.len())
    })
}

/// The earliest expiry of a session or reset token of anybody.
fn earliest_end(exchange: &Exchange) -> Option<Time> {
    let of_users = exchange.directory.users().flat_map(|(_, user)| {
        let sessions = user.sessions.iter().map(Session::expires_at);
        sessions.chain(user.password_resets.iter().map(PasswordReset::expires_at))
    });
    let operators = exchange.directory.operators();
    let of_operators =
        operators.flat_map(|operator| operator.sessions.iter().map(OperatorSession::expires_at));
    of_users.chain(of_operators).min()
}

fn has_allowed_sessions(exchange: &Exchange, operator: &Operator) -> bool {
    let is_own = |session: &OperatorSession| {
        let found = exchange.directory.find_operator_session(session.token_hash);
        found.is_some_and(|(owner, found)| owner.id == operator.id && found == session)
    };
    operator.sessions.len() <= OPERATOR_SESSIONS_MAX
        && (operator.sessions.is_empty() || !operator.revoked)
        && operator.sessions.is_sorted_by_key(|session| session.created_at)
        && operator.sessions.iter().all(is_own)
}

fn is_gone(exchange: &Exchange, index: UserIndex, user: &User) -> bool {
    user.address.is_none()
        && user.row.is_none()
        && user.sessions.is_empty()
        && user.keys.is_empty()
        && user.password_resets.is_empty()
        && user.connections.is_empty()
        && user.watchlist.is_empty()
        && user.cancel_at.is_none()
        && exchange.is_empty(index)
}

fn is_findable(exchange: &Exchange, index: UserIndex, user: &User) -> bool {
    let directory = &exchange.directory;
    directory.find(user.id) == Some(index)
        && user.address.is_none_or(|address| directory.find_by_address(address) == Some(index))
        && (user.address.is_some() == user.row.is_some())
        && user.connections.len() <= CONNECTIONS_MAX
        && user.keys.len() <= KEYS_MAX
        && user.keys.iter().all(|key| directory.find_by_key(key.id) == Some(index))
        && user.sessions.len() <= SESSIONS_MAX
        && user.sessions.iter().all(|session| directory.find_by_session(session.id) == Some(index))
}
