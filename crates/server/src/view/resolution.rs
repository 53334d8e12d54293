//! The resolution of an event, for public review: rules and their hash, the pending proposal, past verdicts.
//!
//! Operators' names and ids are not shown, only their roles.

use api::response::{
    self, EventResolution, MarketResolution, PastVerdict, PriceSample, ProposedVerdict, Ruling, SeriesValues,
    Verdict,
};
use api::terms::{VerdictEnding, VerdictType};
use data_encoding::HEXLOWER;
use exchange::Exchange;
use exchange::catalogue::{self, AssetPrice, EventLink};
use exchange::governance::{self, Ending, Proposal, Resolution, Score, Subject};
use exchange::index::EventIndex;
use exchange::time::{Span, Time};
use sha2::{Digest, Sha256};

use super::words::ToApi;

pub fn resolution(exchange: &Exchange, index: EventIndex) -> EventResolution {
    ResolutionSource::of(exchange, index).into_resolution()
}

/// Everything that a resolution shows, copied from the state. Texts are shared with it.
#[derive(Debug)]
pub struct ResolutionSource {
    event: catalogue::Event,
    markets: Vec<catalogue::Market>,
    proposal: Option<ProposedVerdict>,
    series: Option<SeriesValues>,
}

impl ResolutionSource {
    pub fn of(exchange: &Exchange, index: EventIndex) -> ResolutionSource {
        let catalogue = exchange.catalogue();
        let event = catalogue.event(index);
        ResolutionSource {
            event: event.clone(),
            markets: event.markets.iter().map(|market| catalogue.market(*market).clone()).collect(),
            proposal: pending(exchange, event).and_then(|proposal| proposed(exchange, proposal)),
            series: series_values(exchange, event),
        }
    }

    /// Writes and hashes the rules, without the state: they may have a million characters.
    pub fn into_resolution(self) -> EventResolution {
        let event = &self.event;
        let rules = rule_text(event, &self.markets);
        EventResolution {
            event_id: event.id.to_api(),
            status: event.status.to_api(),
            rules_sha256: HEXLOWER.encode(&Sha256::digest(rules.as_bytes())),
            rules,
            markets: self.markets.iter().map(market_resolution).collect(),
            proposal: self.proposal,
            verdicts: event.resolutions.iter().map(shown_past).collect(),
            series: self.series,
        }
    }
}

/// Everything that decides an event, in one text, with a blank line between its parts. Empty parts are left out.
fn rule_text(event: &catalogue::Event, markets: &[catalogue::Market]) -> String {
    let details = &event.details;
    let mut parts = vec![details.title.to_string(), details.description.to_string()];
    if !details.resolution_source.is_empty() {
        parts.push(format!("Source: {}", details.resolution_source));
    }
    parts.push(details.additional_context.to_string());
    for market in markets {
        let details = &market.details;
        let mut part = format!(
            "Market {}: {}\nYES is {}, NO is {}",
            market.id, details.title, details.yes_label, details.no_label
        );
        if !details.rules.is_empty() {
            part.push('\n');
            part.push_str(&details.rules);
        }
        parts.push(part);
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn market_resolution(market: &catalogue::Market) -> MarketResolution {
    MarketResolution {
        market_id: market.id.to_api(),
        title: market.details.title.to_string(),
        rules: market.details.rules.to_string(),
        status: market.status.to_api(),
        yes_payout: market.settlement.map(|settlement| settlement.yes.to_api()),
        settled_at: market.settlement.map(|settlement| settlement.at).to_api(),
    }
}

/// The pending proposal that would end this event: a verdict on it, or the result of its game.
pub fn pending<'a>(exchange: &'a Exchange, event: &catalogue::Event) -> Option<&'a Proposal> {
    let governance = exchange.governance();
    let of_game = || {
        let EventLink::Game { game, .. } = event.link else { return None };
        governance.result_proposed_for(game)
    };
    governance.proposal_for(event.id).or_else(of_game)
}

