//! Series, remembered apart: what the price at a boundary was, and what follows from it.

use exchange::Exchange;
use exchange::catalogue::{AssetPrice, EventLink, Status};
use exchange::change::Change;
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::{Span, Time};

use crate::failure::{Failure, ensure};

pub const BOUNDARY: &str = "a boundary's value is the last fresh price at or before it";
pub const UP_OR_DOWN: &str = "a series event resolves up exactly when it closed at or above its threshold";

#[derive(Clone, Debug)]
struct Recorded {
    symbol: Text,
    value: AssetPrice,
    source_time: Time,
    at: Time,
}

#[derive(Clone, Debug, Default)]
pub struct PriceBook {
    recorded: Vec<Recorded>,
}

impl PriceBook {
    pub fn follow(&mut self, exchange: &Exchange) -> Result<(), Failure> {
        // A price at the very instant of a boundary counts for it, so the prices of a command come first.
        for change in exchange.changes() {
            if let Change::PriceRecorded { symbol, value, source_time } = change {
                let (symbol, value, source_time) = (symbol.clone(), *value, *source_time);
                self.recorded.push(Recorded { symbol, value, source_time, at: exchange.now() });
            }
        }
        for change in exchange.changes() {
            match change {
                Change::SeriesBoundary { series, at, value } => {
                    let Some(series) = exchange.catalogue().find_series(*series) else { continue };
                    let expected = self.value_at(&series.terms.asset_symbol, *at);
                    ensure(*value == expected, BOUNDARY, || format!("{change:?}, expected {expected:?}"))?;
                }
                Change::EventStatus { event, status: Status::Resolved } => check_result(exchange, *event)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn value_at(&self, symbol: &Text, boundary: Time) -> Option<AssetPrice> {
        let is_fresh = |price: &&Recorded| {
            price.symbol == *symbol
                && price.at <= boundary
                && price.source_time <= boundary
                && price.source_time + Span::seconds(60) > boundary
        };
        self.recorded.iter().rev().find(is_fresh).map(|price| price.value)
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
