//! The events and the series that a new sandbox begins with. All of them are made up; operators add others as usual.

use exchange::catalogue::{
    Automation, Engine, EventDetails, EventKind, EventLink, Interval, MarketDetails, NewEvent, NewMarket,
    NewSeries, SeriesCategory,
};
use exchange::id::{EventId, MarketId, SeriesId};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::identifiers::new_id;

/// A sample event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) slug: &'static str,
    title: &'static str,
    kind: EventKind,
    engine: Engine,
    fee_basis_points: u16,
    closes_in: Span,
    /// Titles, with the first price of YES in a pool, in cents.
    pub(crate) markets: &'static [(&'static str, u8)],
}

pub(crate) const SAMPLES: [Sample; 3] = [
    Sample {
        slug: "rain-tomorrow",
        title: "Will it rain tomorrow?",
        kind: EventKind::Single,
        engine: Engine::Clob,
        fee_basis_points: 0,
        closes_in: Span::days(1),
        markets: &[("Rain", 50)],
    },
    Sample {
        slug: "cup-winner",
        title: "Who wins the cup?",
        kind: EventKind::Combined,
        engine: Engine::Clob,
        fee_basis_points: 100,
        closes_in: Span::days(30),
        markets: &[("Lions", 50), ("Stars", 30), ("Hawks", 20)],
    },
    Sample {
        slug: "record-this-season",
        title: "Does the record fall this season?",
        kind: EventKind::Single,
        engine: Engine::Amm,
        fee_basis_points: 150,
        closes_in: Span::days(30),
        markets: &[("Record falls", 40)],
    },
];

/// The asset of the series, and its first price in millionths.
pub(crate) const SYMBOL: &str = "BTCUSDT";
pub(crate) const FIRST_PRICE: i64 = 96_250_500_000;

impl Sample {
    pub(crate) const fn is_pool(&self) -> bool {
        matches!(self.engine, Engine::Amm)
    }

    /// The event, with new ids.
    pub(crate) fn event(&self, now: Time) -> NewEvent {
        let fee_rate = FeeRate::new(self.fee_basis_points).unwrap_or(FeeRate::ZERO);
        let market = |(title, _): &(&str, u8)| NewMarket {
            id: MarketId::new(new_id().as_u128()),
            details: MarketDetails {
                title: Text::from(*title),
                rules: Text::from("The sandbox decides: resolve it with a request."),
                fee_rate,
                ..MarketDetails::default()
            },
        };
        NewEvent {
            id: EventId::new(new_id().as_u128()),
            slug: Text::from(self.slug),
            kind: self.kind,
            engine: self.engine,
            currencies: Currency::ALL.to_vec(),
            details: EventDetails {
                title: Text::from(self.title),
                category: Text::from("sandbox"),
                description: Text::from("An event of the sandbox: nothing of it is real."),
                closing_date: Some(now + self.closes_in),
                ..EventDetails::default()
            },
            markets: self.markets.iter().map(market).collect(),
            link: EventLink::None,
        }
    }
}

/// A series with a new event every fifteen minutes.
pub(crate) fn series() -> NewSeries {
    NewSeries {
        id: SeriesId::new(new_id().as_u128()),
        slug: Text::from("crypto-btc-15min"),
        display_name: Text::from("Bitcoin"),
        description: Text::from("A series of the sandbox: its prices are made up."),
        category: SeriesCategory::Crypto,
        interval: Interval::FifteenMinute,
        asset_symbol: Text::from(SYMBOL),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails {
            rules: Text::from("Up if the price at the close is at or above the price at the opening."),
            fee_rate: FeeRate::new(100).unwrap_or(FeeRate::ZERO),
            ..MarketDetails::default()
        },
        seed: PerCurrency { usd: Money::ZERO, ngn: Money::ZERO },
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}
