//! Rate limits: a key that asks too often gets 429, and is told when to come back.

use std::time::Instant;

use serde_json::json;

use crate::check::{Check, Needs, Stop};
use crate::probe::{Probe, unknown_id};
use crate::shapes;
use crate::wire::{Answer, Call};

const SECTION: &str = "Limits";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "limits.reads",
        section: SECTION,
        title: "More than 30 reads a second get 429 with Retry-After.",
        endpoints: &["GET /v1/pm/orders"],
        needs: Needs::Key,
        run: reads,
    },
    Check {
        id: "limits.writes",
        section: SECTION,
        title: "More than 20 writes a second get 429; a batch costs one for each id.",
        endpoints: &["DELETE /v1/pm/orders/batch"],
        needs: Needs::Key,
        run: writes,
    },
];

/// The body and the header of a refusal for haste.
pub(super) fn compare_refusal(probe: &mut Probe<'_>, answer: &Answer) {
    if answer.status != 429 {
        probe.differ(&answer.request, "status 429", answer.shown());
        return;
    }
    probe.shape(answer, &shapes::RATE_LIMITED);
    let said = answer.value().at("retryAfter").map(ToString::to_string).unwrap_or_default();
    let header = answer.header("retry-after").unwrap_or("absent").to_owned();
    probe.expect(header == said, format!("{}: Retry-After", answer.request), said, header);
}

/// Sends requests of `cost` as fast as possible until one is refused. `rate` is allowed in a second.
fn hurry(
    probe: &mut Probe<'_>,
    call: &dyn Fn() -> Result<Answer, Stop>,
    cost: u64,
    rate: u64,
) -> Result<(), Stop> {
    let began = Instant::now();
    let mut spent = 0;
    for _ in 0..300 {
        let answer = call()?;
        if answer.status == 429 {
            compare_refusal(probe, &answer);
            return Ok(());
        }
        spent += cost;
        // Twice the rate, and twice the burst, leave no doubt.
        if spent > 2 * rate * (began.elapsed().as_secs() + 2) {
            let seen = format!("none among {spent} in {:.1} seconds", began.elapsed().as_secs_f32());
            probe.differ(&answer.request, format!("status 429 above {rate} a second"), seen);
            return Ok(());
        }
    }
    Err(Stop::not_tried("the connection is too slow to reach the limit"))
}

fn reads(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (wire, key) = (probe.wire, probe.key()?);
    let call = Call::new("GET", "/v1/pm/orders?size=1").reader(key);
    hurry(probe, &|| wire.send_at_once(&call), 1, 30)
}

fn writes(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let (wire, key) = (probe.wire, probe.key()?);
    let ids: Vec<String> = (0..10).map(|_| unknown_id()).collect();
    let body = json!({"orderIds": ids}).to_string();
    let call = Call::new("DELETE", "/v1/pm/orders/batch").body(&body).signed(key);
    hurry(probe, &|| wire.send_at_once(&call), 10, 20)
}
