//! Random catalogues: every event that is put into the exchange is also recorded in plain fields.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, EventDetails, EventKind, EventLink, Interval, MarketDetails, NewEvent,
    NewMarket, NewSeries, SeriesCategory, SportMarketType,
};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, CreditWallet, OpenEvent, PauseTrading, RecordPrice, ResolveMarket,
    SeedPool, SetWatchlist, Target,
};
use exchange::governance::Policy;
use exchange::id::{EventId, GameId, MarketId, OrderId, OutcomeId, SeriesId};
use exchange::index::ListingIndex;
use exchange::numbers::{Cents, Currency, Money, PerCurrency, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::{Span, Time};
use stage::random::Random;

use crate::event_links::import_derby;
use crate::stage::{Stage, id};

const TITLES: [&str; 5] = ["Rain in Lagos", "rain, 100% sure", "Über-Derby", "Who wins?", "A.*B"];
const CATEGORIES: [&str; 3] = ["weather", "Sports", "crypto"];
const SUBCATEGORIES: [&str; 3] = ["", "wet", "Soccer"];
const SERIES: &str = "crypto-btc-1h";
const GAME: &str = "derby";

/// An event as it was requested, and its current state.
#[derive(Clone, Debug)]
pub struct Noted {
    pub id: EventId,
    pub slug: String,
    pub title: String,
    pub category: String,
    pub subcategory: String,
    pub kind: &'static str,
    pub engine: &'static str,
    pub currencies: Vec<Currency>,
    pub status: &'static str,
    pub series: Option<&'static str>,
    /// Of an event of the series.
    start: Option<Time>,
    pub game: Option<&'static str>,
    pub watched: bool,
    pub closes: Option<Time>,
    pub done: Vec<Done>,
}

/// Something that counts for trending.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    pub at: Time,
    pub currency: Currency,
    pub volume: Money,
    pub orders: u64,
}

/// An exchange, and the events in it in the order of their making.
pub fn random_catalogue(random: &mut Random) -> (Stage, Vec<Noted>) {
    let mut stage = Stage::new();
    stage.user("alice");
    stage.user("bob");
    import_derby(&mut stage);
    // Everything stays in memory: these lists are made without history.
    stage
        .system(Command::SetPolicy(Policy { retire_after_seconds: 3_650 * 24 * 3_600, ..Policy::default() }));
    stage.system(Command::CreateSeries(series()));
    let mut noted: Vec<Noted> = Vec::new();
    for number in 0..random.below(14) {
        if random.below(4) == 0 {
            noted.extend(next_of_series(&mut stage));
        }
        let mut event = random_event(&mut stage, random, number);
        trade(&mut stage, random, &mut event);
        end(&mut stage, random, &mut event);
        if event.status != "draft" && random.below(3) == 0 {
            let watch =
                Command::SetWatchlist(SetWatchlist { event: event.id, watched: true, is_retired: false });
            stage.by("alice", watch).expect("a watched event");
            event.watched = true;
        }
        noted.push(event);
        stage.now = stage.now + Span::minutes(random.below(300) as i64);
    }
    stage.system(Command::Tick);
    let starts: Vec<Time> = noted.iter().filter_map(|event| event.start).collect();
    for event in &mut noted {
        event.status = event.start.map_or(event.status, |start| status_in_series(start, &starts, stage.now));
    }
    (stage, noted)
}

/// An event of the series ends after an hour. It is resolved a minute later if there was a price at its end, which is
/// when another one began.
fn status_in_series(start: Time, starts: &[Time], now: Time) -> &'static str {
    let end = start + Span::hours(1);
    match (end <= now, starts.contains(&end) && end + Span::minutes(1) <= now) {
        (false, _) => "open",
        (true, false) => "closed",
        (true, true) => "resolved",
    }
}

