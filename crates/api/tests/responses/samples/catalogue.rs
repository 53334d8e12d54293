//! Events, markets, series and sports.

use api::decimal::{AssetPrice, Percent, PropLine, UnitPrice};
use api::response::*;
use api::terms::*;
use api::timestamp::{LocalTime, OptionalDate};

use super::{at, date, id, money, pagination, unit_price};

pub fn market() -> Market {
    Market {
        id: id(2),
        title: "Will it rain?".to_owned(),
        status: Status::Open,
        outcome1_id: id(3),
        outcome2_id: id(4),
        outcome1_label: "YES".to_owned(),
        outcome2_label: "NO".to_owned(),
        outcome1_price: unit_price(725_000),
        outcome2_price: unit_price(275_000),
        yes_buy_price: unit_price(730_000),
        no_buy_price: UnitPrice::ZERO,
        minimum_order_amount: money(1_000_000),
        fee_percentage: Percent::from_units(200),
        announced_terms: None,
        total_orders: 843,
        rules: "As the weather service says.".to_owned(),
        prop_line: None,
        prop_direction: None,
        prop_team: None,
        image_url: String::new(),
        image128_url: String::new(),
        resolution_price: UnitPrice::ZERO,
        resolved_outcome: ResolvedOutcome(None),
        resolved_outcome_id: None,
        market_threshold: None,
        market_threshold_range: String::new(),
        market_close_value: None,
        liquidity_reward: None,
        maker_rebate: None,
    }
}

pub fn announced() -> AnnouncedTerms {
    AnnouncedTerms {
        fee_percentage: Percent::from_units(300),
        minimum_order_amount: money(2_000_000),
        from: at(3_600),
    }
}

/// A market with every optional field.
pub fn prop_market() -> Market {
    let team = team();
    Market {
        status: Status::Resolved,
        announced_terms: Some(announced()),
        prop_line: Some(PropLine::from_units(250)),
        prop_direction: Some(PropDirection::Over),
        prop_team: Some(PropTeam {
            id: team.id,
            name: team.name,
            slug: team.slug,
            league: team.league,
            sport: "SOCCER".to_owned(),
        }),
        resolution_price: unit_price(1_000_000),
        resolved_outcome: ResolvedOutcome(Some(OutcomeSide::Yes)),
        resolved_outcome_id: Some(id(3)),
        market_threshold: Some(AssetPrice::from_units(96_250_500_000)),
        market_threshold_range: "100-200".to_owned(),
        market_close_value: Some(AssetPrice::from_units(96_251_000_000)),
        liquidity_reward: Some(LiquidityReward {
            config_id: id(60),
            reward_pool: money(50_000_000),
            max_spread_cents: 3,
            min_notional_order_size: money(5_000_000),
        }),
        maker_rebate: Some(MakerRebate {
            config_id: id(61),
            rebate_percentage: Percent::from_units(2_550),
            min_payout_usd: money(500_000),
        }),
        ..market()
    }
}

pub fn event() -> Event {
    Event {
        id: id(1),
        slug: "rain-in-lagos".to_owned(),
        title: "Rain in Lagos".to_owned(),
        category: "weather".to_owned(),
        event_type: EventType::Single,
        engine: Engine::Clob,
        status: Status::Open,
        resolution_date: OptionalDate(None),
        closing_date: date(3600),
        liquidity: money(50_000_000_000),
        total_volume: money(120_000_250_000),
        total_orders: 843,
        supported_currencies: vec![Currency::Usd, Currency::Ngn],
        user_watchlisted: false,
        markets: vec![market()],
        sport_game_slug: None,
        sport_market_type: None,
        description: String::new(),
        subcategory: String::new(),
        created_at: at(0),
        opening_date: OptionalDate(None),
        resolved_at: OptionalDate(None),
        resolution_source: String::new(),
        additional_context: String::new(),
        countdown_type: String::new(),
        display_countdown: false,
        image_url: String::new(),
        image128_url: String::new(),
        hashtags: vec!["rain".to_owned()],
        country_codes: vec![],
        series_slug: None,
        asset_symbol_pair: None,
        event_threshold: None,
        event_threshold_range: None,
        event_close_value: None,
        sport_game_id: None,
    }
}

/// An event with every optional field.
pub fn full_event() -> Event {
    Event {
        event_type: EventType::Grouped,
        status: Status::Resolved,
        markets: vec![prop_market()],
        sport_game_slug: Some("bm-game-20260524-mci-avl".to_owned()),
        sport_market_type: Some(SportMarketType::TeamH2h3Way),
        resolution_date: date(3660),
        opening_date: date(60),
        resolved_at: date(3700),
        series_slug: Some("crypto-btc-1h".to_owned()),
        asset_symbol_pair: Some("BTCUSDT".to_owned()),
        event_threshold: Some(AssetPrice::from_units(96_250_500_000)),
        event_threshold_range: Some("100-200".to_owned()),
        event_close_value: Some(AssetPrice::from_units(96_250_500_001)),
        sport_game_id: Some(id(40)),
        ..event()
    }
}

