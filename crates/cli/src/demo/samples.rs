//! The sample events: each type, both engines, both currencies.

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::id::{EventId, MarketId};
use exchange::numbers::{Currency, FeeRate};
use exchange::text::Text;
use exchange::time::{Span, Time};
use uuid::Uuid;

/// An event in the words of the table below.
pub(super) struct Sample {
    pub(super) slug: &'static str,
    title: &'static str,
    category: &'static str,
    kind: EventKind,
    engine: Engine,
    fee_basis_points: u16,
    closes_in_days: Option<i64>,
    /// Titles with what the market thinks of YES at first, in cents.
    pub(super) markets: &'static [(&'static str, u8)],
}

pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        slug: "rain-in-lagos-on-new-years-day",
        title: "Will it rain in Lagos on New Year's Day?",
        category: "weather",
        kind: EventKind::Single,
        engine: Engine::Clob,
        fee_basis_points: 0,
        closes_in_days: None,
        markets: &[("Rain in Lagos", 35)],
    },
    Sample {
        slug: "naira-below-1500-by-year-end",
        title: "Will a dollar cost less than 1,500 naira at the end of the year?",
        category: "finance",
        kind: EventKind::Single,
        engine: Engine::Amm,
        fee_basis_points: 200,
        closes_in_days: Some(365),
        markets: &[("Below 1,500 naira", 55)],
    },
    Sample {
        slug: "winner-of-the-lagos-derby",
        title: "Who wins the Lagos derby?",
        category: "sports",
        kind: EventKind::Combined,
        engine: Engine::Clob,
        fee_basis_points: 100,
        closes_in_days: None,
        markets: &[("Home win", 48), ("Draw", 28), ("Away win", 24)],
    },
    Sample {
        slug: "album-of-the-year-nominees",
        title: "Which albums are nominated for album of the year?",
        category: "entertainment",
        kind: EventKind::Grouped,
        engine: Engine::Amm,
        fee_basis_points: 150,
        closes_in_days: None,
        markets: &[("Harmattan Nights", 62), ("Third Mainland", 40)],
    },
    Sample {
        slug: "bitcoin-milestones-this-year",
        title: "Which prices does bitcoin reach this year?",
        category: "crypto",
        kind: EventKind::Grouped,
        engine: Engine::Clob,
        fee_basis_points: 50,
        closes_in_days: None,
        markets: &[("Above 150,000 dollars", 44), ("Above 200,000 dollars", 18)],
    },
];

impl Sample {
    /// With new ids.
    pub(super) fn event(&self, now: Time) -> NewEvent {
        let closing_date = self.closes_in_days.map(|days| now + Span::days(days));
        let fee_rate = FeeRate::new(self.fee_basis_points).unwrap_or(FeeRate::ZERO);
        let market = |(title, _): &(&str, u8)| NewMarket {
            id: MarketId::new(Uuid::now_v7().as_u128()),
            details: MarketDetails {
                title: Text::from(*title),
                rules: Text::from("A sample: an operator of this demo resolves it."),
                fee_rate,
                ..MarketDetails::default()
            },
        };
        NewEvent {
            id: EventId::new(Uuid::now_v7().as_u128()),
            slug: Text::from(self.slug),
            kind: self.kind,
            engine: self.engine,
            currencies: Currency::ALL.to_vec(),
            details: EventDetails {
                title: Text::from(self.title),
                category: Text::from(self.category),
                description: Text::from("A sample event of the demo."),
                closing_date,
                ..EventDetails::default()
            },
            markets: self.markets.iter().map(market).collect(),
            link: EventLink::None,
        }
    }
}
