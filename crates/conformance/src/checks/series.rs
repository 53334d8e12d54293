//! Series of recurring events.

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::probe::Probe;
use crate::shapes;
use crate::wire::Answer;
use crate::world::rows;

const LIST: &[&str] = &["GET /v1/pm/events/series"];
const LEAN: &[&str] = &["GET /v1/pm/events/series/{seriesSlug}/lean-events"];

const fn series(
    id: &'static str,
    endpoints: &'static [&'static str],
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let (section, source) = ("Endpoints: Events and series", Source::Specification);
    Check { id, section, source, title, endpoints, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    series("series.list", LIST, "The list of series has 50 rows a page by default.", list),
    Check {
        section: "Resources: Conventions",
        ..series(
            "series.pages",
            LIST,
            "Pages of series have the requested size and do not repeat rows.",
            pages,
        )
    },
    series("series.lean_events", LEAN, "A series lists up to 20 recent events.", lean_events),
    Check {
        source: Source::PublicClients,
        ..series(
            "series.lean_shape",
            LEAN,
            "Recent events are a bare list with their three times.",
            lean_shape,
        )
    },
];

fn list(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get("/v1/pm/events/series")?;
    probe.succeeded(&answer, &shapes::SERIES_LIST)?;
    probe.number_is(&answer.request, answer.value(), "pagination/size", Decimal::whole(50));
    Ok(())
}

fn pages(probe: &mut Probe<'_>) -> Result<(), Stop> {
    super::market_data::compare_pages(probe, "/v1/pm/events/series?", "series")
}

fn lean(probe: &Probe<'_>) -> Result<Answer, Stop> {
    let slug = probe.world.series.clone().ok_or_else(|| Stop::not_tried("the server has no series"))?;
    probe.get(&format!("/v1/pm/events/series/{slug}/lean-events"))
}

fn lean_events(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = lean(probe)?;
    probe.need(&answer, 200)?;
    let count = rows(answer.value(), "events").len();
    probe.expect(count <= 20, &answer.request, "at most 20 events", count.to_string());
    Ok(())
}

fn lean_shape(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = lean(probe)?;
    probe.succeeded(&answer, &shapes::LEAN_EVENTS)
}
