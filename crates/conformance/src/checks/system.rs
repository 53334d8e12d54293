//! The system's own routes, and the trace id.

use crate::check::{Check, Needs, Stop};
use crate::probe::Probe;
use crate::shapes;
use crate::wire::Call;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "system.health",
        section: "Endpoints: System",
        title: "GET /health says that the service runs.",
        endpoints: &["GET /health"],
        needs: Needs::Nothing,
        run: health,
    },
    Check {
        id: "system.version",
        section: "Endpoints: System",
        title: "GET /version names the version.",
        endpoints: &["GET /version"],
        needs: Needs::Nothing,
        run: version,
    },
    Check {
        id: "system.trace",
        section: "Versioning",
        title: "A trace id of the caller comes back in the headers.",
        endpoints: &["GET /v1/pm/events"],
        needs: Needs::Nothing,
        run: trace,
    },
];

fn health(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/health")?;
    probe.succeeded(&answer, &shapes::HEALTH)?;
    probe.text_is(&answer.request, answer.value(), "status", "ok");
    Ok(())
}

fn version(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/version")?;
    probe.succeeded(&answer, &shapes::VERSION)
}

fn trace(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let sent = "0123456789ab-000001";
    let answer = probe.send(&Call::new("GET", "/v1/pm/events?size=1").header("x-trace-id", sent))?;
    let seen = answer.header("x-trace-id").unwrap_or("absent").to_owned();
    probe.expect(seen == sent, format!("{}: x-trace-id", answer.request), sent, seen);
    Ok(())
}
