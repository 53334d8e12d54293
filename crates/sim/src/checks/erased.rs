//! Erased users: erased only by that command, permanently, and with nothing left.

use std::collections::BTreeSet;

use exchange::Exchange;
use exchange::command::{Command, EraseUser, Request};
use exchange::id::UserId;
use exchange::identity::User;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Shares};
use exchange::reject::Reject;
use exchange::reply::Reply;

use super::Before;
use super::deeds::deed;
use crate::counts::{Counts, Rare};
use crate::failure::{Failure, ensure};

pub const BY_ERASURES: &str = "users are erased by their own command alone, and for ever";
pub const NOTHING_LEFT: &str = "an erased user has no access, money, shares or open orders";

#[derive(Clone, Debug, Default)]
pub struct ErasedBook {
    erased: BTreeSet<UserId>,
}

impl ErasedBook {
    /// Call it after `exchange` has applied the request.
    pub fn follow(
        &mut self,
        before: &Before,
        exchange: &Exchange,
        request: &Request,
        result: &Result<Reply, Reject>,
        counts: &mut Counts,
    ) -> Result<(), Failure> {
        if let Some(Command::EraseUser(EraseUser { user })) = deed(before, request, result) {
            counts.note(Rare::Erased);
            self.erased.insert(*user);
        }
        for (index, user) in exchange.directory().users() {
            let is_erased = self.erased.contains(&user.id);
            ensure(!is_erased || has_nothing(exchange, index, user), NOTHING_LEFT, || {
                format!("user {} after {request:?}", user.id)
            })?;
            ensure(is_erased == user.erased, BY_ERASURES, || format!("user {} after {request:?}", user.id))?;
        }
        Ok(())
    }
}

fn has_nothing(exchange: &Exchange, index: UserIndex, user: &User) -> bool {
    let has_money = |currency| exchange.ledger().wallet(index, currency).total() != Money::ZERO;
    let shares =
        exchange.positions_of(index).flat_map(|position| [position.yes.total(), position.no.total()]);
    user.sessions.is_empty()
        && user.keys.is_empty()
        && user.password_resets.is_empty()
        && user.open_orders() == 0
        && !Currency::ALL.into_iter().any(has_money)
        && shares.sum::<Shares>() == Shares::ZERO
}
