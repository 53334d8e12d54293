//! A venue that creates, ends and retires events until it has the wanted number.

use std::sync::Arc;

use exchange::Request;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{CancelMarkets, CloseTrading, Command, OpenEvent, ResolveMarket, Target};
use exchange::governance::Policy;
use exchange::id::{EventId, MarketId};
use exchange::identity::Actor;
use exchange::numbers::{Cents, Currency};
use exchange::order::Outcome;
use exchange::text::Text;
use load::Problem;
use load::random::Random;
use server::app::App;
use server::pipeline::clock::ManualClock;

pub const START_MICROS: i64 = 1_767_225_600_000_000;
/// Events that are created and ended together.
const GROUP: u64 = 50;
/// Events that stay open.
const OPEN: u64 = 100;
const ASSETS: [&str; 8] = ["Bitcoin", "Bitcoin", "Bitcoin", "Bitcoin", "Ether", "Gold", "Naira", "Euro"];
const TOPICS: [&str; 10] = [
    "election",
    "harvest",
    "championship",
    "album",
    "harbour",
    "budget",
    "vaccine",
    "satellite",
    "festival",
    "strike",
];
/// An event with these words is created early, and only once.
const RARE: u64 = 500;

pub struct Catalogue<'a> {
    app: &'a App,
    clock: Arc<ManualClock>,
    random: Random,
    made: u64,
}

impl<'a> Catalogue<'a> {
    /// Starts a venue where events leave memory a minute after their end.
    pub fn begin(app: &'a App, clock: Arc<ManualClock>) -> Result<Catalogue<'a>, Problem> {
        let policy = Policy { retire_after_seconds: 60, ..Policy::default() };
        submit(app, vec![Command::SetPolicy(policy)])?;
        Ok(Catalogue { app, clock, random: Random::new(11), made: 0 })
    }

    pub fn grow(&mut self, events: u64, mut progress: impl FnMut(u64)) -> Result<(), Problem> {
        while self.made < events {
            let first = self.made;
            self.made = events.min(first + GROUP);
            let mut commands = Vec::new();
            for number in first..self.made {
                self.add(number, &mut commands);
            }
            submit(self.app, commands)?;
            self.clock.advance_seconds(30);
            if self.made.is_multiple_of(50_000) {
                progress(self.made);
            }
        }
        self.clock.advance_seconds(120);
        submit(self.app, vec![Command::Tick, Command::Tick])
    }

    fn add(&mut self, number: u64, commands: &mut Vec<Command>) {
        let (event, market) =
            (EventId::new(u128::from(number) + 1), MarketId::new(u128::from(number) + (1 << 64)));
        commands.push(Command::CreateEvent(self.new_event(number, event, market)));
        commands.push(Command::OpenEvent(OpenEvent { event }));
        if number < OPEN {
            return;
        }
        let target = Target::Event(event);
        commands.push(Command::CloseTrading(CloseTrading { target }));
        commands.push(match number % 10 {
            0 => Command::CancelMarkets(CancelMarkets { target, yes: Cents::new(50).expect("half") }),
            _ => Command::ResolveMarket(ResolveMarket { market, outcome: Outcome::Yes }),
        });
    }

    fn new_event(&mut self, number: u64, id: EventId, market: MarketId) -> NewEvent {
        let topic = TOPICS[self.random.below(10) as usize];
        let asset = ASSETS[self.random.below(8) as usize];
        let (title, category) = match number {
            RARE => ("Will the glacier treaty be signed?".to_owned(), "politics"),
            _ if number.is_multiple_of(4) => {
                (format!("The {topic} of place {}", self.random.below(100_000)), topic)
            }
            _ => (format!("{asset} up or down, day {}, {}:15", number / 96, number % 24), "crypto"),
        };
        let description = format!("What happens to {topic} and {asset} is read at the source that is named.");
        NewEvent {
            id,
            slug: Text::from(format!("event-of-the-bench-{number}")),
            kind: EventKind::Single,
            engine: Engine::Clob,
            currencies: if number.is_multiple_of(3) { vec![Currency::Ngn] } else { Currency::ALL.to_vec() },
            details: EventDetails {
                title: Text::from(title),
                description: Text::from(description),
                category: Text::from(category),
                hashtags: vec![Text::from(topic)],
                ..EventDetails::default()
            },
            markets: vec![NewMarket {
                id: market,
                details: MarketDetails { title: Text::from("Will it?"), ..MarketDetails::default() },
            }],
            link: EventLink::None,
        }
    }
}

fn submit(app: &App, commands: Vec<Command>) -> Result<(), Problem> {
    let requests =
        commands.into_iter().map(|command| Request { actor: Actor::System, idempotency: None, command });
    for answer in app.writing().sequencer().submit_all_blocking(requests.collect())? {
        answer.result.map_err(|reject| format!("the catalogue cannot be created: {reject:?}"))?;
    }
    Ok(())
}
