//! Resources: the rules of a question, the evidence of its verdicts, and the solvency of the exchange.
//!
//! Questions are not listed as resources: the names in a list would be text of the venue. An agent finds the addresses in
//! `get_question`.

use api::response::{EventResolution, PastVerdict, ProposedVerdict, SeriesValues, Verdict};
use api::terms::Currency;
use percent_encoding::percent_decode_str;
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::agent::Agent;
use crate::stop::{Stop, not_found};
use crate::text;
use crate::venue::{Call, Venue, encoded};
use crate::wire::{CurrencyAccounts, Event, Solvency, date, known};

pub(crate) const MIME_TYPE: &str = "application/json";
const SOLVENCY: &str = "bellwether://solvency";
const RULES: &str = "bellwether://rules/";
const EVIDENCE: &str = "bellwether://evidence/";

pub(crate) fn rules_uri(slug: &str) -> String {
    format!("{RULES}{}", encoded(slug))
}

pub(crate) fn evidence_uri(slug: &str) -> String {
    format!("{EVIDENCE}{}", encoded(slug))
}

/// Resources with a fixed address.
pub(crate) fn listed() -> Vec<Resource> {
    let description =
        "All accounts of the exchange, whether every share is backed, and the root of the proof of solvency";
    let solvency = Resource::new(SOLVENCY, "solvency").with_title("Solvency of the exchange");
    vec![solvency.with_description(description).with_mime_type(MIME_TYPE)]
}

/// Resources of a question.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str| {
        let template = ResourceTemplate::new(format!("{uri}{{slug}}"), name).with_title(title);
        template.with_description(description).with_mime_type(MIME_TYPE)
    };
    vec![
        template(
            RULES,
            "rules",
            "Rules of a question",
            "Everything that decides a question, with its SHA-256",
        ),
        template(
            EVIDENCE,
            "evidence",
            "Evidence of a question",
            "The verdicts of a question with their evidence",
        ),
    ]
}

impl<V: Venue> Agent<V> {
    /// The resource at an address.
    pub(crate) async fn read_resource(&self, uri: &str) -> Result<Value, Stop> {
        if uri == SOLVENCY {
            return Ok(solvency_json(&self.read(Call::get("/v1/pm/solvency")).await?));
        }
        let (slug, is_rules) = match (uri.strip_prefix(RULES), uri.strip_prefix(EVIDENCE)) {
            (Some(slug), _) => (slug, true),
            (_, Some(slug)) => (slug, false),
            _ => return Err(no_resource()),
        };
        let slug = percent_decode_str(slug).decode_utf8().map_err(|_| no_resource())?;
        let event = self.event_by_slug(&slug).await?.ok_or_else(no_resource)?;
        let resolution: EventResolution =
            self.read(Call::get(format!("/v1/pm/events/{}/resolution", event.id))).await?;
        Ok(if is_rules { rules_json(&event, &resolution) } else { resolution_json(&event, &resolution) })
    }
}

fn no_resource() -> Stop {
    not_found("There is no such resource. The addresses are in get_question.")
}

fn rules_json(event: &Event, resolution: &EventResolution) -> Value {
    let markets = resolution.markets.iter().map(|market| {
        json!({"title": text::name(&market.title), "status": market.status, "rules": text::passage(&market.rules)})
    });
    let rules = text::whole(&resolution.rules);
    json!({
        "slug": text::name(&event.slug),
        "title": text::name(&event.title),
        "rules": rules,
        "rules_sha256": text::name(&resolution.rules_sha256),
        // The hash covers every character, also those that are not shown.
        "rules_are_complete": rules == resolution.rules,
        "markets": markets.collect::<Vec<_>>(),
    })
}

