//! Who decides: second operators, break-glass, suspended and revoked operators, places for proposals, the policy.

use exchange::catalogue::{EventDetails, Status};
use exchange::command::{
    CancelMarkets, Command, CreditWallet, EditEvent, PolicyChange, RevokeOperator, SuspendOperator, Target,
    UpgradeRules,
};
use exchange::governance::{Subject, Verdict};
use exchange::id::{EventId, OperatorId, ProposalId, UserId};
use exchange::identity::Role;
use exchange::numbers::{Cents, Currency, Money};
use exchange::text::Text;
use exchange::time::Span;
use sim::rogue::judge::{GLASS_PROPOSES, HALF_AGREEMENT, LOST_UPDATE, ONE_PERSON, RULES_ALONE, SUSPENDED};
use sim::rogue::probe::{REVOCATION_GOES_THROUGH, VERDICT_GOES_THROUGH};
use sim::rogue::samples::{finalise, propose_command, withdraw};
use sim::rogue::stage::{ABEL, ADA, CARL, CLOSED, DRAFT, Evil, OLGA, ROGUE, Stage, Who, create_operator};

use super::{NEW, agree, check, policy_change, probe_often, propose_as};

fn credit(amount: i64, reference: &str) -> Command {
    let (user, currency, reference) = (UserId::new(4), Currency::Usd, Text::from(reference));
    Command::CreditWallet(CreditWallet { user, currency, amount: Money::whole(amount), reference })
}

fn verdict() -> Subject {
    let (event, verdict) = (EventId::new(CLOSED), Verdict::Cancelled { yes: Cents::HALF });
    Subject::Resolution { event, verdict }
}

fn suspend(operator: OperatorId) -> Command {
    Command::SuspendOperator(SuspendOperator { operator, suspended: true, until: None })
}

#[test]
fn break_glass_that_agrees_with_an_operator_of_its_own_is_named() {
    check(Evil::BreakGlass, ONE_PERSON, |stage| {
        let second = OperatorId::new(77);
        let create = create_operator(second, Role::Approver);
        assert!(agree(stage, ROGUE, ROGUE, create)?.is_ok(), "it decides about operators");
        // After its day it proposes like everybody else.
        stage.wait(Span::hours(25));
        let _ = agree(stage, ROGUE, second, credit(500, "gift"))?;
        Ok(())
    });
}

#[test]
fn break_glass_that_proposes_money_is_named() {
    check(Evil::BreakGlass, GLASS_PROPOSES, |stage| {
        let _ = stage.run(Who::Operator(ROGUE), propose_command(1, credit(500, "gift")))?;
        Ok(())
    });
}

#[test]
fn a_suspended_operator_whose_command_is_taken_is_named() {
    let mut stage = Stage::new(NEW, Evil::Operator, false).expect("a stage");
    let before = stage.exchange.clone();
    stage.done(Who::Operator(ADA), suspend(ROGUE)).expect("suspended");
    let command = credit(40, "mine");
    let answer = stage.run(Who::Operator(ROGUE), command.clone()).expect("no rule is broken");
    assert!(answer.is_err());
    // An exchange that has forgotten the suspension.
    stage.exchange = before;
    let broken = stage.run(Who::Operator(ROGUE), command).expect_err("it is noticed");
    assert_eq!(broken.rule, SUSPENDED);
}

#[test]
fn a_suspension_that_ends_before_its_time_is_named() {
    let mut stage = Stage::new(NEW, Evil::Operator, false).expect("a stage");
    let suspended_until = |end: Span| {
        let until = Some(stage.now + end);
        Command::SuspendOperator(SuspendOperator { operator: ROGUE, suspended: true, until })
    };
    let (early, late) = (suspended_until(Span::hours(1)), suspended_until(Span::hours(2)));
    let mut shortened = stage.clone();
    shortened.done(Who::Operator(ADA), early.clone()).expect("suspended");
    stage.done(Who::Operator(ADA), late).expect("suspended for longer");
    stage.done(Who::Operator(ABEL), early).expect("it stays as it is");
    let command = credit(40, "mine");
    stage.wait(Span::minutes(90));
    assert!(stage.run(Who::Operator(ROGUE), command.clone()).expect("no rule is broken").is_err());
    // An exchange where the further suspension has shortened the first.
    let kept = std::mem::replace(&mut stage.exchange, shortened.exchange);
    let broken = stage.run(Who::Operator(ROGUE), command.clone()).expect_err("it is noticed");
    assert_eq!(broken.rule, SUSPENDED);
    stage.exchange = kept;
    stage.wait(Span::minutes(31));
    assert!(stage.run(Who::Operator(ROGUE), command).expect("no rule is broken").is_ok(), "it is over");
}

