//! The export itself: replays the journal, passes over finished parts, and writes the rows of the others.
//!
//! A part ends with the first frame that fills it, or with the journal. A killed run is therefore continued with the
//! files that an uninterrupted one has.

use std::collections::BTreeSet;
use std::path::PathBuf;

use exchange::Exchange;
use exchange::change::Change;
use exchange::id::{EventId, MarketId};
use exchange::index::ListingIndex;
use exchange::numbers::Currency;
use exchange::order::OrderRecord;
use exchange::time::Time;
use server::applied::{Applied, Observer, ReportedPrice, placed_order};
use server::audit::observing::JournalReplay;
use server::view::words::ToApi;
use uuid::Uuid;

use crate::books::WrittenBooks;
use crate::candles::FormingCandles;
use crate::catalogue::WrittenEvents;
use crate::error::ExportError;
use crate::folder::{ExportFolder, Readers};
use crate::format::Format;
use crate::manifest::Manifest;
use crate::part::{PartEnd, PartWriter};
use crate::private::{PrivateAccess, order_row};
use crate::selection::Selection;
use crate::table::{Cell, Stamp, Table};
use crate::trades::ReportedTrade;

/// The options of an export. A continued one must have those of its start.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The folder of the files, empty or with an export to continue.
    pub folder: PathBuf,
    pub format: Format,
    pub selection: Selection,
    /// A part ends with the first frame that has so many sequences.
    pub part_sequences: u64,
    /// Whole books are written at the start of each part, and after so many seconds of the journal's time.
    pub snapshot_seconds: u64,
    /// With it, also the tables that name users.
    pub private: Option<PrivateAccess>,
}

/// The result of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    pub manifest: Manifest,
    /// The parts that this run added.
    pub parts_added: usize,
}

/// Exports a journal from its first frame, or continues an export. `progress` gets the sequence and the last one.
pub fn export(
    replay: &mut JournalReplay,
    options: &ExportOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<ExportReport, ExportError> {
    options.format.check()?;
    options.selection.check()?;
    let readers = if options.private.is_some() { Readers::Owner } else { Readers::All };
    let folder = ExportFolder::open(&options.folder, readers)?;
    let mut manifest = Manifest::open(&folder, options)?;
    let (finished, before) = (manifest.last_sequence(), manifest.parts.len());
    let mut exporter = Exporter::new(options, &folder, before > 0);
    let (mut is_proved, mut end) = (before == 0, None);
    while let Some(frame) = replay.read()? {
        // The time of its requests: a clock that was set back does not set the exchange back.
        let at = Time::from_micros(frame.header.at).max(replay.exchange().now());
        if options.selection.ends_before(at) {
            break;
        }
        if frame.header.first.0 > finished && !options.selection.begins_after(at) {
            exporter.begin_frame(frame.header.first.0, at, replay.exchange())?;
        }
        replay.apply(&frame, &mut exporter)?;
        exporter.check()?;
        let sequence = replay.exchange().seq();
        is_proved |= manifest.ends_with(sequence, frame.hash);
        if sequence >= finished && !is_proved {
            return Err(ExportError::OtherJournal { sequence: finished });
        }
        end = Some(PartEnd { sequence, at, frame_hash: frame.hash.to_string() });
        if exporter.is_part_full(sequence) {
            exporter.end_part(&mut manifest, end.take())?;
        }
        progress(sequence, replay.last().max(sequence));
    }
    if !is_proved {
        return Err(ExportError::OtherJournal { sequence: finished });
    }
    exporter.check_names(replay.exchange())?;
    exporter.end_part(&mut manifest, end)?;
    Ok(ExportReport { parts_added: manifest.parts.len() - before, manifest })
}

/// Observes the replay. It writes nothing while no part is open.
#[derive(Debug)]
struct Exporter<'a> {
    options: &'a ExportOptions,
    folder: &'a ExportFolder,
    /// The files have the rows of earlier requests.
    is_continued: bool,
    part: Option<PartWriter>,
    /// The period of the last snapshot of books.
    period: Option<i64>,
    events: WrittenEvents,
    books: WrittenBooks,
    candles: FormingCandles,
    /// The selected markets that exist, or existed.
    found: BTreeSet<Uuid>,
    failure: Option<ExportError>,
}

impl Observer for Exporter<'_> {
    fn applied(&mut self, applied: &Applied<'_>) {
        if self.failure.is_none() {
            self.failure = self.follow(applied).err();
        }
    }
}

