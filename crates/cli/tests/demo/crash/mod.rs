//! Kills the executable at random moments under load, again and again: every answered write exists, exactly once.
//!
//! `caller` is one of many concurrent callers that compute their balances to the unit, `folder` checks the folder of a
//! dead process. `cargo xtask soak crashes` runs this very test for longer.

mod caller;
mod folder;

use std::path::Path;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use rustix::process::{Signal, kill_process};
use stage::demo::Demo;
use stage::drill::operation::Places;
use stage::drill::plan::Plan;

use caller::{Caller, Counts};

const KILLS: u64 = 25;
const PEOPLE: usize = 6;
/// Far above the load of these tests, which only the machine limits.
const FLAGS: &[&str] =
    &["--no-bots", "--read-per-second=100000", "--write-per-second=100000", "--public-per-second=100000"];

#[derive(Default)]
struct Ends {
    kills: u64,
    kills_at_start: u64,
    stops: u64,
    digests: u64,
}

#[test]
fn answered_writes_exist_exactly_once_after_each_of_many_kills() {
    let plan = Plan::from_environment(KILLS);
    let mut rng = Rng::with_seed(plan.seed);
    let folder = tempfile::tempdir().expect("a folder");
    let (mut ends, mut counts) = (Ends::default(), Counts::default());
    let demo = Demo::start_with(folder.path(), FLAGS);
    let places = Places::find(&demo);
    let mut callers: Vec<Caller> =
        (0..2 * PEOPLE).map(|number| Caller::meet(&demo, number, rng.u64(..))).collect();
    end(demo, &mut callers, &places, false, &mut rng, &mut ends);
    loop {
        ends.digests += folder::check(folder.path());
        if !plan.is_over(ends.kills) && rng.u8(..) < 32 {
            kill_at_start(folder.path(), &mut rng);
            ends.kills_at_start += 1;
            ends.kills += 1;
            ends.digests += folder::check(folder.path());
        }
        let demo = Demo::start_with(folder.path(), FLAGS);
        let one = rng.usize(..callers.len());
        thread::scope(|scope| {
            for (number, caller) in callers.iter_mut().enumerate() {
                let (demo, places) = (&demo, &places);
                scope.spawn(move || caller.check(demo, places, number == one));
            }
        });
        let is_over = plan.is_over(ends.kills);
        let graceful = is_over || rng.u8(..) < 20;
        end(demo, &mut callers, &places, graceful, &mut rng, &mut ends);
        if ends.kills % 25 == 0 {
            println!("{} kills, {} stops", ends.kills, ends.stops);
        }
        if is_over {
            break;
        }
    }
    callers.iter().for_each(|caller| counts.add(&caller.counts));
    println!(
        "{} kills ({} of them during a start), {} graceful stops, {} digests of a replay compared",
        ends.kills, ends.kills_at_start, ends.stops, ends.digests
    );
    println!("{counts}\nnone lost, none doubled");
    assert!(counts.answered >= 10 * ends.kills, "the load was real: {} answers", counts.answered);
}

/// All callers trade until the process is killed or stopped gracefully, and no longer answers.
fn end(demo: Demo, callers: &mut [Caller], places: &Places, graceful: bool, rng: &mut Rng, ends: &mut Ends) {
    let life = Duration::from_millis(20 + rng.u64(..180));
    thread::scope(|scope| {
        for caller in callers {
            let demo = &demo;
            scope.spawn(move || caller.trade(demo, places));
        }
        patience::let_run(life);
        let signal = if graceful { Signal::TERM } else { Signal::KILL };
        kill_process(demo.pid(), signal).expect("a process to end");
    });
    let status = demo.wait();
    if graceful {
        assert_eq!(status.code(), Some(0), "the journal gives the state that was served");
        (ends.stops, ends.digests) = (ends.stops + 1, ends.digests + 1);
    } else {
        ends.kills += 1;
    }
}

/// A start that is killed before it serves: while it truncates, replays, or builds.
fn kill_at_start(folder: &Path, rng: &mut Rng) {
    let mut process = Demo::spawn(folder, FLAGS);
    patience::let_run(Duration::from_millis(rng.u64(..120)));
    process.kill().expect("a kill -9");
    process.wait().expect("an end");
}
