//! A malicious operator against an exchange where two persons are required.
//!
//! `stage` is that exchange with its people, `moves` the rogue's commands, `crowd` everybody else, `play` puts them together
//! for one seed and `soak` for many. `judge` follows every command and names a broken rule, `probe` tries on copies whether
//! honest operators can still decide. Nothing here asks the rules on consent.

mod crowd;
pub mod facts;
pub mod judge;
mod moves;
pub mod play;
pub mod probe;
pub mod samples;
pub mod soak;
pub mod stage;
pub mod tally;
