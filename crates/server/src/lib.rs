//! Everything impure around the rules: the writer's threads, startup and snapshots, HTTP, limits, history, operators.
//!
//! This crate makes no decisions about money: a handler authenticates, parses, submits, converts and returns. Start
//! reading at `node/mod.rs` (what runs), then `routes/mod.rs` (the endpoints), then `pipeline/mod.rs` (how a write
//! becomes durable).
//!
//! The modules are in layers that import downwards only; ARCHITECTURE.md has the table and tidy checks it.

pub mod access;
pub mod admin;
pub mod app;
pub mod applied;
pub mod asyncapi;
pub mod audit;
pub mod audit_trail;
pub mod edge;
pub mod event_lists;
pub mod failure;
pub mod feeds;
pub mod folder;
pub mod history;
pub mod http;
pub mod identifiers;
pub mod limits;
pub mod low_disk;
pub mod measured_lock;
pub mod node;
pub mod node_mark;
pub mod nodes;
pub mod notifying;
pub mod offline;
pub mod openapi;
pub mod people;
pub mod pictures;
pub mod pipeline;
pub mod randomness;
pub mod reading;
pub mod respond;
pub mod routes;
pub mod secrets;
pub mod shared_log;
mod short_turns;
pub mod signals;
pub mod skipping;
pub mod start_error;
pub mod startup;
pub mod streams;
pub mod view;
pub mod web;
pub mod writing;
