//! Measures the forms. Each repetition has a state of its own, copied before; a form that is refused without preparation
//! changes nothing, and its repetitions share one.
//!
//! Processor time, because other processes of the machine would count otherwise.

use std::hint::black_box;
use std::time::Duration;

use exchange::catalogue::Engine;
use exchange::change::{Change, OrderCause};
use exchange::command::{CancelAfter, CancelOrder, Command, Request};
use exchange::order::{OrderStatus, Outcome};
use exchange::reply::Reply;
use exchange::time::Time;
use exchange::{Decision, Exchange};
use load::processor::thread_time;

use crate::forms::{Expect, Form};
use crate::ids::{self, Kind, Rest};
use crate::world::{Script, Sizes, Stage, key, limit, new_event};

/// Repetitions that share a state.
const SHARED_TIMES: usize = 25;

/// A form with its result.
#[derive(Debug)]
pub struct Measured {
    pub form: Form,
    pub effects: Effects,
    pub times: Vec<Duration>,
}

/// What a command did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    pub fills: usize,
    pub cancelled: usize,
    pub paid: usize,
}

impl Effects {
    fn of(changes: &[Change]) -> Effects {
        let mut effects = Effects::default();
        for change in changes {
            match change {
                Change::Trade(_) | Change::PoolMoved { .. } => effects.fills += 1,
                Change::Settled(_) => effects.paid += 1,
                Change::Order { record, cause }
                    if matches!(record.status, OrderStatus::Cancelled | OrderStatus::Expired)
                        && *cause != OrderCause::Placed =>
                {
                    effects.cancelled += 1;
                }
                _ => {}
            }
        }
        effects
    }

    pub fn units(&self) -> usize {
        self.fills + self.cancelled + self.paid
    }
}

/// The names of commands without a form.
pub fn missing(forms: &[Form]) -> Vec<&'static str> {
    let has_form = |name: &&&str| forms.iter().any(|form| form.request.command.name() == **name);
    Command::NAMES.iter().filter(|name| !has_form(name)).copied().collect()
}

pub fn measure(world: &Stage, sizes: &Sizes, form: Form, times: usize) -> Measured {
    let is_shared = form.expect != Expect::Done && form.prepare.is_none();
    let mut measured = Vec::new();
    let mut effects = Effects::default();
    let mut shared = is_shared.then(|| world.clone());
    for _ in 0..if is_shared { SHARED_TIMES } else { times } {
        let mut own;
        let stage = match &mut shared {
            Some(stage) => stage,
            None => {
                own = world.clone();
                &mut own
            }
        };
        stage.now = sizes.now();
        if !form.is_cold && !is_shared {
            warm_up(stage, sizes);
        }
        if let Some(prepare) = &form.prepare {
            prepare(stage);
        }
        let at = form.at.unwrap_or(stage.now);
        if !form.is_cold && form.prepare.is_some() {
            // The next request drops the changes of the one before.
            let now = stage.now;
            Script::new(stage, now).system(Command::Tick);
        }
        let (decision, time) = timed(&mut stage.exchange, at, &form.request);
        measured.push(time);
        check(&form, &stage.exchange, &decision);
        effects = Effects::of(stage.exchange.changes());
    }
    Measured { form, effects, times: measured }
}

/// Not inlined, so that a profile tells the measured command from those before it.
#[inline(never)]
fn timed(exchange: &mut Exchange, at: Time, request: &Request) -> (Decision, Duration) {
    let begun = thread_time();
    let decision = black_box(exchange.apply(at, request));
    let time = thread_time() - begun;
    (decision.expect("a request of this build"), time)
}

/// A copy has no spare capacity: its first order, event and key would pay for all later ones.
fn warm_up(stage: &mut Stage, sizes: &Sizes) {
    let now = stage.now;
    let mut script = Script::new(stage, now);
    for (outcome, cents) in [(Outcome::Yes, 1), (Outcome::No, 1)] {
        let order = ids::order(Rest::Fresh, 2);
        let new = limit(order, ids::outcome(Kind::Deep, 0, outcome), 1_000, cents);
        script.user(ids::WHALE, Command::PlaceOrder(new));
        script.user(ids::WHALE, Command::CancelOrder(CancelOrder { order }));
    }
    script.system(Command::CreateEvent(new_event(Kind::Fresh, 1, sizes.markets, Engine::Clob)));
    script.send(Request {
        actor: ids::by_key(ids::WHALE),
        idempotency: Some(key(u32::MAX - 1, 1)),
        command: Command::CancelAfter(CancelAfter { seconds: 0 }),
    });
}

/// A form that does not do what its name says would measure something else.
fn check(form: &Form, exchange: &Exchange, decision: &Decision) {
    let changes = exchange.changes().len();
    let is_as_expected = match (form.expect, decision) {
        (Expect::Done, Ok(Reply::Results(items))) => items.iter().all(|item| item.outcome.is_ok()),
        (Expect::Done, Ok(_)) => true,
        (Expect::Refused, Err(_)) => changes == 0,
        (Expect::ItemsRefused, Ok(Reply::Results(items))) => {
            changes == 0 && items.iter().all(|item| item.outcome.is_err())
        }
        _ => false,
    };
    assert!(is_as_expected, "{form:?}: {}, {changes} changes", brief(decision));
}

fn brief(decision: &Decision) -> String {
    let text = format!("{decision:?}");
    text.chars().take(400).collect()
}

#[cfg(test)]
mod tests {
    use super::{measure, missing};
    use crate::forms::{self, Work};
    use crate::world::{self, Sizes};

    #[test]
    fn every_command_has_a_form() {
        let forms = forms::all(&Sizes::LARGEST);
        assert!(missing(&forms).is_empty(), "without a form: {:?}", missing(&forms));
    }

    #[test]
    fn every_form_does_what_its_name_says_in_a_small_world() {
        let sizes = Sizes::SMALL;
        let world = world::stage(&sizes);
        for form in forms::all(&sizes) {
            let has_units = !matches!(form.work, Work::Nothing | Work::Items(..));
            let measured = measure(&world, &sizes, form, 1);
            assert!(!has_units || measured.effects.units() > 0, "{:?} has no effect", measured.form);
        }
    }
}
