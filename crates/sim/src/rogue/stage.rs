//! An exchange where two persons are required, with honest operators, traders, and one operator that is not honest.
//!
//! Every request goes through `Stage::send`, so the judge sees all of them. Setting up uses the same way.

use std::collections::VecDeque;

use exchange::Exchange;
use exchange::catalogue::{Engine, EventKind, Game, GameStatus, League, Team};
use exchange::codec::{decode_snapshot, encode_snapshot};
use exchange::command::{
    BreakGlass, CloseTrading, Command, CreateApiKey, CreateOperator, CreateUser, CreditWallet, ImportSports,
    MintSets, NewSoccerEvents, OpenEvent, OpenSession, Request, SeedPool, Target, UpgradeRules,
};
use exchange::governance::Policy;
use exchange::id::{
    EventId, GameId, Hash32, KeyId, LeagueId, MarketId, OperationId, OperatorId, RowId, SessionId, TeamId,
    UserId,
};
use exchange::idempotency::IdempotencyKey;
use exchange::identity::{Actor, Role};
use exchange::numbers::{Currency, Money, PerCurrency, Price};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::judge::{Basis, Judge};
use super::samples::{draft, new_series};
use super::tally::Tally;
use crate::failure::Failure;
use crate::generator::START;

/// An operator, two approvers and a second operator, all honest.
pub const OLGA: OperatorId = OperatorId::new(1);
pub const ADA: OperatorId = OperatorId::new(2);
pub const ABEL: OperatorId = OperatorId::new(3);
pub const CARL: OperatorId = OperatorId::new(4);
/// The one that is not, and the operator that it created alone before two were required.
pub const ROGUE: OperatorId = OperatorId::new(9);
pub const PUPPET: OperatorId = OperatorId::new(10);

/// The last of the traders acts for the rogue.
pub const TRADERS: u128 = 4;
/// What one operator moves alone at once and a day, in whole dollars.
pub const ENTRY_MAX: i64 = 100;
pub const DAY_MAX: i64 = 250;
/// A tick forgets or expires only so much.
const TICKS_MAX: usize = 50;

/// The events of the beginning; each has its own number, and so have its markets from ten times that on.
pub const BOOK: u128 = 11;
pub const POOL: u128 = 12;
pub const CLOSED: u128 = 13;
pub const DRAFT: u128 = 14;
pub const OPEN_GROUP: u128 = 15;

/// The role of the rogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evil {
    Viewer,
    Operator,
    Approver,
    BreakGlass,
}

impl Evil {
    pub const ALL: [Evil; 4] = [Evil::Viewer, Evil::Operator, Evil::Approver, Evil::BreakGlass];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Owner,
    Operator(OperatorId),
    Trader(u128),
}

impl Who {
    const fn actor(self) -> Actor {
        match self {
            Who::Owner => Actor::System,
            Who::Operator(operator) => Actor::Operator { operator },
            Who::Trader(number) => Actor::Key { key: KeyId::new(number), generation: 0 },
        }
    }
}

#[derive(Clone, Debug)]
pub struct Stage {
    pub exchange: Exchange,
    pub judge: Judge,
    pub now: Time,
    /// Broken rules are noted instead of ending the run.
    pub notes: Option<Vec<Failure>>,
    /// What the last accepted command rested on.
    pub last: Basis,
    pub tally: Tally,
    pub trace: Trace,
    ids: u128,
}

/// The last requests with their answers, if somebody wants them.
pub type Trace = Option<VecDeque<String>>;
const TRACE_MAX: usize = 30;

pub type Answer = Result<Reply, Reject>;

impl Stage {
    /// A stage at these rules, with a rogue of this role and, if `has_puppet`, its second operator.
    pub fn new(rules: u32, evil: Evil, has_puppet: bool) -> Result<Stage, Failure> {
        let exchange = Exchange::new();
        let judge = Judge::new(&exchange);
        let (now, notes, last, tally, ids) = (START, None, Basis::Owner, Tally::default(), 1_000);
        let mut stage = Stage { exchange, judge, now, notes, last, tally, trace: None, ids };
        stage.owner(Command::UpgradeRules(UpgradeRules { version: rules }))?;
        stage.operators(evil, has_puppet)?;
        stage.people()?;
        stage.events()?;
        stage.sports()?;
        let series = new_series(1, Engine::Clob, Money::ZERO);
        stage.owner(Command::CreateSeries(series))?;
        let caps = |whole: i64| PerCurrency { usd: Money::whole(whole), ngn: Money::whole(whole * 100) };
        let policy = Policy {
            two_required: true,
            entry_max: caps(ENTRY_MAX),
            day_max: caps(DAY_MAX),
            retire_after_seconds: 6 * 3_600,
            ..Policy::default()
        };
        stage.owner(Command::SetPolicy(policy))?;
        if evil == Evil::BreakGlass {
            let (id, name, token_hash) = (ROGUE, Text::from("rescue"), token(ROGUE));
            stage.owner(Command::BreakGlass(BreakGlass { id, name, token_hash }))?;
        }
        Ok(stage)
    }

