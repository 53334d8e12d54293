//! The sample events: every type, both engines, both currencies; a dozen open and three ended. All fictional.

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::id::{EventId, MarketId};
use exchange::numbers::{Currency, FeeRate};
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::identifiers::id_at;

use EventKind::{Combined, Grouped, Single};

/// A row of the tables below.
pub(super) struct Sample {
    pub(super) slug: &'static str,
    title: &'static str,
    category: &'static str,
    rules: &'static str,
    kind: EventKind,
    engine: Engine,
    fee_basis_points: u16,
    closes_in_days: i64,
    /// Titles, with the first price of YES in cents.
    pub(super) markets: &'static [(&'static str, u8)],
}

const fn book(slug: &'static str, title: &'static str, category: &'static str, kind: EventKind) -> Sample {
    Sample {
        slug,
        title,
        category,
        rules: "",
        kind,
        engine: Engine::Clob,
        fee_basis_points: 50,
        closes_in_days: 60,
        markets: &[],
    }
}

const fn pool(slug: &'static str, title: &'static str, category: &'static str, kind: EventKind) -> Sample {
    Sample { engine: Engine::Amm, fee_basis_points: 150, ..book(slug, title, category, kind) }
}

pub(super) const SAMPLES: &[Sample] = &[
    Sample {
        rules: "YES if the airport's gauge records at least 0.2 mm between midnight and midnight, local time.",
        fee_basis_points: 0,
        markets: &[("Rain in Lagos", 35)],
        ..book(
            "rain-in-lagos-on-new-years-day",
            "Will it rain in Lagos on New Year's Day?",
            "weather",
            Single,
        )
    },
    Sample {
        rules: "The central bank's published rate on the last working day of the year decides.",
        fee_basis_points: 200,
        closes_in_days: 365,
        markets: &[("Below 1,500 naira", 55)],
        ..pool(
            "naira-below-1500-by-year-end",
            "Will a dollar cost less than 1,500 naira at the end of the year?",
            "finance",
            Single,
        )
    },
    Sample {
        rules: "The result after ninety minutes and stoppage time decides.",
        fee_basis_points: 100,
        markets: &[("Home win", 48), ("Draw", 28), ("Away win", 24)],
        ..book("winner-of-the-lagos-derby", "Who wins the Lagos derby?", "sports", Combined)
    },
    Sample {
        rules: "YES for each album on the list that the academy publishes.",
        markets: &[("Harmattan Nights", 62), ("Third Mainland", 40), ("Salt and Gold", 31)],
        ..pool(
            "album-of-the-year-nominees",
            "Which albums are nominated for album of the year?",
            "entertainment",
            Grouped,
        )
    },
    Sample {
        rules: "YES if the price touches the mark at any time before the year ends, by the demo's own feed.",
        markets: &[
            ("Above 120,000 dollars", 66),
            ("Above 150,000 dollars", 44),
            ("Above 200,000 dollars", 18),
        ],
        ..book(
            "bitcoin-milestones-this-year",
            "Which prices does bitcoin reach this year?",
            "crypto",
            Grouped,
        )
    },
    Sample {
        rules: "YES if the bill is signed into law before the session ends.",
        markets: &[("Passed this session", 58)],
        ..book(
            "housing-bill-this-session",
            "Will parliament pass the housing bill this session?",
            "politics",
            Single,
        )
    },
    Sample {
        rules: "The party with the most seats in the certified count wins; a tie makes all of them NO.",
        markets: &[("Unity", 41), ("Progress", 33), ("Coast Alliance", 17), ("Any other party", 9)],
        ..book(
            "most-seats-in-the-harbour-assembly",
            "Which party wins the most seats in the harbour assembly?",
            "politics",
            Combined,
        )
    },
    Sample {
        rules: "YES for each proposal that gets more than half of the valid votes.",
        markets: &[("Night buses", 72), ("Toll on the bridge", 36), ("Car-free old town", 51)],
        ..book("city-referendum", "Which proposals pass in the city referendum?", "politics", Grouped)
    },
    Sample {
        rules: "The demo's own feed at midnight on New Year's Eve decides.",
        closes_in_days: 120,
        markets: &[("Above 5,000 dollars", 47)],
        ..pool(
            "ether-above-5000-at-year-end",
            "Will ether end the year above 5,000 dollars?",
            "crypto",
            Single,
        )
    },
    Sample {
        rules: "The announcement after the next meeting decides; a meeting without a decision is a hold.",
        markets: &[("Cut", 27), ("Hold", 55), ("Raise", 18)],
        ..book(
            "rate-decision-next-meeting",
            "What does the central bank do with its rate at the next meeting?",
            "finance",
            Combined,
        )
    },
    Sample {
        rules: "The box office of the whole weekend, as the distributors publish it, decides.",
        markets: &[
            ("The Long Rains", 38),
            ("Orbit Nine", 34),
            ("Grandmother's Radio", 16),
            ("Another film", 12),
        ],
        ..pool(
            "number-one-film-of-the-holiday-weekend",
            "Which film is number one on the holiday weekend?",
            "entertainment",
            Combined,
        )
    },
    Sample {
        rules: "YES if the federation ratifies a faster time before the season ends.",
        markets: &[("Record falls", 22)],
        ..pool("marathon-record-this-season", "Does the marathon record fall this season?", "sports", Single)
    },
];

