//! At least one of every command, with options set and unset: for tests that cover all commands.
//!
//! They name the people and markets of `stage`, so that most of them can succeed there.

use exchange::catalogue::{
    AssetPrice, Automation, Engine, EventDetails, EventKind, Game, GameStatus, Interval, League,
    MarketDetails, NewSeries, Prop, PropDirection, SeriesCategory, Team,
};
use exchange::command::{
    AmendOrders, ApprovePasswordReset, BreakGlass, BurnSets, CancelAfter, CancelAllOrders, CancelMarkets,
    CancelOnDisconnect, CancelOrder, CancelOrders, CancelOrdersOf, ChangeRole, ChangeTerms, CloseTrading,
    Command, ConfirmOperator, CreateApiKey, CreateOperator, CreateUser, CreditWallet, DebitWallet,
    DoOrPropose, EditEvent, EndConnection, EndOperatorSession, EraseUser, FeesTo, Finalise, FinaliseSeries,
    FreezeUser, GrowPool, ImportSports, MarketEdit, MintSets, MoveFees, NewsNote, OpenEvent,
    OpenOperatorSession, OpenSession, PauseSeries, PauseTrading, PlaceOrders, PolicyChange, PriceRange,
    Propose, RecordGameResult, RecordMasterKey, RecordNews, RecordPicture, RecordPrice, RecordSkip,
    ReplaceMasterKey, RequestPasswordReset, ResetPassword, ResolveMarket, ResumeTrading, RevokeApiKey,
    RevokeOperator, RotateApiKey, SeedPool, SetCancelOnly, SetMarketTerms, SetWatchlist, StartLogin,
    SuspendOperator, SuspendUser, Target, UpgradeRules, Withdraw,
};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::governance::{CancelOnlyCause, Evidence, Policy, Ruling, Score, Subject, Verdict};
use exchange::id::{
    ConnectionId, GameId, Hash32, KeyId, LeagueId, NewsId, OperationId, OperatorId, OrderId, ProposalId,
    RowId, SeriesId, SessionId, TeamId, UserId,
};
use exchange::identity::{LoginScope, Role};
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Ppm, Shares, Slippage};
use exchange::order::{
    Amendment, Item, Malformed, NewOrder, OrderPath, Outcome, SelfTrade, Side, Sizing, TimeInForce,
};
use exchange::text::Text;
use exchange::time::Span;

