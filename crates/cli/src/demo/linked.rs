//! Series in every category, and a league with teams, games and their events.
//!
//! Each step first checks what exists, so a second start creates nothing twice. Prices for the series come from `feed.rs`;
//! their events are created on schedule, the first within five minutes. The slugs are those that public bots ask for.

use exchange::catalogue::{
    Automation, Engine, EventLink, Game, GameStatus, Interval, League, MarketDetails, NewSeries,
    SeriesCategory, SportMarketType, Status, Team,
};
use exchange::command::{Command, ImportSports, OpenEvent};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{EventId, GameId, Hash32, LeagueId, MarketId, SeriesId, TeamId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency};
use exchange::text::Text;
use exchange::time::Span;
use server::app::App;

use super::people::Person;
use super::stage::{StageError, fill_book, submit};

/// A row of the series table below.
pub(super) struct SampleSeries {
    slug: &'static str,
    name: &'static str,
    category: SeriesCategory,
    engine: Engine,
    interval: Interval,
    pub(super) symbol: &'static str,
    /// The asset's first price, in millionths.
    pub(super) price: i64,
}

pub(super) const SERIES: &[SampleSeries] = &[
    btc("crypto-btc-5min", Interval::FiveMinute),
    btc("crypto-btc-15min", Interval::FifteenMinute),
    btc("crypto-btc-1h", Interval::Hourly),
    btc("crypto-btc-6h", Interval::SixHourly),
    btc("crypto-btc-1d", Interval::Daily),
    eth("crypto-eth-5min", Interval::FiveMinute),
    eth("crypto-eth-15min", Interval::FifteenMinute),
    eth("crypto-eth-1h", Interval::Hourly),
    eth("crypto-eth-6h", Interval::SixHourly),
    eth("crypto-eth-1d", Interval::Daily),
    sol("crypto-sol-5min", Interval::FiveMinute),
    sol("crypto-sol-15min", Interval::FifteenMinute),
    sol("crypto-sol-1h", Interval::Hourly),
    sol("crypto-sol-6h", Interval::SixHourly),
    sol("crypto-sol-1d", Interval::Daily),
    currency("fx-eurusd-1h", "Euro in dollars", "EURUSD", 1_084_200),
    currency("fx-gbpusd-1h", "Pound in dollars", "GBPUSD", 1_268_400),
    currency("fx-usdngn-1h", "Dollar in naira", "USDNGN", 1_542_300_000),
    SampleSeries {
        name: "Gold in dollars",
        category: SeriesCategory::Finance,
        symbol: "XAUUSD",
        price: 2_412_700_000,
        ..btc("commodity-xauusd-1h", Interval::Hourly)
    },
];

const fn btc(slug: &'static str, interval: Interval) -> SampleSeries {
    SampleSeries {
        slug,
        name: "Bitcoin",
        category: SeriesCategory::Crypto,
        engine: Engine::Clob,
        interval,
        symbol: "BTCUSDT",
        price: 96_250_500_000,
    }
}

const fn eth(slug: &'static str, interval: Interval) -> SampleSeries {
    SampleSeries { name: "Ether", symbol: "ETHUSDT", price: 3_412_250_000, ..btc(slug, interval) }
}

const fn sol(slug: &'static str, interval: Interval) -> SampleSeries {
    SampleSeries { name: "Solana", symbol: "SOLUSDT", price: 168_420_000, ..btc(slug, interval) }
}

const fn currency(slug: &'static str, name: &'static str, symbol: &'static str, price: i64) -> SampleSeries {
    let (category, engine) = (SeriesCategory::Currency, Engine::Amm);
    SampleSeries { slug, name, category, engine, interval: Interval::Hourly, symbol, price }
}

/// The house's money for the pool of each series event, in USD.
const SERIES_POOL: i64 = 500;

const LEAGUE: u128 = 0x0bbe_0001;
/// Names and short codes; ids are derived from the index.
const TEAMS: &[(&str, &str)] =
    &[("Lagos Lions", "LAG"), ("Ibadan Stars", "IBA"), ("Enugu Hawks", "ENU"), ("Kano Falcons", "KAN")];
/// Home, away, days until the start.
const GAMES: &[(usize, usize, i64)] = &[(0, 1, 30), (2, 3, 31), (1, 2, 37)];

pub(super) fn build(app: &App, people: &[Person]) -> Result<(), StageError> {
    for sample in SERIES {
        let rules = app.reading().state().rules_version();
        // The log of an earlier build has older rules until an operator upgrades them.
        let is_known = sample.interval != Interval::FiveMinute || rules >= 3;
        if is_known && app.reading().state().catalogue().find_series_by_slug(sample.slug).is_none() {
            submit(app, Actor::System, "a series", Command::CreateSeries(sample.series()))?;
        }
    }
    if app.reading().state().catalogue().sports().games.is_empty() {
        submit(app, Actor::System, "a league", sports(app))?;
    }
    for index in 0..GAMES.len() {
        soccer_events(app, game_id(index), people)?;
    }
    Ok(())
}

