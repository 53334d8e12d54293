//! A venue with many users with keys and money, books and seeded pools, as the requests that create it.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession, Request, SeedPool,
};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, Price};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Time;

pub const USERS: u32 = 1_000;
pub const BOOKS: u32 = 20;
pub const POOLS: u32 = 10;
/// The size of a venue. Its users have the numbers from 0, its markets too: first those with books, then those with
/// pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub people: u32,
    pub books: u32,
    pub pools: u32,
    /// Whole dollars of each person, and as many units of the other currency.
    pub stake: i64,
}

/// The venue of the benchmarks that do not vary its size.
pub const USUAL: Size = Size { people: USERS, books: BOOKS, pools: POOLS, stake: 1_000_000 };

pub const START: Time = Time::from_seconds(1_767_225_600);

pub fn key(user: u32) -> KeyId {
    KeyId::new(u128::from(user) + 1_000_000)
}

pub fn actor(user: u32) -> Actor {
    Actor::Key { key: key(user), generation: 0 }
}

pub fn user(user: u32) -> UserId {
    UserId::new(u128::from(user) + 1)
}

pub fn public_key(user: u32) -> String {
    format!("pk_live_{user:032x}")
}

pub fn event(index: u32) -> EventId {
    EventId::new(u128::from(index) + 3_000_000)
}

pub fn market(index: u32) -> MarketId {
    MarketId::new(u128::from(index) + 2_000_000)
}

pub fn outcome(index: u32, outcome: Outcome) -> OutcomeId {
    OutcomeId::of(market(index), outcome as u64)
}

/// An exchange ready to trade. Markets 0..BOOKS have books, the next POOLS have pools.
pub fn build() -> Exchange {
    let mut exchange = Exchange::new();
    for request in requests() {
        exchange
            .apply(START, &request)
            .expect("a request of this build")
            .expect("no command of the setup is refused");
    }
    exchange
}

/// The requests that create the venue.
pub fn requests() -> Vec<Request> {
    requests_of(USUAL).collect()
}

/// The requests that create a venue of this size, made one by one.
pub fn requests_of(size: Size) -> impl Iterator<Item = Request> {
    let users = (0..size.people).flat_map(move |user| {
        let mut requests = Vec::new();
        add_user(&mut requests, user, size.stake);
        requests
    });
    let events = (0..size.books + size.pools).flat_map(move |index| {
        let mut requests = Vec::new();
        if index == 0 {
            fund(&mut requests, Exchange::HOUSE, 100_000_000);
        }
        add_event(&mut requests, index, if index < size.books { Engine::Clob } else { Engine::Amm });
        requests
    });
    users.chain(events)
}

fn system(requests: &mut Vec<Request>, command: Command) {
    requests.push(Request { actor: Actor::System, idempotency: None, command });
}

fn fund(requests: &mut Vec<Request>, user: UserId, whole: i64) {
    for currency in Currency::ALL {
        let reference = Text::from(format!("{user} {}", currency.code()));
        let amount = Money::whole(whole * if user == Exchange::HOUSE { 1 } else { currency.base() });
        system(requests, Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
    }
}

fn add_user(requests: &mut Vec<Request>, user: u32, stake: i64) {
    let (id, session) = (self::user(user), SessionId::new(u128::from(user) + 1));
    let (address, tag) = (Hash32::of(&format!("user{user}@example.com")), Text::from(format!("user{user}")));
    system(
        requests,
        Command::CreateUser(CreateUser {
            id,
            address,
            tag,
            row: RowId::new(id.as_u128()),
            expires_at: Time::NEVER,
        }),
    );
    let token_hash = Hash32::of(&format!("token {user}"));
    let device = Text::from("bench");
    system(
        requests,
        Command::OpenSession(OpenSession { user: id, password_version: 0, id: session, token_hash, device }),
    );
    let key = key(user);
    let (name, public_key) = (Text::from("bench"), Text::from(public_key(user)));
    let create = Command::CreateApiKey(CreateApiKey { id: key, name, public_key });
    requests.push(Request { actor: Actor::Session { session }, idempotency: None, command: create });
    fund(requests, id, stake);
}

fn add_event(requests: &mut Vec<Request>, index: u32, engine: Engine) {
    let id = event(index);
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
    system(requests, Command::CreateEvent(new));
    if engine == Engine::Amm {
        for currency in Currency::ALL {
            let (amount, price) = (Money::whole(50_000 * currency.base()), Price::clamp(50));
            system(requests, Command::SeedPool(SeedPool { market: market(index), currency, amount, price }));
        }
    }
    system(requests, Command::OpenEvent(OpenEvent { event: id }));
}
