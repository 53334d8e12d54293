//! Hash maps for lookup by key. Their iteration order is never used: code that needs an order keeps a list. The seed is
//! fixed, so every run is the same; keys are ids created by the server, not by clients.

pub(crate) type FixedState = foldhash::fast::FixedState;
