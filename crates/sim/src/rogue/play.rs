//! Plays one seed: the rogue between the clock, traders and honest operators, judged command by command.

use std::collections::VecDeque;

use exchange::Exchange;
use exchange::change::Change;
use exchange::command::{Command, CreditWallet, DoOrPropose, ImportSports, SuspendOperator};
use exchange::id::{OperatorId, ProposalId, UserId};
use exchange::numbers::{Currency, Money};
use exchange::reply::Reply;
use exchange::text::Text;

use super::judge::Basis;
use super::probe::probe;
use super::samples::{propose, propose_command, withdraw};
use super::stage::{Answer, Evil, ROGUE, Stage, Trace, Who};
use super::tally::{Reached, Tally};
use crate::failure::Failure;
use crate::random::Random;
use crate::run::catch;

/// Commands of the rogue on one stage.
pub const COMMANDS_PER_STAGE: u64 = 500;
/// Keyed requests that may be repeated.
const KEYED_MAX: usize = 30;

/// A draft that an honest operator read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub edits: u64,
    pub edit: Command,
}

#[derive(Debug)]
pub struct Play {
    pub(super) stage: Stage,
    pub(super) random: Random,
    pub(super) reads: Vec<Read>,
    /// Honest requests under keys.
    pub(super) keyed: Vec<(OperatorId, Command, u64)>,
    /// Commands that the rogue sends one after another.
    burst: VecDeque<Command>,
}

/// A stage whose judge named a broken rule.
#[derive(Clone, Debug)]
pub struct Broken {
    pub seed: u64,
    /// The number of the rogue's commands before.
    pub commands: u64,
    pub failure: Failure,
}

/// Plays one seed under the newest rules.
pub fn play(seed: u64) -> Result<Tally, Box<Broken>> {
    play_to(seed, &mut None)
}

/// Plays one seed again and returns its last requests and answers.
pub fn trace(seed: u64) -> Vec<String> {
    let mut trace = Some(VecDeque::new());
    // The failure is known; the way to it matters.
    let _ = play_to(seed, &mut trace);
    trace.unwrap_or_default().into()
}

fn play_to(seed: u64, trace: &mut Trace) -> Result<Tally, Box<Broken>> {
    let mut commands = 0;
    let outcome = catch(|| {
        let mut play = Play::new(seed, Exchange::RULES_VERSION)?;
        play.stage.trace = trace.take();
        play.stage.tally.stages = 1;
        while play.stage.tally.by_rogue < COMMANDS_PER_STAGE && !play.is_over() {
            let step = play.step();
            commands = play.stage.tally.by_rogue;
            trace.clone_from(&play.stage.trace);
            step?;
        }
        play.restore()?;
        play.stage.tally.commands = play.stage.exchange.seq();
        Ok(play.stage.tally.clone())
    });
    outcome.map_err(|failure| Box::new(Broken { seed, commands, failure }))
}

/// Plays one seed under earlier rules and returns every rule that was broken on the way: the planted bugs are the real ones.
pub fn explore(seed: u64, rules: u32, commands: u64) -> Result<Vec<String>, Failure> {
    let mut play = Play::new(seed, rules)?;
    play.stage.notes = Some(Vec::new());
    while play.stage.tally.by_rogue < commands {
        // A stage that is broken enough may not be set right again.
        if let Err(failure) = play.step() {
            play.stage.notes.get_or_insert_default().push(failure);
        }
    }
    Ok(play.stage.notes.unwrap_or_default().into_iter().map(|failure| failure.rule).collect())
}

impl Play {
    fn new(seed: u64, rules: u32) -> Result<Play, Failure> {
        let mut random = Random::new(seed);
        let evil = Evil::ALL[random.one_of([0, 1, 1, 1, 2, 2, 2, 2, 3, 3])];
        let stage = Stage::new(rules, evil, random.chance(50))?;
        let (reads, keyed, burst) = (Vec::new(), Vec::new(), VecDeque::new());
        Ok(Play { stage, random, reads, keyed, burst })
    }

    /// A revoked rogue tries a few more commands, no more.
    fn is_over(&mut self) -> bool {
        let rogue = self.stage.judge.facts().operator(ROGUE);
        rogue.is_some_and(|rogue| rogue.revoked) && self.random.chance(5)
    }

    fn step(&mut self) -> Result<(), Failure> {
        match self.random.below(200) {
            0..=119 => self.act(),
            120..=139 => {
                let before = self.ending_suspensions();
                let outcome = self.pass_time();
                self.stage.tally.note_if(self.ending_suspensions() < before, Reached::SuspensionEnded);
                outcome
            }
            140..=154 => self.trade(),
            155..=169 => self.own(),
            170..=195 => self.be_honest(),
            196 => self.record_result(),
            197 => self.restore(),
            _ => self.probe(),
        }?;
        self.keyed.truncate(KEYED_MAX);
        Ok(())
    }