#[test]
fn an_event_that_one_operator_makes_undecidable_is_named() {
    check(Evil::Operator, VERDICT_GOES_THROUGH, |stage| {
        for _ in 0..60 {
            let id = propose_as(stage, ROGUE, verdict())?;
            let _ = stage.run(Who::Operator(ROGUE), withdraw(ProposalId::new(id)))?;
        }
        probe_often(stage)
    });
}

#[test]
fn places_that_one_operator_takes_from_all_others_are_named() {
    check(Evil::Operator, VERDICT_GOES_THROUGH, |stage| {
        for number in 0..1_001 {
            let command = propose_command(10_000 + number, credit(101, &number.to_string()));
            let _ = stage.run(Who::Operator(ROGUE), command)?;
        }
        probe_often(stage)
    });
}

#[test]
fn an_operator_who_cannot_be_revoked_is_named() {
    check(Evil::Approver, REVOCATION_GOES_THROUGH, |stage| {
        for number in 0..1_001 {
            let command = propose_command(
                10_000 + number,
                create_operator(OperatorId::new(500 + number), Role::Viewer),
            );
            let _ = stage.run(Who::Operator(ROGUE), command)?;
        }
        // There is no event to decide: only the revocation is tried.
        let events = stage.exchange.catalogue().events().map(|(_, event)| event);
        let events = events.filter(|event| event.status != Status::Draft).map(|event| event.id);
        for event in events.collect::<Vec<_>>() {
            let (target, yes) = (Target::Event(event), Cents::HALF);
            stage.owner(Command::CancelMarkets(CancelMarkets { target, yes }))?;
        }
        probe_often(stage)
    });
}

#[test]
fn a_proposal_that_outlives_its_suspended_or_revoked_proposer_is_named() {
    check(Evil::Approver, HALF_AGREEMENT, |stage| {
        let id = propose_as(stage, CARL, verdict())?;
        stage.done(Who::Operator(ADA), suspend(CARL))?;
        let _ = stage.run(Who::Operator(ROGUE), finalise(id))?;
        Ok(())
    });
    check(Evil::Approver, HALF_AGREEMENT, |stage| {
        let id = propose_as(stage, CARL, verdict())?;
        let revoke = Command::RevokeOperator(RevokeOperator { operator: CARL });
        assert!(agree(stage, ADA, ABEL, revoke)?.is_ok());
        let _ = stage.run(Who::Operator(ROGUE), finalise(id))?;
        Ok(())
    });
}

#[test]
fn a_change_of_the_policy_that_undoes_another_is_named() {
    check(Evil::Approver, LOST_UPDATE, |stage| {
        let delay = PolicyChange { resolution_delay_seconds: Some(60), ..PolicyChange::default() };
        let age = PolicyChange { retire_after_seconds: Some(7_200), ..PolicyChange::default() };
        let (delay, age) = (policy_change(stage, delay), policy_change(stage, age));
        stage.done(Who::Operator(ADA), propose_command(1, delay))?;
        assert!(agree(stage, ABEL, ADA, age)?.is_ok());
        let _ = stage.run(Who::Operator(ROGUE), finalise(1))?;
        Ok(())
    });
}

#[test]
fn an_edit_of_a_draft_that_undoes_another_is_named() {
    check(Evil::Operator, LOST_UPDATE, |stage| {
        let event = EventId::new(DRAFT);
        let read = stage.judge.edits_of(event);
        let edit = |stage: &Stage, title: &str| {
            let catalogue = stage.exchange.catalogue();
            let known = catalogue.event(catalogue.find_event(event).expect("a draft"));
            let details = EventDetails { title: Text::from(title), ..known.details.clone() };
            let over = (stage.exchange.rules_version() >= NEW).then(|| known.edited_at.unwrap_or(0));
            Command::EditEvent(EditEvent { event, details, markets: Vec::new(), over })
        };
        let (first, second) = (edit(stage, "One"), edit(stage, "Another"));
        assert!(stage.edit(Who::Operator(OLGA), first, read)?.is_ok());
        let _ = stage.edit(Who::Operator(CARL), second, read)?;
        Ok(())
    });
}

#[test]
fn rules_that_one_approver_upgrades_are_named() {
    check(Evil::Approver, RULES_ALONE, |stage| {
        let upgrade = Command::UpgradeRules(UpgradeRules { version: NEW });
        let _ = stage.run(Who::Operator(ROGUE), upgrade)?;
        Ok(())
    });
}
