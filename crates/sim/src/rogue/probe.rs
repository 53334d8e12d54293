//! Whether honest operators can still decide: on a copy, a verdict, the result of a game and the removal of the rogue go
//! through at once.
//!
//! The owner of the machine may reinstate the honest operators first: suspending is what one approver may do.

use exchange::Exchange;
use exchange::catalogue::Status;
use exchange::command::{CloseTrading, Command, Request, RevokeOperator, SuspendOperator, Target};
use exchange::governance::{Ruling, Score, Subject, Verdict};
use exchange::id::{EventId, GameId, OperatorId};
use exchange::identity::{Actor, Role};
use exchange::numbers::Cents;
use exchange::order::Outcome;
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::time::{Span, Time};

use super::samples::{finalise, propose, propose_command, withdraw};
use super::stage::{ABEL, ADA, ROGUE, create_operator};
use crate::failure::{Failure, ensure};
use crate::random::Random;

pub const VERDICT_GOES_THROUGH: &str = "two honest operators can always decide an event";
pub const RESULT_GOES_THROUGH: &str = "two honest operators can always record the result of a game";
pub const REVOCATION_GOES_THROUGH: &str = "two honest approvers can always revoke an operator";

struct Probe {
    exchange: Exchange,
    now: Time,
    ids: u128,
}

impl Probe {
    fn send(&mut self, actor: Actor, command: Command) -> Result<Reply, Reject> {
        let request = Request { actor, idempotency: None, command };
        self.exchange.apply(self.now, &request).expect("a request of this build")
    }

    fn by(&mut self, operator: OperatorId, command: Command) -> Result<Reply, Reject> {
        self.send(Actor::Operator { operator }, command)
    }

    /// Two honest approvers who may act.
    fn approvers(&mut self) -> [OperatorId; 2] {
        [ADA, ABEL].map(|operator| {
            let lift = SuspendOperator { operator, suspended: false, until: None };
            // It is refused for a revoked operator; a new one takes its place.
            let _ = self.send(Actor::System, Command::SuspendOperator(lift));
            let found = self.exchange.directory().operator(operator);
            if found.is_some_and(exchange::identity::Operator::is_active_approver) {
                return operator;
            }
            self.ids += 1;
            let operator = OperatorId::new(self.ids);
            let _ = self.send(Actor::System, create_operator(operator, Role::Approver));
            operator
        })
    }

    fn withdraw_where(&mut self, by: OperatorId, is_meant: impl Fn(&Subject) -> bool) {
        let pending = self.exchange.governance().proposals().filter(|each| is_meant(&each.subject));
        for id in pending.map(|proposal| proposal.id).collect::<Vec<_>>() {
            let _ = self.by(by, withdraw(id));
        }
    }
}

/// What there was to try.
#[derive(Clone, Copy, Debug)]
pub struct Probed {
    pub verdict: bool,
    pub revocation: bool,
    pub result: bool,
    /// The result left a market to a verdict of its own.
    pub leaves_open: bool,
}

/// Tries all of it on copies of the exchange.
pub fn probe(exchange: &Exchange, now: Time, random: &mut Random) -> Result<Probed, Failure> {
    let waiting = exchange.catalogue().events().map(|(_, event)| event);
    let waiting =
        waiting.filter(|event| matches!(event.status, Status::Open | Status::Paused | Status::Closed));
    let events: Vec<EventId> = waiting.map(|event| event.id).collect();
    if let Some(event) = random.pick(&events) {
        decide(exchange, now, event, random.chance(50))?;
    }
    let is_there = exchange.directory().operator(ROGUE).is_some_and(|rogue| !rogue.revoked);
    if is_there {
        revoke(exchange, now)?;
    }
    let games = exchange.catalogue().sports().games.values();
    let games = games.filter(|game| game.score.is_none() && (game.has_begun() || game.start <= now));
    let game = random.pick(&games.map(|game| game.id).collect::<Vec<_>>());
    let leaves_open = match game {
        Some(game) => {
            let score = Score { home: random.below(3) as u16, away: random.below(3) as u16 };
            record(exchange, now, game, score)?
        }
        None => false,
    };
    let (verdict, result) = (!events.is_empty(), game.is_some());
    Ok(Probed { verdict, revocation: is_there, result, leaves_open })
}

