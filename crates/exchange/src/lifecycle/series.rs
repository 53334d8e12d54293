//! Automatic series. At an instant T one interval ends and the next begins, and event n is closed by its closing date.
//! A microsecond later, when every price stamped at or before T has been recorded, the boundary timer sets the close
//! value of event n, and the creation timer creates event n+1 with that value as its threshold. A minute after T, event
//! n resolves.
//!
//! A series' timers depend only on its state (`arm_series`), so a restart sets the same ones.

use super::civil_date::date_and_minute;
use crate::authority::Caller;
use crate::catalogue::{
    Action, AssetPrice, Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket,
    NewSeries, RaisedAlert, Sample, Series, SeriesCategory, Status,
};
use crate::change::{Change, SeriesAlert};
use crate::exchange::Exchange;
use crate::governance::{Author, Evidence, Proposal, Resolution, Ruling, Subject, Verdict};
use crate::id::{Derived, EventId, MarketId, OperatorId, ProposalId, SeriesId, derive};
use crate::identity::Role;
use crate::index::{EventIndex, ListingIndex};
use crate::numbers::{Currency, Price, Shares};
use crate::order::Outcome;
use crate::pool::{Pool, Seed};
use crate::text::Text;
use crate::time::{Span, Time};
use crate::timers::TimerKind;

/// The delay from an event's close to its resolution.
const RESOLUTION_DELAY: Span = Span::seconds(60);
/// An interval that began longer ago than this was missed.
const LATE_AFTER: Span = Span::seconds(10);
/// The evidence of a proposed result of a series.
const PUSHED_EVIDENCE: &str = "The prices at the event's opening and closing, pushed by operators";
/// A boundary is settled at the first instant after it, regardless of the order of commands stamped with its own time.
const SETTLED_AFTER: Span = Span::MICROSECOND;
/// New pools start at 0.50.
const SEED_PRICE: Price = Price::clamp(50);

/// The id of a series' event for the interval that begins at `start`.
fn event_id(series: SeriesId, start: Time) -> EventId {
    EventId::new(derive(Derived::SeriesEvent, series.as_u128(), seconds(start).unsigned_abs()))
}

fn market_id(series: SeriesId, start: Time) -> MarketId {
    MarketId::new(derive(Derived::SeriesMarket, series.as_u128(), seconds(start).unsigned_abs()))
}

const fn seconds(at: Time) -> i64 {
    at.micros() / 1_000_000
}

impl Exchange {
    /// The event that ends at the series' next boundary.
    fn current_event(&self, series: &Series) -> Option<EventIndex> {
        let start = series.next_start - series.terms.interval.span();
        let event = self.catalogue.find_event(event_id(series.terms.id, start))?;
        // Another event may have been created with this id; only the link proves that it belongs to the series.
        let link = EventLink::Series { series: series.terms.id, start };
        (self.catalogue.event(event).link == link).then_some(event)
    }

    /// The timers that a series needs. A paused series only ends its current event.
    fn series_timers(&self, id: SeriesId) -> Vec<(Time, TimerKind)> {
        let Some(series) = self.catalogue.find_series(id) else { return Vec::new() };
        let due = series.next_start + SETTLED_AFTER;
        let (boundary, creation) = ((due, TimerKind::Boundary), (due, TimerKind::Creation));
        match (series.paused, self.current_event(series)) {
            (false, _) => vec![boundary, creation],
            (true, Some(_)) => vec![boundary],
            (true, None) => Vec::new(),
        }
    }

    pub(crate) fn arm_series(&mut self, id: SeriesId) {
        for (due, kind) in self.series_timers(id) {
            self.timers.set(due, kind, id.as_u128());
        }
    }

    pub(crate) fn clear_series_timers(&mut self, id: SeriesId) {
        for (due, kind) in self.series_timers(id) {
            self.timers.clear(due, kind, id.as_u128());
        }
    }

    /// The samples that count at a boundary: a fresh one from each relevant source, the leading source first.
    fn samples_at(&self, terms: &NewSeries, boundary: Time) -> Result<Vec<Sample>, SeriesAlert> {
        let samples = self.catalogue.assets.get(&terms.asset_symbol).ok_or(SeriesAlert::StalePrice)?;
        let found: Option<Vec<Sample>> = match terms.sources.as_slice() {
            [] => samples.at_boundary(boundary).map(|sample| vec![sample.clone()]),
            named => {
                let of = |source: &Text| samples.of_source_at_boundary(source, boundary).cloned();
                named.iter().map(of).collect()
            }
        };
        let found = found.ok_or(SeriesAlert::StalePrice)?;
        match found.as_slice() {
            [leading, other] if !agree(leading.value, other.value, terms.tolerance_ppm) => {
                Err(SeriesAlert::SourcesDisagree)
            }
            _ => Ok(found),
        }
    }