    /// The number of operators whose suspension ends by itself.
    fn ending_suspensions(&self) -> usize {
        let operators = &self.stage.judge.facts().operators;
        operators.iter().filter(|operator| operator.suspended_until.is_some()).count()
    }

    /// The rogue acts, by itself or by an operator of its own.
    fn act(&mut self) -> Result<(), Failure> {
        if self.burst.is_empty() && self.random.below(200) == 0 {
            self.begin_burst();
        }
        let command = match self.burst.pop_front() {
            Some(command) => command,
            None => self.rogue_command(),
        };
        let own: Vec<OperatorId> = self.stage.judge.standing.of_person(ROGUE).collect();
        let operator = match self.random.chance(70) {
            true => ROGUE,
            false => self.random.pick(&own).unwrap_or(ROGUE),
        };
        let was_suspended = self.stage.is_honest_suspended();
        let answer = match self.random.chance(4) {
            true => {
                // Each operator has scopes of its own.
                let (own, number) = ((operator.as_u128() as u64) << 32, self.random.below(200) as u64);
                let (scope, body) = (own | number, self.random.below(2) as u64);
                self.stage.run_with_key(Who::Operator(operator), command.clone(), scope, body)?
            }
            false => self.stage.run(Who::Operator(operator), command.clone())?,
        };
        self.note(&command, &answer, was_suspended);
        Ok(())
    }

    /// Fills the places of verdicts or of proposals.
    fn begin_burst(&mut self) {
        if self.random.chance(60) {
            let subject = self.verdict();
            for _ in 0..60 {
                let id = self.stage.fresh_id();
                self.burst.push_back(propose(id, subject.clone()));
                self.burst.push_back(withdraw(ProposalId::new(id)));
            }
            return;
        }
        let count = if self.random.chance(90) { 120 } else { 1_010 };
        for _ in 0..count {
            let id = self.stage.fresh_id();
            let (currency, amount, user) = (Currency::Usd, Money::whole(150), UserId::new(1));
            let reference = Text::from(format!("burst {id}"));
            let credit = Command::CreditWallet(CreditWallet { user, currency, amount, reference });
            self.burst.push_back(propose_command(id, credit));
        }
    }

    fn restore(&mut self) -> Result<(), Failure> {
        self.stage.tally.note(Reached::Restored);
        self.stage.restore()
    }

    fn probe(&mut self) -> Result<(), Failure> {
        let found = probe(&self.stage.exchange, self.stage.now, &mut self.random);
        match (found, &mut self.stage.notes) {
            (Ok(probed), _) => {
                self.stage.tally.note_if(probed.verdict, Reached::VerdictProbed);
                self.stage.tally.note_if(probed.revocation, Reached::RevocationProbed);
                self.stage.tally.note_if(probed.result, Reached::ResultProbed);
                self.stage.tally.note_if(probed.leaves_open, Reached::LeftOpen);
                Ok(())
            }
            (Err(failure), Some(notes)) => {
                notes.push(failure);
                Ok(())
            }
            (Err(failure), None) => Err(failure),
        }
    }

    fn note(&mut self, command: &Command, answer: &Answer, was_suspended: bool) {
        self.stage.tally.note_answer(answer);
        self.stage.tally.tried(command, answer);
        let is_suspended = !was_suspended && self.stage.is_honest_suspended();
        self.stage.tally.note_if(is_suspended && is_suspension(command), Reached::HonestSuspended);
        self.stage.tally.note_if(matches!(answer, Ok(Reply::Repeated { .. })), Reached::ReferenceReplayed);
        if answer.is_err() {
            return;
        }
        let is_renamed =
            matches!(command, Command::ImportSports(ImportSports { teams, .. }) if !teams.is_empty());
        self.stage.tally.note_if(is_renamed, Reached::Renamed);
        match self.stage.last {
            Basis::Agreed(_) => self.stage.tally.note(Reached::RogueAgreed),
            Basis::Glass(_) => self.stage.tally.note(Reached::GlassAlone),
            Basis::Owner | Basis::User | Basis::Alone(_) => {}
        }
        let moves = |change: &Change| matches!(change, Change::Funds { .. } | Change::PoolSeeded { .. });
        let is_alone = matches!(self.stage.last, Basis::Alone(_));
        let moved = self.stage.exchange.changes().iter().any(moves);
        self.stage.tally.note_if(is_alone && moved, Reached::WithinCaps);
    }
}

fn is_suspension(command: &Command) -> bool {
    let command = match command {
        Command::DoOrPropose(DoOrPropose { command, .. }) => command,
        command => command,
    };
    matches!(command, Command::SuspendOperator(SuspendOperator { suspended: true, .. }))
}
