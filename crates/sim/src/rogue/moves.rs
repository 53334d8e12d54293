//! The rogue's commands: every command that an operator may send, plain, proposed, or either as the exchange decides.
//!
//! They refer to what exists, stay near the limits, and need not make sense: the judge decides what must not happen.

use exchange::catalogue::{
    AssetPrice, Engine, EventDetails, EventKind, EventLink, Game, GameStatus, League, Prop, SportMarketType,
    Team,
};
use exchange::command::{
    ApprovePasswordReset, BreakGlass, CancelMarkets, CancelOrdersOf, ChangeRole, ChangeTerms, CloseTrading,
    Command, ConfirmOperator, CreditWallet, DebitWallet, DoOrPropose, EditEvent, EndOperatorSession,
    EraseUser, FeesTo, Finalise, FinaliseSeries, FreezeUser, GrowPool, ImportSports, MarketEdit, MoveFees,
    NewsNote, OpenEvent, OpenOperatorSession, PauseSeries, PauseTrading, PolicyChange, PriceRange,
    RecordGameResult, RecordNews, RecordPicture, RecordPrice, ResolveMarket, ResumeTrading, RevokeOperator,
    SeedPool, SetCancelOnly, SetMarketTerms, SuspendOperator, SuspendUser, Target, UpgradeRules,
};
use exchange::governance::{CancelOnlyCause, Policy, Ruling, Score, Subject, Verdict};
use exchange::id::{
    EventId, GameId, Hash32, MarketId, NewsId, OperatorId, ProposalId, SeriesId, TeamId, UserId,
};
use exchange::identity::Role;
use exchange::index::ListingIndex;
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Ppm, Price};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Span;

use super::play::Play;
use super::samples::{SYMBOL, draft, new_series, propose, withdraw};
use super::stage::{DAY_MAX, ENTRY_MAX, TRADERS, create_operator, new_user, soccer_events};

/// Events and series per stage: enough to act on, few enough to be fast.
const EVENTS_MAX: usize = 32;
const SERIES_MAX: usize = 5;
const OPERATORS_MAX: usize = 14;
/// References that are used again and again.
const REFERENCES: usize = 40;
const SOURCES: [&str; 2] = ["feed", "desk"];

impl Play {
    /// A command of the rogue.
    pub(super) fn rogue_command(&mut self) -> Command {
        let is_newer = self.is_newer();
        match self.random.below(100) {
            0..=11 => Command::Finalise(Finalise { proposal: self.pending() }),
            12..=14 => withdraw(self.pending()),
            15..=20 => {
                let (id, subject) = (self.stage.fresh_id(), self.verdict());
                propose(id, subject)
            }
            21..=23 => {
                let (game, score) = (self.game(), self.score());
                let id = self.stage.fresh_id();
                propose(id, Subject::GameResult { game, score })
            }
            24..=41 => {
                let (id, command) = (self.stage.fresh_id(), self.plain());
                super::samples::propose_command(id, command)
            }
            42..=51 if is_newer => {
                let command = Box::new(self.plain());
                Command::DoOrPropose(DoOrPropose {
                    proposal: ProposalId::new(self.stage.fresh_id()),
                    command,
                })
            }
            _ => self.plain(),
        }
    }

    pub(super) fn is_newer(&self) -> bool {
        self.stage.exchange.rules_version() >= 4
    }

    /// Any command of operators but those about proposals.
    pub(super) fn plain(&mut self) -> Command {
        match self.random.below(6) {
            0 => self.about_people(),
            1 => self.about_operators(),
            2 => self.about_money(),
            3 => self.about_trading(),
            4 => self.about_games(),
            _ => self.about_the_venue(),
        }
    }

