//! Events that belong to a series or to a game.

use api::query::EventsQuery;
use api::response::Event;
use exchange::catalogue::{
    AssetPrice, Automation, Engine, Game, GameStatus, Interval, League, MarketDetails, NewSeries,
    SeriesCategory, Team,
};
use exchange::command::{Command, ImportSports, OpenEvent, RecordPrice};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::id::{GameId, LeagueId, SeriesId, TeamId};
use exchange::numbers::{Currency, PerCurrency};
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};
use server::view;

use crate::stage::{START, Stage, id};

fn list(stage: &Stage, query: &str) -> Vec<Event> {
    let query = EventsQuery::parse(query).expect("a readable query");
    view::event::list(&stage.exchange, &query, None, stage.now).events
}

fn record_price(stage: &mut Stage, at: Time, value: i64) {
    stage.now = at;
    let (symbol, source) = (Text::from("BTC"), Text::from("test"));
    stage.system(Command::RecordPrice(RecordPrice {
        symbol,
        value: AssetPrice(value),
        source,
        source_time: at,
    }));
    stage.now = at + Span::MICROSECOND;
    stage.system(Command::Tick);
}

#[test]
fn an_event_of_a_series_names_it_and_its_prices() {
    let mut stage = Stage::usual();
    stage.system(Command::CreateSeries(NewSeries {
        id: SeriesId::new(id("series")),
        slug: Text::from("crypto-btc-1h"),
        display_name: Text::from("Bitcoin"),
        description: Text::from("Does it rise?"),
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
    }));
    record_price(&mut stage, START + Span::hours(1), 96_250_500_000);
    record_price(&mut stage, START + Span::hours(2), 96_250_400_000);
    stage.now = START + Span::hours(2) + Span::minutes(1);
    stage.system(Command::Tick);

    let events = list(&stage, "seriesSlug=crypto-btc-1h");
    assert_eq!(events.len(), 2);
    let (event, market) = (&events[1], &events[1].markets[0]);
    assert_eq!(event.series_slug.as_deref(), Some("crypto-btc-1h"));
    assert_eq!(event.asset_symbol_pair.as_deref(), Some("BTC"));
    let shown =
        |price: Option<api::decimal::AssetPrice>| price.map(|price| price.to_string()).unwrap_or_default();
    assert_eq!(
        (shown(event.event_threshold), shown(event.event_close_value)),
        ("96250.5".into(), "96250.4".into())
    );
    assert_eq!(
        (shown(market.market_threshold), shown(market.market_close_value)),
        ("96250.5".into(), "96250.4".into())
    );
    let dates = [event.opening_date, event.closing_date, event.resolution_date, event.resolved_at];
    let dates = dates.map(|date| date.0.expect("a date").to_string());
    assert_eq!(
        dates,
        ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T02:01:00Z", "2026-01-01T02:01:00Z"]
    );
    assert_eq!((market.outcome1_label.as_str(), market.outcome2_label.as_str()), ("Up", "Down"));
    assert_eq!(market.resolved_outcome_id, Some(market.outcome2_id));
    assert_eq!(list(&stage, "seriesSlug=crypto-eth-1h"), []);
}

#[test]
fn the_events_of_a_game_are_linked_and_carry_their_props() {
    let mut stage = Stage::usual();
    import_derby(&mut stage);
    let soccer = NewSoccerEvents {
        game: GameId::new(id("derby")),
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        market: MarketDetails::default(),
        spreads: vec![150],
        totals: vec![250, 300],
    };
    let Reply::Events(events) = stage.system(Command::CreateSoccerEvents(soccer)) else {
        panic!("three events")
    };
    assert_eq!(list(&stage, "sportGameSlug=derby"), [], "drafts are not listed");
    for event in events {
        stage.system(Command::OpenEvent(OpenEvent { event }));
    }
    let events = list(&stage, "sportGameSlug=derby");
    let kinds: Vec<_> =
        events.iter().map(|event| event.sport_market_type.expect("a kind").to_string()).collect();
    assert_eq!(kinds, ["TOTAL_GOALS", "GOAL_SPREAD", "TEAM_H2H_3WAY"]);
    assert!(events.iter().all(|event| event.sport_game_slug.as_deref() == Some("derby")));
    assert!(events.iter().all(|event| event.sport_game_id.is_some_and(|game| game.as_u128() == id("derby"))));

    let prop = |event: usize, market: usize| {
        let market = &events[event].markets[market];
        let line = market.prop_line.map(|line| line.to_string()).unwrap_or_default();
        let direction = market.prop_direction.map(|direction| direction.to_string()).unwrap_or_default();
        let team = market.prop_team.as_ref();
        let team = team.map(|team| format!("{} {} {} {}", team.name, team.slug, team.league, team.sport));
        format!("{line}/{direction}/{}", team.unwrap_or_default())
    };
    assert_eq!(prop(0, 0), "2.5/OVER/");
    assert_eq!(prop(0, 1), "3/OVER/");
    assert_eq!(prop(1, 1), "1.5/OVER/Chelsea chelsea England - Premier League SOCCER");
    assert_eq!(prop(2, 0), "//Arsenal arsenal England - Premier League SOCCER");
    assert_eq!(prop(2, 2), "//");
}

/// A league, two teams and their game.
pub fn import_derby(stage: &mut Stage) {
    let (sport, league) = (Text::from("soccer"), LeagueId::new(id("epl")));
    let team = |name: &str| Team {
        id: TeamId::new(id(name)),
        sport: sport.clone(),
        name: Text::from(name),
        slug: Text::from(name.to_lowercase()),
        short_code: Text::from("ABC"),
        league,
        image_url: Text::default(),
        is_popular: true,
    };
    let teams = vec![team("Arsenal"), team("Chelsea")];
    let game = Game {
        id: GameId::new(id("derby")),
        slug: Text::from("derby"),
        sport: sport.clone(),
        league,
        home: teams[0].id,
        away: teams[1].id,
        start: START + Span::hours(2),
        status: GameStatus::Unplayed,
        is_popular: false,
        utc_offset_minutes: 60,
        score: None,
        standing: None,
        is_unpaid: None,
    };
    let league = League {
        id: league,
        key: Text::from("england-premier-league"),
        name: Text::from("England - Premier League"),
        short_name: Text::from("EPL"),
        sport: sport.clone(),
        image_url: Text::default(),
    };
    stage.system(Command::ImportSports(ImportSports { leagues: vec![league], teams, games: vec![game] }));
}
