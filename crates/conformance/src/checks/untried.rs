//! Rules of the specification that a short run does not try, each with its reason, so that a report leaves nothing out.

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::Probe;

/// A rule and the function that says why it is not tried.
const fn untried(
    id: &'static str,
    section: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (source, needs) = (Source::Specification, Needs::Nothing);
    Check { id, section, source, title, endpoints: &[], needs, run }
}

const ERRORS: &str = "Errors";
const STATES: &str = "States and transitions";
const ORDERS: &str = "Endpoints: Quote and orders";
const AMEND: &str = "Endpoints: Quote and orders, batch amend";
const STP: &str = "Endpoints: Quote and orders, stpMode";
const SETS: &str = "Endpoints: Mint and burn";
const KEYS: &str = "Endpoints: User and API keys";
const LIMITS: &str = "Limits";
const IDEMPOTENCY: &str = "Limits: Idempotency";
const EVENTS: &str = "Endpoints: Events and series";

pub(super) const CHECKS: &[Check] = &[
    untried("untried.in_flight", ERRORS, "A concurrent duplicate of a batch is 409 conflict.", overlap),
    untried("untried.window", IDEMPOTENCY, "A key is remembered for 24 hours.", day),
    untried("untried.uncached", IDEMPOTENCY, "Answers of 5xx, 429 and 408 are not replayed.", failure),
    untried("untried.empty_key", IDEMPOTENCY, "An empty Idempotency-Key is refused.", header),
    untried("untried.other_route", IDEMPOTENCY, "A key on another route is another key.", unwritten),
    untried("untried.closing", STATES, "Trading stops at closingDate.", close),
    untried(
        "untried.resolution",
        STATES,
        "In a combined event the other markets resolve NO when one resolves YES.",
        operator,
    ),
    untried("untried.queue", AMEND, "A smaller amend keeps its place in the queue.", unwritten),
    untried("untried.tail", AMEND, "A price move goes to the tail of the queue.", unwritten),
    untried("untried.amend_own", AMEND, "Own orders that an amend would cross are cancelled.", unwritten),
    untried(
        "untried.amend_together",
        AMEND,
        "Own orders that the same batch amends are not cancelled by it.",
        unwritten,
    ),
    untried(
        "untried.amend_filled",
        AMEND,
        "After an amend of a partly filled order newSize minus filledSize remains.",
        unwritten,
    ),
    untried("untried.amend_size", AMEND, "newSize alone keeps the price.", unwritten),
    untried(
        "untried.amend_funds",
        AMEND,
        "An amend beyond the wallet is INSUFFICIENT_BALANCE, beyond free shares INSUFFICIENT_SHARES.",
        funds,
    ),
    untried("untried.amend_cost", AMEND, "An amend costs one token of the write bucket per item.", tokens),
    untried("untried.amend_replay", AMEND, "A batch amend under an Idempotency-Key is replayed.", unwritten),
    untried("untried.hundred", LIMITS, "A batch cancel of 100 ids is accepted.", tokens),
    untried("untried.batch_size", ERRORS, "A 429 for the size of a batch has retryAfter.", tokens),
    untried(
        "untried.stp_fills",
        STP,
        "CANCEL_NEWEST and CANCEL_BOTH leave a taker with earlier fills cancelled, and its fills stand.",
        unwritten,
    ),
    untried("untried.stp_refund", STP, "CANCEL_OLDEST refunds the resting order.", unwritten),
    untried("untried.fok", ORDERS, "A FOK order fills completely or not at all.", unwritten),
    untried("untried.fak", ORDERS, "The remainder of a FAK order does not rest.", unwritten),
    untried("untried.slippage", ORDERS, "maxSlippage bounds the price of a market order.", unwritten),
    untried("untried.pool_sell", ORDERS, "An order to sell is filled by a pool.", shares),
    untried("untried.naira", ORDERS, "Orders in NGN have at least 100.00.", naira),
    untried(
        "untried.partial_cancel",
        ORDERS,
        "A partly filled order is cancelled; its fills stand.",
        unwritten,
    ),
    untried("untried.burn_short", SETS, "A burn without enough shares of both outcomes is refused.", shares),
    untried("untried.naira_sets", SETS, "A set costs 100 NGN.", naira),
    untried(
        "untried.key_limits",
        LIMITS,
        "Keys are created, rotated and revoked twice in 30 minutes.",
        allowance,
    ),
    untried("untried.two_keys", LIMITS, "A third active key is refused.", allowance),
    untried("untried.key_names", KEYS, "A second key of one name is refused.", allowance),
    untried("untried.key_total", KEYS, "The total of the list is the number of active keys.", allowance),
    untried("untried.device", KEYS, "A session with another x-device-id is 401.", device),
    untried("untried.trending", EVENTS, "The filter trending leaves trending events.", unmarked),
    untried("untried.watchlist", EVENTS, "userWatchlisted is that of the caller's key.", unmarked),
    untried(
        "untried.soccer",
        "Resources: Event",
        "Combined, grouped and soccer events have the markets of their kind.",
        fixtures,
    ),
    untried("untried.games_of_team", "Endpoints: Sports data", "Games are filtered by team.", parameter),
];

fn overlap(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a client cannot see whether two requests overlap inside the server"))
}

fn day(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it takes a day"))
}

fn failure(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a client cannot make a batch fail with these statuses at will"))
}

fn header(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("servers in between may drop an empty header"))
}

fn close(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a run does not wait until a market closes"))
}

fn operator(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("only an operator resolves an event"))
}

/// A rule that two accounts in a gap of a book could show.
fn unwritten(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("this version has no check for it; one or two accounts in a gap of a book suffice"))
}

fn funds(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it needs an amend of more than --max-spend allows"))
}

fn tokens(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried(
        "a batch may hold more tokens than a second allows, and how a server answers then is open",
    ))
}

fn shares(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it depends on the shares that the account holds before the run"))
}

fn naira(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("--max-spend is in USD, so a run spends no NGN"))
}

fn allowance(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it would use up the account's keys or its allowance for half an hour"))
}

fn device(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("a server may end the session after a wrong device, and no second login is allowed"))
}

fn unmarked(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("no answer says which events these are"))
}

fn fixtures(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("it depends on events that a server need not have"))
}

fn parameter(_: &mut Probe<'_>) -> Result<(), Stop> {
    Err(Stop::not_tried("the specification does not show the parameter's name"))
}
