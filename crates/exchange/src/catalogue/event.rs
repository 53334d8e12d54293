//! An event: a question or topic with one or more markets.

use minicbor::{Decode, Encode};

use super::{AssetPrice, NewMarket, Sample, Status};
use crate::governance::Resolution;
use crate::id::{EventId, GameId, OperatorId, SeriesId};
use crate::index::MarketIndex;
use crate::numbers::Currency;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum EventKind {
    /// One market.
    #[n(0)]
    Single,
    /// Mutually exclusive markets: if one resolves YES, the others resolve NO.
    #[n(1)]
    Combined,
    /// Independent markets.
    #[n(2)]
    Grouped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Engine {
    #[n(0)]
    Amm,
    #[n(1)]
    Clob,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum SportMarketType {
    #[n(0)]
    TeamH2h3Way,
    #[n(1)]
    GoalSpread,
    #[n(2)]
    TotalGoals,
}

/// The descriptive fields of an event. An operator may edit them while it is a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct EventDetails {
    #[n(0)]
    pub title: Text,
    #[n(1)]
    pub description: Text,
    #[n(2)]
    pub category: Text,
    #[n(3)]
    pub subcategory: Text,
    #[n(4)]
    pub image_url: Text,
    #[n(5)]
    pub image_128_url: Text,
    #[n(6)]
    pub hashtags: Vec<Text>,
    #[n(7)]
    pub country_codes: Vec<Text>,
    #[n(8)]
    pub resolution_source: Text,
    #[n(9)]
    pub additional_context: Text,
    #[n(10)]
    pub opening_date: Option<Time>,
    /// When trading closes automatically.
    #[n(11)]
    pub closing_date: Option<Time>,
    #[n(12)]
    pub resolution_date: Option<Time>,
}

/// The series or game of an event, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum EventLink {
    #[n(0)]
    None,
    /// The event of a series for the interval that begins at `start`.
    #[n(1)]
    Series {
        #[n(0)]
        series: SeriesId,
        #[n(1)]
        start: Time,
    },
    #[n(2)]
    Game {
        #[n(0)]
        game: GameId,
        #[n(1)]
        market_type: SportMarketType,
    },
}

/// The fields of an event to create; it starts as a draft.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewEvent {
    #[n(0)]
    pub id: EventId,
    #[n(1)]
    pub slug: Text,
    #[n(2)]
    pub kind: EventKind,
    #[n(3)]
    pub engine: Engine,
    /// One or both, without duplicates.
    #[n(4)]
    pub currencies: Vec<Currency>,
    #[n(5)]
    pub details: EventDetails,
    #[n(6)]
    pub markets: Vec<NewMarket>,
    #[n(7)]
    pub link: EventLink,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    /// Its position in creation order, counted over all events ever created.
    pub serial: u64,
    pub slug: Text,
    pub kind: EventKind,
    pub engine: Engine,
    pub currencies: Vec<Currency>,
    pub details: EventDetails,
    pub link: EventLink,
    pub status: Status,
    pub markets: Vec<MarketIndex>,
    pub created_at: Time,
    pub resolved_at: Option<Time>,
    /// The asset's price when a series event opened.
    pub threshold: Option<AssetPrice>,
    /// The asset's price when it closed.
    pub close_value: Option<AssetPrice>,
    /// The samples behind `threshold`: one from each source that counts, the leading source first.
    pub open_samples: Vec<Sample>,
    /// The samples behind `close_value`.
    pub close_samples: Vec<Sample>,
    /// The result of this series event was proposed automatically instead of enforced, because operators pushed its
    /// prices.
    pub is_result_proposed: bool,
    /// Past verdicts on the event, oldest first.
    pub resolutions: Vec<Resolution>,
    /// The sequence of the last edit. Only under rules 4.
    pub edited_at: Option<u64>,
    /// The event was cancelled as a draft, so only operators see it. Only rules 4 set it.
    pub never_opened: bool,
}

impl Event {
    /// Operators who pushed a price that decides a series event, without duplicates.
    pub fn pushers(&self) -> Vec<OperatorId> {
        let samples = self.open_samples.iter().chain(&self.close_samples);
        let mut pushers: Vec<_> = samples.filter_map(|sample| sample.pushed_by).collect();
        pushers.sort_unstable();
        pushers.dedup();
        pushers
    }

    /// Whether others than operators may learn of it: it is or was open.
    pub fn is_public(&self) -> bool {
        self.status != Status::Draft && !self.never_opened
    }

    pub fn supports(&self, currency: Currency) -> bool {
        self.currencies.contains(&currency)
    }
}
