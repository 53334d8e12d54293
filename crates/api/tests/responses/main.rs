//! Every response as clients see it. `samples` makes one of each; the others look at them: as golden texts, through the
//! types of a public client, and as schemas.

mod errors;
mod fault;
mod golden;
mod rust_client;
mod samples;
mod schema;
