//! Events, series, terms and proposals to begin with.

use exchange::catalogue::{
    Automation, Engine, EventDetails, EventKind, EventLink, Interval, MarketDetails, NewEvent, NewMarket,
    NewSeries, SeriesCategory,
};
use exchange::command::{Command, Finalise, Propose, Withdraw};
use exchange::governance::{Evidence, Subject};
use exchange::id::{EventId, MarketId, ProposalId, SeriesId};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};
use exchange::text::Text;

/// The asset of all series.
pub const SYMBOL: &str = "BTC";

/// A draft whose markets have the numbers from ten times the event's on.
pub fn draft(number: u128, kind: EventKind, engine: Engine, markets: u128) -> NewEvent {
    let market = |place: u128| NewMarket {
        id: MarketId::new(number * 10 + place),
        details: MarketDetails {
            title: Text::from("Will it?"),
            fee_rate: FeeRate::new(200).unwrap_or_default(),
            ..MarketDetails::default()
        },
    };
    NewEvent {
        id: EventId::new(number),
        slug: Text::from(format!("event-{number}")),
        kind,
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from("It"),
            category: Text::from("test"),
            ..EventDetails::default()
        },
        markets: (0..markets).map(market).collect(),
        link: EventLink::None,
    }
}

/// A series of the shortest interval; with a seed it has a pool.
pub fn new_series(number: u128, engine: Engine, seed: Money) -> NewSeries {
    NewSeries {
        id: SeriesId::new(number),
        slug: Text::from(format!("series-{number}")),
        display_name: Text::from("Bitcoin"),
        description: Text::default(),
        category: SeriesCategory::Crypto,
        interval: Interval::FiveMinute,
        asset_symbol: Text::from(SYMBOL),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine,
        currencies: vec![Currency::Usd],
        market: MarketDetails::default(),
        seed: PerCurrency { usd: seed, ngn: Money::ZERO },
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

pub fn evidence() -> Evidence {
    Evidence { text: Text::from("As everybody saw"), link: Text::default() }
}

pub fn propose(id: u128, subject: Subject) -> Command {
    Command::Propose(Propose { id: ProposalId::new(id), subject, evidence: evidence() })
}

pub fn propose_command(id: u128, command: Command) -> Command {
    propose(id, Subject::Command(Box::new(command)))
}

pub fn finalise(id: u128) -> Command {
    Command::Finalise(Finalise { proposal: ProposalId::new(id) })
}

pub fn withdraw(id: ProposalId) -> Command {
    Command::Withdraw(Withdraw { proposal: id, reason: Text::from("It was wrong") })
}
