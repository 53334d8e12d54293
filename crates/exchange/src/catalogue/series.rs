//! A series: a recurring question about an asset, one event per interval.

use std::collections::VecDeque;

use minicbor::{Decode, Encode};

use super::{Engine, MarketDetails};
use crate::change::SeriesAlert;
use crate::id::{OperatorId, SeriesId};
use crate::numbers::{Currency, Money, PerCurrency};
use crate::text::Text;
use crate::time::{Span, Time};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Interval {
    #[n(0)]
    FifteenMinute,
    #[n(1)]
    Hourly,
    #[n(2)]
    SixHourly,
    #[n(3)]
    Daily,
    /// From rules 3 on.
    #[n(4)]
    FiveMinute,
}

impl Interval {
    pub const fn span(self) -> Span {
        match self {
            Interval::FiveMinute => Span::minutes(5),
            Interval::FifteenMinute => Span::minutes(15),
            Interval::Hourly => Span::hours(1),
            Interval::SixHourly => Span::hours(6),
            Interval::Daily => Span::days(1),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum SeriesCategory {
    #[n(0)]
    Crypto,
    #[n(1)]
    Currency,
    #[n(2)]
    Finance,
}

/// How the events of a series are created and resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Automation {
    /// Resolves "up" if the asset closes at or above its opening price.
    #[n(0)]
    PriceUpDown,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewSeries {
    #[n(0)]
    pub id: SeriesId,
    #[n(1)]
    pub slug: Text,
    #[n(2)]
    pub display_name: Text,
    #[n(3)]
    pub description: Text,
    #[n(4)]
    pub category: SeriesCategory,
    #[n(5)]
    pub interval: Interval,
    #[n(6)]
    pub asset_symbol: Text,
    #[n(7)]
    pub automation: Automation,
    #[n(8)]
    pub icon_url: Text,
    #[n(9)]
    pub engine: Engine,
    #[n(10)]
    pub currencies: Vec<Currency>,
    /// The market of each event; its title is the event's.
    #[n(11)]
    pub market: MarketDetails,
    /// The house's seed for each new pool, at 0.50.
    #[n(12)]
    pub seed: PerCurrency<Money>,
    /// The sources whose prices count, the leading one first. Empty: any source.
    #[n(13)]
    pub sources: Vec<Text>,
    /// The largest difference between two sources, in millionths of the leading one's price.
    #[n(14)]
    pub tolerance_ppm: u32,
}

/// Alerts kept per series; older ones are only in the journal.
const ALERTS_MAX: usize = 20;

/// A condition that an operator should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RaisedAlert {
    /// The boundary that it concerns.
    #[n(0)]
    pub at: Time,
    #[n(1)]
    pub reason: SeriesAlert,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Series {
    #[n(0)]
    pub terms: NewSeries,
    #[n(1)]
    pub paused: bool,
    #[n(2)]
    pub created_at: Time,
    /// The start of the next interval.
    #[n(3)]
    pub next_start: Time,
    /// The most recent ones, oldest first.
    #[n(4)]
    pub alerts: VecDeque<RaisedAlert>,
    /// The operator who created it alone: its seeds count against this operator's day. Only under rules 4.
    #[n(5)]
    pub creator: Option<OperatorId>,
}

impl Series {
    pub(crate) fn new(terms: NewSeries, now: Time) -> Series {
        let next_start = now.next_multiple(terms.interval.span());
        Series { terms, paused: false, created_at: now, next_start, alerts: VecDeque::new(), creator: None }
    }

    /// Records an alert and returns whether it is new. The end of one interval and the start of the next fail for the
    /// same reason, which is reported once.
    pub(crate) fn raise(&mut self, alert: RaisedAlert) -> bool {
        if self.alerts.back() == Some(&alert) {
            return false;
        }
        if self.alerts.len() >= ALERTS_MAX {
            self.alerts.pop_front();
        }
        self.alerts.push_back(alert);
        true
    }
}
