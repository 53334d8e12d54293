//! The policy, proposals and their ends, beside as many pending proposals as are kept.

use exchange::command::{
    CloseTrading, Command, CreditWallet, DoOrPropose, Finalise, PolicyChange, Propose, SetCancelOnly, Target,
    Withdraw,
};
use exchange::governance::{CancelOnlyCause, Evidence, Policy, Ruling, Score, Subject, Verdict};
use exchange::id::ProposalId;
use exchange::numbers::{Cents, Currency, Money};
use exchange::order::Outcome;
use exchange::text::Text;

use super::{ABEL, ADA, Form, OLGA, SYSTEM, Work};
use crate::ids::{self, Kind};
use crate::world::{LARGE_GAME, Script, Sizes, game, import};

/// A proposal that a form makes.
const NEW: ProposalId = ids::proposal(1_000_000);

pub fn forms(sizes: &Sizes) -> Vec<Form> {
    [policy(), proposing(sizes), finalising(sizes), endings(), attempts()].into_iter().flatten().collect()
}

fn shorter() -> Command {
    Command::ChangePolicy(PolicyChange { retire_after_seconds: Some(60), ..PolicyChange::default() })
}

fn policy() -> Vec<Form> {
    let policy = Policy { two_required: true, retire_after_seconds: 60, ..Policy::default() };
    vec![
        Form::plain("events retire sooner", SYSTEM, Command::SetPolicy(policy)),
        Form::refused("by one of two persons", ADA, Command::SetPolicy(policy)),
        Form::plain("events retire sooner", SYSTEM, shorter()),
        Form::refused("by one of two persons", ADA, shorter()),
        Form::plain("on", ADA, cancel_only(CancelOnlyCause::Operator)),
        Form::refused("of the node", ADA, cancel_only(CancelOnlyCause::LowDisk)),
    ]
}

fn cancel_only(cause: CancelOnlyCause) -> Command {
    Command::SetCancelOnly(SetCancelOnly { cause, on: true })
}

fn credit(reference: &str) -> Command {
    Command::CreditWallet(CreditWallet {
        user: ids::user(ids::POOR),
        currency: Currency::Usd,
        amount: Money::whole(2_000_000),
        reference: Text::from(reference),
    })
}

fn propose(subject: Subject) -> Command {
    let evidence = Evidence { text: Text::from("As published."), link: Text::default() };
    Command::Propose(Propose { id: NEW, subject, evidence })
}

fn propose_command(command: Command) -> Command {
    propose(Subject::Command(Box::new(command)))
}

fn cancelled(kind: Kind) -> Subject {
    Subject::Resolution { event: ids::event(kind, 0), verdict: Verdict::Cancelled { yes: Cents::HALF } }
}

fn outcomes(kind: Kind, markets: u32) -> Subject {
    let ruling = |place| Ruling {
        market: ids::market(kind, 0, place),
        outcome: if place == 0 { Outcome::Yes } else { Outcome::No },
    };
    let verdict = Verdict::Outcomes((0..markets).map(ruling).collect());
    Subject::Resolution { event: ids::event(kind, 0), verdict }
}

fn result() -> Subject {
    Subject::GameResult { game: ids::game(LARGE_GAME), score: Score { home: 2, away: 1 } }
}

fn begin(sizes: &Sizes) -> impl Fn(&mut Script<'_>) + 'static {
    let sizes = *sizes;
    move |script| {
        let game = game(LARGE_GAME, &sizes);
        script.system(import([exchange::catalogue::Game {
            status: exchange::catalogue::GameStatus::Live,
            ..game
        }]));
    }
}

fn close(kind: Kind) -> Command {
    Command::CloseTrading(CloseTrading { target: Target::Event(ids::event(kind, 0)) })
}

fn proposing(sizes: &Sizes) -> Vec<Form> {
    let markets = sizes.markets;
    vec![
        Form::refused("no room for one more command", OLGA, propose_command(credit("new"))),
        Form::refused(
            "a verdict of 100 markets that waits",
            OLGA,
            propose(outcomes(Kind::Election, markets)),
        ),
        Form::plain("a change of the policy", ADA, propose_command(shorter())),
        Form::plain("a cancellation of 100 markets", OLGA, propose(cancelled(Kind::Cup))),
        Form::plain("outcomes of 100 markets", OLGA, propose(outcomes(Kind::Cup, markets)))
            .after(|script| script.system(close(Kind::Cup))),
        Form::plain("the result of a game with 63 markets", OLGA, propose(result())).after(begin(sizes)),
    ]
}

fn finalising(sizes: &Sizes) -> Vec<Form> {
    let finalise = |proposal| Command::Finalise(Finalise { proposal });
    let markets = sizes.markets;
    let begin = begin(sizes);
    vec![
        Form::plain("a credit", ABEL, finalise(ids::proposal(0))),
        Form::plain("outcomes of 100 markets, no holders", ABEL, finalise(ids::verdict_proposal(0))),
        Form::with("outcomes of 100 markets", ABEL, finalise(NEW), Work::Units).after(move |script| {
            script.system(close(Kind::Cup));
            script.by(OLGA, propose(outcomes(Kind::Cup, markets)));
        }),
        Form::with("the outcome of all holders", ABEL, finalise(NEW), Work::Settling).after(|script| {
            script.system(close(Kind::Held));
            script.by(OLGA, propose(outcomes(Kind::Held, 1)));
        }),
        Form::with("the cancellation of the large book", ABEL, finalise(NEW), Work::Units)
            .after(|script| script.by(OLGA, propose(cancelled(Kind::Deep)))),
        Form::with("the result of a game with 63 markets", ABEL, finalise(NEW), Work::Units).after(
            move |script| {
                begin(script);
                script.by(OLGA, propose(result()));
            },
        ),
        Form::refused("by its proposer", ADA, finalise(NEW))
            .after(|script| script.by(ADA, propose_command(shorter()))),
        Form::refused("unknown", ABEL, finalise(NEW)),
    ]
}

fn endings() -> Vec<Form> {
    let withdraw = |proposal| {
        let reason = Text::from("It was counted again.");
        Command::Withdraw(Withdraw { proposal, reason })
    };
    vec![
        Form::plain("a verdict of 100 markets", ADA, withdraw(ids::verdict_proposal(0))),
        Form::refused("unknown", ADA, withdraw(NEW)),
    ]
}

fn attempts() -> Vec<Form> {
    let attempt = |command| Command::DoOrPropose(DoOrPropose { proposal: NEW, command: Box::new(command) });
    let held = Target::Event(ids::event(Kind::Held, 0));
    vec![
        Form::with("closes the large book", ADA, attempt(close(Kind::Deep)), Work::Units),
        Form::plain("closes a market without orders", ADA, {
            attempt(Command::CloseTrading(CloseTrading { target: held }))
        }),
        Form::plain("proposes a change of the policy", ADA, attempt(shorter())),
        Form::refused("no room for a proposal", OLGA, attempt(credit("new"))),
    ]
}
