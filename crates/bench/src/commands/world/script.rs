//! Requests in the order of time, to an exchange or to whatever else keeps a state.

use exchange::command::{Command, Request};
use exchange::id::OperationId;
use exchange::identity::Actor;
use exchange::time::{Span, Time};
use exchange::{Decision, Exchange};

use crate::ids;

/// The receiver of the requests of a world.
pub trait Venue {
    fn send(&mut self, at: Time, request: Request);
}

/// A state and its time.
#[derive(Clone, Debug)]
pub struct Stage {
    pub exchange: Exchange,
    pub now: Time,
}

impl Stage {
    pub fn apply(&mut self, at: Time, request: &Request) -> Decision {
        self.now = at;
        self.exchange.apply(at, request).expect("a request of this build")
    }

    /// Fires all timers that are due before `until`. One request forgets only some keys and retires only some events.
    pub fn settle(&mut self, until: Time) {
        let before = Time::from_micros(until.micros() - 1);
        let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
        loop {
            self.apply(before, &tick).expect("a tick is never refused");
            if self.exchange.next_due().is_none_or(|due| due > before) {
                return;
            }
        }
    }
}

impl Venue for Stage {
    fn send(&mut self, at: Time, request: Request) {
        if let Err(reject) = self.apply(at, &request) {
            panic!("the world cannot be made: {reject:?} for {request:?}");
        }
    }
}

/// Sends the requests of a world. Each must be accepted.
pub struct Script<'a> {
    venue: &'a mut dyn Venue,
    pub now: Time,
    operations: u32,
}

impl<'a> Script<'a> {
    pub fn new(venue: &'a mut dyn Venue, now: Time) -> Script<'a> {
        Script { venue, now, operations: 0 }
    }

    pub fn wait(&mut self, span: Span) {
        self.now = self.now + span;
    }

    pub fn send(&mut self, request: Request) {
        self.venue.send(self.now, request);
    }

    pub fn by(&mut self, actor: Actor, command: Command) {
        self.send(Request { actor, idempotency: None, command });
    }

    pub fn system(&mut self, command: Command) {
        self.by(Actor::System, command);
    }

    pub fn user(&mut self, number: u32, command: Command) {
        self.by(ids::by_key(number), command);
    }

    pub fn operator(&mut self, number: u32, command: Command) {
        self.by(ids::by_operator(number), command);
    }

    pub fn next_operation(&mut self) -> OperationId {
        self.operations += 1;
        OperationId::new(u128::from(self.operations))
    }
}
