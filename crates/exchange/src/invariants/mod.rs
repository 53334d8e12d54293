//! Invariants. `check_all` recomputes everything from scratch and returns the first broken rule.
//!
//! One file per group of rules. A check only reads the state and uses no total that it can recompute. The simulator
//! checks rules that need the states before and after, `recount.rs` those that need the whole history of changes.

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

/// A broken rule, with a description.
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

/// Checks every invariant that a single state can show. The lists come early, because later checks walk them.
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

/// `Ok` if the rule holds; the detail is formatted only if it does not.
#[inline]
fn ensure(holds: bool, rule: &'static str, detail: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken { rule, detail: detail() }) }
}
