//! The facts that an operator must not change alone, read out of a state: money, terms, verdicts, accounts, operators, the
//! policy.
//!
//! The judge compares the facts before and after each command. They come from the state and not from the rules on consent.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use exchange::Exchange;
use exchange::catalogue::{AnnouncedTerms, EventLink, GameStatus, League, MarketTerms, Sports, Status, Team};
use exchange::governance::{Policy, Score};
use exchange::id::{EventId, GameId, LeagueId, MarketId, OperatorId, TeamId, UserId};
use exchange::identity::Role;
use exchange::numbers::{Cents, Currency};
use exchange::time::Time;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub rules: u32,
    pub policy: Policy,
    /// The house is the first.
    pub users: Vec<UserFact>,
    /// Collected fees by currency.
    pub fees: [i64; 2],
    pub deposited: [i64; 2],
    pub operators: Vec<OperatorFact>,
    pub markets: Vec<MarketFact>,
    pub events: Vec<EventFact>,
    pub games: Vec<GameFact>,
    /// What games, teams and leagues are called, each as one number.
    pub names: BTreeMap<Named, u64>,
    pub series: usize,
    pub proposals: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFact {
    pub id: UserId,
    /// Free and held money by currency.
    pub money: [i64; 2],
    pub disabled: bool,
    pub frozen: bool,
    pub erased: bool,
    pub password_version: u32,
    pub approved_resets: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorFact {
    pub id: OperatorId,
    pub role: Role,
    pub revoked: bool,
    pub suspended: bool,
    pub suspended_until: Option<Time>,
    pub break_glass_at: Option<Time>,
    /// The holders of its token, as one number.
    pub holders: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketFact {
    pub id: MarketId,
    pub status: Status,
    pub terms: MarketTerms,
    pub announced: Option<AnnouncedTerms>,
    /// What a YES share paid.
    pub pays: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventFact {
    pub id: EventId,
    pub status: Status,
    pub never_opened: bool,
    pub link: EventLink,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFact {
    pub id: GameId,
    /// The game itself, its sides and its league.
    pub named: [Named; 4],
    pub status: GameStatus,
    pub score: Option<Score>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    Game(GameId),
    Team(TeamId),
    League(LeagueId),
}

fn hash_of(names: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    hasher.finish()
}

/// What everything that takes part in games is called.
fn names_of(sports: &Sports) -> BTreeMap<Named, u64> {
    let games = sports.games.values().map(|game| (Named::Game(game.id), hash_of(&*game.slug)));
    let teams = sports.teams.values().map(|team| {
        let Team { name, slug, short_code, sport, .. } = team;
        let names = [name, slug, short_code, sport].map(|name| &**name);
        (Named::Team(team.id), hash_of((names, team.league)))
    });
    let leagues = sports.leagues.values().map(|league| {
        let League { name, key, short_name, sport, .. } = league;
        (Named::League(league.id), hash_of([name, key, short_name, sport].map(|name| &**name)))
    });
    games.chain(teams).chain(leagues).collect()
}

impl Facts {
    pub fn look(exchange: &Exchange) -> Facts {
        let (directory, ledger, catalogue) = (exchange.directory(), exchange.ledger(), exchange.catalogue());
        let users = directory.users().map(|(index, user)| UserFact {
            id: user.id,
            money: Currency::ALL.map(|currency| ledger.wallet(index, currency).total().units()),
            disabled: user.disabled,
            frozen: user.frozen,
            erased: user.erased,
            password_version: user.password_version,
            approved_resets: user.password_resets.iter().filter(|reset| reset.is_approved).count(),
        });
        let operators = directory.operators().map(|operator| OperatorFact {
            id: operator.id,
            role: operator.role,
            revoked: operator.revoked,
            suspended: operator.suspended,
            suspended_until: operator.suspended_until,
            break_glass_at: operator.break_glass_at,
            holders: operator.holders.iter().fold(0, |sum, holder| {
                (sum ^ holder.as_u128()).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
            }),
        });
        let markets = catalogue.markets().map(|(_, market)| MarketFact {
            id: market.id,
            status: market.status,
            terms: market.terms(),
            announced: market.announced,
            pays: market.settlement.map(|settlement| settlement.yes),
        });
        let events = catalogue.events().map(|(_, event)| EventFact {
            id: event.id,
            status: event.status,
            never_opened: event.never_opened,
            link: event.link,
        });
        let games = catalogue.sports().games.values().map(|game| GameFact {
            id: game.id,
            named: [
                Named::Game(game.id),
                Named::Team(game.home),
                Named::Team(game.away),
                Named::League(game.league),
            ],
            status: game.status,
            score: game.score,
        });
        Facts {
            rules: exchange.rules_version(),
            policy: exchange.governance().policy,
            users: users.collect(),
            fees: Currency::ALL.map(|currency| ledger.accounts(currency).fees().units()),
            deposited: Currency::ALL.map(|currency| ledger.deposited(currency).units()),
            operators: operators.collect(),
            markets: markets.collect(),
            events: events.collect(),
            games: games.collect(),
            names: names_of(catalogue.sports()),
            series: catalogue.series().count(),
            proposals: exchange.governance().proposals().len(),
        }
    }

    pub fn operator(&self, id: OperatorId) -> Option<&OperatorFact> {
        self.operators.iter().find(|operator| operator.id == id)
    }

    pub fn event(&self, id: EventId) -> Option<&EventFact> {
        self.events.iter().find(|event| event.id == id)
    }

    pub fn game(&self, id: GameId) -> Option<&GameFact> {
        self.games.iter().find(|game| game.id == id)
    }

    /// Markets that were there before, with their earlier facts.
    pub fn known_markets<'a>(
        &'a self,
        before: &'a Facts,
    ) -> impl Iterator<Item = (&'a MarketFact, &'a MarketFact)> {
        self.markets.iter().enumerate().filter_map(|(place, after)| {
            // Nearly always at its old place: only retired events leave.
            let same = before.markets.get(place).filter(|market| market.id == after.id);
            let found = same.or_else(|| before.markets.iter().find(|market| market.id == after.id))?;
            Some((found, after))
        })
    }
}
