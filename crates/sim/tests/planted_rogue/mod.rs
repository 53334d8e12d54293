//! The holes that rules 4 and 5 closed. Each is planted as it was: the same requests are sent to an exchange under earlier
//! rules, where the judge names the broken rule, and under the newest, where it has nothing to say.

mod money;
mod persons;
mod results;

use exchange::Exchange;
use exchange::command::{Command, PolicyChange};
use exchange::governance::{Policy, Subject};
use exchange::id::OperatorId;
use sim::failure::Failure;
use sim::random::Random;
use sim::rogue::probe::probe;
use sim::rogue::samples::{finalise, propose, propose_command};
use sim::rogue::stage::{Answer, Evil, Stage, Who};

const OLD: u32 = 3;
const NEW: u32 = Exchange::RULES_VERSION;

/// A story that the judge follows.
type Story = fn(&mut Stage) -> Result<(), Failure>;

/// Under the old rules the story breaks `rule`, under the new ones none.
#[track_caller]
fn check(evil: Evil, rule: &str, story: Story) {
    check_since(OLD, evil, rule, story);
}

/// For a hole that these old rules have.
#[track_caller]
fn check_since(old: u32, evil: Evil, rule: &str, story: Story) {
    let told = |rules| {
        let mut stage = Stage::new(rules, evil, true).expect("a stage");
        story(&mut stage)
    };
    let broken = told(old).expect_err("the hole of earlier rules is noticed");
    assert_eq!(broken.rule, rule, "{broken}");
    assert_eq!(told(NEW), Ok(()));
}

/// One operator proposes and another finalises.
fn agree(stage: &mut Stage, one: OperatorId, other: OperatorId, command: Command) -> Result<Answer, Failure> {
    let id = stage.fresh_id();
    let proposed = stage.run(Who::Operator(one), propose_command(id, command))?;
    if proposed.is_err() { Ok(proposed) } else { stage.run(Who::Operator(other), finalise(id)) }
}

fn propose_as(stage: &mut Stage, one: OperatorId, subject: Subject) -> Result<u128, Failure> {
    let id = stage.fresh_id();
    let _ = stage.run(Who::Operator(one), propose(id, subject))?;
    Ok(id)
}

/// A change of some fields as each version of the rules takes it.
fn policy_change(stage: &Stage, change: PolicyChange) -> Command {
    let policy: Policy = stage.exchange.governance().policy;
    if stage.exchange.rules_version() >= NEW {
        Command::ChangePolicy(change)
    } else {
        Command::SetPolicy(change.over(&policy))
    }
}

/// Whether two honest operators can still decide.
fn probe_often(stage: &Stage) -> Result<(), Failure> {
    let mut random = Random::new(7);
    (0..20).try_for_each(|_| probe(&stage.exchange, stage.now, &mut random).map(|_| ()))
}
