//! The clock: read it, advance it, jump to an event's close, let it run, stop it.

use api::Timestamp;
use axum::extract::State;
use bytes::Bytes;
use exchange::time::Time;
use serde::{Deserialize, Serialize};

use super::{Answered, Control, Shared, ok, read as read_body};
use crate::advancing::ADVANCE_MAX;
use crate::error::Refusal;
use crate::past::Past;
use crate::running::read_speed;

/// The clock as answers show it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClockState {
    now: Timestamp,
    sequence: u64,
    running: bool,
    /// Seconds of the venue per second of the machine, while it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<u32>,
    /// Why a clock that ran has stopped by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    /// Whether the venue follows from the seed and the requests alone: false once the clock has run at a speed, until a
    /// reset or a return to a snapshot from before.
    deterministic: bool,
}

pub(super) async fn state(control: &Control) -> Result<ClockState, Refusal> {
    let venue = control.front.venue.lock().await;
    let speed = control.running.speed();
    let sequence = venue.app()?.reading().state().seq();
    Ok(ClockState {
        now: Timestamp::from_micros(venue.fixed.clock.time().micros()),
        sequence,
        running: speed.is_some(),
        speed,
        failure: control.running.failure(),
        deterministic: venue.record.deterministic && speed.is_none(),
    })
}

pub(super) async fn read_state(control: &Control) -> Answered {
    ok(&state(control).await?)
}

pub(super) async fn read(State(control): Shared) -> Answered {
    read_state(&control).await
}

/// How far the relived journal is.
pub(super) async fn past(State(control): Shared) -> Answered {
    let venue = control.front.venue.lock().await;
    let report = venue.past.as_ref().map(Past::report);
    ok(&report.ok_or_else(|| Refusal::missing("This sandbox does not relive a journal"))?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    #[serde(default)]
    seconds: Option<i64>,
    #[serde(default)]
    millis: Option<i64>,
}

pub(super) async fn advance(State(control): Shared, body: Bytes) -> Answered {
    let Advance { seconds, millis } = read_body(&body)?;
    let millis = match (seconds, millis) {
        (Some(seconds), None) => seconds.saturating_mul(1_000),
        (None, Some(millis)) => millis,
        _ => return Err(Refusal::bad("Send seconds or millis")),
    };
    if millis < 0 || millis > ADVANCE_MAX.micros() / 1_000 {
        return Err(Refusal::bad("The clock advances by 0 seconds to 400 days"));
    }
    require_standing(&control)?;
    control
        .with_venue(move |venue| {
            let target = Time::from_micros(venue.fixed.clock.time().micros() + millis * 1_000);
            venue.advance_to(target)
        })
        .await?;
    read_state(&control).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Jump {
    /// An event's id or slug.
    event: String,
}

pub(super) async fn jump(State(control): Shared, body: Bytes) -> Answered {
    let Jump { event } = read_body(&body)?;
    require_standing(&control)?;
    control
        .with_venue(move |venue| {
            let (id, _) = venue.find_event(&event)?;
            let closes_at = {
                let exchange = venue.app()?.reading().state();
                let index = exchange.catalogue().find_event(id);
                index.and_then(|index| exchange.catalogue().event(index).details.closing_date)
            };
            let closes_at = closes_at.ok_or_else(|| Refusal::bad("event: has no closing date"))?;
            let now = venue.fixed.clock.time();
            if closes_at < now {
                return Err(Refusal::bad("event: has closed already"));
            }
            if closes_at - now > ADVANCE_MAX {
                return Err(Refusal::bad("event: closes in more than 400 days"));
            }
            venue.advance_to(closes_at)
        })
        .await?;
    read_state(&control).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Run {
    /// Such as `60` or `"60x"`.
    speed: serde_json::Value,
}

pub(super) async fn run(State(control): Shared, body: Bytes) -> Answered {
    let Run { speed } = read_body(&body)?;
    let text = match &speed {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let speed = read_speed(&text).map_err(|fault| Refusal::bad(format!("speed: {fault}")))?;
    control
        .with_venue(|venue| {
            venue.record.deterministic = false;
            Ok(())
        })
        .await?;
    control.running.start(control.front.venue.clone(), speed);
    read_state(&control).await
}

pub(super) async fn stop(State(control): Shared) -> Answered {
    control.running.stop();
    control.with_venue(|_| Ok(())).await?;
    read_state(&control).await
}

/// Refuses to move a clock that runs.
pub(super) fn require_standing(control: &Control) -> Result<(), Refusal> {
    match control.running.speed() {
        None => Ok(()),
        Some(_) => Err(Refusal::conflict("The clock runs: stop it first")),
    }
}
