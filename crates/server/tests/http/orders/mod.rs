//! Orders, one at a time and all at once. Placing is in `placing`, `sizing` and `refusing`, the rest in `reading` and
//! `cancelling`.

mod cancelling;
mod placing;
mod reading;
mod refusing;
mod sizing;
