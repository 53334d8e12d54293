//! People are found under every id they have, and have no more keys and sessions than allowed.

use super::{Broken, ensure, rule};
use crate::exchange::Exchange;
use crate::identity::{CONNECTIONS_MAX, KEYS_MAX, SESSIONS_MAX, User};
use crate::index::UserIndex;
use crate::timers::TimerKind;

pub(super) fn check(exchange: &Exchange) -> Result<(), Broken> {
    let mut remembered = 0;
    for (index, user) in exchange.directory.users() {
        remembered += user.idempotency_keys as usize;
        ensure(is_findable(exchange, index, user), rule::PEOPLE_ARE_FINDABLE, || {
            format!("user {}", user.id)
        })?;
        let is_timed = |due| exchange.timers.contains(due, TimerKind::Switch, user.id.as_u128());
        ensure(user.cancel_at.is_none_or(is_timed), rule::LISTS_AGREE, || {
            format!("user {} has a switch and no timer for it", user.id)
        })?;
    }
    ensure(remembered == exchange.memory.len(), rule::PEOPLE_ARE_FINDABLE, || {
        format!("users count {remembered} idempotency keys, {} are remembered", exchange.memory.len())
    })
}

fn is_findable(exchange: &Exchange, index: UserIndex, user: &User) -> bool {
    let directory = &exchange.directory;
    directory.find(user.id) == Some(index)
        && user.connections.len() <= CONNECTIONS_MAX
        && user.keys.len() <= KEYS_MAX
        && user.keys.iter().all(|key| directory.find_by_key(key.id) == Some(index))
        && user.sessions.len() <= SESSIONS_MAX
        && user.sessions.iter().all(|session| directory.find_by_session(session.id) == Some(index))
}
