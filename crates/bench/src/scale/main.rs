//! `bench-scale`: the program of `mod.rs` with the allocator of the shipped executable.

use std::process::ExitCode;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    load::scale::main(&arguments)
}
