//! What the exchange knows as JSON: a small exchange is traded on by requests, and the answers are compared as
//! they are sent.

mod account;
mod batches;
mod error_page;
mod event_links;
mod event_lists;
mod events;
mod orders;
mod random;
mod random_catalogue;
mod refusals;
mod search;
mod stage;
