//! Random days, planted bugs, history beside a model. One executable: each file or folder here is a module of it.

mod adversary;
mod cancelling;
mod event_index;
mod history;
mod largest_amounts;
mod planted;
mod planted_accounts;
mod planted_governance;
mod planted_retirement;
mod planted_rogue;
mod random_days;
mod recorded;
mod regressions;
mod rogue;
mod series;
mod touched;
