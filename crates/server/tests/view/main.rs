//! The state of the exchange as JSON: requests trade on a small exchange, and the responses are compared as sent.

mod account;
mod batches;
mod error_page;
mod event_links;
mod event_lists;
mod events;
mod orders;
mod random_catalogue;
mod refusals;
mod search;
mod shown;
mod stage;
