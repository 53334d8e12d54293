//! Replays the committed corpus: every input that a campaign kept, through its target, without a fuzzer. Other tests
//! beside it check that each target detects a planted defect.

use std::alloc::System;
use std::fs;

use cap::Cap;
use fuzz::{INPUT_ALLOCATED_BYTES_MAX, TARGETS, Target};

/// An input that reserves more than its share aborts the tests. They run in parallel, so the bound is for all of
/// them.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, 4 * INPUT_ALLOCATED_BYTES_MAX);

fn replay(name: &str) {
    let target = fuzz::find(name).expect("a target of this name");
    let mut inputs = 0;
    for entry in fs::read_dir(target.corpus()).expect("a committed corpus") {
        let path = entry.expect("an entry").path();
        let input = fs::read(&path).expect("an input");
        // Prints the name of the failing input.
        println!("{}", path.display());
        (target.run)(&input);
        inputs += 1;
    }
    assert!(inputs >= 20, "{name}: a corpus of {inputs} inputs is too small");
}

#[test]
fn the_corpus_of_http_readers_is_read_without_a_defect() {
    replay("http");
}

#[test]
fn the_corpus_of_stream_messages_is_read_without_a_defect() {
    replay("stream");
}

#[test]
fn the_corpus_of_journal_frames_is_read_without_a_defect() {
    replay("frame");
}

#[test]
fn the_corpus_of_snapshots_is_read_without_a_defect() {
    replay("snapshot");
}

#[test]
fn the_corpus_of_commands_is_read_without_a_defect() {
    replay("command");
}

#[test]
fn the_corpus_of_commands_on_a_venue_is_applied_without_a_defect() {
    replay("venue");
}

#[test]
fn the_corpus_of_connections_is_answered_without_a_defect() {
    replay("connection");
}

#[test]
fn the_corpus_of_pictures_is_decoded_without_a_defect() {
    replay("picture");
}

#[test]
fn every_target_takes_its_own_seeds_and_inputs_that_are_cut_off() {
    for Target { name, run, seeds } in TARGETS {
        run(&[]);
        let seeds = seeds();
        assert!(seeds.len() >= 10, "{name}: {} seeds", seeds.len());
        for seed in seeds.iter().step_by(seeds.len().div_ceil(40)) {
            run(seed);
            run(&seed[..seed.len() / 2]);
        }
    }
}

#[test]
fn a_planted_reader_that_trusts_a_length_is_refused_gigabytes() {
    let mut content = Vec::<u8>::new();
    assert!(content.try_reserve(INPUT_ALLOCATED_BYTES_MAX / 16).is_ok());
    assert!(content.try_reserve(8 * INPUT_ALLOCATED_BYTES_MAX).is_err(), "the bound holds");
}
