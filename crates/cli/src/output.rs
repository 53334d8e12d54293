//! What a command says on its standard output. `println!` would panic when whoever reads has seen enough, as `head` has.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::process;

/// What a shell gives for a program that wrote where nobody reads.
const NOBODY_READS: i32 = 141;

/// Says a line. A command has nothing left to do when nobody reads it, so it ends.
pub fn say_line(line: Arguments<'_>) {
    if writeln!(io::stdout().lock(), "{line}").is_err() {
        process::exit(NOBODY_READS);
    }
}

/// Says a line to whoever reads. An exchange serves all the same when nobody does.
pub fn mention_line(line: Arguments<'_>) {
    let _ = writeln!(io::stdout().lock(), "{line}");
}

macro_rules! say {
    ($($line:tt)*) => { $crate::output::say_line(format_args!($($line)*)) };
}

macro_rules! mention {
    ($($line:tt)*) => { $crate::output::mention_line(format_args!($($line)*)) };
}

pub(crate) use {mention, say};
