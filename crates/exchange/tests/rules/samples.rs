//! At least one of every command, with options filled and left out: for tests that go over all of them.
//!
//! They name the people and markets of `stage`, so that most of them could really happen there.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, EventDetails, EventKind, Game, GameStatus, Interval, League,
    MarketDetails, NewSeries, Prop, PropDirection, SeriesCategory, Team,
};
use exchange::command::{Command, FeesTo, MarketEdit, Target};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::governance::{CancelOnlyCause, Evidence, Policy, Ruling, Score, Subject, Verdict};
use exchange::id::{
    ConnectionId, GameId, Hash32, KeyId, LeagueId, OperationId, OperatorId, OrderId, ProposalId, SeriesId,
    SessionId, TeamId, UserId,
};
use exchange::identity::{LoginScope, Role};
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Shares, Slippage};
use exchange::order::{
    Amendment, Item, Malformed, NewOrder, OrderPath, Outcome, SelfTrade, Side, Sizing, TimeInForce,
};
use exchange::text::Text;
use exchange::time::Span;

use crate::world::{START, World, event_of, id, limit, market_id, market_order, new_event, price};

macro_rules! commands {
    ($($variant:ident),* $(,)?) => {
        /// Every command there is: the match below does not compile without one of them.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($variant)),*];

        pub(crate) fn name(command: &Command) -> &'static str {
            match command {
                $(Command::$variant { .. } => stringify!($variant)),*
            }
        }
    };
}

commands! {
    Tick, UpgradeRules,
    CreateUser, SuspendUser, StartLogin, OpenSession, EndSession, RequestPasswordReset,
    ApprovePasswordReset, ResetPassword,
    CreateApiKey, RevokeApiKey, RotateApiKey, SetWatchlist, CreateOperator, RevokeOperator,
    OpenOperatorSession, EndOperatorSession, ChangeRole, ConfirmOperator, SuspendOperator, BreakGlass,
    FreezeUser, CancelOrdersOf, MoveFees, RecordMasterKey, ReplaceMasterKey,
    CreditWallet, DebitWallet,
    CreateEvent, EditEvent, OpenEvent, PauseTrading, ResumeTrading, CloseTrading, ResolveMarket, CancelMarkets,
    SeedPool, GrowPool,
    CreateSeries, PauseSeries, RecordPrice, ImportSports, CreateSoccerEvents,
    PlaceOrder, PlaceOrders, CancelOrder, CancelOrders, CancelAllOrders, CancelAfter,
    CancelOnDisconnect, EndConnection, AmendOrders, MintSets, BurnSets,
    SetMarketTerms, RecordGameResult, SetPolicy, Propose, Finalise, Withdraw, SetCancelOnly, FinaliseSeries,
}

/// Alice and bob with money, a book `rain` and a pool `snow`.
pub(crate) fn stage() -> World {
    let mut world = World::new();
    world.rich_user("alice", Money::whole(1_000), Money::whole(100_000));
    world.rich_user("bob", Money::whole(1_000), Money::whole(100_000));
    world.clob("rain", 200);
    world.amm("snow", 100);
    world
}

pub(crate) fn every_command() -> Vec<Command> {
    [people(), operators(), markets(), series_and_sports(), trading(), governance()].concat()
}

fn governance() -> Vec<Command> {
    let (event, market) = (event_of("rain"), market_id("rain"));
    let ruling = Ruling { market, outcome: Outcome::No };
    let policy = Policy { two_required: true, resolution_delay_seconds: 3_600, ..Policy::default() };
    let evidence = Evidence { text: text("It stayed dry."), link: text("https://example.com/weather") };
    let (game, score) = (GameId::new(id("game")), Score { home: 2, away: 1 });
    let subjects = [
        Subject::Resolution { event, verdict: Verdict::Outcomes(vec![ruling]) },
        Subject::Resolution { event, verdict: Verdict::Cancelled { yes: Cents::HALF } },
        Subject::GameResult { game, score },
        Subject::Command(Box::new(Command::SetPolicy(policy))),
        Subject::Command(Box::new(Command::MoveFees {
            currency: Currency::Usd,
            amount: Money::new(1),
            to: FeesTo::Outside,
            reference: text("fees of May"),
        })),
    ];
    let order_min = PerCurrency { usd: Money::whole(2), ngn: Money::whole(200) };
    let proposal = ProposalId::new(8);
    let mut commands = vec![
        Command::SetMarketTerms { market, fee_rate: FeeRate::new(50).expect("a rate"), order_min },
        Command::RecordGameResult { game, score },
        Command::SetPolicy(policy),
        Command::Finalise { proposal },
        Command::Withdraw { proposal, reason: text("It rained after all.") },
        Command::SetCancelOnly { cause: CancelOnlyCause::Operator, on: true },
        Command::FinaliseSeries { series: SeriesId::new(7) },
    ];
    for (number, subject) in subjects.into_iter().enumerate() {
        let id = ProposalId::new(10 + number as u128);
        commands.push(Command::Propose { id, subject, evidence: evidence.clone() });
    }
    commands
}