impl<'a> Exporter<'a> {
    fn new(options: &'a ExportOptions, folder: &'a ExportFolder, is_continued: bool) -> Exporter<'a> {
        Exporter {
            options,
            folder,
            is_continued,
            part: None,
            period: None,
            events: WrittenEvents::default(),
            books: WrittenBooks::default(),
            candles: FormingCandles::default(),
            found: BTreeSet::new(),
            failure: None,
        }
    }

    /// Called before a frame whose rows are to be written, with the state before it.
    fn begin_frame(&mut self, first: u64, at: Time, exchange: &Exchange) -> Result<(), ExportError> {
        let selection = &self.options.selection;
        let is_new = self.part.is_none();
        let is_first = is_new && self.period.is_none();
        let part =
            self.part.get_or_insert_with(|| PartWriter::new(self.folder, self.options.format, first, at));
        match (is_first, self.is_continued) {
            (true, true) => self.events.take_all(exchange, selection)?,
            (true, false) => self.events.write_all(part, exchange, selection)?,
            (false, _) => {}
        }
        let seconds = i64::try_from(self.options.snapshot_seconds.max(1)).unwrap_or(i64::MAX);
        let period = at.micros().div_euclid(seconds.saturating_mul(1_000_000));
        if is_new || self.period != Some(period) {
            self.period = Some(period);
            self.books.write_snapshot(part, exchange, selection)?;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), ExportError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Refuses selected names that no market and no series had up to the end of the replay.
    fn check_names(&self, exchange: &Exchange) -> Result<(), ExportError> {
        let Selection { markets, series, .. } = &self.options.selection;
        let markets = markets.difference(&self.found).map(ToString::to_string);
        let is_unknown = |slug: &&String| exchange.catalogue().find_series_by_slug(slug).is_none();
        let names: Vec<String> = markets.chain(series.iter().filter(is_unknown).cloned()).collect();
        if names.is_empty() { Ok(()) } else { Err(ExportError::UnknownSelection { names }) }
    }

    /// Notes the selected markets of a new event; a retired one is no longer in the state at the end.
    fn note_names(&mut self, exchange: &Exchange, change: &Change) {
        let Change::EventCreated { event } = change else { return };
        let catalogue = exchange.catalogue();
        let Some(event) = catalogue.find_event(*event) else { return };
        let ids = catalogue.event(event).markets.iter().map(|market| catalogue.market(*market).id.to_api());
        self.found.extend(ids.filter(|id| self.options.selection.markets.contains(id)));
    }

    fn is_part_full(&self, sequence: u64) -> bool {
        let full = |part: &PartWriter| sequence + 1 - part.first() >= self.options.part_sequences;
        self.part.as_ref().is_some_and(full)
    }

    /// Completes the open part, if there is one, and records it.
    fn end_part(&mut self, manifest: &mut Manifest, end: Option<PartEnd>) -> Result<(), ExportError> {
        let (Some(part), Some(end)) = (self.part.take(), end) else { return Ok(()) };
        manifest.parts.push(part.finish(end)?);
        manifest.store(self.folder)
    }

    fn follow(&mut self, applied: &Applied<'_>) -> Result<(), ExportError> {
        let stamp = Stamp { sequence: applied.seq, at: applied.at };
        let complete = self.candles.complete(stamp.sequence, stamp.at);
        if let Some(part) = &mut self.part {
            complete.iter().try_for_each(|row| part.write(Table::Candles, row))?;
            self.events.write_changes(part, applied, &self.options.selection)?;
        }
        let mut touched = BTreeSet::new();
        let mut placed = None;
        for change in applied.changes {
            self.note_names(applied.exchange, change);
            self.follow_change(applied.exchange, stamp, change, placed)?;
            touch(&mut touched, change);
            placed = placed_order(change);
        }
        self.write_books(applied.exchange, stamp, touched)
    }

    /// The rows of trades, candles and orders. `placed` is the order of the change just before.
    fn follow_change(
        &mut self,
        exchange: &Exchange,
        stamp: Stamp,
        change: &Change,
        placed: Option<&OrderRecord>,
    ) -> Result<(), ExportError> {
        if let Some(price) = ReportedPrice::of(change, placed)
            && let Some(event) = self.selected_event(exchange, price.market)?
        {
            self.candles.add(stamp.at, event, price);
        }
        if self.part.is_none() {
            return Ok(());
        }
        if let Some(trade) = ReportedTrade::of(change, placed, stamp)
            && let Some(event) = self.selected_event(exchange, trade.market)?
        {
            self.write(Table::Trades, &trade.row(stamp, event))?;
            if self.options.private.is_some() {
                self.write(Table::TradeParties, &trade.parties_row(stamp))?;
            }
        }
        if let Change::Order { record, cause } = change
            && self.options.private.is_some()
            && self.selected_event(exchange, record.market)?.is_some()
        {
            self.write(Table::Orders, &order_row(stamp, record, *cause))?;
        }
        Ok(())
    }

    fn write(&mut self, table: Table, row: &[Cell]) -> Result<(), ExportError> {
        self.part.as_mut().map_or(Ok(()), |part| part.write(table, row))
    }

    fn write_books(
        &mut self,
        exchange: &Exchange,
        stamp: Stamp,
        touched: BTreeSet<(MarketId, Currency)>,
    ) -> Result<(), ExportError> {
        let Some(part) = &mut self.part else { return Ok(()) };
        let catalogue = exchange.catalogue();
        for (market, currency) in touched {
            let index = catalogue.find_market(market).ok_or(ExportError::UnknownMarket(market))?;
            if self.options.selection.admits_market(exchange, index) {
                let listing = catalogue.listing(ListingIndex::new(index, currency));
                self.books.write_changes(part, stamp, (market, currency), listing)?;
            }
        }
        Ok(())
    }

    /// The event of a market; none if the market is not selected.
    fn selected_event(&self, exchange: &Exchange, market: MarketId) -> Result<Option<EventId>, ExportError> {
        let catalogue = exchange.catalogue();
        let index = catalogue.find_market(market).ok_or(ExportError::UnknownMarket(market))?;
        let is_selected = self.options.selection.admits_market(exchange, index);
        Ok(is_selected.then(|| catalogue.event(catalogue.market(index).event).id))
    }
}

/// Adds the listings whose book a change may have touched.
fn touch(touched: &mut BTreeSet<(MarketId, Currency)>, change: &Change) {
    match change {
        Change::Order { record, .. } => drop(touched.insert((record.market, record.currency))),
        Change::Trade(trade) => drop(touched.insert((trade.market, trade.currency))),
        Change::MarketStatus { market, .. } => {
            touched.extend(Currency::ALL.map(|currency| (*market, currency)));
        }
        _ => {}
    }
}
