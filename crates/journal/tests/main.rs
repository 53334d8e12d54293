//! The tests of journals from outside: files, a database, damage, faults. One executable: each file or folder here is a
//! module of it.

mod archive;
mod audit;
mod damage;
mod faults;
mod file_journal;
mod postgres;
mod snapshots;
