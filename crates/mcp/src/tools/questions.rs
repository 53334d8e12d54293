//! Reading questions: search, details, series, and how a question ends.

use api::response::EventResolution;
use api::terms::{Currency, Engine, EventType, IntervalType, OutcomeSide, Status};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::names::outcomes;
use crate::resources::{evidence_uri, resolution_json, rules_uri};
use crate::stop::Stop;
use crate::text;
use crate::venue::{Call, Venue};
use crate::wire::{Event, Events, Market, SeriesList, date, known};

/// Markets of one event in a list.
const MARKETS_LISTED_MAX: usize = 8;

impl<V: Venue> Agent<V> {
    pub(crate) async fn search_questions(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let query = arguments.text("query")?;
        let category = arguments.text("category")?;
        let series = arguments.text("series")?;
        let status = arguments.word::<Status>("status")?.unwrap_or(Status::Open);
        let page = arguments.count("page", 1, 10_000)?;
        let limit = arguments.count("limit", 10, 25)?;
        let mut call = Call::get("/v1/pm/events")
            .with("status", status)
            .with("currency", self.currency)
            .with("page", page)
            .with("size", limit);
        for (name, value) in [("q", &query), ("category", &category), ("seriesSlug", &series)] {
            if let Some(value) = value {
                call = call.with(name, value.chars().take(100).collect::<String>());
            }
        }
        if query.is_none() {
            call = call.with("trending", true);
        }
        let found: Events = self.read(call).await?;
        Ok(json!({
            "questions": found.events.iter().map(short).collect::<Vec<_>>(),
            "page": found.pagination.page,
            "pages": found.pagination.last_page,
            "total": found.pagination.total_count,
        }))
    }

    pub(crate) async fn get_question(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = self.find_event(&arguments.required_text("event")?).await?;
        Ok(json!({
            "slug": text::name(&event.slug),
            "title": text::name(&event.title),
            "description": text::passage(&event.description),
            "category": text::name(&event.category),
            "type": known::<EventType>(&event.event_type),
            "engine": known::<Engine>(&event.engine),
            "status": known::<Status>(&event.status),
            "closes": date(&event.closing_date),
            "resolves": date(&event.resolution_date),
            "resolution_source": text::passage(&event.resolution_source),
            "additional_context": text::passage(&event.additional_context),
            "series": event.series_slug.as_deref().map(text::name),
            "currencies": event.supported_currencies.iter().map(|word| known::<Currency>(word)).collect::<Vec<_>>(),
            "currency": self.currency,
            "volume": event.total_volume.to_string(),
            "liquidity": event.liquidity.to_string(),
            "markets": event.markets.iter().map(detailed).collect::<Vec<_>>(),
            "rules_resource": rules_uri(&event.slug),
            "evidence_resource": evidence_uri(&event.slug),
        }))
    }

    pub(crate) async fn get_resolution(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let event = self.find_event(&arguments.required_text("event")?).await?;
        let resolution: EventResolution =
            self.read(Call::get(format!("/v1/pm/events/{}/resolution", event.id))).await?;
        let mut answer = resolution_json(&event, &resolution);
        answer["rules"] = text::passage(&resolution.rules).into();
        answer["rules_sha256"] = text::name(&resolution.rules_sha256).into();
        Ok(answer)
    }

    pub(crate) async fn list_series(&self, mut arguments: Arguments) -> Result<Value, Stop> {
        let Some(slug) = arguments.text("series")? else {
            let found: SeriesList = self.read(Call::get("/v1/pm/events/series").with("size", 100)).await?;
            let rows = found.series.iter().map(|series| {
                json!({
                    "slug": text::name(&series.slug),
                    "name": text::name(&series.display_name),
                    "asset": text::name(&series.asset_symbol),
                    "interval": known::<IntervalType>(&series.interval_type),
                })
            });
            return Ok(json!({"series": rows.collect::<Vec<_>>()}));
        };
        let call = Call::get("/v1/pm/events")
            .with("seriesSlug", slug.chars().take(100).collect::<String>())
            .with("status", Status::Open)
            .with("size", 5);
        let found: Events = self.read(call).await?;
        Ok(json!({"open_questions": found.events.iter().map(short).collect::<Vec<_>>()}))
    }
}

/// An event in a list.
fn short(event: &Event) -> Value {
    let markets: Vec<Value> = event.markets.iter().take(MARKETS_LISTED_MAX).map(priced).collect();
    json!({
        "slug": text::name(&event.slug),
        "title": text::name(&event.title),
        "category": text::name(&event.category),
        "status": known::<Status>(&event.status),
        "engine": known::<Engine>(&event.engine),
        "closes": date(&event.closing_date),
        "volume": event.total_volume.to_string(),
        "more_markets": event.markets.len() - markets.len(),
        "markets": markets,
    })
}

/// A market with the prices of its outcomes.
pub(super) fn priced(market: &Market) -> Value {
    let [yes, no] = outcomes(market);
    json!({
        "title": text::name(&market.title),
        "status": known::<Status>(&market.status),
        "outcomes": [
            {"label": yes.label, "side": yes.side, "price": market.outcome1_price.to_string(),
             "buy_price": market.yes_buy_price.to_string()},
            {"label": no.label, "side": no.side, "price": market.outcome2_price.to_string(),
             "buy_price": market.no_buy_price.to_string()},
        ],
    })
}

/// The fee and the minimum of orders, and what they will be from when, if that is announced.
pub(super) fn add_terms(answer: &mut Value, market: &Market) {
    answer["fee_percent"] = market.fee_percentage.to_string().into();
    answer["minimum_order"] = market.minimum_order_amount.to_string().into();
    if let Some(announced) = market.announced_terms {
        answer["announced_terms"] = json!({
            "fee_percent": announced.fee_percentage.to_string(),
            "minimum_order": announced.minimum_order_amount.to_string(),
            "from": announced.from.to_string(),
        });
    }
}

fn detailed(market: &Market) -> Value {
    let mut answer = priced(market);
    answer["rules"] = text::passage(&market.rules).into();
    add_terms(&mut answer, market);
    if !market.resolved_outcome.is_empty() {
        answer["resolved_outcome"] = known::<OutcomeSide>(&market.resolved_outcome).into();
    }
    answer
}
