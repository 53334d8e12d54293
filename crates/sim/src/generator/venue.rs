//! Events, their lifecycle, pools, sports.

use exchange::catalogue::{
    Engine, Event, EventDetails, EventKind, EventLink, Game, GameStatus, League, Market, MarketDetails,
    NewEvent, NewMarket, Standing, Status, Team,
};
use exchange::command::{
    CancelMarkets, CloseTrading, Command, EditEvent, GrowPool, ImportSports, MarketEdit, OpenEvent,
    PauseTrading, PriceRange, Request, ResolveMarket, ResumeTrading, SeedPool, Target,
};
use exchange::commands::create_soccer_events::NewSoccerEvents;
use exchange::governance::Score;
use exchange::id::{EventId, GameId, LeagueId, MarketId, TeamId};
use exchange::index::{ListingIndex, MarketIndex};
use exchange::numbers::{Cents, Currency, FeeRate, Money, PerCurrency, Ppm, Price};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::{Span, Time};

use super::{Generator, View};

/// Unfinished events: enough to trade in, few enough to be fast.
const LIVE_EVENTS_MAX: usize = 4;
const EVENTS_MAX: usize = 60;

impl Generator {
    /// Whether the run needs another event to trade in.
    pub(super) fn needs_event(view: View<'_>) -> bool {
        let catalogue = view.exchange.catalogue();
        let trades = |event: &Event, engine| event.engine == engine && event.status == Status::Open;
        let count = |engine| catalogue.events().filter(|(_, event)| trades(event, engine)).count();
        catalogue.events().len() < EVENTS_MAX && (count(Engine::Clob) < 2 || count(Engine::Amm) < 1)
    }

    pub(super) fn new_event(&mut self, view: View<'_>) -> Request {
        let catalogue = view.exchange.catalogue();
        let live = catalogue.events().filter(|(_, event)| event.status.has_orders()).count();
        if live >= LIVE_EVENTS_MAX || catalogue.events().len() >= EVENTS_MAX {
            return self.place(view);
        }
        let kind = self.random.one_of([EventKind::Single, EventKind::Combined, EventKind::Grouped]);
        let engine = self.random.one_of([Engine::Clob, Engine::Clob, Engine::Amm]);
        let mut commands = self.event_commands(view.now, kind, engine).into_iter();
        let first = commands.next().unwrap_or(Command::Tick);
        self.follow_ups.extend(commands);
        self.by_operator(view, first)
    }

    /// Commands to create, seed and open an event; refused ones are useful tests too.
    pub(super) fn event_commands(&mut self, now: Time, kind: EventKind, engine: Engine) -> Vec<Command> {
        let new = self.draft(now, kind, engine);
        let (event, currencies) = (new.id, new.currencies.clone());
        let markets: Vec<_> = new.markets.iter().map(|market| market.id).collect();
        let mut commands = vec![Command::CreateEvent(new)];
        // Some pools are left to be seeded by a proposal.
        if engine == Engine::Amm && !self.random.chance(8) {
            for market in markets {
                for currency in &currencies {
                    commands.push(self.seed(market, *currency));
                }
            }
        }
        if !self.random.chance(8) {
            commands.push(Command::OpenEvent(OpenEvent { event }));
        }
        commands
    }

    fn seed(&mut self, market: MarketId, currency: Currency) -> Command {
        let amount = match self.random.below(8) {
            0 => Money::new(self.random.between(0, 20_000) * currency.base()),
            _ => Money::whole(self.random.between(5, 1_500) * currency.base()),
        };
        let price = if self.random.chance(50) { Price::clamp(50) } else { self.price_near(50) };
        Command::SeedPool(SeedPool { market, currency, amount, price })
    }