fn series() -> NewSeries {
    NewSeries {
        id: SeriesId::new(id("series")),
        slug: Text::from(SERIES),
        display_name: Text::from("Bitcoin"),
        description: Text::default(),
        category: SeriesCategory::Crypto,
        interval: Interval::Hourly,
        asset_symbol: Text::from("BTC"),
        automation: Automation::PriceUpDown,
        icon_url: Text::default(),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        seed: PerCurrency::default(),
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

/// Passes the next full hour with a price: an event of the series begins.
fn next_of_series(stage: &mut Stage) -> Option<Noted> {
    let before = stage.exchange.catalogue().events().len();
    // Boundaries in between find no price, and create nothing.
    stage.system(Command::Tick);
    stage.now = stage.now.next_multiple(Span::hours(1));
    let (symbol, source, source_time) = (Text::from("BTC"), Text::from("test"), stage.now);
    stage.system(Command::RecordPrice(RecordPrice {
        symbol,
        value: AssetPrice(1_000_000),
        source,
        source_time,
    }));
    stage.now = source_time + Span::MICROSECOND;
    stage.system(Command::Tick);
    let (_, event) = stage.exchange.catalogue().events().skip(before).last()?;
    Some(Noted {
        id: event.id,
        slug: event.slug.to_string(),
        title: event.details.title.to_string(),
        category: "crypto".to_owned(),
        subcategory: String::new(),
        kind: "single",
        engine: "CLOB",
        currencies: Currency::ALL.to_vec(),
        status: "open",
        series: Some(SERIES),
        start: Some(source_time),
        game: None,
        watched: false,
        closes: event.details.closing_date,
        done: Vec::new(),
    })
}

fn random_event(stage: &mut Stage, random: &mut Random, number: u64) -> Noted {
    let (kind, kind_word) = random.one_of(&[
        (EventKind::Single, "single"),
        (EventKind::Combined, "combined"),
        (EventKind::Grouped, "grouped"),
    ]);
    let (engine, engine_word) = random.one_of(&[(Engine::Clob, "CLOB"), (Engine::Amm, "AMM")]);
    let currencies = random.one_of(&[&[Currency::Usd][..], &[Currency::Ngn], &Currency::ALL]);
    let game = (random.below(4) == 0).then_some(GAME);
    let link = match game {
        Some(_) => {
            EventLink::Game { game: GameId::new(id("derby")), market_type: SportMarketType::TotalGoals }
        }
        None => EventLink::None,
    };
    let (slug, event) = (format!("event-{number}"), EventId::new(id(&format!("event-{number}"))));
    let title = random.one_of(&TITLES);
    let (category, subcategory) = (random.one_of(&CATEGORIES), random.one_of(&SUBCATEGORIES));
    let markets = if kind == EventKind::Single { 1 } else { 2 };
    let closes = closing_date(stage.now, random);
    let market = |index| NewMarket {
        id: market_id(&slug, index),
        details: MarketDetails { title: Text::from("A market"), ..MarketDetails::default() },
    };
    stage.system(Command::CreateEvent(NewEvent {
        id: event,
        slug: Text::from(slug.as_str()),
        kind,
        engine,
        currencies: currencies.to_vec(),
        details: EventDetails {
            title: Text::from(title),
            category: Text::from(category),
            subcategory: Text::from(subcategory),
            closing_date: closes,
            ..EventDetails::default()
        },
        markets: (0..markets).map(market).collect(),
        link,
    }));
    if engine == Engine::Amm {
        for index in 0..markets {
            seed(stage, market_id(&slug, index), currencies);
        }
    }
    let mut status = "draft";
    if random.below(6) > 0 {
        stage.system(Command::OpenEvent(OpenEvent { event }));
        status = "open";
    }
    Noted {
        id: event,
        slug,
        title: title.to_owned(),
        category: category.to_owned(),
        subcategory: subcategory.to_owned(),
        kind: kind_word,
        engine: engine_word,
        currencies: currencies.to_vec(),
        status,
        series: None,
        start: None,
        game,
        watched: false,
        closes,
        done: Vec::new(),
    }
}

/// Later than anything that happens here, and equal for several events.
fn closing_date(now: Time, random: &mut Random) -> Option<Time> {
    let span = Span::hours(20 + random.below(2) as i64 * 20);
    (random.below(3) > 0).then(|| (now + Span::hours(10_000)).next_multiple(span))
}

fn seed(stage: &mut Stage, market: MarketId, currencies: &[Currency]) {
    for currency in currencies {
        let (currency, amount) = (*currency, Money::whole(100 * currency.base()));
        let reference = Text::from(format!("seed {}", stage.exchange.seq()));
        let user = exchange::Exchange::HOUSE;
        stage.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
        stage.system(Command::SeedPool(SeedPool { market, currency, amount, price: Price::clamp(50) }));
    }
}

fn market_id(slug: &str, index: u64) -> MarketId {
    MarketId::new(id(&format!("{slug} market {index}")))
}

/// Places some orders that rest or match, hours apart, and adds their fills to the expected totals.
fn trade(stage: &mut Stage, random: &mut Random, event: &mut Noted) {
    let orders = if event.status == "open" { random.below(4) } else { 0 };
    for _ in 0..orders {
        let currency = event.currencies[random.below(event.currencies.len() as u64) as usize];
        let market = market_id(&event.slug, 0);
        let index = stage.exchange.catalogue().find_market(market).expect("a market");
        let totals = |stage: &Stage| {
            let listing = stage.exchange.catalogue().listing(ListingIndex::new(index, currency));
            (listing.volume, listing.orders)
        };
        let before = totals(stage);
        let (user, outcome) = random.one_of(&[("alice", Outcome::Yes), ("bob", Outcome::No)]);
        let quantity = Shares::whole(2 + random.below(5) as i64);
        let order = Command::PlaceOrder(order(stage, market, outcome, currency, quantity));
        stage.by(user, order).expect("an order that passes");
        let after = totals(stage);
        let (volume, orders) = (after.0 - before.0, after.1 - before.1);
        event.done.push(Done { at: stage.now, currency, volume, orders });
        stage.now = stage.now + Span::minutes(random.below(400) as i64);
    }
}

fn order(
    stage: &Stage,
    market: MarketId,
    outcome: Outcome,
    currency: Currency,
    quantity: Shares,
) -> NewOrder {
    NewOrder {
        id: OrderId::new(id(&format!("order {}", stage.exchange.seq()))),
        outcome: OutcomeId::of(market, outcome as u64),
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency,
        sizing: Sizing::Quantity(quantity),
        price: Some(Price::clamp(60)),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

/// Leaves an open event as it is, or pauses, closes, resolves or cancels it.
fn end(stage: &mut Stage, random: &mut Random, event: &mut Noted) {
    if event.status != "open" {
        return;
    }
    let target = Target::Event(event.id);
    let markets = if event.kind == "single" { 1 } else { 2 };
    match random.below(8) {
        0 => {
            stage.system(Command::PauseTrading(PauseTrading { target }));
            event.status = "paused";
        }
        1 => {
            stage.system(Command::CloseTrading(CloseTrading { target }));
            event.status = "closed";
        }
        2 => {
            stage.system(Command::CloseTrading(CloseTrading { target }));
            for index in 0..markets {
                let market = market_id(&event.slug, index);
                stage.system(Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No }));
            }
            event.status = "resolved";
        }
        3 => {
            stage.system(Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF }));
            event.status = "cancelled";
        }
        _ => {}
    }
}