fn text(text: &str) -> Text {
    Text::from(text)
}

fn people() -> Vec<Command> {
    let user = UserId::new(id("bob"));
    let (currency, amount) = (Currency::Ngn, Money::new(12_345_678));
    vec![
        Command::Tick,
        Command::UpgradeRules { version: 2 },
        Command::CreateUser {
            id: UserId::new(1),
            email: text("x@y.z"),
            tag: text("carol"),
            password_hash: None,
        },
        Command::CreateUser {
            id: UserId::new(2),
            email: text("ü@y.z"),
            tag: text("Dave_1"),
            password_hash: Some(text("argon2")),
        },
        Command::SuspendUser { user, suspended: true, keep_orders: false },
        Command::StartLogin { scope: LoginScope::Api { email: Hash32::of("bob") } },
        Command::StartLogin {
            scope: LoginScope::Page {
                email: Hash32::of("bob"),
                email_on_network: Hash32::of("bob on a network"),
            },
        },
        Command::StartLogin { scope: LoginScope::Device { email_on_device: Hash32::of("bob on a phone") } },
        Command::OpenSession {
            user,
            password_version: 0,
            id: SessionId::new(3),
            token_hash: Hash32::of("token"),
            device: text("phone"),
        },
        Command::EndSession,
        Command::RequestPasswordReset {
            user,
            token_hash: Hash32::of("reset"),
            code: text("AB12CD"),
            network: Hash32::of("a network"),
        },
        Command::ApprovePasswordReset { user, token_hash: Hash32::of("reset") },
        Command::ResetPassword {
            token_hash: Hash32::of("reset"),
            password_hash: text("argon2 again"),
            keep_keys: true,
        },
        Command::CreateApiKey { id: KeyId::new(4), name: text("second"), public_key: text("pk_second") },
        Command::RevokeApiKey { key: KeyId::new(id("alice/key")) },
        Command::RotateApiKey { key: KeyId::new(id("alice/key")) },
        Command::SetWatchlist { event: event_of("rain"), watched: true },
        Command::CreditWallet { user, currency, amount, reference: text("in") },
        Command::DebitWallet { user, currency, amount, reference: text("out") },
        Command::MoveFees { currency, amount, to: FeesTo::House, reference: text("fees") },
        Command::FreezeUser { user, frozen: true },
        Command::RecordMasterKey { fingerprint: Hash32::of("key") },
        Command::ReplaceMasterKey { fingerprint: Hash32::of("another key") },
        Command::CancelOrdersOf {
            user,
            event: None,
            market: Some(market_id("rain")),
            currency: Some(currency),
        },
    ]
}

fn operators() -> Vec<Command> {
    vec![
        Command::CreateOperator {
            id: OperatorId::new(5),
            name: text("olga"),
            role: Role::Approver,
            token_hash: Hash32::of("operator"),
        },
        Command::RevokeOperator { operator: OperatorId::new(5) },
        Command::ChangeRole { operator: OperatorId::new(5), role: Role::Viewer },
        Command::ConfirmOperator { operator: OperatorId::new(5) },
        Command::SuspendOperator { operator: OperatorId::new(5), suspended: true },
        Command::BreakGlass {
            id: OperatorId::new(6),
            name: text("rescue"),
            token_hash: Hash32::of("rescue"),
        },
        Command::OpenOperatorSession { token_hash: Hash32::of("console") },
        Command::EndOperatorSession { token_hash: Hash32::of("console") },
    ]
}

fn markets() -> Vec<Command> {
    let (event, market) = (event_of("rain"), market_id("rain"));
    let mut new = new_event(EventKind::Combined, Engine::Clob, 150, &["red", "green", "blue"]);
    new.details.hashtags = vec![text("colour"), text("")];
    new.details.closing_date = Some(START + Span::days(30));
    let prop = Prop { line: Some(-250), direction: Some(PropDirection::Over), team: Some(TeamId::new(6)) };
    let details = MarketDetails { prop: Some(prop), threshold: Some(-1), ..MarketDetails::default() };
    vec![
        Command::CreateEvent(new),
        Command::EditEvent {
            event,
            details: EventDetails { title: text("Rain?"), ..EventDetails::default() },
            markets: vec![MarketEdit { market, details }],
        },
        Command::OpenEvent { event },
        Command::PauseTrading { target: Target::Market(market) },
        Command::ResumeTrading { target: Target::Event(event) },
        Command::CloseTrading { target: Target::Market(market) },
        Command::ResolveMarket { market, outcome: Outcome::No },
        Command::CancelMarkets { target: Target::Event(event), yes: Cents::HALF },
        Command::SeedPool { market, currency: Currency::Usd, amount: Money::whole(10), price: price(33) },
        Command::GrowPool { market: market_id("snow"), currency: Currency::Usd, amount: Money::whole(10) },
    ]
}

