//! Recorded asset prices, and the lookup of the price at a boundary.

use std::collections::{BTreeMap, VecDeque};

use minicbor::{Decode, Encode};

use crate::id::OperatorId;
use crate::text::Text;
use crate::time::{Span, Time};

/// An asset's price in 10⁻⁶ of its quote currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
#[cbor(transparent)]
pub struct AssetPrice(#[n(0)] pub i64);

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Sample {
    #[n(0)]
    pub value: AssetPrice,
    #[n(1)]
    pub source: Text,
    /// When the source observed it.
    #[n(2)]
    pub source_time: Time,
    /// When the journal stamped it.
    #[n(3)]
    pub at: Time,
    /// The operator who pushed it; `None` for a feed of the node.
    #[n(4)]
    pub pushed_by: Option<OperatorId>,
}

/// Prefix of a source name that stands for prices pushed by operators.
pub const PUSHED: &str = "push:";

impl Sample {
    /// Whether a series that names `source` counts this sample.
    pub fn is_of(&self, source: &str) -> bool {
        match source.strip_prefix(PUSHED) {
            Some(pushed) => self.pushed_by.is_some() && *self.source == *pushed,
            None => self.pushed_by.is_none() && *self.source == *source,
        }
    }

    /// Whether both samples come from the same source.
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

/// A sample older than this at a boundary is not used.
const STALE_AFTER: Span = Span::seconds(60);
/// A boundary looks back one minute and fires before anything later is recorded, so older samples are not needed.
const KEPT_FOR: Span = Span::seconds(120);
/// Limits memory per asset and source; at one sample per second, two minutes are 120.
const SAMPLES_OF_SOURCE_MAX: usize = 512;
/// Limits memory per asset.
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

    /// Makes room for a sample. A source over its limit loses its own oldest sample, not those of others.
    fn make_room_for(&mut self, new: &Sample) {
        let own = |sample: &Sample| sample.shares_source(new);
        if self.recent.iter().filter(|sample| own(sample)).count() >= SAMPLES_OF_SOURCE_MAX
            && let Some(oldest) = self.recent.iter().position(own)
        {
            self.recent.remove(oldest);
        }
    }

    /// The number of samples held.
    pub fn len(&self) -> usize {
        self.recent.len()
    }

    pub fn is_empty(&self) -> bool {
        self.recent.is_empty()
    }

    pub fn last(&self) -> Option<&Sample> {
        self.recent.back()
    }

    /// The last sample of a source, named as in a series.
    pub fn last_of(&self, source: &str) -> Option<&Sample> {
        self.recent.iter().rev().find(|sample| sample.is_of(source))
    }

    /// The last sample sequenced at or before `boundary` whose source time is within the 60 seconds before it.
    pub fn at_boundary(&self, boundary: Time) -> Option<&Sample> {
        self.fresh_at(boundary).next()
    }

    /// Like `at_boundary`, for one source, named as in a series.
    pub fn of_source_at_boundary(&self, source: &str, boundary: Time) -> Option<&Sample> {
        self.fresh_at(boundary).find(|sample| sample.is_of(source))
    }

    /// The samples that count for a boundary, newest first.
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
