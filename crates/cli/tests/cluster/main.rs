//! Several nodes of the real executable on one PostgreSQL of the test's own: killed, cut off and under load at the
//! same time.
//!
//! `nodes` starts and ends them, `trader` trades at any node that is up, `crowd` sends requests to all nodes at once,
//! `log` reads the log afterwards. The traders' operations are those of the crash test. `patroni` loses primaries of a
//! database under Patroni, `linearizability` checks what concurrent clients have seen.

mod beat;
mod copying;
mod crowd;
mod drill;
mod failover;
mod limits;
mod linearizability;
mod log;
mod nodes;
mod patroni;
mod refusals;
mod rescue;
mod revocations;
mod rolling;
mod rs_bayse;
mod trader;
