//! Everything impure around the rules: the writer's threads, startup and snapshots, HTTP, limits, history, operators.
//!
//! This crate makes no decisions about money: a handler authenticates, parses, submits, converts and returns. Start
//! reading at `node.rs` (what runs), then `routes/mod.rs` (the endpoints), then `sequencer/mod.rs` (how a write becomes
//! durable).

pub mod admin;
pub mod app;
pub mod asyncapi;
pub mod audit;
pub mod audit_trail;
pub mod clock;
pub mod deciding;
pub mod event_lists;
pub mod feeds;
pub mod folder;
pub mod follower;
pub mod history;
pub mod http;
pub mod identifiers;
mod keeping;
pub mod known;
pub mod limits;
pub mod low_disk;
pub mod node;
pub mod nodes;
pub mod offline;
pub mod openapi;
pub mod passwords;
pub mod people;
pub mod proofs;
mod reads;
pub mod respond;
pub mod routes;
pub mod secrets;
pub mod sequencer;
pub mod shared_log;
pub mod skipping;
pub mod skips;
pub mod startup;
pub mod state;
pub mod streams;
pub mod timekeeping;
pub mod view;
pub mod web;
