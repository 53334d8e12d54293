//! Replays the journals of every released version: each gives its recorded digests. `sim record` makes the journals
//! of a new version; those of older versions stay unchanged.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exchange::Exchange;
use exchange::codec::decode_request;
use exchange::command::{Command, Propose};
use exchange::governance::Subject;
use exchange::time::Time;
use journal::disk::RealDisk;
use journal::file::Audit;
use sim::recording::DIGESTS;

fn days() -> Vec<PathBuf> {
    let versions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recorded");
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let mut found: Vec<_> = fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("an entry").path())
            .collect();
        found.sort();
        found
    };
    inside(&versions).iter().flat_map(|version| inside(version)).collect()
}

/// Replays a day to its end. `spoil` may change the state after a sequence.
fn replay(day: &Path, mut spoil: impl FnMut(&mut Exchange)) -> (Vec<String>, BTreeSet<&'static str>) {
    let mut audit = Audit::open(Arc::new(RealDisk::reading(day))).expect("a journal").at_rest();
    let (mut exchange, mut names, mut digests) = (Exchange::new(), BTreeSet::new(), Vec::new());
    while let Some(frame) = audit.next_frame().expect("a frame") {
        for bytes in frame.payload.commands() {
            let seq = exchange.seq() + 1;
            let request =
                decode_request(bytes).unwrap_or_else(|error| panic!("{}: {seq}: {error}", day.display()));
            names.insert(request.command.name());
            // A proposed command is in the journal too, and some occur only inside a proposal.
            if let Command::Propose(Propose { subject: Subject::Command(proposed), .. }) = &request.command {
                names.insert(proposed.name());
            }
            let decided = exchange.apply(Time::from_micros(frame.header.at), &request);
            // A refusal counts like an acceptance here.
            let _ = decided.unwrap_or_else(|error| panic!("{}: {seq}: {error}", day.display()));
            spoil(&mut exchange);
            let digest: String = exchange.digest().iter().map(|byte| format!("{byte:02x}")).collect();
            digests.push(format!("{seq} {digest}"));
        }
    }
    (digests, names)
}

fn expected(day: &Path) -> Vec<String> {
    let text = fs::read_to_string(day.join(DIGESTS)).expect("the digests of the day");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_recorded_journal_gives_the_digests_that_it_gave_then() {
    let (mut names, mut commands) = (BTreeSet::new(), 0);
    for day in days() {
        let (found, of_day) = replay(&day, |_| ());
        let wanted = expected(&day);
        assert_eq!(wanted.last(), found.last(), "{}: the last digest", day.display());
        for line in wanted {
            assert!(found.contains(&line), "{}: another digest than {line}", day.display());
        }
        commands += found.len();
        names.extend(of_day);
    }
    assert!(commands > 1_000, "{commands} commands are recorded");
    let missing: Vec<_> = Command::NAMES.iter().filter(|name| !names.contains(*name)).collect();
    assert!(missing.is_empty(), "no recorded journal has {missing:?}: record one with `sim record`");
}

#[test]
fn a_planted_change_of_the_state_is_noticed() {
    let day = days().into_iter().max_by_key(|day| expected(day).len()).expect("a recorded day");
    let at = |exchange: &Exchange| exchange.seq() == 50;
    let (found, _) = replay(&day, |exchange| {
        if at(exchange) {
            exchange.pass_over(exchange.now());
        }
    });
    assert!(expected(&day).iter().any(|line| !found.contains(line)));
}
