//! Relives a journal: submits each past command again, at its own time and by its own actor. A second state, which only
//! follows the journal, has the original result of each command.
//!
//! Past users do not react to a bot. The report counts the commands that were carried out originally and are refused now,
//! because of the bot.

use std::fmt;
use std::path::Path;

use exchange::time::Time;
use exchange::{Command, Request};
use journal::Frame;
use serde::Serialize;
use server::applied::{Applied, Observer};
use server::audit::journal_copy::JournalPlace;
use server::audit::observing::JournalReplay;

use crate::error::SandboxError;
use crate::venue::Venue;

/// Commands between two comparisons of the states' digests.
const CHECKPOINT_EVERY: u64 = 1_000;

/// Progress of a relived journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PastReport {
    /// Past commands that were submitted again.
    pub(crate) commands: u64,
    /// Those that were carried out then and are refused now.
    pub(crate) refused: u64,
    /// Comparisons of the state with the original one, made while there are no other commands, and how many failed.
    pub(crate) checkpoints: u64,
    pub(crate) differing: u64,
    /// Whether every command of the journal was submitted again.
    pub(crate) ended: bool,
    /// Why the rest of the journal cannot be relived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<String>,
}

impl PastReport {
    /// The report when nothing is left to submit, or something is. A journal that failed has not ended.
    fn shown(&self, is_at_end: bool) -> PastReport {
        PastReport { ended: is_at_end && self.failure.is_none(), ..self.clone() }
    }

    /// Refuses to go on after a failure: a frame may be half submitted.
    fn check(&self) -> Result<(), SandboxError> {
        match &self.failure {
            Some(failure) => Err(SandboxError::Past(failure.clone())),
            None => Ok(()),
        }
    }
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
        if let Some(sequence) = replay.first_skipped() {
            return Err(SandboxError::SkippedCommands { sequence });
        }
        let next = replay.read()?;
        Ok(Past { replay, next, report: PastReport::default() })
    }

    /// When the next command was given; `None` at the end.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.next.as_ref().map(|frame| Time::from_micros(frame.header.at))
    }

    pub(crate) fn report(&self) -> PastReport {
        self.report.shown(self.next.is_none())
    }

    /// The requests of the next frame, each with whether it was carried out.
    fn take_frame(&mut self) -> Result<Vec<(Request, bool)>, SandboxError> {
        let Some(frame) = self.next.take() else { return Ok(Vec::new()) };
        let mut decisions = Decisions::default();
        self.replay.apply(&frame, &mut decisions)?;
        if decisions.0.len() as u64 != u64::from(frame.header.commands) {
            return Err(SandboxError::SkippedCommands { sequence: frame.header.first.0 });
        }
        self.next = self.replay.read()?;
        Ok(decisions.0)
    }
}

impl Venue {
    /// Whether the state still follows the past alone: past commands are to come, and no other command was given. Then
    /// timers fire with the past's own ticks.
    pub(crate) fn follows_past(&self) -> Result<bool, SandboxError> {
        let Some(past) = self.past.as_ref().filter(|past| past.next.is_some()) else { return Ok(false) };
        Ok(self.app()?.reading().state().seq() == past.replay.exchange().seq())
    }

    /// Fails if an earlier attempt to relive the journal has failed.
    pub(crate) fn check_past(&self) -> Result<(), SandboxError> {
        self.past.as_ref().map_or(Ok(()), |past| past.report.check())
    }

    /// Submits the past commands up to a time, with the clock at the time of each. After a failure, every later call
    /// fails too.
    pub(crate) fn relive_until(&mut self, until: Time) -> Result<(), SandboxError> {
        let Some(mut past) = self.past.take() else { return Ok(()) };
        let lived = past.report.check().and_then(|()| {
            let lived = self.relive(&mut past, until);
            lived.inspect_err(|error| past.report.failure = Some(error.to_string()))
        });
        self.past = Some(past);
        lived
    }

    fn relive(&self, past: &mut Past, until: Time) -> Result<(), SandboxError> {
        while let Some(at) = past.next_at().filter(|at| *at <= until) {
            self.fixed.clock.set(at);
            let before = past.report.commands;
            let requests = past.take_frame()?;
            let count = requests.len() as u64;
            past.report.refused += self.submit_again(requests)?;
            past.report.commands += count;
            let is_due = past.report.commands / CHECKPOINT_EVERY > before / CHECKPOINT_EVERY;
            if is_due || past.next.is_none() {
                self.compare(past)?;
            }
        }
        self.settle_blocking()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_failed_has_not_ended_and_keeps_its_failure() {
        let mut report = PastReport::default();
        assert!(report.shown(true).ended && !report.shown(false).ended && report.check().is_ok());
        report.failure = Some("a damaged frame".to_owned());
        assert!(!report.shown(true).ended);
        assert_eq!(report.shown(true).failure.as_deref(), Some("a damaged frame"));
        assert!(matches!(report.check(), Err(SandboxError::Past(_))));
    }
}
