//! The table of docs/operating/faults.md: a fault is planted against the real executable, and the test checks what the
//! operator sees: `/ready`, the metric that an alert uses, the exit code and the log.
//!
//! `exchange` starts the executable, `planting` has the means to plant faults. Rows that name a test elsewhere are not
//! repeated here.

mod clock;
mod data;
mod database;
mod disk;
mod exchange;
mod planting;
mod process;
