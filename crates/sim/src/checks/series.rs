//! Series, tracked independently: the price at a boundary, who pushed it, and its consequences.

use std::collections::{BTreeMap, BTreeSet};

use exchange::Exchange;
use exchange::catalogue::{AssetPrice, EventLink, NewSeries, Status};
use exchange::change::{Change, ProposalStep};
use exchange::command::{Command, RecordPrice, Request};
use exchange::governance::{Proposal, Ruling, Subject, Verdict};
use exchange::id::{OperatorId, SeriesId};
use exchange::identity::Actor;
use exchange::index::MarketIndex;
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::failure::{Failure, ensure};

pub const BOUNDARY: &str = "a boundary's value is the last fresh price at or before it";
pub const UP_OR_DOWN: &str = "a series event resolves up exactly when it closed at or above its threshold";

#[derive(Clone, Debug)]
struct Recorded {
    symbol: Text,
    source: Text,
    value: AssetPrice,
    source_time: Time,
    at: Time,
    pushed_by: Option<OperatorId>,
}

impl Recorded {
    /// Whether a series that names `source` counts it: a feed by its name, an operator's price by `push:` and its name.
    fn is_of(&self, source: &str) -> bool {
        let name = match self.pushed_by {
            Some(_) => format!("push:{}", self.source),
            None => self.source.to_string(),
        };
        name == source
    }
}

#[derive(Clone, Debug, Default)]
pub struct PriceBook {
    recorded: Vec<Recorded>,
    /// Operators whose prices counted at a boundary.
    pushers: BTreeMap<(SeriesId, Time), BTreeSet<OperatorId>>,
}

impl PriceBook {
    pub fn follow(&mut self, exchange: &Exchange, request: &Request) -> Result<(), Failure> {
        for change in exchange.changes() {
            if let (
                Change::PriceRecorded { symbol, value, source_time },
                Command::RecordPrice(RecordPrice { source, .. }),
            ) = (change, &request.command)
            {
                let (symbol, source, at) = (symbol.clone(), source.clone(), exchange.now());
                let pushed_by = match request.actor {
                    Actor::Operator { operator } => Some(operator),
                    Actor::System | Actor::Key { .. } | Actor::Session { .. } => None,
                };
                let (value, source_time) = (*value, *source_time);
                self.recorded.push(Recorded { symbol, source, value, source_time, at, pushed_by });
            }
        }
        for change in exchange.changes() {
            match change {
                Change::SeriesBoundary { series, at, value } => {
                    let Some(found) = exchange.catalogue().find_series(*series) else { continue };
                    let counted = self.counted_at(&found.terms, *at);
                    let expected = counted.first().map(|price| price.value);
                    ensure(*value == expected, BOUNDARY, || format!("{change:?}, expected {expected:?}"))?;
                    let pushers = counted.iter().filter_map(|price| price.pushed_by).collect();
                    self.pushers.insert((*series, *at), pushers);
                }
                Change::EventStatus { event, status: Status::Resolved } => check_result(exchange, *event)?,
                Change::Proposal { proposal, step: ProposalStep::Proposed } => exchange
                    .governance()
                    .proposal(*proposal)
                    .map_or(Ok(()), |made| check_proposed(exchange, made))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Operators who pushed a price that decides a series' event, at its opening or its close.
    pub fn pushers(&self, exchange: &Exchange, series: SeriesId, start: Time) -> BTreeSet<OperatorId> {
        let Some(found) = exchange.catalogue().find_series(series) else { return BTreeSet::new() };
        let boundaries = [start, start + found.terms.interval.span()];
        let pushed = boundaries.iter().filter_map(|at| self.pushers.get(&(series, *at)));
        pushed.flatten().copied().collect()
    }

    /// The prices that count at a boundary, the leading one first; empty if one is missing or they disagree.
    fn counted_at(&self, terms: &NewSeries, boundary: Time) -> Vec<&Recorded> {
        let is_fresh = |price: &&Recorded| {
            price.symbol == terms.asset_symbol
                && price.at <= boundary
                && price.source_time <= boundary
                && price.source_time + Span::seconds(60) > boundary
        };
        let last = |wanted: Option<&Text>| {
            let counts = |price: &&Recorded| is_fresh(price) && wanted.is_none_or(|name| price.is_of(name));
            self.recorded.iter().rev().find(counts)
        };
        let Some(leading) = last(terms.sources.first()) else { return Vec::new() };
        let Some(name) = terms.sources.get(1) else { return vec![leading] };
        let Some(second) = last(Some(name)) else { return Vec::new() };
        let apart = i128::from(leading.value.0.abs_diff(second.value.0)) * 1_000_000;
        let agree = apart <= i128::from(leading.value.0) * i128::from(terms.tolerance_ppm);
        if agree { vec![leading, second] } else { Vec::new() }
    }
}

/// Checks automatic results. An operator may decide without these values.
fn check_result(exchange: &Exchange, event: exchange::id::EventId) -> Result<(), Failure> {
    let catalogue = exchange.catalogue();
    let Some(event) = catalogue.find_event(event).map(|index| catalogue.event(index)) else { return Ok(()) };
    let (EventLink::Series { .. }, Some(threshold), Some(close)) =
        (event.link, event.threshold, event.close_value)
    else {
        return Ok(());
    };
    // A proposed result may be replaced by another decision of two persons.
    let by_clock =
        event.details.resolution_date.is_some_and(|date| date <= exchange.now()) && !event.is_result_proposed;
    let expected = up_or_down(threshold, close);
    let is_right = event.markets.iter().all(|market| {
        let market = catalogue.market(*market);
        market.status != Status::Resolved || market.resolved_outcome() == Some(expected)
    });
    ensure(is_right || !by_clock, UP_OR_DOWN, || format!("{event:?}"))
}

fn up_or_down(threshold: AssetPrice, close: AssetPrice) -> Outcome {
    if close >= threshold { Outcome::Yes } else { Outcome::No }
}

/// An automatic proposal must be the verdict that would have been enforced.
fn check_proposed(exchange: &Exchange, made: &Proposal) -> Result<(), Failure> {
    let (Some(_), Subject::Resolution { event, verdict }) = (made.series, &made.subject) else {
        return Ok(());
    };
    let catalogue = exchange.catalogue();
    let event = catalogue.find_event(*event).map(|index| catalogue.event(index));
    let expected = event.and_then(|event| {
        let outcome = up_or_down(event.threshold?, event.close_value?);
        let ruling = |market: &MarketIndex| Ruling { market: catalogue.market(*market).id, outcome };
        Some(Verdict::Outcomes(event.markets.iter().map(ruling).collect()))
    });
    ensure(expected.as_ref() == Some(verdict), UP_OR_DOWN, || format!("{made:?}, expected {expected:?}"))
}