    fn about_people(&mut self) -> Command {
        let user = self.user();
        match self.random.below(8) {
            0 => new_user(100 + self.random.below(20) as u128),
            1 => {
                let (suspended, keep_orders) = (self.random.chance(60), self.random.chance(50));
                Command::SuspendUser(SuspendUser { user, suspended, keep_orders })
            }
            2 => Command::FreezeUser(FreezeUser { user, frozen: self.random.chance(50) }),
            3 => Command::EraseUser(EraseUser { user: UserId::new(100 + self.random.below(20) as u128) }),
            4 => Command::CancelOrdersOf(CancelOrdersOf { user, event: None, market: None, currency: None }),
            5 => Command::OpenOperatorSession(OpenOperatorSession { token_hash: self.session() }),
            6 => Command::EndOperatorSession(EndOperatorSession { token_hash: self.session() }),
            _ => {
                let number = self.random.below(6);
                let token_hash = Hash32::of(&format!("reset {number}"));
                Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash })
            }
        }
    }

    fn session(&mut self) -> Hash32 {
        Hash32::of(&format!("session {}", self.random.below(30)))
    }

    fn about_operators(&mut self) -> Command {
        let (operator, is_newer) = (self.operator(), self.is_newer());
        let role = self.random.one_of([Role::Viewer, Role::Operator, Role::Approver, Role::Approver]);
        match self.random.below(8) {
            0 | 1 => self.new_operator(role),
            2 => Command::RevokeOperator(RevokeOperator { operator }),
            3 => Command::ChangeRole(ChangeRole { operator, role }),
            4 => Command::ConfirmOperator(ConfirmOperator { operator }),
            5 => {
                let end = self.stage.now + Span::minutes(self.random.between(-5, 900));
                let until = (is_newer && self.random.chance(60)).then_some(end);
                Command::SuspendOperator(SuspendOperator { operator, suspended: true, until })
            }
            6 => Command::SuspendOperator(SuspendOperator { operator, suspended: false, until: None }),
            _ => Command::BreakGlass(BreakGlass {
                id: OperatorId::new(self.stage.fresh_id()),
                name: Text::from("rescue"),
                token_hash: Hash32::of("mine"),
            }),
        }
    }

    fn new_operator(&mut self, role: Role) -> Command {
        let is_full = self.stage.exchange.directory().operators().len() >= OPERATORS_MAX;
        let id = if is_full { self.operator() } else { OperatorId::new(self.stage.fresh_id()) };
        create_operator(id, role)
    }

    pub(super) fn about_money(&mut self) -> Command {
        let (currency, market) = (self.random.one_of(Currency::ALL), self.market());
        let amount = self.amount(currency);
        let reference = self.reference();
        match self.random.below(9) {
            0 | 1 => {
                let user = self.user_or_house();
                Command::CreditWallet(CreditWallet { user, currency, amount, reference })
            }
            2 => {
                let user = self.user_or_house();
                Command::DebitWallet(DebitWallet { user, currency, amount, reference })
            }
            3 => {
                let to = self.random.one_of([FeesTo::House, FeesTo::Outside]);
                let fees = self.stage.exchange.ledger().accounts(currency).fees();
                Command::MoveFees(MoveFees { currency, amount: fees.min(amount), to, reference })
            }
            4 => {
                let price = Price::clamp(self.random.between(1, 99));
                Command::SeedPool(SeedPool { market, currency, amount, price })
            }
            5 | 6 => self.growth(market, currency, amount),
            7 => Command::PauseSeries(PauseSeries { series: self.series(), paused: self.random.chance(30) }),
            _ => self.series_of(amount),
        }
    }

    fn series_of(&mut self, amount: Money) -> Command {
        let is_full = self.stage.exchange.catalogue().series().count() >= SERIES_MAX;
        let number = if is_full { 1 } else { self.stage.fresh_id() };
        let engine = self.random.one_of([Engine::Amm, Engine::Amm, Engine::Clob]);
        Command::CreateSeries(new_series(number, engine, amount))
    }

    /// A growth of a pool; the range around the price is sometimes one that it has left.
    pub(super) fn growth(&mut self, market: MarketId, currency: Currency, amount: Money) -> Command {
        let catalogue = self.stage.exchange.catalogue();
        let index = catalogue.find_market(market).map(|market| ListingIndex::new(market, currency));
        let price = index.map_or(500_000, |index| catalogue.listing(index).yes_price().units());
        let between = PriceRange { low: Ppm::new(price - 20_000), high: Ppm::new(price + 20_000) };
        let between = (self.is_newer() && self.random.chance(95)).then_some(between);
        Command::GrowPool(GrowPool { market, currency, amount, between })
    }

    fn about_trading(&mut self) -> Command {
        let (market, target) = (self.market(), self.target());
        let event = self.event();
        match self.random.below(12) {
            0 => self.new_event(),
            1 => self.edit(event),
            2 => Command::OpenEvent(OpenEvent { event }),
            3 => Command::PauseTrading(PauseTrading { target }),
            4 | 5 => Command::ResumeTrading(ResumeTrading { target }),
            6 if self.random.chance(40) => Command::CloseTrading(CloseTrading { target }),
            7 => {
                let outcome = self.random.one_of(Outcome::BOTH);
                Command::ResolveMarket(ResolveMarket { market, outcome })
            }
            8 => Command::CancelMarkets(CancelMarkets { target, yes: Cents::HALF }),
            9 => {
                let order_min = PerCurrency { usd: Money::whole(1), ngn: Money::whole(100) };
                Command::SetMarketTerms(SetMarketTerms { market, fee_rate: self.fee(), order_min })
            }
            10 if self.is_newer() => self.terms(market),
            _ => {
                let series = self.series();
                Command::FinaliseSeries(FinaliseSeries { series })
            }
        }
    }

    pub(super) fn terms(&mut self, market: MarketId) -> Command {
        let fee_rate = Some(self.fee()).filter(|_| self.random.chance(80));
        let usd = self.random.chance(20).then(|| Money::whole(self.random.between(1, 5)));
        Command::ChangeTerms(ChangeTerms { market, fee_rate, order_min: PerCurrency { usd, ngn: None } })
    }

    fn fee(&mut self) -> FeeRate {
        FeeRate::new(self.random.one_of([0, 100, 200, 300, 1_000])).unwrap_or_default()
    }

    fn new_event(&mut self) -> Command {
        if self.stage.exchange.catalogue().events().len() >= EVENTS_MAX {
            return Command::OpenEvent(OpenEvent { event: self.event() });
        }
        let (number, is_linked) = (self.stage.fresh_id(), self.random.chance(50));
        let engine = if is_linked { Engine::Clob } else { self.random.one_of([Engine::Amm, Engine::Clob]) };
        let kind = self.random.one_of([EventKind::Single, EventKind::Combined, EventKind::Grouped]);
        let mut new = draft(number, kind, engine, if kind == EventKind::Single { 1 } else { 2 });
        if is_linked {
            let (two, three) = (SportMarketType::TotalGoals, SportMarketType::TeamH2h3Way);
            let market_type = self.random.one_of([three, three, SportMarketType::GoalSpread, two]);
            new.link = EventLink::Game { game: self.game(), market_type };
            // Some ask about a team, some about one that does not play, or for goals without a line.
            for market in &mut new.markets {
                let team = self.random.one_of([Some(1), Some(2), Some(3), None]).map(TeamId::new);
                let line = self.random.one_of([Some(50), Some(150), None]);
                market.details.prop = Some(Prop { line, direction: None, team });
            }
        }
        Command::CreateEvent(new)
    }

    pub(super) fn edit(&mut self, event: EventId) -> Command {
        let catalogue = self.stage.exchange.catalogue();
        let known = catalogue.find_event(event).map(|index| catalogue.event(index));
        let details = known.map(|event| event.details.clone()).unwrap_or_default();
        let market = known.and_then(|event| event.markets.first()).map(|market| catalogue.market(*market));
        let mut edits: Vec<MarketEdit> = market
            .map(|market| MarketEdit { market: market.id, details: market.details.clone() })
            .into_iter()
            .collect();
        let over = known.map(|event| event.edited_at.unwrap_or(0));
        let over = over.filter(|_| self.is_newer() && self.random.chance(50));
        edits.iter_mut().for_each(|edit| edit.details.fee_rate = self.fee());
        let date = self.stage.now + Span::minutes(self.random.between(-5, 300));
        let closing_date = if self.random.chance(30) { Some(date) } else { details.closing_date };
        let details = EventDetails { closing_date, ..details };
        Command::EditEvent(EditEvent { event, details, markets: edits, over })
    }

    fn about_games(&mut self) -> Command {
        let game = self.game();
        match self.random.below(9) {
            0..=3 => {
                let games = vec![self.imported(game)];
                Command::ImportSports(ImportSports { leagues: Vec::new(), teams: Vec::new(), games })
            }
            8 => self.renamed(game),
            4 if self.stage.exchange.catalogue().events().len() < EVENTS_MAX => soccer_events(game.as_u128()),
            5 => Command::OpenEvent(OpenEvent { event: self.event_of_game(game) }),
            _ => Command::RecordGameResult(RecordGameResult { game, score: self.score() }),
        }
    }

    /// A record of a game with other sides, another start or another status.
    fn imported(&mut self, game: GameId) -> Game {
        let known = self.stage.exchange.catalogue().sports().games.get(&game).cloned();
        let known = known.unwrap_or_else(|| self.stage.game(game.as_u128()));
        let now = self.stage.now;
        match self.random.below(9) {
            0 | 1 => Game { home: known.away, away: known.home, ..known },
            2 => Game { home: TeamId::new(3), ..known },
            3 | 4 => Game { start: now + Span::minutes(self.random.between(-60, 300)), ..known },
            5 => Game { status: GameStatus::Unplayed, ..known },
            6 if self.random.chance(30) => {
                let status =
                    self.random.one_of([GameStatus::Live, GameStatus::Finished, GameStatus::Cancelled]);
                Game { status, ..known }
            }
            7 => Game { status: GameStatus::Postponed, ..known },
            _ => Game { score: Some(self.score()), is_unpaid: Some(true), ..known },
        }
    }

    /// Another name of a game, of one of its sides, of a team that plays nowhere, or of its league.
    fn renamed(&mut self, game: GameId) -> Command {
        let (name, team) = (format!("other-{}", self.random.below(3)), 1 + self.random.below(4) as u128);
        let name = Text::from(name);
        let sports = self.stage.exchange.catalogue().sports();
        let game = sports.games.get(&game).map(|known| Game { slug: name.clone(), ..known.clone() });
        let league = sports.leagues.values().next().cloned();
        let team = sports.teams.get(&TeamId::new(team)).cloned();
        let (mut leagues, mut teams, mut games) = (Vec::new(), Vec::new(), Vec::new());
        match self.random.below(6) {
            0 => games.extend(game),
            1 => leagues.extend(league.map(|known| League { name, ..known })),
            2 => teams.extend(team.map(|known| Team { slug: name, ..known })),
            3 => teams.extend(team.map(|known| Team { short_code: name, ..known })),
            _ => teams.extend(team.map(|known| Team { name, ..known })),
        }
        Command::ImportSports(ImportSports { leagues, teams, games })
    }

    fn about_the_venue(&mut self) -> Command {
        let is_newer = self.is_newer();
        match self.random.below(9) {
            0 => Command::SetPolicy(self.policy()),
            1 if is_newer => Command::ChangePolicy(self.policy_change()),
            2 => {
                // The old rules have no other way out of what this looks for.
                let version = match is_newer || self.random.chance(1) {
                    true => self.random.below(exchange::Exchange::RULES_VERSION as usize + 1) as u32,
                    false => self.stage.exchange.rules_version(),
                };
                Command::UpgradeRules(UpgradeRules { version })
            }
            3 => {
                let cause = CancelOnlyCause::Operator;
                Command::SetCancelOnly(SetCancelOnly { cause, on: self.random.chance(20) })
            }
            4 => Command::RecordPicture(RecordPicture { picture: Hash32::of("a picture"), bytes: 100 }),
            5 => {
                let at = self.stage.exchange.now();
                let (title, link) = (Text::from("It happened"), Text::from("https://example.org/a"));
                let note = Some(NewsNote { at, title, link });
                Command::RecordNews(RecordNews { event: self.event(), news: NewsId::new(1), note })
            }
            _ => self.price(),
        }
    }

    pub(super) fn price(&mut self) -> Command {
        let value = AssetPrice(60_000_000_000 + self.random.between(0, 4) * 1_000_000);
        let source = Text::from(self.random.one_of(SOURCES));
        let source_time = self.stage.now - Span::seconds(self.random.between(0, 2));
        Command::RecordPrice(RecordPrice { symbol: Text::from(SYMBOL), value, source, source_time })
    }

    fn policy(&mut self) -> Policy {
        let change = self.policy_change();
        change.over(&self.stage.exchange.governance().policy)
    }

    pub(super) fn policy_change(&mut self) -> PolicyChange {
        let two_required = self.random.chance(30).then_some(false);
        let cap = |whole: i64| PerCurrency { usd: Some(Money::whole(whole)), ngn: None };
        let change = self.some_policy();
        match self.random.chance(30) {
            true => PolicyChange { entry_max: cap(1_000), day_max: cap(5_000), two_required, ..change },
            false => PolicyChange { two_required, ..change },
        }
    }

    /// A change that honest operators want too.
    pub(super) fn some_policy(&mut self) -> PolicyChange {
        let delay = self.random.one_of([0, 0, 60]);
        let age = self.random.one_of([3_600, 6 * 3_600, 12 * 3_600]);
        let mut is_meant = || self.random.chance(50);
        PolicyChange {
            resolution_delay_seconds: is_meant().then_some(delay),
            retire_after_seconds: is_meant().then_some(age),
            ..PolicyChange::default()
        }
    }

    pub(super) fn verdict(&mut self) -> Subject {
        let event = self.event();
        let catalogue = self.stage.exchange.catalogue();
        let markets = catalogue.find_event(event).map(|index| catalogue.event(index).markets.clone());
        let mut rulings = Vec::new();
        for market in markets.unwrap_or_default() {
            let outcome = if self.random.chance(30) { Outcome::Yes } else { Outcome::No };
            let market = self.stage.exchange.catalogue().market(market).id;
            rulings.push(Ruling { market, outcome });
        }
        let verdict = match self.random.chance(40) {
            true => Verdict::Cancelled { yes: Cents::HALF },
            false => Verdict::Outcomes(rulings),
        };
        Subject::Resolution { event, verdict }
    }
}

