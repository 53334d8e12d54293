//! Series, remembered apart: what the price at a boundary was, and what follows from it.

use exchange::Exchange;
use exchange::catalogue::{AssetPrice, EventLink, NewSeries, Status};
use exchange::change::Change;
use exchange::command::{Command, Request};
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
}

#[derive(Clone, Debug, Default)]
pub struct PriceBook {
    recorded: Vec<Recorded>,
}

impl PriceBook {
    pub fn follow(&mut self, exchange: &Exchange, request: &Request) -> Result<(), Failure> {
        // A price at the very instant of a boundary counts for it, so the prices of a command come first.
        for change in exchange.changes() {
            if let (
                Change::PriceRecorded { symbol, value, source_time },
                Command::RecordPrice { source, .. },
            ) = (change, &request.command)
            {
                let (symbol, source, at) = (symbol.clone(), source.clone(), exchange.now());
                self.recorded.push(Recorded { symbol, source, value: *value, source_time: *source_time, at });
            }
        }
        for change in exchange.changes() {
            match change {
                Change::SeriesBoundary { series, at, value } => {
                    let Some(series) = exchange.catalogue().find_series(*series) else { continue };
                    let expected = self.value_at(&series.terms, *at);
                    ensure(*value == expected, BOUNDARY, || format!("{change:?}, expected {expected:?}"))?;
                }
                Change::EventStatus { event, status: Status::Resolved } => check_result(exchange, *event)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn value_at(&self, terms: &NewSeries, boundary: Time) -> Option<AssetPrice> {
        let is_fresh = |price: &&Recorded| {
            price.symbol == terms.asset_symbol
                && price.at <= boundary
                && price.source_time <= boundary
                && price.source_time + Span::seconds(60) > boundary
        };
        let last = |wanted: Option<&Text>| {
            let counts =
                |price: &&Recorded| is_fresh(price) && wanted.is_none_or(|name| price.source == *name);
            self.recorded.iter().rev().find(counts).map(|price| price.value)
        };
        let leading = last(terms.sources.first())?;
        let Some(second) = terms.sources.get(1) else { return Some(leading) };
        let apart = i128::from(leading.0.abs_diff(last(Some(second))?.0)) * 1_000_000;
        (apart <= i128::from(leading.0) * i128::from(terms.tolerance_ppm)).then_some(leading)
    }
}

/// Only the clock knows both values; an operator who decides needs neither.
fn check_result(exchange: &Exchange, event: exchange::id::EventId) -> Result<(), Failure> {
    let catalogue = exchange.catalogue();
    let Some(event) = catalogue.find_event(event).map(|index| catalogue.event(index)) else { return Ok(()) };
    let (EventLink::Series { .. }, Some(threshold), Some(close)) =
        (event.link, event.threshold, event.close_value)
    else {
        return Ok(());
    };
    let by_clock = event.details.resolution_date.is_some_and(|date| date <= exchange.now());
    let expected = if close >= threshold { Outcome::Yes } else { Outcome::No };
    let is_right = event.markets.iter().all(|market| {
        let market = catalogue.market(*market);
        market.status != Status::Resolved || market.resolved_outcome() == Some(expected)
    });
    ensure(is_right || !by_clock, UP_OR_DOWN, || format!("{event:?}"))
}