pub(crate) fn new_series(name: &str) -> NewSeries {
    NewSeries {
        id: SeriesId::new(id(name)),
        slug: text(name),
        display_name: text("Bitcoin, every quarter of an hour"),
        description: text("Up or down"),
        category: SeriesCategory::Crypto,
        interval: Interval::FifteenMinute,
        asset_symbol: text("BTC"),
        automation: Automation::PriceUpDown,
        icon_url: text(""),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        seed: PerCurrency { usd: Money::whole(100), ngn: Money::whole(10_000) },
        sources: Vec::new(),
        tolerance_ppm: 0,
    }
}

pub(crate) fn sports() -> Command {
    let league = LeagueId::new(id("league"));
    let team = |name: &str| Team {
        id: TeamId::new(id(name)),
        sport: text("soccer"),
        name: text(name),
        slug: text(name),
        short_code: text("ABC"),
        league,
        image_url: text(""),
        is_popular: true,
    };
    Command::ImportSports {
        leagues: vec![League {
            id: league,
            key: text("league"),
            name: text("The League"),
            short_name: text("L"),
            sport: text("soccer"),
            image_url: text(""),
        }],
        teams: vec![team("reds"), team("blues")],
        games: vec![Game {
            id: GameId::new(id("game")),
            slug: text("reds-blues"),
            sport: text("soccer"),
            league,
            home: TeamId::new(id("reds")),
            away: TeamId::new(id("blues")),
            start: START + Span::days(3),
            status: GameStatus::Unplayed,
            is_popular: false,
            utc_offset_minutes: -60,
            score: None,
        }],
    }
}

fn series_and_sports() -> Vec<Command> {
    vec![
        Command::CreateSeries(new_series("bitcoin")),
        Command::PauseSeries { series: SeriesId::new(id("bitcoin")), paused: true },
        Command::RecordPrice {
            symbol: text("BTC"),
            value: AssetPrice(98_765_432_100),
            source: text("feed"),
            source_time: START,
        },
        sports(),
        Command::CreateSoccerEvents(new_soccer_events()),
    ]
}

fn trading() -> Vec<Command> {
    let plain = limit("plain", "rain", Outcome::Yes, Side::Buy, Shares::whole(10), 40);
    let full = NewOrder {
        sizing: Sizing::Amount(Money::new(1_234_567)),
        time_in_force: Some(TimeInForce::Gtd),
        post_only: true,
        self_trade: SelfTrade::CancelBoth,
        max_slippage: Slippage::new(9_999),
        expires_at: Some(START + Span::hours(1)),
        client_order_id: Some(text("mine-1")),
        path: Some(OrderPath { event: event_of("rain"), market: market_id("rain") }),
        ..limit("full", "rain", Outcome::No, Side::Buy, Shares::ZERO, 99)
    };
    let market = market_order("market", "snow", Outcome::No, Side::Buy, Money::whole(5));
    let order = OrderId::new(id("plain"));
    let nameless = Malformed::new(text("not an object"));
    let placement =
        Malformed { client_order_id: Some(text("mine-2")), ..Malformed::new(text("price is not a number")) };
    let unread = Malformed { order: Some(text("no id")), ..Malformed::new(text("orderId is no id")) };
    let amendment = Amendment { order, new_price: Some(price(41)), new_size: None };
    let (market_rain, currency, amount) = (market_id("rain"), Currency::Usd, Money::whole(7));
    vec![
        Command::PlaceOrder(plain.clone()),
        Command::PlaceOrder(full.clone()),
        Command::PlaceOrder(market),
        Command::PlaceOrders {
            items: vec![
                Item::Valid(full),
                Item::Malformed(placement),
                Item::Valid(plain),
                Item::Malformed(nameless),
            ],
        },
        Command::CancelOrder { order },
        Command::CancelOrders { orders: vec![order, OrderId::new(7)] },
        Command::CancelAllOrders { event: None, market: None, currency: None },
        Command::CancelAllOrders {
            event: Some(event_of("rain")),
            market: Some(market_rain),
            currency: Some(currency),
        },
        Command::CancelAfter { seconds: 30 },
        Command::CancelOnDisconnect { connection: ConnectionId::new(10), enabled: true },
        Command::EndConnection { user: UserId::new(id("bob")), connection: ConnectionId::new(10) },
        Command::AmendOrders { items: vec![Item::Valid(amendment), Item::Malformed(unread)] },
        Command::MintSets { id: OperationId::new(8), market: market_rain, currency, amount },
        Command::BurnSets { id: OperationId::new(9), market: market_rain, currency, amount },
    ]
}

pub(crate) fn new_soccer_events() -> NewSoccerEvents {
    NewSoccerEvents {
        game: GameId::new(id("game")),
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        market: MarketDetails::default(),
        spreads: vec![150],
        totals: vec![150, 250],
    }
}
