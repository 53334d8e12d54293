//! What the exchange knows as JSON: a small exchange is traded on by requests, and the answers are compared as
//! they are sent.

mod account;
mod batches;
mod error_page;
mod event_links;
mod events;
mod orders;
mod refusals;
mod stage;
