//! Finds events, markets and outcomes by slug, title and label. A name with several meanings gives all of them.

use api::terms::{OutcomeSide, Status};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::agent::Agent;
use crate::stop::{Stop, bad_argument, not_found};
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Event, Events, Market, date, known};

/// Candidates in one answer.
const CANDIDATES_MAX: usize = 10;
/// The longest name that the exchange searches for.
const SEARCH_CHARACTERS_MAX: usize = 100;

/// One outcome of a market.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) id: Uuid,
    pub(crate) side: OutcomeSide,
    /// Cleaned.
    pub(crate) label: String,
}

/// How much of a title a name must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The whole title, for a write without a preview.
    Whole,
    /// A part that only one title has.
    Part,
}

impl<V: Venue> Agent<V> {
    /// The event with this slug or title.
    pub(crate) async fn find_event(&self, name: &str) -> Result<Event, Stop> {
        self.find_event_as(name, Fit::Part).await
    }

    pub(crate) async fn find_event_as(&self, name: &str, fit: Fit) -> Result<Event, Stop> {
        if let Some(event) = self.event_by_slug(name).await? {
            return Ok(event);
        }
        let searched: String = name.chars().take(SEARCH_CHARACTERS_MAX).collect();
        for parameter in ["keyword", "q"] {
            let call = Call::get("/v1/pm/events")
                .with(parameter, &searched)
                .with("currency", self.currency)
                .with("size", 50);
            let found: Events = self.read(call).await?;
            let may_be_part = fit == Fit::Part && parameter == "keyword";
            if let Some(event) = choose(found.events, name, may_be_part)? {
                return Ok(event);
            }
        }
        Err(not_found("No question has this slug or title. Use search_questions to find one."))
    }
}

/// The only event that fits; candidates if several do. A search by single words never decides alone.
fn choose(mut events: Vec<Event>, name: &str, may_be_part: bool) -> Result<Option<Event>, Stop> {
    let titled: Vec<usize> = (0..events.len()).filter(|index| is_same(&events[*index].title, name)).collect();
    match (titled.as_slice(), events.len()) {
        (_, 0) => Ok(None),
        ([only], _) => Ok(Some(events.swap_remove(*only))),
        ([], 1) if may_be_part => Ok(events.pop()),
        _ => Err(candidates("event", events.iter().map(event_candidate))),
    }
}

fn event_candidate(event: &Event) -> Value {
    json!({
        "slug": text::name(&event.slug),
        "title": text::name(&event.title),
        "status": known::<Status>(&event.status),
        "closes": date(&event.closing_date),
    })
}

/// A structured answer: names of the venue never go into an error.
fn candidates(what: &'static str, found: impl Iterator<Item = Value>) -> Stop {
    let found: Vec<Value> = found.take(CANDIDATES_MAX).collect();
    Stop::Candidates(json!({"ambiguous": what, "candidates": found}))
}

/// The market with this title. The title may be left out if the event has one market.
pub(crate) fn find_market<'a>(event: &'a Event, name: Option<&str>) -> Result<&'a Market, Stop> {
    find_market_as(event, name, Fit::Part)
}

pub(crate) fn find_market_as<'a>(event: &'a Event, name: Option<&str>, fit: Fit) -> Result<&'a Market, Stop> {
    let all = || {
        candidates("market", event.markets.iter().map(|market| json!({"title": text::name(&market.title)})))
    };
    let Some(name) = name else {
        return match event.markets.as_slice() {
            [market] => Ok(market),
            _ => Err(all()),
        };
    };
    let exact: Vec<&Market> = event.markets.iter().filter(|market| is_same(&market.title, name)).collect();
    let wanted = name.to_lowercase();
    let partial = || event.markets.iter().filter(|market| market.title.to_lowercase().contains(&wanted));
    let found = if exact.is_empty() && fit == Fit::Part { partial().collect() } else { exact };
    match found[..] {
        [market] => Ok(market),
        _ => Err(all()),
    }
}

/// The outcome with this label, or YES or NO.
pub(crate) fn find_outcome(market: &Market, name: &str) -> Result<Chosen, Stop> {
    let [yes, no] = outcomes(market);
    match (is_same(&yes.label, name), is_same(&no.label, name)) {
        (true, false) => return Ok(yes),
        (false, true) => return Ok(no),
        (true, true) => {}
        (false, false) if is_same("yes", name) => return Ok(yes),
        (false, false) if is_same("no", name) => return Ok(no),
        (false, false) if name.is_empty() => return Err(bad_argument("`outcome` is required.")),
        (false, false) => {}
    }
    let both = [yes, no].map(|outcome| json!({"label": outcome.label, "side": outcome.side}));
    Err(candidates("outcome", both.into_iter()))
}

/// Both outcomes, YES first.
pub(crate) fn outcomes(market: &Market) -> [Chosen; 2] {
    let chosen = |id, side, label: &str| Chosen { id, side, label: text::name(label) };
    [
        chosen(market.outcome1_id, OutcomeSide::Yes, &market.outcome1_label),
        chosen(market.outcome2_id, OutcomeSide::No, &market.outcome2_label),
    ]
}

/// Whether a name equals the shown name, in any case.
fn is_same(text: &str, name: &str) -> bool {
    text::name(text).trim().to_lowercase() == name.trim().to_lowercase()
}
