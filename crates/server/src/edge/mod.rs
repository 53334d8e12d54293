//! The edge: everything that happens to a request before and after its function, from one table of endpoints.
//!
//! `operation` is a row, `table` the macro of a table, `matching` finds a row, `call` is what a function gets, `answer` what
//! it returns. `serve` has the steps of a request in order; `behind_hyper` and `in_lane` are its two transports. `meter` has
//! the notes of a request and charges it (`fare`: to which bucket first), `opened` writes what every response has.
//! `idempotency` scopes the keys of repetitions. `number_format`, `freshness`, `cross_origin`, `wait_for_sequence` and
//! `deprecation` implement one header each.

pub(crate) mod answer;
pub(crate) mod behind_hyper;
pub mod body;
pub(crate) mod call;
pub(crate) mod cross_origin;
pub(crate) mod deprecation;
pub mod fare;
pub mod fields;
pub(crate) mod freshness;
pub mod idempotency;
pub(crate) mod in_lane;
pub(crate) mod matching;
pub mod meter;
pub(crate) mod number_format;
pub(crate) mod opened;
pub mod operation;
pub(crate) mod serve;
pub(crate) mod table;
pub(crate) mod wait_for_sequence;

pub use call::Authorised;
pub(crate) use call::Call;
pub use deprecation::Deprecated;
pub use meter::Tariff;
pub use operation::{Access, Method, Operation};
pub use serve::Edge;
pub(crate) use table::{Next, endpoints};
