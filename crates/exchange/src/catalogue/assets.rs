//! Prices of assets as they were recorded, and what a price was at a boundary.

use std::collections::{BTreeMap, VecDeque};

use minicbor::{Decode, Encode};

use crate::id::OperatorId;
use crate::text::Text;
use crate::time::{Span, Time};

/// An asset's price in 10⁻⁶ of whatever it is quoted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(transparent)]
pub struct AssetPrice(#[n(0)] pub i64);

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Sample {
    #[n(0)]
    pub value: AssetPrice,
    #[n(1)]
    pub source: Text,
    /// When the source saw it.
    #[n(2)]
    pub source_time: Time,
    /// When the journal stamped it.
    #[n(3)]
    pub at: Time,
    /// The operator who pushed it. None: a feed of the node.
    #[n(4)]
    pub pushed_by: Option<OperatorId>,
}

/// Before the name of a source: prices that operators pushed under this name.
pub const PUSHED: &str = "push:";

impl Sample {
    /// Whether a series that names `source` counts this sample.
    pub fn is_of(&self, source: &str) -> bool {
        match source.strip_prefix(PUSHED) {
            Some(pushed) => self.pushed_by.is_some() && *self.source == *pushed,
            None => self.pushed_by.is_none() && *self.source == *source,
        }
    }

    /// Whether both samples come from one source.
    fn shares_source(&self, other: &Sample) -> bool {
        self.source == other.source && self.pushed_by.is_some() == other.pushed_by.is_some()
    }
}

/// Recent samples of one asset, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Samples {
    #[n(0)]
    recent: VecDeque<Sample>,
}

/// A sample older than this at a boundary says nothing about it.
const STALE_AFTER: Span = Span::seconds(60);
/// Older samples are of no use to a boundary: it looks back a minute, and fires before anything later is recorded.
const KEPT_FOR: Span = Span::seconds(120);
/// Memory per asset and source; at one sample a second two minutes are 120.
const SAMPLES_OF_SOURCE_MAX: usize = 512;
/// Memory per asset.
const SAMPLES_MAX: usize = 4_096;

impl Samples {
    pub(crate) fn record(&mut self, sample: Sample) {
        let keep_from = sample.at - KEPT_FOR;
        while self.recent.front().is_some_and(|old| old.at < keep_from) || self.recent.len() >= SAMPLES_MAX {
            self.recent.pop_front();
        }
        if self.recent.len() >= SAMPLES_OF_SOURCE_MAX {
            self.make_room_for(&sample);
        }
        self.recent.push_back(sample);
    }

    /// A source that talks too much loses its own oldest sample, not those of others.
    fn make_room_for(&mut self, new: &Sample) {
        let own = |sample: &Sample| sample.shares_source(new);
        if self.recent.iter().filter(|sample| own(sample)).count() >= SAMPLES_OF_SOURCE_MAX
            && let Some(oldest) = self.recent.iter().position(own)
        {
            self.recent.remove(oldest);
        }
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.recent.len()
    }

    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    pub fn last(&self) -> Option<&Sample> {
        self.recent.back()
    }

    /// The last sample of a source, as a series names it.
    pub fn last_of(&self, source: &str) -> Option<&Sample> {
        self.recent.iter().rev().find(|sample| sample.is_of(source))
    }

    /// The last sample sequenced at or before `boundary` whose source time lies in the 60 seconds up to it.
    pub fn at_boundary(&self, boundary: Time) -> Option<&Sample> {
        self.fresh_at(boundary).next()
    }

    /// The last fresh sample of one source, as a series names it.
    pub fn of_source_at_boundary(&self, source: &str, boundary: Time) -> Option<&Sample> {
        self.fresh_at(boundary).find(|sample| sample.is_of(source))
    }

    /// What counts for a boundary, the last first.
    fn fresh_at(&self, boundary: Time) -> impl Iterator<Item = &Sample> {
        let is_fresh = move |sample: &&Sample| {
            sample.at <= boundary
                && sample.source_time > boundary - STALE_AFTER
                && sample.source_time <= boundary
        };
        self.recent.iter().rev().filter(is_fresh)
    }
}

/// By asset symbol.
pub type AssetPrices = BTreeMap<Text, Samples>;
