//! The stage: users with keys and money, books with depth, seeded pools.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, Request};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OutcomeId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, Price};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Time;

pub(crate) const USERS: u32 = 1_000;
pub(crate) const BOOKS: u32 = 20;
pub(crate) const POOLS: u32 = 10;
pub(crate) const START: Time = Time::from_seconds(1_767_225_600);

pub(crate) fn actor(user: u32) -> Actor {
    Actor::Key { key: KeyId::new(u128::from(user) + 1_000_000), generation: 0 }
}

pub(crate) fn market(index: u32) -> MarketId {
    MarketId::new(u128::from(index) + 2_000_000)
}

pub(crate) fn outcome(index: u32, outcome: Outcome) -> OutcomeId {
    OutcomeId::of(market(index), outcome as u64)
}

/// An exchange ready to trade. Markets 0..BOOKS are books, the next POOLS are pools.
pub(crate) fn build() -> Exchange {
    let mut exchange = Exchange::new();
    for user in 0..USERS {
        add_user(&mut exchange, user);
    }
    fund(&mut exchange, Exchange::HOUSE, 100_000_000);
    for index in 0..BOOKS + POOLS {
        add_event(&mut exchange, index, if index < BOOKS { Engine::Clob } else { Engine::Amm });
    }
    exchange
}

fn system(exchange: &mut Exchange, command: Command) {
    let request = Request { actor: Actor::System, idempotency: None, command };
    exchange.apply(START, &request).expect("the stage is set by the rules");
}

fn fund(exchange: &mut Exchange, user: UserId, whole: i64) {
    for currency in Currency::ALL {
        let reference = Text::from(format!("{user} {}", currency.code()));
        let amount = Money::whole(whole * if user == Exchange::HOUSE { 1 } else { currency.base() });
        system(exchange, Command::CreditWallet { user, currency, amount, reference });
    }
}

fn add_user(exchange: &mut Exchange, user: u32) {
    let (id, session) = (UserId::new(u128::from(user) + 1), SessionId::new(u128::from(user) + 1));
    let (email, tag) = (Text::from(format!("user{user}@example.com")), Text::from(format!("user{user}")));
    system(exchange, Command::CreateUser { id, email, tag, password_hash: None });
    let token_hash = Hash32::of(&format!("token {user}"));
    let device = Text::from("bench");
    system(exchange, Command::OpenSession { user: id, password_version: 0, id: session, token_hash, device });
    let Actor::Key { key, .. } = actor(user) else { return };
    let (name, public_key) = (Text::from("bench"), Text::from(format!("pk_{user}")));
    let create = Command::CreateApiKey { id: key, name, public_key };
    let request = Request { actor: Actor::Session { session }, idempotency: None, command: create };
    exchange.apply(START, &request).expect("a first key");
    fund(exchange, id, 1_000_000);
}

fn add_event(exchange: &mut Exchange, index: u32, engine: Engine) {
    let id = EventId::new(u128::from(index) + 3_000_000);
    let details = MarketDetails {
        title: Text::from(format!("market {index}")),
        fee_rate: FeeRate::new(200).expect("2 %"),
        ..MarketDetails::default()
    };
    let new = NewEvent {
        id,
        slug: Text::from(format!("event-{index}")),
        kind: EventKind::Single,
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(format!("event {index}")),
            category: Text::from("bench"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: market(index), details }],
        link: EventLink::None,
    };
    system(exchange, Command::CreateEvent(new));
    if engine == Engine::Amm {
        for currency in Currency::ALL {
            let (amount, price) = (Money::whole(50_000 * currency.base()), Price::clamp(50));
            system(exchange, Command::SeedPool { market: market(index), currency, amount, price });
        }
    }
    system(exchange, Command::OpenEvent { event: id });
}