/// How an event ends or ended, with names instead of ids.
pub(crate) fn resolution_json(event: &Event, resolution: &EventResolution) -> Value {
    let markets = resolution.markets.iter().map(|market| {
        json!({
            "title": text::name(&market.title),
            "status": market.status,
            "yes_payout": market.yes_payout.map(|payout| payout.to_string()),
            "settled_at": market.settled_at,
        })
    });
    json!({
        "slug": text::name(&event.slug),
        "title": text::name(&event.title),
        "status": resolution.status,
        "markets": markets.collect::<Vec<_>>(),
        "proposal": resolution.proposal.as_ref().map(|proposal| proposal_json(event, proposal)),
        "verdicts": resolution.verdicts.iter().map(|past| past_json(event, past)).collect::<Vec<_>>(),
        "series": resolution.series.as_ref().map(series_json),
    })
}

fn proposal_json(event: &Event, proposal: &ProposedVerdict) -> Value {
    json!({
        "verdict": verdict_json(event, &proposal.verdict),
        "evidence": {"text": text::passage(&proposal.evidence.text), "link": text::name(&proposal.evidence.link)},
        "proposed_by": proposal.proposed_by,
        "proposed_at": proposal.proposed_at,
        "final_from": proposal.final_from,
    })
}

fn past_json(event: &Event, past: &PastVerdict) -> Value {
    json!({
        "verdict": verdict_json(event, &past.verdict),
        "evidence": {"text": text::passage(&past.evidence.text), "link": text::name(&past.evidence.link)},
        "proposed_by": past.proposed_by,
        "proposed_at": past.proposed_at,
        "ending": past.ending,
        "reason": past.reason.as_deref().map(text::passage),
        "ended_by": past.ended_by,
        "ended_at": past.ended_at,
    })
}

fn verdict_json(event: &Event, verdict: &Verdict) -> Value {
    let title = |id: Uuid| {
        event.markets.iter().find(|market| market.id == id).map(|market| text::name(&market.title))
    };
    let outcomes = verdict
        .outcomes
        .iter()
        .map(|ruling| json!({"market": title(ruling.market_id), "side": ruling.outcome}));
    json!({
        "type": verdict.verdict_type,
        "outcomes": outcomes.collect::<Vec<_>>(),
        "yes_price": verdict.yes_price.map(|price| price.to_string()),
        "score": verdict.score.map(|score| json!({"home": score.home, "away": score.away})),
    })
}

fn series_json(series: &SeriesValues) -> Value {
    json!({
        "slug": text::name(&series.series_slug),
        "asset": text::name(&series.asset_symbol),
        "threshold": series.threshold.map(|value| value.to_string()),
        "close_value": series.close_value.map(|value| value.to_string()),
    })
}

fn solvency_json(solvency: &Solvency) -> Value {
    let currency = |accounts: &CurrencyAccounts| {
        json!({
            "currency": known::<Currency>(&accounts.currency),
            "users_free": accounts.users_free.to_string(),
            "users_held": accounts.users_held.to_string(),
            "house_free": accounts.house_free.to_string(),
            "house_held": accounts.house_held.to_string(),
            "fees": accounts.fees.to_string(),
            "collateral": accounts.collateral.to_string(),
            "external": accounts.external.to_string(),
            "sum": accounts.sum.to_string(),
        })
    };
    json!({
        "solvent": solvency.solvent,
        "sequence": solvency.sequence,
        "at": date(&solvency.at),
        "frame_hash": text::name(&solvency.frame_hash),
        "state_digest": text::name(&solvency.state_digest),
        "currencies": solvency.currencies.iter().map(currency).collect::<Vec<_>>(),
        "listings": solvency.markets.len(),
        "listings_not_backed": solvency.markets.iter().filter(|market| !market.backed).count(),
        "proof": {"root": text::name(&solvency.proof.root), "accounts": solvency.proof.leaves},
    })
}

#[cfg(test)]
mod tests {
    use super::{evidence_uri, rules_uri};

    #[test]
    fn a_slug_cannot_leave_its_place_in_an_address() {
        assert_eq!(rules_uri("a/../b?c"), "bellwether://rules/a%2F%2E%2E%2Fb%3Fc");
        assert_eq!(evidence_uri("rain"), "bellwether://evidence/rain");
    }
}
