//! The system's own routes, and the trace id.

use crate::check::{Check, Needs, Source, Stop};
use crate::probe::Probe;
use crate::shapes;
use crate::wire::Call;

const HEALTH: &[&str] = &["GET /health"];
const VERSION: &[&str] = &["GET /version"];

const fn system(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (section, source) = ("Endpoints: System", Source::Specification);
    Check { id, section, source, title, endpoints, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    system("system.health", HEALTH, "GET /health answers 200.", health),
    system("system.version", VERSION, "GET /version answers 200.", version),
    Check {
        source: Source::PublicClients,
        ..system("system.health_body", HEALTH, "The health has the status ok.", health_body)
    },
    Check {
        source: Source::PublicClients,
        ..system("system.version_body", VERSION, "The version has a field version.", version_body)
    },
    Check {
        section: "Versioning",
        ..system(
            "system.trace",
            &["GET /v1/pm/events"],
            "A trace id of the caller comes back in the headers.",
            trace,
        )
    },
];

fn health(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/health")?;
    probe.need(&answer, 200)
}

fn version(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/version")?;
    probe.need(&answer, 200)
}

fn health_body(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/health")?;
    probe.succeeded(&answer, &shapes::HEALTH)?;
    probe.text_is(&answer.request, answer.value(), "status", "ok");
    Ok(())
}

fn version_body(probe: &mut Probe<'_>) -> Result<(), Stop> {
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
