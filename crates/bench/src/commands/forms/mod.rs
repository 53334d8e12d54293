//! Every command in its dearest known forms: refused, unfunded, without any effect, and with as many effects as one command
//! can have in this world.
//!
//! One file per area. A command without a form fails the test in `measuring.rs`, and the run.

mod catalogue;
mod governance;
mod lifecycle;
mod operators;
mod orders;
mod people;
mod placing;
mod series;
mod sports;
mod time;

use std::fmt;

use exchange::command::{Command, Request};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::Actor;
use exchange::time::{Span, Time};

use crate::ids;
use crate::world::{Script, Sizes, Stage};

/// The result that a form must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    Done,
    Refused,
    /// A batch of which every item is refused.
    ItemsRefused,
}

/// The effects that a form may take time for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Nothing,
    /// Fills, cancelled orders and paid positions.
    Units,
    /// Paid positions of one market.
    Settling,
    /// Orders that expire at one instant.
    Expiring,
    /// All orders of one person.
    CancellingAll,
    /// Other things, which the form counts itself.
    Items(&'static str, u32),
}

type Preparation = Box<dyn Fn(&mut Stage)>;

pub struct Form {
    pub name: &'static str,
    pub request: Request,
    /// When it is sent, if not when the world is complete.
    pub at: Option<Time>,
    pub expect: Expect,
    pub work: Work,
    /// Whether it finds the state as it was left: with full tables, which grow, and with the changes of the request before.
    pub is_cold: bool,
    /// What happens before, without being measured.
    pub prepare: Option<Preparation>,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.request.command.name(), self.name)
    }
}

impl Form {
    fn new(name: &'static str, actor: Actor, command: Command, expect: Expect, work: Work) -> Form {
        let request = Request { actor, idempotency: None, command };
        Form { name, request, at: None, expect, work, is_cold: false, prepare: None }
    }

    /// Refused: it changes nothing.
    fn refused(name: &'static str, actor: Actor, command: Command) -> Form {
        Form::new(name, actor, command, Expect::Refused, Work::Nothing)
    }

    /// A batch that changes nothing.
    fn items_refused(name: &'static str, actor: Actor, command: Command) -> Form {
        Form::new(name, actor, command, Expect::ItemsRefused, Work::Nothing)
    }

    /// Done, without a fill, a cancel or a payment.
    fn plain(name: &'static str, actor: Actor, command: Command) -> Form {
        Form::new(name, actor, command, Expect::Done, Work::Nothing)
    }

    /// Done, with effects that take time each.
    fn with(name: &'static str, actor: Actor, command: Command, work: Work) -> Form {
        Form::new(name, actor, command, Expect::Done, work)
    }

    fn with_key(mut self, key: IdempotencyKey) -> Form {
        self.request.idempotency = Some(key);
        self
    }

    fn cold(self) -> Form {
        Form { is_cold: true, ..self }
    }

    fn at(self, at: Time) -> Form {
        Form { at: Some(at), ..self }
    }

    /// Sends commands first.
    fn after(self, prepare: impl Fn(&mut Script<'_>) + 'static) -> Form {
        let prepare = move |stage: &mut Stage| {
            let now = stage.now;
            prepare(&mut Script::new(stage, now));
        };
        self.after_stage(prepare)
    }

    fn after_stage(self, prepare: impl Fn(&mut Stage) + 'static) -> Form {
        Form { prepare: Some(Box::new(prepare)), ..self }
    }
}

/// All forms, by command.
pub fn all(sizes: &Sizes) -> Vec<Form> {
    let areas = [
        time::forms(sizes),
        people::forms(sizes),
        operators::forms(sizes),
        catalogue::forms(sizes),
        lifecycle::forms(sizes),
        series::forms(sizes),
        sports::forms(sizes),
        placing::forms(sizes),
        orders::forms(sizes),
        governance::forms(sizes),
    ];
    areas.into_iter().flatten().collect()
}

const SYSTEM: Actor = Actor::System;
/// Two approvers who are different persons.
const ADA: Actor = ids::by_operator(0);
const ABEL: Actor = ids::by_operator(1);
/// An operator without a pending proposal.
const OLGA: Actor = ids::by_operator(17);

/// An instant before any timer of the world is due.
fn soon(sizes: &Sizes) -> Time {
    sizes.now() + Span::seconds(1)
}
