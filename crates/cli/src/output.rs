//! Writes to standard output. `println!` would panic when the reader closes the pipe, as `head` does.

use std::fmt::Arguments;
use std::io::{self, Write};
use std::process;

/// The exit code that a shell reports for a program killed by SIGPIPE.
const NOBODY_READS: i32 = 141;

/// Prints a line. Exits if the reader is gone: a command has nothing left to do then.
pub fn say_line(line: Arguments<'_>) {
    if writeln!(io::stdout().lock(), "{line}").is_err() {
        process::exit(NOBODY_READS);
    }
}

/// Prints a line and ignores errors: an exchange continues to serve without a reader.
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