use crate::rules::world::{START, World, event_of, id, limit, market_id, market_order, new_event, price};

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
    [people(), logins(), operators(), markets(), series_and_sports(), trading(), governance()].concat()
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
        Subject::Command(Box::new(Command::ChangePolicy(PolicyChange {
            two_required: Some(true),
            ..PolicyChange::default()
        }))),
        Subject::Command(Box::new(Command::MoveFees(MoveFees {
            currency: Currency::Usd,
            amount: Money::new(1),
            to: FeesTo::Outside,
            reference: text("fees of May"),
        }))),
    ];
    let order_min = PerCurrency { usd: Money::whole(2), ngn: Money::whole(200) };
    let proposal = ProposalId::new(8);
    let mut commands = vec![
        Command::RecordPicture(RecordPicture { picture: Hash32::of("a ferry"), bytes: 48_213 }),
        Command::RecordNews(RecordNews { event, news: NewsId::new(id("news")), note: None }),
        Command::RecordNews(RecordNews {
            event,
            news: NewsId::new(id("news")),
            note: Some(NewsNote {
                at: START,
                title: text("Clouds gather"),
                link: text("https://example.com/clouds"),
            }),
        }),
        Command::SetMarketTerms(SetMarketTerms {
            market,
            fee_rate: FeeRate::new(50).expect("a rate"),
            order_min,
        }),
        Command::RecordGameResult(RecordGameResult { game, score }),
        Command::SetPolicy(policy),
        Command::Finalise(Finalise { proposal }),
        Command::Withdraw(Withdraw { proposal, reason: text("It rained after all.") }),
        Command::SetCancelOnly(SetCancelOnly { cause: CancelOnlyCause::Operator, on: true }),
        Command::FinaliseSeries(FinaliseSeries { series: SeriesId::new(7) }),
        Command::ChangePolicy(PolicyChange { retire_after_seconds: Some(3_600), ..PolicyChange::default() }),
        Command::ChangeTerms(ChangeTerms {
            market,
            fee_rate: FeeRate::new(300),
            order_min: PerCurrency { usd: Some(Money::whole(5)), ngn: None },
        }),
        Command::DoOrPropose(DoOrPropose {
            proposal: ProposalId::new(id("either")),
            command: Box::new(Command::CancelMarkets(CancelMarkets {
                target: Target::Event(event),
                yes: Cents::HALF,
            })),
        }),
    ];
    for (number, subject) in subjects.into_iter().enumerate() {
        let id = ProposalId::new(10 + number as u128);
        commands.push(Command::Propose(Propose { id, subject, evidence: evidence.clone() }));
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
        Command::UpgradeRules(UpgradeRules { version: 2 }),
        Command::CreateUser(CreateUser {
            id: UserId::new(1),
            address: Hash32::of("carol"),
            tag: text("carol"),
            row: RowId::new(8),
            expires_at: START + Span::minutes(5),
        }),
        Command::CreateUser(CreateUser {
            id: UserId::new(2),
            address: Hash32::of("dave"),
            tag: text("Dave_1"),
            row: RowId::new(9),
            expires_at: START,
        }),
        Command::SuspendUser(SuspendUser { user, suspended: true, keep_orders: false }),
        Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: SessionId::new(3),
            token_hash: Hash32::of("token"),
            device: text("phone"),
        }),
        Command::EndSession,
        Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash: Hash32::of("reset"),
            code: text("AB12CD"),
            network: Hash32::of("a network"),
            address: None,
        }),
        Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash: Hash32::of("reset") }),
        Command::ResetPassword(ResetPassword {
            token_hash: Hash32::of("reset"),
            row: RowId::new(10),
            expires_at: START + Span::days(1),
            keep_keys: true,
        }),
        Command::CreateApiKey(CreateApiKey {
            id: KeyId::new(4),
            name: text("second"),
            public_key: text("pk_second"),
        }),
        Command::RevokeApiKey(RevokeApiKey { key: KeyId::new(id("alice/key")) }),
        Command::RotateApiKey(RotateApiKey { key: KeyId::new(id("alice/key")) }),
        Command::SetWatchlist(SetWatchlist { event: event_of("rain"), watched: true, is_retired: false }),
        Command::CreditWallet(CreditWallet { user, currency, amount, reference: text("in") }),
        Command::DebitWallet(DebitWallet { user, currency, amount, reference: text("out") }),
        Command::MoveFees(MoveFees { currency, amount, to: FeesTo::House, reference: text("fees") }),
        Command::FreezeUser(FreezeUser { user, frozen: true }),
        Command::EraseUser(EraseUser { user }),
        Command::RecordMasterKey(RecordMasterKey { fingerprint: Hash32::of("key") }),
        Command::ReplaceMasterKey(ReplaceMasterKey { fingerprint: Hash32::of("another key") }),
        Command::RecordSkip(RecordSkip { skipped: 3, reason: text("unknown command") }),
        Command::CancelOrdersOf(CancelOrdersOf {
            user,
            event: None,
            market: Some(market_id("rain")),
            currency: Some(currency),
        }),
    ]
}

fn logins() -> Vec<Command> {
    vec![
        Command::StartLogin(StartLogin { scope: LoginScope::Api { address: Hash32::of("bob") } }),
        Command::StartLogin(StartLogin {
            scope: LoginScope::Page {
                address: Hash32::of("bob"),
                address_on_network: Hash32::of("bob on a network"),
            },
        }),
        Command::StartLogin(StartLogin {
            scope: LoginScope::Device { address_on_device: Hash32::of("bob on a phone") },
        }),
    ]
}

