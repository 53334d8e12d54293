//! `bellwether sandbox` as a child process: its clock, its faults, its virtual traders, its snapshots, and that two runs
//! of one script are equal.

mod clock;
mod determinism;
mod faults;
mod folder;
mod past;
mod stage;
mod streams;
mod venue;
