//! Several nodes of the real executable on one PostgreSQL of the test's own: killed, cut off and asked all at once.
//!
//! `nodes` starts and ends them, `trader` is one of many who trade at whichever node answers, `crowd` asks all of them at once,
//! `log` reads afterwards what was really written. What a trader asks for, and how, is that of the crash test.

mod beat;
mod copying;
mod crowd;
mod drill;
mod failover;
mod limits;
mod log;
mod nodes;
mod refusals;
mod rescue;
mod revocations;
mod rolling;
mod rs_bayse;
mod trader;

#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/crash/operation.rs"]
mod operation;
#[path = "../demo/crash/plan.rs"]
mod plan;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/stage.rs"]
mod stage;
#[allow(dead_code, reason = "the other tests use the rest")]
#[path = "../demo/crash/wire.rs"]
mod wire;

pub(crate) use stage::market;
