//! Events with books and pools, series with their results, and prices of assets.

use exchange::catalogue::{
    Automation, Engine, EventDetails, EventKind, EventLink, Interval, MarketDetails, NewEvent, NewMarket,
    NewSeries, SeriesCategory,
};
use exchange::command::{CloseTrading, Command, OpenEvent, SeedPool, Target};
use exchange::numbers::{Currency, FeeRate, Money, PerCurrency, Price};
use exchange::text::Text;
use exchange::time::Span;
use exchange::{Exchange, Request, identity::Actor};

use super::people::{credit, price_of};
use super::{START, Script, Sizes};
use crate::ids::{self, Kind};

/// The series whose prices operators push, so that its results wait.
const PUSHED_SERIES: u32 = 0;

pub fn details(title: String) -> MarketDetails {
    MarketDetails {
        title: Text::from(title),
        rules: Text::from("The published result decides."),
        fee_rate: FeeRate::new(200).expect("2 %"),
        ..MarketDetails::default()
    }
}

pub fn new_event(kind: Kind, number: u32, markets: u32, engine: Engine) -> NewEvent {
    let market = |place| NewMarket {
        id: ids::market(kind, number, place),
        details: details(format!("{kind:?} {number}, market {place}")),
    };
    let slug = format!("{kind:?}-{number}").to_lowercase();
    NewEvent {
        id: ids::event(kind, number),
        slug: Text::from(slug),
        kind: if markets == 1 { EventKind::Single } else { EventKind::Combined },
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(format!("{kind:?} {number}")),
            category: Text::from("bench"),
            ..EventDetails::default()
        },
        markets: (0..markets).map(market).collect(),
        link: EventLink::None,
    }
}

pub fn house(script: &mut Script) {
    credit(script, Exchange::HOUSE, Currency::Usd, 500_000_000);
    credit(script, Exchange::HOUSE, Currency::Ngn, 500_000_000);
}

fn open(script: &mut Script, kind: Kind, number: u32, markets: u32, engine: Engine) {
    script.system(Command::CreateEvent(new_event(kind, number, markets, engine)));
    if engine == Engine::Amm {
        for currency in Currency::ALL {
            let (amount, price) = (Money::whole(500 * currency.base()), Price::clamp(50));
            let market = ids::market(kind, number, 0);
            script.system(Command::SeedPool(SeedPool { market, currency, amount, price }));
        }
    }
    script.system(Command::OpenEvent(OpenEvent { event: ids::event(kind, number) }));
}

pub fn events(script: &mut Script, sizes: &Sizes) {
    open(script, Kind::Deep, 0, 1, Engine::Clob);
    open(script, Kind::Held, 0, 1, Engine::Clob);
    open(script, Kind::Cup, 0, sizes.markets, Engine::Clob);
    (0..sizes.shelf).for_each(|number| open(script, Kind::Shelf, number, 1, Engine::Clob));
    (0..sizes.pools).for_each(|number| open(script, Kind::Pool, number, 1, Engine::Amm));
    for number in 0..sizes.elections {
        open(script, Kind::Election, number, sizes.markets, Engine::Clob);
        let target = Target::Event(ids::event(Kind::Election, number));
        script.system(Command::CloseTrading(CloseTrading { target }));
    }
    script.system(Command::CreateEvent(new_event(Kind::Draft, 0, sizes.markets, Engine::Clob)));
    script.system(Command::CreateEvent(new_event(Kind::Draft, 1, 1, Engine::Amm)));
}

pub fn new_series(number: u32, interval: Interval, engine: Engine, symbol: &str) -> NewSeries {
    NewSeries {
        id: ids::series(number),
        slug: Text::from(format!("series-{number}")),
        display_name: Text::from(format!("Series {number}")),
        description: Text::from("Up or down"),
        category: SeriesCategory::Crypto,
        interval,
        asset_symbol: Text::from(symbol),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        seed: PerCurrency { usd: Money::whole(100), ngn: Money::whole(10_000) },
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

/// A series with pushed prices, whose results wait for another person.
pub fn waiting_results(script: &mut Script, sizes: &Sizes) {
    let new = new_series(PUSHED_SERIES, Interval::FiveMinute, Engine::Clob, "PUSHED");
    script.system(Command::CreateSeries(new));
    for interval in 1..=i64::from(sizes.results) + 1 {
        let boundary = START + Span::minutes(5 * interval);
        script.now = boundary - Span::seconds(1);
        script.operator(ids::FIRST_OPERATOR, price_of("PUSHED", 1_000 + interval, "desk", script.now));
        for at in [boundary, boundary + Span::MICROSECOND, boundary + Span::seconds(61)] {
            script.now = at;
            script.system(Command::Tick);
        }
    }
    let series = ids::series(PUSHED_SERIES);
    let pause = exchange::command::PauseSeries { series, paused: true };
    script.system(Command::PauseSeries(pause));
}

pub fn series(script: &mut Script, sizes: &Sizes) {
    for number in 1..=sizes.series {
        let engine = if number % 2 == 0 { Engine::Amm } else { Engine::Clob };
        script.system(Command::CreateSeries(new_series(number, Interval::FifteenMinute, engine, "BTC")));
    }
}

/// Two boundaries of the series: the events of the first have ended, those of the second are open.
pub fn boundaries(script: &mut Script, sizes: &Sizes) {
    for minutes in [15, 30] {
        let boundary = sizes.morning() + Span::minutes(minutes);
        script.now = boundary - Span::seconds(1);
        script.system(price_of("BTC", 50_000 + minutes, "feed", script.now));
        for at in [boundary, boundary + Span::MICROSECOND, boundary + Span::seconds(61)] {
            script.now = at;
            script.system(Command::Tick);
        }
    }
    script.now = sizes.now();
}

/// As many prices of one asset as are kept, of eight sources.
pub fn samples(script: &mut Script) {
    for number in 0..4_096 {
        let command = price_of("ETH", 3_000 + number, &format!("feed-{}", number % 8), script.now);
        script.send(Request { actor: Actor::System, idempotency: None, command });
    }
}