pub fn events() -> Events {
    Events { events: vec![event(), full_event()], pagination: pagination() }
}

pub fn series() -> SeriesList {
    let series = Series {
        id: id(80),
        slug: "crypto-btc-1h".to_owned(),
        display_name: "Bitcoin hourly".to_owned(),
        description: String::new(),
        category: SeriesCategory::Crypto,
        interval_type: IntervalType::Hourly,
        asset_symbol: "BTC".to_owned(),
        automation_type: "CRYPTO_PRICE_UP_DOWN_HOURLY".to_owned(),
        icon_url: String::new(),
    };
    SeriesList { series: vec![series], pagination: pagination() }
}

pub fn lean_events() -> Vec<LeanEvent> {
    vec![LeanEvent {
        id: id(1),
        title: "Bitcoin up or down".to_owned(),
        opening_date: date(0),
        closing_date: date(3600),
        resolution_date: OptionalDate(None),
    }]
}

pub fn team() -> Team {
    Team {
        id: id(41),
        sport: "soccer".to_owned(),
        name: "Manchester City".to_owned(),
        slug: "bm-epl-mci".to_owned(),
        short_code: "MCI".to_owned(),
        league: "England - Premier League".to_owned(),
        image_url: String::new(),
        is_popular: true,
    }
}

pub fn teams() -> Teams {
    Teams { teams: vec![team()], pagination: pagination() }
}

pub fn games() -> Games {
    let game = Game {
        id: id(40),
        slug: "bm-game-20260524-mci-avl".to_owned(),
        sport: "soccer".to_owned(),
        home_team_id: id(41),
        away_team_id: id(42),
        start_date: LocalTime { at: at(0), utc_offset_minutes: 60 },
        status: GameStatus::Unplayed,
        is_live: false,
        is_popular: true,
        league: "England - Premier League".to_owned(),
        home_team: team(),
        away_team: Team { id: id(42), ..team() },
        score: None,
        clock: None,
    };
    Games { games: vec![game], pagination: pagination() }
}

pub fn leagues() -> Leagues {
    let league = League {
        name: "England - Premier League".to_owned(),
        key: "england-premier-league".to_owned(),
        short_name: "EPL".to_owned(),
        image_url: String::new(),
        sport: "soccer".to_owned(),
    };
    Leagues { leagues: vec![league] }
}

/// A series event that was cancelled after a verdict had been withdrawn, with another verdict waiting.
pub fn event_resolution() -> EventResolution {
    let ruling = Ruling { market_id: id(2), outcome: OutcomeSide::Yes };
    let verdict =
        Verdict { verdict_type: VerdictType::Outcomes, outcomes: vec![ruling], yes_price: None, score: None };
    let called_off = Verdict {
        verdict_type: VerdictType::Cancelled,
        outcomes: Vec::new(),
        yes_price: Some(unit_price(350_000)),
        score: None,
    };
    let evidence = Evidence { text: "It rained.".to_owned(), link: "https://example.org/rain".to_owned() };
    let withdrawn = PastVerdict {
        verdict: verdict.clone(),
        evidence: evidence.clone(),
        proposed_by: Author::Operator,
        proposed_at: at(60),
        ending: VerdictEnding::Withdrawn,
        reason: Some("The wrong day".to_owned()),
        ended_by: Author::Approver,
        ended_at: at(120),
    };
    let finalised = PastVerdict {
        verdict: called_off,
        evidence: Evidence::default(),
        proposed_by: Author::Node,
        ending: VerdictEnding::Finalised,
        reason: None,
        ended_by: Author::Node,
        ..withdrawn.clone()
    };
    let by_score = Verdict {
        verdict_type: VerdictType::GameResult,
        outcomes: Vec::new(),
        score: Some(Score { home: 2, away: 1 }),
        yes_price: None,
    };
    EventResolution {
        event_id: id(1),
        status: Status::Closed,
        rules: "Rain in Lagos\n\nAs the weather service says.".to_owned(),
        rules_sha256: "0f".repeat(32),
        markets: vec![MarketResolution {
            market_id: id(2),
            title: "Will it rain?".to_owned(),
            rules: "As the weather service says.".to_owned(),
            status: Status::Cancelled,
            yes_payout: Some(unit_price(350_000)),
            settled_at: date(180),
        }],
        proposal: Some(ProposedVerdict {
            verdict: by_score,
            evidence,
            proposed_by: Author::Approver,
            proposed_at: at(200),
            final_from: at(3_800),
        }),
        verdicts: vec![withdrawn, finalised],
        series: Some(SeriesValues {
            series_slug: "crypto-btc-1h".to_owned(),
            asset_symbol: "BTC".to_owned(),
            threshold: Some(AssetPrice::from_units(96_250_500_000)),
            close_value: None,
            open_samples: vec![price_sample()],
            close_samples: Vec::new(),
        }),
    }
}

fn price_sample() -> PriceSample {
    PriceSample {
        source: "exchange".to_owned(),
        value: AssetPrice::from_units(96_250_500_000),
        source_time: at(0),
        recorded_at: at(1),
    }
}
