//! Hash maps for looking up by key. Their order is never looked at: whoever needs an order keeps a list.
//! The seed is fixed, so a run is the same everywhere; keys are ids made by the server, not by callers.

pub(crate) type FixedState = foldhash::fast::FixedState;
