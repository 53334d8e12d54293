//! Rules of the specification that no client can try in a short run: named, so that a report leaves nothing out.

use crate::check::{Check, Needs, Stop};
use crate::probe::Probe;

const fn untried(
    id: &'static str,
    section: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    Check { id, section, title, endpoints: &[], needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    untried("untried.in_flight", "Errors", "A concurrent duplicate of a batch is 409 conflict.", in_flight),
    untried("untried.window", "Limits: Idempotency", "A key is remembered for 24 hours.", window),
    untried("untried.closing", "States and transitions", "Trading stops at closingDate.", closing),
    untried(
        "untried.resolution",
        "States and transitions",
        "In a combined event the other markets resolve NO when one resolves YES.",
        resolution,
    ),
    untried("untried.expiry", "Endpoints: Quote and orders", "A GTD order expires at its time.", expiry),
    untried(
        "untried.queue",
        "Endpoints: Quote and orders",
        "A smaller amend keeps its place in the queue.",
        queue,
    ),
    untried(
        "untried.key_limits",
        "Limits",
        "Keys are created, rotated and revoked twice in 30 minutes.",
        key_limits,
    ),
];

fn in_flight(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("whether two requests overlap inside the server cannot be seen from outside"))
}

fn window(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it takes a day"))
}

fn closing(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a run does not wait until a market closes"))
}

fn resolution(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("only an operator resolves an event"))
}

fn expiry(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a run does not wait for an expiry"))
}

fn queue(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it needs three accounts, and a price that no other account uses"))
}

fn key_limits(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it would use up the account's allowance for half an hour"))
}
