//! The tests of the rules from outside: scenarios, worked examples, the book, memory. One executable: each file or folder here is a module of it.

mod arithmetic;
mod book;
mod rules;