    fn draft(&mut self, now: Time, kind: EventKind, engine: Engine) -> NewEvent {
        let id = EventId::new(self.fresh_id());
        let count = if kind == EventKind::Single { 1 } else { 2 + self.random.below(2) };
        let markets =
            (0..count).map(|_| NewMarket { id: MarketId::new(self.fresh_id()), details: self.details() });
        let markets = markets.collect();
        let currencies = match self.random.below(10) {
            0 => vec![self.random.one_of(Currency::ALL)],
            _ => Currency::ALL.to_vec(),
        };
        let closing_date = match self.random.below(6) {
            0 => Some(now + Span::minutes(self.random.between(1, 40))),
            1 => Some(now + Span::hours(self.random.between(1, 48))),
            _ => None,
        };
        let details = EventDetails {
            title: Text::from("A question"),
            category: Text::from("test"),
            closing_date,
            ..EventDetails::default()
        };
        let slug = Text::from(format!("event-{id}"));
        // Sometimes reuses the id or slug of an earlier event, which may have retired.
        let (id, slug) = match self.some_made(4) {
            Some(made) if self.random.chance(50) => (made.id, slug),
            Some(made) => (id, made.slug),
            None => (id, slug),
        };
        NewEvent { id, slug, kind, engine, currencies, details, markets, link: EventLink::None }
    }

    /// An earlier event, with a probability of `percent`.
    pub(super) fn some_made(&mut self, percent: usize) -> Option<NewEvent> {
        let count = self.made.len();
        let chosen = self.random.chance(percent) && count > 0;
        if chosen { self.made.get(self.random.below(count)).cloned() } else { None }
    }

    fn details(&mut self) -> MarketDetails {
        let fee = self.random.one_of([0, 1, 37, 100, 200, 200, 700, 1_000]);
        let mut details = MarketDetails {
            title: Text::from("Will it?"),
            fee_rate: FeeRate::new(fee).unwrap_or_default(),
            ..MarketDetails::default()
        };
        if self.random.chance(10) {
            details.order_min = PerCurrency { usd: Money::whole(5), ngn: Money::whole(500) };
        }
        details
    }

    /// An unfinished market whose status `suits` the next command.
    fn live_market(
        &mut self,
        view: View<'_>,
        suits: impl Fn(Status) -> bool,
    ) -> Option<(MarketIndex, Target)> {
        let catalogue = view.exchange.catalogue();
        let lax = self.random.chance(5);
        let fits = |(_, market): &(MarketIndex, &Market)| lax || suits(market.status);
        let markets: Vec<_> = catalogue.markets().filter(fits).map(|(index, _)| index).collect();
        let index = self.random.pick(&markets)?;
        let market = catalogue.market(index);
        let target = match self.random.chance(50) {
            true => Target::Event(catalogue.event(market.event).id),
            false => Target::Market(market.id),
        };
        Some((index, target))
    }

    pub(super) fn lifecycle(&mut self, view: View<'_>) -> Request {
        let what = self.random.below(11);
        let suits = move |status: Status| match what {
            0..=2 => status == Status::Open,
            3..=7 => status == Status::Paused,
            8 => status.has_orders(),
            _ => status == Status::Draft,
        };
        let Some((index, target)) = self.live_market(view, suits) else { return self.place(view) };
        let event = view.exchange.catalogue().event(view.exchange.catalogue().market(index).event);
        let command = match what {
            0..=2 => Command::PauseTrading(PauseTrading { target }),
            3..=7 => Command::ResumeTrading(ResumeTrading { target }),
            8 => Command::CloseTrading(CloseTrading { target }),
            9 => self.edit(view, event),
            _ => Command::OpenEvent(OpenEvent { event: event.id }),
        };
        self.by_operator(view, command)
    }

    fn edit(&mut self, view: View<'_>, event: &Event) -> Command {
        let mut details = event.details.clone();
        details.title = Text::from(if self.random.chance(90) { "A better question" } else { "" });
        let markets = event.markets.iter().map(|market| view.exchange.catalogue().market(*market).id);
        let markets = markets.take(1).map(|market| MarketEdit { market, details: self.details() }).collect();
        let known = if self.random.chance(90) { event.edited_at.unwrap_or(0) } else { 7 };
        let over = (view.exchange.rules_version() >= 4 && self.random.chance(50)).then_some(known);
        Command::EditEvent(EditEvent { event: event.id, details, markets, over })
    }

    pub(super) fn resolve(&mut self, view: View<'_>) -> Request {
        let outcome = if self.random.chance(40) { Outcome::Yes } else { Outcome::No };
        match self.live_market(view, |status| status == Status::Closed) {
            Some((index, _)) => {
                let market = view.exchange.catalogue().market(index).id;
                self.by_operator(view, Command::ResolveMarket(ResolveMarket { market, outcome }))
            }
            // No market is closed: close one and leave its siblings open.
            None => match self.live_market(view, Status::has_orders) {
                Some((index, _)) => {
                    let market = view.exchange.catalogue().market(index).id;
                    self.follow_ups.push_back(Command::ResolveMarket(ResolveMarket { market, outcome }));
                    self.by_operator(
                        view,
                        Command::CloseTrading(CloseTrading { target: Target::Market(market) }),
                    )
                }
                None => self.place(view),
            },
        }
    }