fn operators() -> Vec<Command> {
    vec![
        Command::CreateOperator(CreateOperator {
            id: OperatorId::new(5),
            name: text("olga"),
            role: Role::Approver,
            token_hash: Hash32::of("operator"),
        }),
        Command::RevokeOperator(RevokeOperator { operator: OperatorId::new(5) }),
        Command::ChangeRole(ChangeRole { operator: OperatorId::new(5), role: Role::Viewer }),
        Command::ConfirmOperator(ConfirmOperator { operator: OperatorId::new(5) }),
        Command::SuspendOperator(SuspendOperator {
            operator: OperatorId::new(5),
            suspended: true,
            until: None,
        }),
        Command::BreakGlass(BreakGlass {
            id: OperatorId::new(6),
            name: text("rescue"),
            token_hash: Hash32::of("rescue"),
        }),
        Command::OpenOperatorSession(OpenOperatorSession { token_hash: Hash32::of("console") }),
        Command::EndOperatorSession(EndOperatorSession { token_hash: Hash32::of("console") }),
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
        Command::EditEvent(EditEvent {
            event,
            details: EventDetails { title: text("Rain?"), ..EventDetails::default() },
            markets: vec![MarketEdit { market, details }],
            over: None,
        }),
        Command::OpenEvent(OpenEvent { event }),
        Command::PauseTrading(PauseTrading { target: Target::Market(market) }),
        Command::ResumeTrading(ResumeTrading { target: Target::Event(event) }),
        Command::CloseTrading(CloseTrading { target: Target::Market(market) }),
        Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::No }),
        Command::CancelMarkets(CancelMarkets { target: Target::Event(event), yes: Cents::HALF }),
        Command::SeedPool(SeedPool {
            market,
            currency: Currency::Usd,
            amount: Money::whole(10),
            price: price(33),
        }),
        Command::GrowPool(GrowPool {
            market: market_id("snow"),
            currency: Currency::Usd,
            amount: Money::whole(10),
            between: Some(PriceRange { low: Ppm::new(1), high: Ppm::new(999_999) }),
        }),
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
    Command::ImportSports(ImportSports {
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
            standing: None,
            is_unpaid: None,
        }],
    })
}

fn series_and_sports() -> Vec<Command> {
    vec![
        Command::CreateSeries(new_series("bitcoin")),
        Command::PauseSeries(PauseSeries { series: SeriesId::new(id("bitcoin")), paused: true }),
        Command::RecordPrice(RecordPrice {
            symbol: text("BTC"),
            value: AssetPrice(98_765_432_100),
            source: text("feed"),
            source_time: START,
        }),
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
        Command::PlaceOrders(PlaceOrders {
            items: vec![
                Item::Valid(full),
                Item::Malformed(placement),
                Item::Valid(plain),
                Item::Malformed(nameless),
            ],
        }),
        Command::CancelOrder(CancelOrder { order }),
        Command::CancelOrders(CancelOrders { orders: vec![order, OrderId::new(7)] }),
        Command::CancelAllOrders(CancelAllOrders { event: None, market: None, currency: None }),
        Command::CancelAllOrders(CancelAllOrders {
            event: Some(event_of("rain")),
            market: Some(market_rain),
            currency: Some(currency),
        }),
        Command::CancelAfter(CancelAfter { seconds: 30 }),
        Command::CancelOnDisconnect(CancelOnDisconnect { connection: ConnectionId::new(10), enabled: true }),
        Command::EndConnection(EndConnection {
            user: UserId::new(id("bob")),
            connection: ConnectionId::new(10),
        }),
        Command::AmendOrders(AmendOrders { items: vec![Item::Valid(amendment), Item::Malformed(unread)] }),
        Command::MintSets(MintSets { id: OperationId::new(8), market: market_rain, currency, amount }),
        Command::BurnSets(BurnSets { id: OperationId::new(9), market: market_rain, currency, amount }),
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