fn begin(exchange: &Exchange, now: Time) -> Probe {
    Probe { exchange: exchange.clone(), now, ids: 1 << 100 }
}

fn decide(exchange: &Exchange, now: Time, event: EventId, cancels: bool) -> Result<(), Failure> {
    let mut probe = begin(exchange, now);
    let [one, other] = probe.approvers();
    probe.withdraw_where(one, |subject| subject.event() == Some(event));
    // It may be closed already.
    let _ = probe.by(one, Command::CloseTrading(CloseTrading { target: Target::Event(event) }));
    let catalogue = probe.exchange.catalogue();
    let Some(index) = catalogue.find_event(event) else { return Ok(()) };
    let markets = catalogue.event(index).markets.iter().map(|market| catalogue.market(*market));
    let closed = markets.filter(|market| market.status == Status::Closed);
    let rulings: Vec<_> = closed.map(|market| Ruling { market: market.id, outcome: Outcome::No }).collect();
    let verdict = match cancels || rulings.is_empty() {
        true => Verdict::Cancelled { yes: Cents::HALF },
        false => Verdict::Outcomes(rulings),
    };
    let proposed = probe.by(one, propose(1 << 101, Subject::Resolution { event, verdict }));
    ensure(proposed.is_ok(), VERDICT_GOES_THROUGH, || format!("on {event}, proposed: {proposed:?}"))?;
    let delay = probe.exchange.governance().policy.resolution_delay_seconds;
    probe.now = probe.now + Span::seconds(delay.into());
    let finalised = probe.by(other, finalise(1 << 101));
    ensure(finalised.is_ok(), VERDICT_GOES_THROUGH, || format!("on {event}, finalised: {finalised:?}"))
}

/// Records a result. Returns whether it left a market to a verdict of its own.
fn record(exchange: &Exchange, now: Time, game: GameId, score: Score) -> Result<bool, Failure> {
    let mut probe = begin(exchange, now);
    let [one, other] = probe.approvers();
    probe.withdraw_where(
        one,
        |subject| matches!(subject, Subject::GameResult { game: pending, .. } if *pending == game),
    );
    let proposed = probe.by(one, propose(1 << 101, Subject::GameResult { game, score }));
    ensure(proposed.is_ok(), RESULT_GOES_THROUGH, || format!("of {game}, proposed: {proposed:?}"))?;
    let delay = probe.exchange.governance().policy.resolution_delay_seconds;
    probe.now = probe.now + Span::seconds(delay.into());
    let finalised = probe.by(other, finalise(1 << 101));
    ensure(finalised.is_ok(), RESULT_GOES_THROUGH, || format!("of {game}, finalised: {finalised:?}"))?;
    let catalogue = probe.exchange.catalogue();
    let mut events = catalogue.events_of_game(game).map(|event| catalogue.event(event));
    Ok(events.any(|event| event.status == Status::Closed))
}

fn revoke(exchange: &Exchange, now: Time) -> Result<(), Failure> {
    let mut probe = begin(exchange, now);
    let [one, other] = probe.approvers();
    let command = Command::RevokeOperator(RevokeOperator { operator: ROGUE });
    probe.withdraw_where(one, |subject| matches!(subject, Subject::Command(pending) if **pending == command));
    let proposed = probe.by(one, propose_command(1 << 101, command));
    ensure(proposed.is_ok(), REVOCATION_GOES_THROUGH, || format!("proposed: {proposed:?}"))?;
    let finalised = probe.by(other, finalise(1 << 101));
    ensure(finalised.is_ok(), REVOCATION_GOES_THROUGH, || format!("finalised: {finalised:?}"))
}
