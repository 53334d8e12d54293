//! The tests of the rules from outside: scenarios, worked examples, the book. One executable: each file or folder here is a
//! module of it, except `memory`, which counts allocations and has a process of its own.

mod arithmetic;
mod book;
mod rules;
