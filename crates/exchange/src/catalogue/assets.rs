//! Prices of assets as they were recorded, and what a price was at a boundary.

use std::collections::{BTreeMap, VecDeque};

use minicbor::{Decode, Encode};

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
}

/// Recent samples of one asset, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Samples {
    #[n(0)]
    recent: VecDeque<Sample>,
}

/// A sample older than this at a boundary says nothing about it.
const STALE_AFTER: Span = Span::seconds(60);
/// Memory per asset; at one sample a second two minutes are 120.
const SAMPLES_MAX: usize = 512;

impl Samples {
    pub(crate) fn record(&mut self, sample: Sample) {
        let keep_from = sample.at - Span::seconds(120);
        while self.recent.front().is_some_and(|old| old.at < keep_from) || self.recent.len() >= SAMPLES_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(sample);
    }

    pub fn last(&self) -> Option<&Sample> {
        self.recent.back()
    }

    /// The last sample sequenced at or before `boundary` whose source time lies in the 60 seconds up to it.
    pub fn at_boundary(&self, boundary: Time) -> Option<&Sample> {
        let fresh =
            |sample: &&Sample| sample.source_time > boundary - STALE_AFTER && sample.source_time <= boundary;
        self.recent.iter().rev().filter(|sample| sample.at <= boundary).find(fresh)
    }
}

/// By asset symbol.
pub type AssetPrices = BTreeMap<Text, Samples>;