    fn operators(&mut self, evil: Evil, has_puppet: bool) -> Result<(), Failure> {
        let honest =
            [(OLGA, Role::Operator), (ADA, Role::Approver), (ABEL, Role::Approver), (CARL, Role::Operator)];
        for (id, role) in honest {
            self.owner(create_operator(id, role))?;
        }
        let role = match evil {
            Evil::Viewer => Role::Viewer,
            Evil::Operator => Role::Operator,
            Evil::Approver => Role::Approver,
            Evil::BreakGlass => return Ok(()),
        };
        self.owner(create_operator(ROGUE, role))?;
        if evil == Evil::Approver && has_puppet {
            self.done(Who::Operator(ROGUE), create_operator(PUPPET, Role::Operator))?;
        }
        Ok(())
    }

    fn people(&mut self) -> Result<(), Failure> {
        for currency in Currency::ALL {
            self.owner(self.credit(Exchange::HOUSE, currency, Money::whole(20_000 * currency.base())))?;
        }
        for number in 1..=TRADERS {
            let (user, session) = (UserId::new(number), SessionId::new(number));
            self.owner(new_user(number))?;
            self.owner(Command::OpenSession(OpenSession {
                user,
                password_version: 0,
                id: session,
                token_hash: Hash32::of(&format!("session {number}")),
                device: Text::from("device"),
            }))?;
            let key = Command::CreateApiKey(CreateApiKey {
                id: KeyId::new(number),
                name: Text::from("key"),
                public_key: Text::from(format!("pk_{number}")),
            });
            let _ = self.send(Actor::Session { session }, key, None, None)?;
            for currency in Currency::ALL {
                self.owner(self.credit(user, currency, Money::whole(1_000 * currency.base())))?;
            }
        }
        Ok(())
    }

    fn events(&mut self) -> Result<(), Failure> {
        let all = [
            (BOOK, EventKind::Single, Engine::Clob, 1),
            (POOL, EventKind::Single, Engine::Amm, 1),
            (CLOSED, EventKind::Combined, Engine::Clob, 3),
            (DRAFT, EventKind::Single, Engine::Amm, 1),
            (OPEN_GROUP, EventKind::Grouped, Engine::Clob, 2),
        ];
        for (number, kind, engine, markets) in all {
            self.owner(Command::CreateEvent(draft(number, kind, engine, markets)))?;
            for currency in Currency::ALL.into_iter().filter(|_| engine == Engine::Amm) {
                let (market, price) = (MarketId::new(number * 10), Price::clamp(50));
                let amount = Money::whole(500 * currency.base());
                self.owner(Command::SeedPool(SeedPool { market, currency, amount, price }))?;
            }
            if number == DRAFT {
                continue;
            }
            self.owner(Command::OpenEvent(OpenEvent { event: EventId::new(number) }))?;
            if engine == Engine::Clob {
                self.hold(MarketId::new(number * 10))?;
            }
        }
        let target = Target::Event(EventId::new(CLOSED));
        self.owner(Command::CloseTrading(CloseTrading { target }))
    }

    /// Two traders get shares, so that there is something to pay out.
    pub fn hold(&mut self, market: MarketId) -> Result<(), Failure> {
        for number in [1, 2] {
            let (id, currency, amount) = (OperationId::new(self.fresh_id()), Currency::Usd, Money::whole(20));
            let mint = Command::MintSets(MintSets { id, market, currency, amount });
            let _ = self.run(Who::Trader(number), mint)?;
        }
        Ok(())
    }

    fn sports(&mut self) -> Result<(), Failure> {
        let text = Text::from;
        let league = LeagueId::new(1);
        let leagues = vec![League {
            id: league,
            key: text("league"),
            name: text("The league"),
            short_name: text("L"),
            sport: text("soccer"),
            image_url: text(""),
        }];
        let team = |number: u128| Team {
            id: TeamId::new(number),
            sport: text("soccer"),
            name: Text::from(format!("Team {number}")),
            slug: Text::from(format!("team-{number}")),
            short_code: text("TEA"),
            league,
            image_url: text(""),
            is_popular: false,
        };
        let games = (1..=3).map(|number| self.game(number)).collect();
        let import = ImportSports { leagues, teams: (1..=4).map(team).collect(), games };
        self.owner(Command::ImportSports(import))?;
        // The first game has open events, the second has drafts, the third none.
        for game in [1, 2] {
            let answer = self.run(Who::Owner, soccer_events(game))?;
            let Ok(Reply::Events(events)) = answer else { continue };
            for event in events.into_iter().filter(|_| game == 1) {
                self.owner(Command::OpenEvent(OpenEvent { event }))?;
                let catalogue = self.exchange.catalogue();
                let market = catalogue.find_event(event).map(|event| catalogue.event(event).markets[0]);
                if let Some(market) = market.map(|market| catalogue.market(market).id) {
                    self.hold(market)?;
                }
            }
        }
        Ok(())
    }

