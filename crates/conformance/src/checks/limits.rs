//! Rate limits: requests of a key beyond its rate get 429 with `Retry-After`.

use std::time::Instant;

use serde_json::json;

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::{Probe, unknown_id};
use crate::shapes;
use crate::wire::{Answer, Call};

const SECTION: &str = "Limits";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "limits.reads",
        section: SECTION,
        source: Source::Specification,
        title: "More than 30 reads a second get 429 with Retry-After.",
        endpoints: &["GET /v1/pm/orders"],
        needs: Needs::Key,
        run: reads,
    },
    Check {
        id: "limits.writes",
        section: SECTION,
        source: Source::Specification,
        title: "More than 20 writes a second get 429; a batch costs one for each id.",
        endpoints: &["DELETE /v1/pm/orders/batch"],
        needs: Needs::Key,
        run: writes,
    },
];

/// Compares the body and the header of a 429.
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

/// Requests that are sent at once.
const TOGETHER: usize = 10;

/// Sends requests of `cost`, ten at a time, until one is refused. `rate` is allowed in a second.
fn hurry(probe: &mut Probe<'_>, call: &Call<'_>, cost: u64, rate: u64) -> Result<(), Stop> {
    let began = Instant::now();
    let mut spent = 0;
    for _ in 0..60 {
        let answers = probe.wire.send_together(call, TOGETHER)?;
        if let Some(refused) = answers.iter().find(|answer| answer.status == 429) {
            compare_refusal(probe, refused);
            return Ok(());
        }
        spent += cost * TOGETHER as u64;
        // Twice the rate, and twice the burst, leave no doubt.
        if spent > 2 * rate * (began.elapsed().as_secs() + 2) {
            let seen = format!("none among {spent} in {:.1} seconds", began.elapsed().as_secs_f32());
            let what = format!("{} {}", call.method, call.path);
            probe.differ(what, format!("status 429 above {rate} a second"), seen);
            return Ok(());
        }
    }
    Err(Stop::not_tried("the connection is too slow to reach the limit"))
}

fn reads(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let call = Call::new("GET", "/v1/pm/orders?size=1").reader(probe.key()?);
    hurry(probe, &call, 1, 30)
}

fn writes(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let ids: Vec<String> = (0..10).map(|_| unknown_id()).collect();
    let body = json!({"orderIds": ids}).to_string();
    let key = probe.key()?;
    hurry(probe, &Call::new("DELETE", "/v1/pm/orders/batch").body(&body).signed(key), 10, 20)
}
