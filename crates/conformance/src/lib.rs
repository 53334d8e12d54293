//! Checks of any server of this API against its specification: over HTTP and WebSocket, from the outside only.
//!
//! `endpoints` is the table of the specification's endpoints, `checks` has a file per area, `extensions` the additions
//! of this exchange. `run` carries them out, `clean_up` undoes the rest, and a [`Report`] comes back. Answers are judged
//! as raw JSON (`json`, `shape`): the server may be another program.

mod check;
mod checks;
mod clean_up;
mod decimal;
mod endpoints;
mod extensions;
mod json;
mod ledger;
mod probe;
mod report;
mod run;
mod shape;
mod shapes;
mod socket;
mod target;
mod wire;
mod world;

pub use check::{Check, Difference, Needs, Source, Verdict};
pub use checks::all as all_checks;
pub use decimal::Decimal;
pub use endpoints::{ENDPOINTS, Endpoint};
pub use report::{EndpointRow, ExtensionRow, Report, Row, Status};
pub use run::{RunError, plan, run, unmatched};
pub use target::{Key, Login, Target, is_wanted};