    /// A game of two teams that starts in some hours.
    pub fn game(&self, number: u128) -> Game {
        Game {
            id: GameId::new(number),
            slug: Text::from(format!("game-{number}")),
            sport: Text::from("soccer"),
            league: LeagueId::new(1),
            home: TeamId::new(1),
            away: TeamId::new(2),
            start: START + Span::hours(3),
            status: GameStatus::Unplayed,
            is_popular: false,
            utc_offset_minutes: 0,
            score: None,
            standing: None,
            is_unpaid: None,
        }
    }

    pub fn credit(&self, user: UserId, currency: Currency, amount: Money) -> Command {
        let reference = Text::from(format!("{} {} {}", user, currency.code(), self.exchange.seq()));
        Command::CreditWallet(CreditWallet { user, currency, amount, reference })
    }

    pub fn fresh_id(&mut self) -> u128 {
        self.ids += 1;
        self.ids
    }

    pub fn wait(&mut self, span: Span) {
        self.now = self.now + span;
    }

    /// A command of the owner that must be accepted.
    pub fn owner(&mut self, command: Command) -> Result<(), Failure> {
        self.done(Who::Owner, command)
    }

    /// A command that must be accepted.
    pub fn done(&mut self, who: Who, command: Command) -> Result<(), Failure> {
        let words = format!("{command:?}");
        match self.run(who, command)? {
            Ok(_) => Ok(()),
            Err(refusal) => Err(Failure::new("a stage is set up", format!("{words}: {refusal:?}"))),
        }
    }

    pub fn run(&mut self, who: Who, command: Command) -> Result<Answer, Failure> {
        self.send(who.actor(), command, None, None)
    }

    pub fn run_with_key(
        &mut self,
        who: Who,
        command: Command,
        scope: u64,
        body: u64,
    ) -> Result<Answer, Failure> {
        let key = IdempotencyKey { scope, scope_low: 1, body, window: None };
        self.send(who.actor(), command, Some(key), None)
    }

    /// An edit of a draft over what was read after so many edits.
    pub fn edit(&mut self, who: Who, command: Command, read: u64) -> Result<Answer, Failure> {
        self.send(who.actor(), command, None, Some(read))
    }

    fn send(
        &mut self,
        actor: Actor,
        command: Command,
        idempotency: Option<IdempotencyKey>,
        read: Option<u64>,
    ) -> Result<Answer, Failure> {
        let tick = Request { actor: Actor::System, idempotency: None, command: Command::Tick };
        for _ in 0..TICKS_MAX {
            if self.exchange.next_due().is_none_or(|due| due > self.now) {
                break;
            }
            // A tick is never refused.
            let _ = self.apply(&tick, None)?;
        }
        self.apply(&Request { actor, idempotency, command }, read)
    }

    fn apply(&mut self, request: &Request, read: Option<u64>) -> Result<Answer, Failure> {
        let answer = self.exchange.apply(self.now, request).expect("a request of this build");
        if let Some(trace) = &mut self.trace {
            trace.push_back(format!(
                "{:?}  {:?}  {:?}\n        {answer:?}",
                self.now, request.actor, request.command
            ));
            if trace.len() > TRACE_MAX {
                trace.pop_front();
            }
        }
        self.tally.note_changes(&request.command, &self.exchange);
        match (self.judge.follow(&self.exchange, request, read, &answer), &mut self.notes) {
            (Ok(basis), _) => self.last = basis,
            (Err(failure), None) => return Err(failure),
            (Err(failure), Some(notes)) => notes.push(failure),
        }
        Ok(answer)
    }

    /// Goes on with a copy restored from a snapshot.
    pub fn restore(&mut self) -> Result<(), Failure> {
        const RESTORED: &str = "a restored exchange is the one that was saved";
        let bytes = encode_snapshot(&self.exchange);
        let restored = decode_snapshot(&bytes).map_err(|error| Failure::new(RESTORED, error))?;
        if restored.digest() != self.exchange.digest() {
            return Err(Failure::new(RESTORED, "the digests differ"));
        }
        self.exchange = restored;
        Ok(())
    }
}

pub fn token(operator: OperatorId) -> Hash32 {
    Hash32::of(&format!("token of {operator}"))
}

pub fn create_operator(id: OperatorId, role: Role) -> Command {
    Command::CreateOperator(CreateOperator { id, name: Text::from("operator"), role, token_hash: token(id) })
}

pub fn new_user(number: u128) -> Command {
    Command::CreateUser(CreateUser {
        id: UserId::new(number),
        address: Hash32::of(&format!("user{number}@example.com")),
        tag: Text::from(format!("user{number}")),
        row: RowId::new(number),
        expires_at: Time::NEVER,
    })
}

pub fn soccer_events(game: u128) -> Command {
    Command::CreateSoccerEvents(NewSoccerEvents {
        game: GameId::new(game),
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        market: Default::default(),
        spreads: vec![150],
        totals: vec![150, 250],
    })
}