/// How a sample event ended.
pub(super) enum Ending {
    /// The index of the winning market; without one all are NO.
    Winner(Option<usize>),
    /// The payout of a YES share, in cents.
    CalledOff(u8),
}

/// Ended events of the past week, each with its result and the evidence.
pub(super) const ENDED: &[(Sample, Ending, &str)] = &[
    (
        Sample {
            rules: "YES if the ferry leaves the pier before eight in the morning on each of the five days.",
            markets: &[("On time all week", 44)],
            ..book(
                "ferry-on-time-all-week",
                "Does the first ferry leave on time all week?",
                "transport",
                Single,
            )
        },
        Ending::Winner(Some(0)),
        "The harbour office's log shows five departures before eight.",
    ),
    (
        Sample {
            rules: "The band that plays last on the main stage on Saturday.",
            markets: &[("Brass Monsoon", 40), ("The Lagoons", 35), ("Night Market", 25)],
            ..pool(
                "headliner-of-the-harbour-festival",
                "Who headlines the harbour festival?",
                "entertainment",
                Combined,
            )
        },
        Ending::Winner(Some(1)),
        "The festival's running order, and everybody who was there.",
    ),
    (
        Sample {
            rules: "The first boat across the line of Sunday's regatta.",
            markets: &[("Blue team", 52)],
            ..book("blue-team-wins-the-regatta", "Does the blue team win the regatta?", "sports", Single)
        },
        Ending::CalledOff(50),
        "The regatta was called off because of the wind.",
    ),
];

impl Sample {
    /// The event, with new ids as of `now`.
    pub(super) fn event(&self, now: Time) -> NewEvent {
        let fee_rate = FeeRate::new(self.fee_basis_points).unwrap_or(FeeRate::ZERO);
        let market = |(title, _): &(&str, u8)| NewMarket {
            id: MarketId::new(id_at(now.micros()).as_u128()),
            details: MarketDetails {
                title: Text::from(*title),
                rules: Text::from(self.rules),
                fee_rate,
                ..MarketDetails::default()
            },
        };
        NewEvent {
            id: EventId::new(id_at(now.micros()).as_u128()),
            slug: Text::from(self.slug),
            kind: self.kind,
            engine: self.engine,
            currencies: Currency::ALL.to_vec(),
            details: EventDetails {
                title: Text::from(self.title),
                category: Text::from(self.category),
                description: Text::from("A sample event of the demo: made up, and resolved by its operator."),
                closing_date: Some(now + Span::days(self.closes_in_days)),
                ..EventDetails::default()
            },
            markets: self.markets.iter().map(market).collect(),
            link: EventLink::None,
        }
    }
}