    pub(super) fn cancel_markets(&mut self, view: View<'_>) -> Request {
        let Some((_, target)) = self.live_market(view, |status| !status.is_final()) else {
            return self.place(view);
        };
        let cents = self.random.one_of([50, 50, 0, 100, 37, 99]);
        let yes = Cents::new(cents).unwrap_or(Cents::HALF);
        self.by_operator(view, Command::CancelMarkets(CancelMarkets { target, yes }))
    }

    pub(super) fn pool(&mut self, view: View<'_>) -> Request {
        let currency = self.currency();
        let market = self.market_id(view);
        let command = match self.random.chance(30) {
            true => self.seed(market, currency),
            false => {
                let amount = Money::new(self.random.between(0, 50_000_000) * currency.base());
                self.growth(view, market, currency, amount)
            }
        };
        self.by_operator(view, command)
    }

    /// A growth of a pool; from rules 4 on mostly with a range around the price.
    pub(super) fn growth(
        &mut self,
        view: View<'_>,
        market: MarketId,
        currency: Currency,
        amount: Money,
    ) -> Command {
        let catalogue = view.exchange.catalogue();
        let index = catalogue.find_market(market).map(|market| ListingIndex::new(market, currency));
        let price = index.map_or(500_000, |index| catalogue.listing(index).yes_price().units());
        let width = self.random.one_of([0, 1, 1_000, 20_000, 1_000_000]);
        let between = PriceRange { low: Ppm::new(price - width), high: Ppm::new(price + width) };
        let is_named = view.exchange.rules_version() >= 4 && self.random.chance(90);
        Command::GrowPool(GrowPool { market, currency, amount, between: is_named.then_some(between) })
    }

    pub(super) fn sports(&mut self, view: View<'_>) -> Request {
        let games: Vec<_> = view.exchange.catalogue().sports().games.values().map(|game| game.id).collect();
        let room = view.exchange.catalogue().events().len() + 6 < EVENTS_MAX;
        match self.random.pick(&games).filter(|_| room) {
            Some(game) if self.random.chance(60) => {
                let new = NewSoccerEvents {
                    game,
                    engine: Engine::Clob,
                    currencies: Currency::ALL.to_vec(),
                    market: self.details(),
                    spreads: vec![150],
                    totals: vec![150, 250],
                };
                self.by_operator(view, Command::CreateSoccerEvents(new))
            }
            _ => {
                let import = self.import(view.now);
                self.by_operator(view, import)
            }
        }
    }

    fn import(&mut self, now: Time) -> Command {
        let league = LeagueId::new(1);
        let text = Text::from;
        let team = |number: u128| Team {
            id: TeamId::new(number),
            sport: text("soccer"),
            name: text("A team"),
            slug: Text::from(format!("team-{number}")),
            short_code: text("TEA"),
            league,
            image_url: text(""),
            is_popular: false,
        };
        let number = 1 + self.random.below(3) as u128;
        // One of the games is always being played.
        let standing =
            (number == 3).then(|| Standing { score: Score { home: 1, away: 0 }, clock: text("63'") });
        let game = Game {
            id: GameId::new(number),
            slug: Text::from(format!("game-{number}")),
            sport: text("soccer"),
            league,
            home: TeamId::new(1),
            away: TeamId::new(1 + self.random.below(3) as u128),
            start: now + Span::hours(self.random.between(-1, 30)),
            status: if standing.is_some() { GameStatus::Live } else { GameStatus::Unplayed },
            is_popular: true,
            utc_offset_minutes: 60,
            score: None,
            standing,
            is_unpaid: None,
        };
        let leagues = vec![League {
            id: league,
            key: text("league"),
            name: text("The league"),
            short_name: text("L"),
            sport: text("soccer"),
            image_url: text(""),
        }];
        Command::ImportSports(ImportSports {
            leagues,
            teams: vec![team(1), team(2), team(3)],
            games: vec![game],
        })
    }
}