impl SampleSeries {
    pub(super) fn series(&self) -> NewSeries {
        NewSeries {
            id: SeriesId::new(derived(self.slug)),
            slug: Text::from(self.slug),
            display_name: Text::from(self.name),
            description: Text::from("A sample: its prices are made up by this demo."),
            category: self.category,
            interval: self.interval,
            asset_symbol: Text::from(self.symbol),
            automation: Automation::PriceUpDown,
            icon_url: Text::default(),
            engine: self.engine,
            currencies: Currency::ALL.to_vec(),
            market: MarketDetails {
                rules: Text::from("Up if the made-up price at the close is at or above that at the opening."),
                fee_rate: FeeRate::new(100).unwrap_or(FeeRate::ZERO),
                ..MarketDetails::default()
            },
            seed: PerCurrency {
                usd: Money::whole(SERIES_POOL * Currency::Usd.base()),
                ngn: Money::whole(SERIES_POOL * Currency::Ngn.base()),
            },
            sources: Vec::new(),
            tolerance_ppm: 0,
        }
    }
}

/// An id derived from a name, the same on every start.
fn derived(name: &str) -> u128 {
    Hash32::of(name).as_bytes().iter().take(16).fold(0, |id, byte| id << 8 | u128::from(*byte))
}

fn team_id(index: usize) -> TeamId {
    TeamId::new(0x0bbe_1000 + index as u128)
}

fn game_id(index: usize) -> GameId {
    GameId::new(0x0bbe_2000 + index as u128)
}

fn sports(app: &App) -> Command {
    let (sport, league) = (Text::from("soccer"), LeagueId::new(LEAGUE));
    let now = app.now();
    let team = |(index, (name, short_code)): (usize, &(&str, &str))| Team {
        id: team_id(index),
        sport: sport.clone(),
        name: Text::from(*name),
        slug: Text::from(format!("demo-{}", name.to_lowercase().replace(' ', "-"))),
        short_code: Text::from(*short_code),
        league,
        image_url: Text::default(),
        is_popular: index == 0,
    };
    let game = |(index, (home, away, days)): (usize, &(usize, usize, i64))| Game {
        id: game_id(index),
        slug: Text::from(
            format!("demo-game-{}-{}-{}", index + 1, TEAMS[*home].1, TEAMS[*away].1).to_lowercase(),
        ),
        sport: sport.clone(),
        league,
        home: team_id(*home),
        away: team_id(*away),
        start: now + Span::days(*days),
        status: GameStatus::Unplayed,
        is_popular: index == 0,
        utc_offset_minutes: 60,
        score: None,
        standing: None,
        is_unpaid: None,
    };
    Command::ImportSports(ImportSports {
        leagues: vec![League {
            id: league,
            key: Text::from("nigeria-demo-league"),
            name: Text::from("Nigeria - Demo League"),
            short_name: Text::from("NDL"),
            sport: sport.clone(),
            image_url: Text::default(),
        }],
        teams: TEAMS.iter().enumerate().map(team).collect(),
        games: GAMES.iter().enumerate().map(game).collect(),
    })
}

/// Creates and opens the linked events of a game, and fills their books.
fn soccer_events(app: &App, game: GameId, people: &[Person]) -> Result<(), StageError> {
    if events_of(app, game).is_empty() {
        let new = NewSoccerEvents {
            game,
            engine: Engine::Clob,
            currencies: Currency::ALL.to_vec(),
            market: MarketDetails {
                rules: Text::from("A sample: an operator of this demo resolves it."),
                fee_rate: FeeRate::new(50).unwrap_or(FeeRate::ZERO),
                ..MarketDetails::default()
            },
            spreads: vec![150],
            totals: vec![150, 250],
        };
        submit(app, Actor::System, "the events of a game", Command::CreateSoccerEvents(new))?;
    }
    for Linked { event, market_type, status, markets } in events_of(app, game) {
        if status == Status::Draft {
            submit(app, Actor::System, "an open event", Command::OpenEvent(OpenEvent { event }))?;
        }
        if matches!(status, Status::Draft | Status::Open) {
            for (market, cents) in markets.into_iter().zip(first_prices(market_type)) {
                for currency in Currency::ALL {
                    fill_book(app, market, currency, *cents, people)?;
                }
            }
        }
    }
    Ok(())
}

struct Linked {
    event: EventId,
    market_type: SportMarketType,
    status: Status,
    markets: Vec<MarketId>,
}

fn events_of(app: &App, wanted: GameId) -> Vec<Linked> {
    let exchange = app.reading().state();
    let catalogue = exchange.catalogue();
    let linked = catalogue.events().filter_map(|(_, event)| match event.link {
        EventLink::Game { game, market_type } if game == wanted => Some(Linked {
            event: event.id,
            market_type,
            status: event.status,
            markets: event.markets.iter().map(|market| catalogue.market(*market).id).collect(),
        }),
        _ => None,
    });
    linked.collect()
}

/// The first price of each market's YES, in cents.
const fn first_prices(market_type: SportMarketType) -> &'static [u8] {
    match market_type {
        SportMarketType::TeamH2h3Way => &[46, 29, 25],
        SportMarketType::GoalSpread => &[24, 14],
        SportMarketType::TotalGoals => &[70, 48],
    }
}
