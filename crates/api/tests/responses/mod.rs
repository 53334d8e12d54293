//! Every response as clients see it. `samples` makes one of each; the other modules check them as golden texts,
//! through the types of a public client, and against the schemas.

mod errors;
mod golden;
mod rust_client;
mod samples;
mod schema;
