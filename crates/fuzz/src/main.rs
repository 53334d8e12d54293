//! The fuzzer's executable: libFuzzer calls the target named by an environment variable. `cargo xtask fuzz` builds and
//! runs it. The targets are in the library, so that `tests/corpus.rs` can replay the committed corpus without
//! libFuzzer.

#![no_main]

use std::alloc::System;
use std::sync::OnceLock;
use std::{env, fs};

use cap::Cap;
use fuzz::{INPUT_ALLOCATED_BYTES_MAX, Target};

/// Set by `xtask/src/fuzz.rs`.
const TARGET: &str = "BELLWETHER_FUZZ_TARGET";
/// A folder to which the target's seeds are written before the run.
const SEEDS: &str = "BELLWETHER_FUZZ_SEEDS";

static CHOSEN: OnceLock<&'static Target> = OnceLock::new();

/// Counts allocations: reserving gigabytes touches no memory, so the fuzzer's memory limit would not notice.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

libfuzzer_sys::fuzz_target!(init: choose(), |input: &[u8]| {
    let bound = ALLOCATOR.allocated().saturating_add(INPUT_ALLOCATED_BYTES_MAX);
    ALLOCATOR.set_limit(bound).expect("the limit is above the current allocation");
    (CHOSEN.get().expect("a target was chosen before the first input").run)(input);
});

fn choose() {
    let name = env::var(TARGET).unwrap_or_default();
    let target = fuzz::find(&name).unwrap_or_else(|| panic!("{TARGET} must name a target, not {name:?}"));
    if let Some(folder) = env::var_os(SEEDS) {
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(std::path::Path::new(&folder).join(format!("seed-{number:04}")), seed)
                .expect("a seed can be written");
        }
    }
    CHOSEN.get_or_init(|| target);
}
