//! Several nodes of the real executable on one PostgreSQL of the test's own: killed, cut off and asked all at once.
//!
//! `nodes` starts and ends them, `trader` is one of many who trade at whichever node answers, `log` reads afterwards what was
//! really written. What a trader asks for, and how, is that of the crash test.

mod copying;
mod drill;
mod log;
mod nodes;
mod refusals;
mod trader;

#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/crash/operation.rs"]
mod operation;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/stage.rs"]
mod stage;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/crash/wire.rs"]
mod wire;

pub(crate) use stage::market;