/// What the commands refer to.
impl Play {
    pub(super) fn pending(&mut self) -> ProposalId {
        let governance = self.stage.exchange.governance();
        let place = self.random.below(governance.proposals().len());
        governance.proposals().nth(place).map_or(ProposalId::new(404), |proposal| proposal.id)
    }

    fn user(&mut self) -> UserId {
        UserId::new(1 + self.random.below(TRADERS as usize) as u128)
    }

    pub(super) fn user_or_house(&mut self) -> UserId {
        if self.random.chance(25) { exchange::Exchange::HOUSE } else { self.user() }
    }

    fn operator(&mut self) -> OperatorId {
        let directory = self.stage.exchange.directory();
        let place = self.random.below(directory.operators().len());
        directory.operators().nth(place).map_or(OperatorId::new(404), |operator| operator.id)
    }

    pub(super) fn event(&mut self) -> EventId {
        let catalogue = self.stage.exchange.catalogue();
        let place = self.random.below(catalogue.events().len());
        catalogue.events().nth(place).map_or(EventId::new(404), |(_, event)| event.id)
    }

    fn event_of_game(&mut self, game: GameId) -> EventId {
        let catalogue = self.stage.exchange.catalogue();
        let events: Vec<_> = catalogue.events_of_game(game).map(|event| catalogue.event(event).id).collect();
        self.random.pick(&events).unwrap_or(EventId::new(404))
    }

