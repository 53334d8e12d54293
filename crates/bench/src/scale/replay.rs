//! `bench replay`: a journal of the usual mix, replayed in turns with and without history. The result is the processor
//! time of all threads per command.

use std::path::Path;

use crate::Problem;
use crate::filling::{FRAME_COMMANDS, Filling, apply};
use crate::folders::bytes_of;
use crate::processor::process_time;
use crate::rows::{Goal, Rows};
use crate::times::median;
use crate::venue::{self, START};
use crate::workload::Recorder;
use exchange::Exchange;
use exchange::time::Time;

/// Commands per frame of a busy node.
const BUSY_FRAME_COMMANDS: u64 = 50;
const GOAL: Goal = Goal::AtMost(5.0);

pub(crate) struct Options {
    commands: u64,
    rounds: u32,
}

impl Options {
    pub(crate) fn read(words: &[&str]) -> Option<Options> {
        let mut options = Options { commands: 500_000, rounds: 3 };
        for pair in words.chunks(2) {
            match pair {
                ["--commands", value] => options.commands = value.parse().ok()?,
                ["--rounds", value] => options.rounds = value.parse().ok()?,
                _ => return None,
            }
        }
        (options.commands > 0 && options.rounds > 0).then_some(options)
    }
}

pub(crate) fn run(options: &Options) -> Result<(), Problem> {
    let folder = tempfile::tempdir()?;
    println!("{}", make(folder.path(), options.commands)?);
    let (mut rules, mut whole) = (Vec::new(), Vec::new());
    let each = |commands: u64, began| (process_time() - began).as_secs_f64() * 1e6 / commands as f64;
    let mut commands = 0;
    for _ in 0..options.rounds {
        let began = process_time();
        let opened = server::startup::open(folder.path(), |_, _| ())?;
        commands = opened.exchange.seq();
        rules.push(each(commands, began));
        drop(opened);
        let began = process_time();
        if server::node::rebuild_history(folder.path(), |_, _| ())? != commands {
            return Err("two replays ended at different sequences".into());
        }
        whole.push(each(commands, began));
    }
    let (rules, whole) = (median(&rules), median(&whole));
    println!("Replay of {commands} commands, processor time of all threads, median of {}:", options.rounds);
    println!("  rules alone    {rules:>6.2} us per command");
    println!("  with history   {whole:>6.2} us per command");
    let history = bytes_of(&folder.path().join("history"))? as f64 / commands as f64;
    println!("  history        {history:>6.0} bytes per command");
    let mut rows = Rows::default();
    rows.add("replay with history, processor time per command", whole, " µs", GOAL);
    rows.add("replay without history, processor time per command", rules, " µs", Goal::Unset);
    rows.print();
    Ok(())
}

/// Writes a journal of the usual venue with this many commands, and describes it.
fn make(folder: &Path, commands: u64) -> Result<String, Problem> {
    let mut filling = Filling::create(folder)?;
    let mut exchange = Exchange::new();
    filling.stamp(START);
    for requests in venue::requests().chunks(FRAME_COMMANDS as usize) {
        for request in requests {
            apply(&mut exchange, START, request)?;
            filling.push(request);
        }
        filling.append()?;
    }
    let mut recorder = Recorder::new(exchange);
    while recorder.exchange().seq() < commands {
        let at = Time::from_micros(START.micros() + recorder.exchange().seq().cast_signed() * 10);
        filling.stamp(at);
        for _ in 0..BUSY_FRAME_COMMANDS {
            let request = recorder.step(at);
            filling.push(&request);
        }
        filling.append()?;
    }
    Ok(format!("Journal of {} bytes of commands: {}", filling.bytes, recorder.summary()))
}
