//! Events: lists, pages, filters, one event.

use crate::check::{Check, Needs, Source, Stop};
use crate::decimal::Decimal;
use crate::json::Json;
use crate::probe::{Probe, unknown_id};
use crate::shape::compare;
use crate::shapes;
use crate::wire::Answer;
use crate::world::rows;

const SECTION: &str = "Endpoints: Events and series";
const LIST: &[&str] = &["GET /v1/pm/events"];
const ONE: &[&str] = &["GET /v1/pm/events/{eventId}"];

const fn listing(
    id: &'static str,
    title: &'static str,
    run: fn(&mut Probe<'_>) -> Result<(), Stop>,
) -> Check {
    let source = Source::Specification;
    Check { id, section: SECTION, source, title, endpoints: LIST, needs: Needs::Nothing, run }
}

pub(super) const CHECKS: &[Check] = &[
    listing("events.list", "The list has events, their markets and a pagination.", list),
    Check {
        source: Source::PublicClients,
        ..listing("events.envelope", "The list of events is named events.", envelope)
    },
    Check {
        section: "Resources: Conventions",
        ..listing("events.pages", "Pages have the requested size and do not repeat rows.", pages)
    },
    Check {
        section: "Resources: Conventions",
        ..listing("events.page_bound", "A page has at most 100 rows.", page_bound)
    },
    Check {
        section: "Resources: Conventions",
        ..listing("events.page_least", "A page or a size of 0 is refused, or read as at least 1.", page_least)
    },
    listing("events.status_filter", "The filter status leaves only events of that status.", status_filter),
    listing(
        "events.category_filter",
        "The filter category leaves only events of that category.",
        category_filter,
    ),
    listing(
        "events.keyword_filter",
        "The filter keyword finds an event by a word of its title, and leaves out others.",
        keyword_filter,
    ),
    listing("events.series_filter", "The filter seriesSlug gives events of that series only.", series_filter),
    listing(
        "events.game_filter",
        "The filter sportGameSlug gives the linked events of one match.",
        game_filter,
    ),
    Check {
        section: "What the service does",
        ..listing("events.prices", "The two prices of an open market add up to about 1.", prices)
    },
    Check { section: "Resources: Event", ..listing("events.kinds", "A single event has one market.", kinds) },
    Check { endpoints: ONE, ..listing("events.get", "One event is the event of the list.", get) },
    Check {
        endpoints: ONE,
        source: Source::PublicClients,
        ..listing("events.naira", "In NGN the least order is at least 100.", naira)
    },
    Check {
        endpoints: ONE,
        ..listing(
            "events.unknown",
            "An unknown event is 404 not_found with the message Event not found.",
            unknown,
        )
    },
];

/// The first page of events.
fn first_page(probe: &mut Probe<'_>) -> Result<Answer, Stop> {
    let answer = probe.get("/v1/pm/events?size=100")?;
    probe.need(&answer, 200)?;
    Ok(answer)
}

fn list(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = first_page(probe)?;
    compare_events(probe, &answer);
    if rows(answer.value(), "events").is_empty() {
        return Err(Stop::not_tried("the server has no events, or no single list"));
    }
    Ok(())
}

/// Compares the rows and the pagination of a list, whatever its name is.
fn compare_events(probe: &mut Probe<'_>, answer: &Answer) {
    probe.shape(answer, &shapes::PAGED);
    let events = Json::List(rows(answer.value(), "events").to_vec());
    compare(&shapes::EVENT_LIST, &events, &format!("{}: events", answer.request), &mut probe.differences);
}

fn envelope(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = first_page(probe)?;
    probe.shape(&answer, &shapes::EVENTS);
    Ok(())
}

fn pages(probe: &mut Probe<'_>) -> Result<(), Stop> {
    super::market_data::compare_pages(probe, "/v1/pm/events?", "events")
}

fn page_bound(probe: &mut Probe<'_>) -> Result<(), Stop> {
    super::market_data::compare_bound(probe, "/v1/pm/events?", "events")
}

fn page_least(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for (name, query) in [("page", "page=0&size=1"), ("size", "page=1&size=0")] {
        let answer = probe.get(&format!("/v1/pm/events?{query}"))?;
        if answer.status != 200 {
            probe.refused(&answer, &[400, 422], None);
            continue;
        }
        let seen = answer.value().decimal(&format!("pagination/{name}"));
        let holds = seen.is_some_and(|seen| seen >= Decimal::ONE);
        let what = format!("{}: pagination.{name}", answer.request);
        probe.expect(holds, what, "1 or more, or status 400", answer.shown());
    }
    Ok(())
}

fn status_filter(probe: &mut Probe<'_>) -> Result<(), Stop> {
    for status in ["open", "resolved"] {
        let answer = probe.get(&format!("/v1/pm/events?status={status}&size=100"))?;
        probe.need(&answer, 200)?;
        for event in rows(answer.value(), "events") {
            probe.text_is(&answer.request, event, "status", status);
        }
    }
    Ok(())
}

fn category_filter(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = first_page(probe)?;
    let first = rows(all.value(), "events").first().and_then(|event| event.text("category"));
    let Some(category) = first.filter(|name| is_plain(name)) else {
        return Err(Stop::not_tried("no event with a plain category"));
    };
    let answer = probe.get(&format!("/v1/pm/events?category={category}&size=100"))?;
    probe.need(&answer, 200)?;
    let found = rows(answer.value(), "events");
    probe.expect(!found.is_empty(), &answer.request, "the event that has this category", "no events");
    for event in found {
        let seen = event.text("category").unwrap_or_default();
        let holds = seen.eq_ignore_ascii_case(category);
        probe.expect(holds, format!("{}: category", answer.request), category, seen);
    }
    Ok(())
}

fn keyword_filter(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = first_page(probe)?;
    let title = rows(all.value(), "events").first().and_then(|event| event.text("title")).unwrap_or_default();
    let Some(word) = title.split(' ').filter(|word| is_plain(word)).max_by_key(|word| word.len()) else {
        return Err(Stop::not_tried("no event with a plain word in its title"));
    };
    let answer = probe.get(&format!("/v1/pm/events?keyword={word}&size=100"))?;
    probe.need(&answer, 200)?;
    let has_word =
        |event: &Json| event.text("title").unwrap_or_default().to_lowercase().contains(&word.to_lowercase());
    let is_found = rows(answer.value(), "events").iter().any(has_word);
    probe.expect(is_found, &answer.request, format!("an event with {word} in its title"), "none");
    let nothing = probe.get("/v1/pm/events?keyword=qzxjvwkqzxjvwk")?;
    probe.need(&nothing, 200)?;
    let count = |answer: &Answer| answer.value().decimal("pagination/totalCount").unwrap_or_default();
    let (few, many) = (count(&nothing), count(&all));
    probe.expect(few < many, &nothing.request, format!("fewer than all {many} events"), few.to_string());
    Ok(())
}

fn series_filter(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let slug = probe.world.series.clone().ok_or_else(|| Stop::not_tried("the server has no series"))?;
    let answer = probe.get(&format!("/v1/pm/events?seriesSlug={slug}"))?;
    probe.need(&answer, 200)?;
    compare_events(probe, &answer);
    let events = rows(answer.value(), "events");
    // The field is no part of the specification's event.
    if events.iter().all(|event| event.text("seriesSlug").is_none()) {
        return Err(Stop::not_tried("the server has no events of the series, or does not name their series"));
    }
    for event in events {
        probe.text_is(&answer.request, event, "seriesSlug", &slug);
    }
    Ok(())
}

fn game_filter(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = first_page(probe)?;
    let of_games = rows(all.value(), "events").iter().filter_map(|event| event.text("sportGameSlug"));
    let Some(slug) = of_games.filter(|slug| !slug.is_empty()).map(str::to_owned).next() else {
        return Err(Stop::not_tried("the first hundred events have no soccer match"));
    };
    let answer = probe.get(&format!("/v1/pm/events?sportGameSlug={slug}"))?;
    probe.need(&answer, 200)?;
    compare_events(probe, &answer);
    let found = rows(answer.value(), "events");
    probe.expect(!found.is_empty(), &answer.request, "the events of the match", "no events");
    for event in found {
        probe.text_is(&answer.request, event, "sportGameSlug", &slug);
    }
    Ok(())
}

fn prices(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = first_page(probe)?;
    let open = |value: &&Json| value.text("status") == Some("open");
    let markets = rows(answer.value(), "events").iter().flat_map(|event| event.list("markets"));
    for market in markets.filter(open) {
        let (one, two) = (market.decimal("outcome1Price"), market.decimal("outcome2Price"));
        let sum = one.unwrap_or_default() + two.unwrap_or_default();
        let holds = sum.distance(Decimal::ONE) <= Decimal::hundredths(5);
        probe.expect(holds, format!("{}: prices of a market", answer.request), "about 1", sum.to_string());
    }
    Ok(())
}

fn kinds(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = first_page(probe)?;
    let single = |event: &&Json| event.text("type") == Some("single");
    for event in rows(answer.value(), "events").iter().filter(single) {
        let count = event.list("markets").len();
        probe.expect(
            count == 1,
            format!("{}: a single event", answer.request),
            "1 market",
            count.to_string(),
        );
    }
    Ok(())
}

fn get(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = first_page(probe)?;
    let first = rows(all.value(), "events").first();
    let Some(id) = first.and_then(|event| event.text("id")) else {
        return Err(Stop::not_tried("the server has no events"));
    };
    let answer = probe.get(&format!("/v1/pm/events/{id}"))?;
    probe.succeeded(&answer, &shapes::EVENT)?;
    probe.text_is(&answer.request, answer.value(), "id", id);
    Ok(())
}

fn naira(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let all = first_page(probe)?;
    let has_naira = |event: &&Json| {
        event.list("supportedCurrencies").iter().any(|name| *name == Json::Text("NGN".to_owned()))
    };
    let Some(id) = rows(all.value(), "events").iter().find(has_naira).and_then(|event| event.text("id"))
    else {
        return Err(Stop::not_tried("the first hundred events do not support NGN"));
    };
    let answer = probe.get(&format!("/v1/pm/events/{id}?currency=NGN"))?;
    probe.succeeded(&answer, &shapes::EVENT)?;
    for market in answer.value().list("markets") {
        let least = market.decimal("minimumOrderAmount").unwrap_or_default();
        let holds = least >= Decimal::whole(100);
        probe.expect(
            holds,
            format!("{}: minimumOrderAmount", answer.request),
            "100 or more",
            least.to_string(),
        );
    }
    Ok(())
}

fn unknown(probe: &mut Probe<'_>) -> Result<(), Stop> {
    let answer = probe.get(&format!("/v1/pm/events/{}", unknown_id()))?;
    probe.refused(&answer, &[404], Some("not_found"));
    probe.shape(&answer, &shapes::ERROR);
    probe.text_is(&answer.request, answer.value(), "message", "Event not found");
    Ok(())
}

/// Letters only, so that the word needs no escape in a query.
fn is_plain(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}
