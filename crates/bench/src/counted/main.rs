//! `bench-counted`: parts of `bench http` and `bench scale` with an allocator that counts. Those run it; it prints no
//! times, because counting slows all threads.

use std::process::ExitCode;

use load::allocations::{COUNTING, Counting};

#[global_allocator]
static ALLOCATOR: &Counting = COUNTING;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((program, rest)) if program == "http" => load::http::main(rest, true),
        Some((program, rest)) if program == "scale" => load::scale::main(rest),
        _ => {
            eprintln!("Usage: bench-counted http [OPTIONS] | scale state FOLDER");
            ExitCode::from(2)
        }
    }
}