    pub(super) fn market(&mut self) -> MarketId {
        let catalogue = self.stage.exchange.catalogue();
        let place = self.random.below(catalogue.markets().len());
        catalogue.markets().nth(place).map_or(MarketId::new(404), |(_, market)| market.id)
    }

    fn target(&mut self) -> Target {
        match self.random.chance(50) {
            true => Target::Event(self.event()),
            false => Target::Market(self.market()),
        }
    }

    fn series(&mut self) -> SeriesId {
        let catalogue = self.stage.exchange.catalogue();
        let place = self.random.below(catalogue.series().count());
        catalogue.series().nth(place).map_or(SeriesId::new(404), |series| series.terms.id)
    }

    pub(super) fn game(&mut self) -> GameId {
        GameId::new(1 + self.random.below(4) as u128)
    }

    pub(super) fn score(&mut self) -> Score {
        Score { home: self.random.below(3) as u16, away: self.random.below(3) as u16 }
    }

    /// Below, at and above the caps.
    fn amount(&mut self, currency: Currency) -> Money {
        let whole = match self.random.below(8) {
            0 => ENTRY_MAX,
            1 => ENTRY_MAX + 1,
            2 => DAY_MAX,
            3 => 10 * DAY_MAX,
            _ => self.random.between(1, ENTRY_MAX),
        };
        Money::whole(whole * currency.base())
    }

    pub(super) fn reference(&mut self) -> Text {
        match self.random.chance(15) {
            true => Text::from(format!("wire {}", self.random.below(REFERENCES))),
            false => Text::from(format!("wire {}", self.stage.fresh_id())),
        }
    }
}
