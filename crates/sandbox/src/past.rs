//! A journal as the virtual trader: each past command is submitted again, at its own time, by its own actor. A second state
//! that only follows the journal tells what became of each command then.
//!
//! The others do not react to what a bot does here. Commands that were carried out then and are refused now, because of
//! the bot, are counted.

use std::fmt;
use std::path::Path;

use exchange::time::Time;
use exchange::{Command, Request};
use journal::Frame;
use serde::Serialize;
use server::applied::{Applied, Observer};
use server::audit::journal_copy::JournalPlace;
use server::audit::observing::JournalReplay;

use crate::error::{Refusal, SandboxError};
use crate::venue::Venue;

/// Commands between two comparisons of the states' digests.
const CHECKPOINT_EVERY: u64 = 10_000;

/// What a replay has seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PastReport {
    /// Past commands that were submitted again.
    pub(crate) commands: u64,
    /// Those that were carried out then and are refused now.
    pub(crate) refused: u64,
    /// Comparisons of the state with the original one, made while there are no other commands, and how many failed.
    pub(crate) checkpoints: u64,
    pub(crate) differing: u64,
    /// Whether the journal is at its end.
    pub(crate) ended: bool,
}

/// The rest of a journal.
pub(crate) struct Past {
    replay: JournalReplay,
    next: Option<Frame>,
    report: PastReport,
}

impl fmt::Debug for Past {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Past").field("report", &self.report).finish_non_exhaustive()
    }
}

/// Each request of a frame, and whether it was carried out.
#[derive(Default)]
struct Decisions(Vec<(Request, bool)>);

impl Observer for Decisions {
    fn applied(&mut self, applied: &Applied<'_>) {
        self.0.push((applied.request.clone(), applied.result.is_ok()));
    }
}

impl Past {
    /// Opens the journal of a data folder, which is only read.
    pub(crate) fn open(folder: &Path) -> Result<Past, SandboxError> {
        let mut replay = JournalReplay::open(&JournalPlace::Folder(folder.to_owned()), None)?;
        let next = replay.read()?;
        Ok(Past { replay, next, report: PastReport::default() })
    }

    /// When the next command was given; `None` at the end.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.next.as_ref().map(|frame| Time::from_micros(frame.header.at))
    }

    pub(crate) fn report(&self) -> PastReport {
        PastReport { ended: self.next.is_none(), ..self.report }
    }

    /// The requests of the next frame, each with whether it was carried out.
    fn take_frame(&mut self) -> Result<Vec<(Request, bool)>, SandboxError> {
        let Some(frame) = self.next.take() else { return Ok(Vec::new()) };
        let mut decisions = Decisions::default();
        self.replay.apply(&frame, &mut decisions)?;
        if decisions.0.len() as u64 != u64::from(frame.header.commands) {
            return Err(SandboxError::Stage(
                "a journal with skipped commands cannot be rehearsed".to_owned(),
            ));
        }
        self.next = self.replay.read()?;
        Ok(decisions.0)
    }
}

impl Venue {
    /// Whether past commands are still to come.
    pub(crate) fn has_past(&self) -> bool {
        self.past.as_ref().is_some_and(|past| past.next.is_some())
    }

    /// Submits the past commands up to a time, the clock at the time of each.
    pub(crate) fn relive_until(&mut self, until: Time) -> Result<(), Refusal> {
        let Some(mut past) = self.past.take() else { return Ok(()) };
        let lived = self.relive(&mut past, until);
        self.past = Some(past);
        lived
    }

    fn relive(&self, past: &mut Past, until: Time) -> Result<(), Refusal> {
        while let Some(at) = past.next_at().filter(|at| *at <= until) {
            self.fixed.clock.set(at);
            let before = past.report.commands;
            let requests = past.take_frame()?;
            past.report.commands += requests.len() as u64;
            past.report.refused += self.submit_again(requests)?;
            let is_due = past.report.commands / CHECKPOINT_EVERY > before / CHECKPOINT_EVERY;
            if is_due || past.next.is_none() {
                self.compare(past)?;
            }
        }
        Ok(self.settle_blocking()?)
    }

    /// Submits requests. Returns how many are refused that were carried out then.
    fn submit_again(&self, requests: Vec<(Request, bool)>) -> Result<u64, SandboxError> {
        let sequencer = self.app()?.writing().sequencer();
        let (requests, carried_out): (Vec<Request>, Vec<bool>) = requests.into_iter().unzip();
        // A command of newer rules is accepted only after the upgrade was decided.
        let upgrades = |request: &Request| matches!(request.command, Command::UpgradeRules(_));
        let answers = match requests.iter().any(upgrades) {
            true => requests
                .into_iter()
                .map(|request| sequencer.submit_blocking(request))
                .collect::<Result<Vec<_>, _>>()?,
            false => sequencer.submit_all_blocking(requests)?,
        };
        let refused =
            answers.iter().zip(carried_out).filter(|(answer, then)| *then && answer.result.is_err());
        Ok(refused.count() as u64)
    }

    /// Compares the two states, if the venue has had no other command.
    fn compare(&self, past: &mut Past) -> Result<(), SandboxError> {
        let exchange = self.app()?.reading().state();
        if exchange.seq() == past.replay.exchange().seq() {
            past.report.checkpoints += 1;
            past.report.differing += u64::from(exchange.digest() != past.replay.exchange().digest());
        }
        Ok(())
    }
}