pub(super) fn proposed(exchange: &Exchange, proposal: &Proposal) -> Option<ProposedVerdict> {
    Some(ProposedVerdict {
        verdict: subject_verdict(&proposal.subject)?,
        evidence: evidence(&proposal.evidence),
        proposed_by: proposal.by.to_api(),
        proposed_at: proposal.at.to_api(),
        final_from: final_from(exchange, proposal).to_api(),
    })
}

/// The earliest time at which a proposal can be finalised. Only verdicts, which pay users, must first be public for a
/// while.
pub fn final_from(exchange: &Exchange, proposal: &Proposal) -> Time {
    let seconds = exchange.governance().policy.resolution_delay_seconds;
    if proposal.subject.is_verdict() { proposal.at + Span::seconds(seconds.into()) } else { proposal.at }
}

/// The verdict of a proposal; none if its subject is another command.
pub fn subject_verdict(subject: &Subject) -> Option<Verdict> {
    match subject {
        Subject::Resolution { verdict, .. } => Some(verdict_shown(verdict)),
        Subject::GameResult { score, .. } => Some(by_score(*score)),
        Subject::Command(_) => None,
    }
}

fn by_score(score: Score) -> Verdict {
    Verdict {
        verdict_type: VerdictType::GameResult,
        outcomes: Vec::new(),
        yes_price: None,
        score: Some(score.to_api()),
    }
}

pub fn verdict_shown(verdict: &governance::Verdict) -> Verdict {
    match verdict {
        governance::Verdict::Outcomes(rulings) => {
            let ruling = |ruling: &governance::Ruling| Ruling {
                market_id: ruling.market.to_api(),
                outcome: ruling.outcome.to_api(),
            };
            Verdict {
                verdict_type: VerdictType::Outcomes,
                outcomes: rulings.iter().map(ruling).collect(),
                yes_price: None,
                score: None,
            }
        }
        governance::Verdict::Cancelled { yes } => Verdict {
            verdict_type: VerdictType::Cancelled,
            outcomes: Vec::new(),
            yes_price: Some(yes.to_api()),
            score: None,
        },
    }
}

pub fn evidence(evidence: &governance::Evidence) -> response::Evidence {
    response::Evidence { text: evidence.text.to_string(), link: evidence.link.to_string() }
}

pub(super) fn shown_past(resolution: &Resolution) -> PastVerdict {
    let (ending, reason) = match &resolution.ending {
        Ending::Finalised => (VerdictEnding::Finalised, None),
        Ending::Overtaken => (VerdictEnding::Overtaken, None),
        Ending::Withdrawn { reason } => (VerdictEnding::Withdrawn, Some(reason.to_string())),
    };
    PastVerdict {
        verdict: verdict_shown(&resolution.verdict),
        evidence: evidence(&resolution.evidence),
        proposed_by: resolution.proposed_by.to_api(),
        proposed_at: resolution.proposed_at.to_api(),
        ending,
        reason,
        ended_by: resolution.ended_by.to_api(),
        ended_at: resolution.ended_at.to_api(),
    }
}

fn series_values(exchange: &Exchange, event: &catalogue::Event) -> Option<SeriesValues> {
    let EventLink::Series { series, .. } = event.link else { return None };
    let terms = &exchange.catalogue().find_series(series)?.terms;
    Some(SeriesValues {
        series_slug: terms.slug.to_string(),
        asset_symbol: terms.asset_symbol.to_string(),
        threshold: event.threshold.map(AssetPrice::to_api),
        close_value: event.close_value.map(AssetPrice::to_api),
        open_samples: event.open_samples.iter().map(sample).collect(),
        close_samples: event.close_samples.iter().map(sample).collect(),
    })
}

fn sample(sample: &catalogue::Sample) -> PriceSample {
    PriceSample {
        source: sample.source.to_string(),
        value: sample.value.to_api(),
        source_time: sample.source_time.to_api(),
        recorded_at: sample.at.to_api(),
    }
}
