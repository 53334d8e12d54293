//! The public API over HTTP: one module for each file of `src/routes`, then one for each rule that holds for all of
//! them; `admin` is the operators' side.
//!
//! `stage` starts a node in its own folder with a manual clock, and calls its router.

mod account;
mod activities;
mod api_keys;
mod batches;
mod books;
mod documents;
mod events;
mod metrics;
mod notifications;
mod orders;
mod pnl;
mod prices;
mod push;
mod quoted_tickets;
mod quotes;
mod resolution;
mod rewards;
mod series;
mod sessions;
mod sets;
mod solvency;
mod sports;
mod statement;
mod system;
mod tickers;
mod tls;
mod traces;
mod trades;
mod users;
mod watchlist;
mod web;

mod access;
mod access_lines;
mod admin;
mod audit;
mod authentication;
mod caching;
mod cancel_only;
mod changes;
mod charging;
mod connections;
mod cross_origin;
mod envelope;
mod faults;
mod heads;
mod idempotency;
mod lanes;
mod limits;
mod logins;
mod malformed;
mod number_format;
mod retirement;
mod socket;
mod stalls;
