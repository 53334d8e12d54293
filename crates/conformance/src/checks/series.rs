//! Series of recurring events.

use crate::check::{Check, Needs, Stop};
use crate::decimal::Decimal;
use crate::probe::Probe;
use crate::shapes;

const SECTION: &str = "Endpoints: Events and series";

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: "series.list",
        section: SECTION,
        title: "The list of series has 50 rows a page by default.",
        endpoints: &["GET /v1/pm/events/series"],
        needs: Needs::Nothing,
        run: list,
    },
    Check {
        id: "series.pages",
        section: "Resources: Conventions",
        title: "Pages of series have the size that was asked for, and do not repeat rows.",
        endpoints: &["GET /v1/pm/events/series"],
        needs: Needs::Nothing,
        run: pages,
    },
    Check {
        id: "series.lean_events",
        section: SECTION,
        title: "A series has up to 20 recent events with their times.",
        endpoints: &["GET /v1/pm/events/series/{seriesSlug}/lean-events"],
        needs: Needs::Nothing,
        run: lean_events,
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

fn lean_events(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let slug = probe.world.series.clone().ok_or_else(|| Stop::not_tried("the server has no series"))?;
    let answer = probe.get(&format!("/v1/pm/events/series/{slug}/lean-events"))?;
    probe.succeeded(&answer, &shapes::LEAN_EVENTS)?;
    let count = answer.value().list("").len();
    probe.expect(count <= 20, &answer.request, "at most 20 events", count.to_string());
    Ok(())
}
