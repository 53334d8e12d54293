//! Opening, pausing, closing, resolving and cancelling of the largest events.

use exchange::command::{
    CancelMarkets, CloseTrading, Command, OpenEvent, PauseTrading, ResolveMarket, ResumeTrading, Target,
};
use exchange::numbers::Cents;
use exchange::order::Outcome;

use super::{ADA, Form, SYSTEM, Work};
use crate::ids::{self, Kind};
use crate::world::Sizes;

const DEEP: Target = Target::Market(ids::market(Kind::Deep, 0, 0));
const HELD: Target = Target::Market(ids::market(Kind::Held, 0, 0));
const CUP: Target = Target::Event(ids::event(Kind::Cup, 0));

fn close(target: Target) -> Command {
    Command::CloseTrading(CloseTrading { target })
}

fn pause(target: Target) -> Command {
    Command::PauseTrading(PauseTrading { target })
}

fn resume(target: Target) -> Command {
    Command::ResumeTrading(ResumeTrading { target })
}

fn cancel(target: Target) -> Command {
    Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF })
}

pub fn forms(_: &Sizes) -> Vec<Form> {
    [trading(), endings()].into_iter().flatten().collect()
}

fn trading() -> Vec<Form> {
    let open = |kind| Command::OpenEvent(OpenEvent { event: ids::event(kind, 0) });
    vec![
        Form::plain("100 markets", ADA, open(Kind::Draft)),
        Form::refused("open already, 100 markets", ADA, open(Kind::Cup)),
        Form::plain("the large book", ADA, pause(DEEP)),
        Form::plain("100 markets", ADA, pause(CUP)),
        Form::refused("paused already", ADA, pause(CUP)).after(|script| script.system(pause(CUP))),
        Form::plain("the large book", ADA, resume(DEEP)).after(|script| script.system(pause(DEEP))),
        Form::plain("100 markets", ADA, resume(CUP)).after(|script| script.system(pause(CUP))),
        Form::refused("open already", ADA, resume(CUP)),
        Form::with("the large book", ADA, close(DEEP), Work::Units),
        Form::plain("after the large book was closed", SYSTEM, Command::Tick)
            .after(|script| script.system(close(DEEP)))
            .cold(),
        Form::with("100 markets", ADA, close(CUP), Work::Units),
        Form::plain("100,000 holders, no orders", ADA, close(HELD)),
        Form::refused("a draft", ADA, close(Target::Event(ids::event(Kind::Draft, 0)))),
    ]
}

fn endings() -> Vec<Form> {
    let resolve = |kind, outcome| {
        let market = ids::market(kind, 0, 0);
        Command::ResolveMarket(ResolveMarket { market, outcome })
    };
    let winner = Target::Market(ids::market(Kind::Cup, 0, 0));
    vec![
        Form::with("all holders", SYSTEM, resolve(Kind::Held, Outcome::Yes), Work::Settling)
            .after(|script| script.system(close(HELD))),
        Form::with("a winner closes 99 markets", SYSTEM, resolve(Kind::Cup, Outcome::Yes), Work::Units)
            .after(move |script| script.system(close(winner))),
        Form::plain("one of 100 markets, no holders", SYSTEM, resolve(Kind::Election, Outcome::No)),
        Form::refused("not closed", SYSTEM, resolve(Kind::Held, Outcome::Yes)),
        Form::refused("by one of two persons", ADA, resolve(Kind::Election, Outcome::No)),
        Form::with("all holders", SYSTEM, cancel(HELD), Work::Settling),
        Form::with("the large book", SYSTEM, cancel(DEEP), Work::Units),
        Form::with("100 markets", SYSTEM, cancel(CUP), Work::Units),
        Form::refused("by one of two persons", ADA, cancel(DEEP)),
    ]
}
