//! A market: a binary question inside an event, with two labelled outcomes.

use minicbor::{Decode, Encode};

use super::Status;
use crate::id::{MarketId, TeamId};
use crate::index::EventIndex;
use crate::numbers::{Cents, Currency, FeeRate, Money, PerCurrency};
use crate::order::Outcome;
use crate::text::Text;
use crate::time::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum PropDirection {
    #[n(0)]
    Over,
    #[n(1)]
    Under,
}

/// A prop market: over or under a line, for a team or for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Prop {
    /// In hundredths: 250 is 2.5 goals.
    #[n(0)]
    pub line: Option<i32>,
    #[n(1)]
    pub direction: Option<PropDirection>,
    #[n(2)]
    pub team: Option<TeamId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MarketDetails {
    #[n(0)]
    pub title: Text,
    #[n(1)]
    pub yes_label: Text,
    #[n(2)]
    pub no_label: Text,
    #[n(3)]
    pub rules: Text,
    #[n(4)]
    pub image_url: Text,
    #[n(5)]
    pub image_128_url: Text,
    #[n(6)]
    pub fee_rate: FeeRate,
    /// The minimum order; a market may raise the general minimum, but not lower it.
    #[n(7)]
    pub order_min: PerCurrency<Money>,
    #[n(8)]
    pub threshold: Option<i64>,
    #[n(9)]
    pub threshold_range: Text,
    #[n(10)]
    pub prop: Option<Prop>,
}

impl Default for MarketDetails {
    fn default() -> MarketDetails {
        MarketDetails {
            title: Text::default(),
            yes_label: Text::from("YES"),
            no_label: Text::from("NO"),
            rules: Text::default(),
            image_url: Text::default(),
            image_128_url: Text::default(),
            fee_rate: FeeRate::ZERO,
            order_min: PerCurrency {
                usd: Money::order_min(Currency::Usd),
                ngn: Money::order_min(Currency::Ngn),
            },
            threshold: None,
            threshold_range: Text::default(),
            prop: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct NewMarket {
    #[n(0)]
    pub id: MarketId,
    #[n(1)]
    pub details: MarketDetails,
}

/// The payout of a market: cents per YES share; NO pays the rest to 1.00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Settlement {
    #[n(0)]
    pub yes: Cents,
    #[n(1)]
    pub at: Time,
}

impl Settlement {
    pub const fn cents(&self, outcome: Outcome) -> Cents {
        match outcome {
            Outcome::Yes => self.yes,
            Outcome::No => self.yes.complement(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Market {
    pub id: MarketId,
    pub event: EventIndex,
    pub status: Status,
    pub details: MarketDetails,
    pub settlement: Option<Settlement>,
    /// Terms that will apply; only under rules 4.
    pub announced: Option<AnnouncedTerms>,
}

/// What every order to come must keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct MarketTerms {
    #[n(0)]
    pub fee_rate: FeeRate,
    #[n(1)]
    pub order_min: PerCurrency<Money>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct AnnouncedTerms {
    #[n(0)]
    pub terms: MarketTerms,
    #[n(1)]
    pub from: Time,
}

impl Market {
    pub const fn terms(&self) -> MarketTerms {
        MarketTerms { fee_rate: self.details.fee_rate, order_min: self.details.order_min }
    }

    /// The winning outcome, once resolved.
    pub fn resolved_outcome(&self) -> Option<Outcome> {
        match (self.status, self.settlement?.yes) {
            (Status::Resolved, Cents::WHOLE) => Some(Outcome::Yes),
            (Status::Resolved, Cents::NOTHING) => Some(Outcome::No),
            _ => None,
        }
    }
}
