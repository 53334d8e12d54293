//! Events, their markets, rules, verdicts and resolutions. A row is written when its content has changed.
//!
//! Drafts are not public: an event's first rows are those of its opening.

use std::collections::{BTreeSet, HashMap};

use api::Timestamp;
use api::response::{EventResolution, PastVerdict, ProposedVerdict, Verdict};
use exchange::Exchange;
use exchange::catalogue::{AssetPrice, Event, EventLink, Market};
use exchange::change::Change;
use exchange::id::EventId;
use exchange::index::{EventIndex, MarketIndex};
use exchange::numbers::Currency;
use exchange::order::Outcome;
use server::applied::Applied;
use server::view::words::ToApi;
use server::view::{event, resolution};

use crate::error::ExportError;
use crate::format::fingerprint;
use crate::part::PartWriter;
use crate::proposals::PendingProposals;
use crate::selection::Selection;
use crate::table::{Cell, Stamp, Table};

/// The first cells of a row, with the time of the request. Only the others are compared.
const STAMP_CELLS: usize = 2;

/// The rows that the files have, by their fingerprints.
#[derive(Debug, Default)]
pub(crate) struct WrittenEvents {
    events: HashMap<EventId, BTreeSet<[u8; 32]>>,
    proposals: PendingProposals,
}

/// Whether rows go to the files or are there already.
enum Destination<'a> {
    Files(&'a mut PartWriter),
    AlreadyThere,
}

impl WrittenEvents {
    /// Writes the rows of the events that a request changed.
    pub(crate) fn write_changes(
        &mut self,
        part: &mut PartWriter,
        applied: &Applied<'_>,
        selection: &Selection,
    ) -> Result<(), ExportError> {
        let stamp = Stamp { sequence: applied.seq, at: applied.at };
        for change in applied.changes {
            if let Change::EventRetired(retired) = change {
                self.events.remove(&retired.event.id);
            }
        }
        for index in touched(applied, &mut self.proposals) {
            self.put(&mut Destination::Files(part), stamp, applied.exchange, index, selection)?;
        }
        Ok(())
    }

    /// Writes the rows of all events of a state: the first part of an export that does not begin with the journal.
    pub(crate) fn write_all(
        &mut self,
        part: &mut PartWriter,
        exchange: &Exchange,
        selection: &Selection,
    ) -> Result<(), ExportError> {
        self.put_all(&mut Destination::Files(part), exchange, selection)
    }

    /// Takes the rows of all events of a state as those in the files: a continued export.
    pub(crate) fn take_all(&mut self, exchange: &Exchange, selection: &Selection) -> Result<(), ExportError> {
        self.put_all(&mut Destination::AlreadyThere, exchange, selection)
    }

    fn put_all(
        &mut self,
        destination: &mut Destination<'_>,
        exchange: &Exchange,
        selection: &Selection,
    ) -> Result<(), ExportError> {
        let stamp = Stamp { sequence: exchange.seq(), at: exchange.now() };
        self.proposals.take_all(exchange);
        for (index, _) in exchange.catalogue().events() {
            self.put(destination, stamp, exchange, index, selection)?;
        }
        Ok(())
    }

    fn put(
        &mut self,
        destination: &mut Destination<'_>,
        stamp: Stamp,
        exchange: &Exchange,
        index: EventIndex,
        selection: &Selection,
    ) -> Result<(), ExportError> {
        let event = exchange.catalogue().event(index);
        if !event.is_public() || !selection.admits_event(exchange, index) {
            return Ok(());
        }
        let written = self.events.remove(&event.id).unwrap_or_default();
        let mut now = BTreeSet::new();
        for (table, row) in rows(exchange, index, stamp, selection) {
            let fingerprint = fingerprint(table, &row, STAMP_CELLS);
            if !written.contains(&fingerprint)
                && let Destination::Files(part) = destination
            {
                part.write(table, &row)?;
            }
            now.insert(fingerprint);
        }
        self.events.insert(event.id, now);
        Ok(())
    }
}

/// The events that a request may have changed. Too many are harmless.
fn touched(applied: &Applied<'_>, proposals: &mut PendingProposals) -> BTreeSet<EventIndex> {
    let catalogue = applied.exchange.catalogue();
    let mut touched = BTreeSet::new();
    for change in applied.changes {
        match change {
            Change::EventCreated { event }
            | Change::EventEdited { event }
            | Change::EventStatus { event, .. } => touched.extend(catalogue.find_event(*event)),
            Change::MarketStatus { market, .. } => {
                touched.extend(catalogue.find_market(*market).map(|market| catalogue.market(market).event));
            }
            // The close value of the event that ends at this boundary is set.
            Change::SeriesBoundary { series, at, .. } => {
                let start = catalogue.find_series(*series).map(|series| *at - series.terms.interval.span());
                let ends_there = |event: &Event| match event.link {
                    EventLink::Series { series: of, start: began } => of == *series && Some(began) == start,
                    EventLink::Game { .. } | EventLink::None => false,
                };
                let ended = catalogue.events().rev().find(|(_, event)| ends_there(event));
                touched.extend(ended.map(|(index, _)| index));
            }
            Change::Proposal { proposal, step } => {
                touched.extend(proposals.follow(applied.exchange, *proposal, *step));
            }
            _ => {}
        }
    }
    touched
}

