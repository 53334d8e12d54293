//! The tests of the types of the API from outside: requests, responses, decimals, signatures. One executable: each file or folder
//! here is a module of it.

mod admin;
mod decimals;
mod malformed;
mod proofs;
mod queries;
mod requests;
mod responses;
mod signing;
mod writers;