    fn raise_series_alert(&mut self, id: SeriesId, at: Time, reason: SeriesAlert) {
        let Some(series) = self.catalogue.series.get_mut(&id) else { return };
        if series.raise(RaisedAlert { at, reason }) {
            self.changes.push(Change::SeriesAlert { series: id, at, reason });
        }
    }

    /// Handles the boundary that `due` settles: sets the close value and schedules the next boundary.
    pub(crate) fn end_interval(&mut self, id: u128, due: Time) {
        let (id, boundary) = (SeriesId::new(id), due - SETTLED_AFTER);
        let Some(series) = self.catalogue.find_series(id) else { return };
        let (span, current) = (series.terms.interval.span(), self.current_event(series));
        let decided = self.samples_at(&series.terms, boundary);
        let value = decided.as_ref().ok().and_then(|samples| leading_value(samples));
        self.changes.push(Change::SeriesBoundary { series: id, at: boundary, value });
        // An event that an operator ended early is left unchanged.
        let ended = current.filter(|event| self.catalogue.event(*event).status == Status::Closed);
        match (ended, decided) {
            (Some(event), Ok(samples)) => {
                let ended = self.catalogue.event_mut(event);
                ended.close_value = value;
                ended.close_samples = samples;
                self.arm_event(event);
            }
            // The event stays closed until an operator resolves it.
            (Some(_), Err(reason)) => self.raise_series_alert(id, boundary, reason),
            (None, _) => {}
        }
        if let Some(series) = self.catalogue.series.get_mut(&id) {
            // Intervals that passed while no node was running get no event. Continue at the last boundary that has
            // passed: only that one can still be in time.
            series.next_start = (boundary + span).max(self.now.next_multiple(span) - span);
        }
        self.arm_series(id);
    }

    /// Handles the start of an interval: creates and opens its event, or raises an alert.
    pub(crate) fn begin_interval(&mut self, id: u128, due: Time) {
        let (id, start) = (SeriesId::new(id), due - SETTLED_AFTER);
        let Some(series) = self.catalogue.find_series(id) else { return };
        let terms = series.terms.clone();
        let creator = series.creator;
        if let Err(reason) = self.make_series_event(&terms, creator, start) {
            self.raise_series_alert(id, start, reason);
        }
    }

    fn make_series_event(
        &mut self,
        terms: &NewSeries,
        creator: Option<OperatorId>,
        start: Time,
    ) -> Result<(), SeriesAlert> {
        if self.now - start > LATE_AFTER {
            return Err(SeriesAlert::Missed);
        }
        let samples = self.samples_at(terms, start)?;
        let threshold = leading_value(&samples).ok_or(SeriesAlert::StalePrice)?;
        let new = new_event(terms, start, threshold);
        self.check_new_event(&new).map_err(|_| SeriesAlert::NameTaken)?;
        let seeds = self.plan_seeds(terms)?;
        let creator = creator.map(|operator| Caller::Operator { operator, role: Role::Operator });
        if let Some(creator) = creator {
            self.check_series_caps(creator, terms, &seeds)?;
        }

        if let Some(creator) = creator {
            for (currency, ..) in &seeds {
                self.count_seed(creator, *currency, *terms.seed.get(*currency));
            }
        }
        let event = self.make_event(new);
        let made = self.catalogue.event_mut(event);
        made.threshold = Some(threshold);
        made.open_samples = samples;
        let markets = self.catalogue.event(event).markets.clone();
        for market in &markets {
            for (currency, sets, seed) in &seeds {
                self.put_into_pool(ListingIndex::new(*market, *currency), *sets, *seed);
            }
        }
        self.move_markets(event, &markets, Action::Open);
        Ok(())
    }

    /// One person's series moves as much house money a day as the person may.
    fn check_series_caps(
        &self,
        creator: Caller,
        terms: &NewSeries,
        seeds: &[(Currency, Shares, Seed)],
    ) -> Result<(), SeriesAlert> {
        let fits = |(currency, ..): &(Currency, Shares, Seed)| {
            self.check_seed_caps(creator, *currency, *terms.seed.get(*currency)).is_ok()
        };
        if seeds.iter().all(fits) { Ok(()) } else { Err(SeriesAlert::OverCap) }
    }