/// All rows of an event, with its selected markets.
fn rows(
    exchange: &Exchange,
    index: EventIndex,
    stamp: Stamp,
    selection: &Selection,
) -> Vec<(Table, Vec<Cell>)> {
    let event = exchange.catalogue().event(index);
    let resolution = resolution::resolution(exchange, index);
    let mut rows = vec![
        (Table::Events, event_row(exchange, index, stamp)),
        (Table::Rules, rules_row(event.id, &resolution, stamp)),
    ];
    let verdicts = resolution.verdicts.iter().map(|past| past_row(event.id, past, stamp));
    let proposal = resolution.proposal.iter().map(|proposed| proposed_row(event.id, proposed, stamp));
    rows.extend(verdicts.chain(proposal).map(|row| (Table::Verdicts, row)));
    for market in event.markets.iter().filter(|market| selection.admits_market(exchange, **market)) {
        rows.push((Table::Markets, market_row(exchange, *market, event, stamp)));
        let settled = resolution_row(exchange.catalogue().market(*market), event.id, stamp);
        rows.extend(settled.map(|row| (Table::Resolutions, row)));
    }
    rows
}

fn event_row(exchange: &Exchange, index: EventIndex, stamp: Stamp) -> Vec<Cell> {
    let shown = event::shown(exchange, index, Currency::Usd, None);
    let currencies: Vec<String> = shown.supported_currencies.iter().map(ToString::to_string).collect();
    let date = |date: api::timestamp::OptionalDate| Cell::maybe(date.0, time);
    stamp.row(vec![
        Cell::text(shown.id),
        Cell::Text(shown.slug),
        Cell::Text(shown.title),
        Cell::Text(shown.category),
        Cell::Text(shown.subcategory),
        Cell::text(shown.event_type),
        Cell::text(shown.engine),
        Cell::text(shown.status),
        Cell::Text(currencies.join(" ")),
        Cell::Text(shown.description),
        Cell::Text(shown.resolution_source),
        Cell::Text(shown.additional_context),
        time(shown.created_at),
        date(shown.opening_date),
        date(shown.closing_date),
        date(shown.resolution_date),
        date(shown.resolved_at),
        Cell::maybe(shown.series_slug, Cell::Text),
        Cell::maybe(shown.asset_symbol_pair, Cell::Text),
        Cell::maybe(shown.event_threshold, |price| Cell::Decimal(price.units())),
        Cell::maybe(shown.event_close_value, |price| Cell::Decimal(price.units())),
    ])
}

fn market_row(exchange: &Exchange, index: MarketIndex, event: &Event, stamp: Stamp) -> Vec<Cell> {
    let market = exchange.catalogue().market(index);
    let instrument = exchange.catalogue().instrument(index);
    let details = &market.details;
    stamp.row(vec![
        Cell::text(market.id),
        Cell::text(event.id),
        Cell::text(&details.title),
        Cell::text(market.status.to_api()),
        Cell::text(instrument.outcome(Outcome::Yes)),
        Cell::text(&details.yes_label),
        Cell::text(instrument.outcome(Outcome::No)),
        Cell::text(&details.no_label),
        Cell::Decimal(details.fee_rate.to_api().units()),
        Cell::Decimal(details.order_min.get(Currency::Usd).units()),
        Cell::Decimal(details.order_min.get(Currency::Ngn).units()),
        Cell::maybe(details.threshold, |units| Cell::Decimal(AssetPrice(units).to_api().units())),
    ])
}

fn rules_row(event: EventId, resolution: &EventResolution, stamp: Stamp) -> Vec<Cell> {
    let (hash, rules) = (resolution.rules_sha256.clone(), resolution.rules.clone());
    stamp.row(vec![Cell::text(event), Cell::Text(hash), Cell::Text(rules)])
}

/// The end of a market, once it is settled.
fn resolution_row(market: &Market, event: EventId, stamp: Stamp) -> Option<Vec<Cell>> {
    let settlement = market.settlement?;
    Some(stamp.row(vec![
        Cell::text(market.id),
        Cell::text(event),
        Cell::text(market.status.to_api()),
        Cell::maybe(market.resolved_outcome(), |outcome| Cell::text(outcome.to_api())),
        Cell::Decimal(settlement.yes.to_api().units()),
        settlement.at.into(),
    ]))
}

fn proposed_row(event: EventId, proposed: &ProposedVerdict, stamp: Stamp) -> Vec<Cell> {
    let mut row = verdict_cells(event, "proposed", &proposed.verdict);
    row.extend([
        Cell::text(&proposed.evidence.text),
        Cell::text(&proposed.evidence.link),
        Cell::text(proposed.proposed_by),
        time(proposed.proposed_at),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
    ]);
    stamp.row(row)
}

fn past_row(event: EventId, past: &PastVerdict, stamp: Stamp) -> Vec<Cell> {
    let mut row = verdict_cells(event, past.ending, &past.verdict);
    row.extend([
        Cell::text(&past.evidence.text),
        Cell::text(&past.evidence.link),
        Cell::text(past.proposed_by),
        time(past.proposed_at),
        Cell::text(past.ended_by),
        time(past.ended_at),
        Cell::maybe(past.reason.as_ref(), Cell::text),
    ]);
    stamp.row(row)
}

fn verdict_cells(event: EventId, stage: impl std::fmt::Display, verdict: &Verdict) -> Vec<Cell> {
    let ruling = |ruling: &api::response::Ruling| format!("{}={}", ruling.market_id, ruling.outcome);
    let outcomes: Vec<String> = verdict.outcomes.iter().map(ruling).collect();
    vec![
        Cell::text(event),
        Cell::text(stage),
        Cell::text(verdict.verdict_type),
        Cell::Text(outcomes.join(" ")),
        Cell::maybe(verdict.yes_price, |price| Cell::Decimal(price.units())),
        Cell::maybe(verdict.score, |score| Cell::Text(format!("{}-{}", score.home, score.away))),
    ]
}

fn time(at: Timestamp) -> Cell {
    Cell::Time(at.micros())
}
