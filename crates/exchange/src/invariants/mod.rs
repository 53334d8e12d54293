//! What must never be. `check_all` recounts everything from scratch and names the first rule that is broken.
//!
//! One file per group of rules. A check reads the state and nothing else, allocates nothing, and trusts no
//! total that it can recount. What needs a before and an after is checked by the simulator, what needs
//! all that ever happened by `recount.rs`.

mod accounts;
mod books;
mod events;
mod holds;
mod lists;
mod orders;
mod people;
#[cfg(test)]
mod planted;
mod pools;
mod recount;
pub mod rule;
mod sets;
#[cfg(test)]
pub(crate) mod stage;

pub use recount::{LEDGER_IS_WHAT_WAS_REPORTED, Recount};

use core::fmt;

use crate::exchange::Exchange;

/// A broken rule, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The invariant's number and name.
    pub rule: &'static str,
    pub detail: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.detail)
    }
}

/// Checks every invariant that a state by itself can show. The lists come early: the later checks walk them.
pub fn check_all(exchange: &Exchange) -> Result<(), Broken> {
    accounts::check(exchange)?;
    people::check(exchange)?;
    lists::check(exchange)?;
    orders::check(exchange)?;
    holds::check(exchange)?;
    books::check(exchange)?;
    pools::check(exchange)?;
    sets::check(exchange)?;
    events::check(exchange)
}

/// `Ok` if the rule holds; the detail is put together only if it does not.
#[inline]
fn ensure(holds: bool, rule: &'static str, detail: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken { rule, detail: detail() }) }
}