    /// The house's seeds for a new event's pools; empty for a book.
    fn plan_seeds(&self, terms: &NewSeries) -> Result<Vec<(Currency, Shares, Seed)>, SeriesAlert> {
        let mut seeds = Vec::new();
        if terms.engine == Engine::Amm {
            for currency in &terms.currencies {
                let sets = Shares::sets(*terms.seed.get(*currency), *currency);
                self.check_house(sets, *currency).map_err(|_| SeriesAlert::HouseShort)?;
                // `create_series` has already checked this seed.
                let seed = Pool::seed(sets, SEED_PRICE).map_err(|_| SeriesAlert::HouseShort)?;
                seeds.push((*currency, sets, seed));
            }
        }
        Ok(seeds)
    }

    /// Resolves a series event a minute after its close: "up" if the asset did not fall.
    pub(crate) fn resolve_due_event(&mut self, id: u128) {
        let Some(index) = self.catalogue.find_event(EventId::new(id)) else { return };
        let event = self.catalogue.event(index);
        let (Some(threshold), Some(close)) = (event.threshold, event.close_value) else { return };
        let outcome = if close >= threshold { Outcome::Yes } else { Outcome::No };
        let Some(market) = event.markets.first().copied() else { return };
        if self.catalogue.market(market).status.after(Action::Resolve).is_none() {
            return;
        }
        let ruling = Ruling { market: self.catalogue.market(market).id, outcome };
        let verdict = Verdict::Outcomes(vec![ruling]);
        match self.governance.policy.two_required.then(|| event.pushers()).as_deref() {
            Some([first, others @ ..]) => self.propose_pushed_result(index, verdict, *first, others.to_vec()),
            _ => {
                self.resolve(market, outcome);
                self.note_resolution(index, Resolution::at_once(verdict, Author::Node, self.now));
            }
        }
    }

    /// Operators pushed the deciding prices, and one person must not decide alone: the result becomes a proposal of all
    /// of them, for another person to finalise.
    fn propose_pushed_result(
        &mut self,
        index: EventIndex,
        verdict: Verdict,
        first: OperatorId,
        also_by: Vec<OperatorId>,
    ) {
        let event = self.catalogue.event_mut(index);
        event.is_result_proposed = true;
        let (event, link) = (event.id, event.link);
        let EventLink::Series { series, .. } = link else { return };
        let role = self.directory.operator(first).map_or(Role::Operator, |operator| operator.role);
        self.add_proposal(Proposal {
            id: ProposalId::new(derive(Derived::SeriesProposal, event.as_u128(), 0)),
            subject: Subject::Resolution { event, verdict },
            evidence: Evidence { text: Text::from(PUSHED_EVIDENCE), link: Text::default() },
            by: Author::Operator { operator: first, role },
            at: self.now,
            series: Some(series),
            also_by,
            verdicts: None,
        });
    }
}

fn leading_value(samples: &[Sample]) -> Option<AssetPrice> {
    samples.first().map(|sample| sample.value)
}

/// Whether two prices differ by at most this many millionths of the leading one.
fn agree(leading: AssetPrice, other: AssetPrice, tolerance_ppm: u32) -> bool {
    let (leading, other) = (i128::from(leading.0), i128::from(other.0));
    (leading - other).abs() * 1_000_000 <= leading * i128::from(tolerance_ppm)
}

fn new_event(terms: &NewSeries, start: Time, threshold: AssetPrice) -> NewEvent {
    let end = start + terms.interval.span();
    let title = format!(
        "{}: up or down, {} to {} UTC",
        terms.display_name,
        date_and_minute(start),
        date_and_minute(end)
    );
    let title = Text::from(title);
    let market = MarketDetails {
        title: title.clone(),
        yes_label: Text::from("Up"),
        no_label: Text::from("Down"),
        threshold: Some(threshold.0),
        ..terms.market.clone()
    };
    NewEvent {
        id: event_id(terms.id, start),
        slug: Text::from(format!("{}-{}", terms.slug, seconds(start))),
        kind: EventKind::Single,
        engine: terms.engine,
        currencies: terms.currencies.clone(),
        details: EventDetails {
            title,
            description: terms.description.clone(),
            category: Text::from(category(terms.category)),
            image_url: terms.icon_url.clone(),
            opening_date: Some(start),
            closing_date: Some(end),
            resolution_date: Some(end + RESOLUTION_DELAY),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: market_id(terms.id, start), details: market }],
        link: EventLink::Series { series: terms.id, start },
    }
}

const fn category(category: SeriesCategory) -> &'static str {
    match category {
        SeriesCategory::Crypto => "crypto",
        SeriesCategory::Currency => "currency",
        SeriesCategory::Finance => "finance",
    }
}
