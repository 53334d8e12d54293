//! Creates what the demo needs and does not exist yet. Every step checks first, so the next start completes an
//! interrupted one and nothing is created twice.

use exchange::Request;
use exchange::catalogue::{Engine, Status};
use exchange::command::{Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession, SeedPool};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OrderId, OutcomeId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::index::ListingIndex;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::Time;
use server::access::passwords;
use server::app::App;
use server::identifiers::id_at;
use server::people::{Address, PeopleError};
use server::pipeline::sequencer::SubmitError;
use server::secrets::random_bytes;
use uuid::Uuid;

use super::linked;
use super::people::{NAMES, Person, WITHOUT_BOT, email, password};
use super::samples::{SAMPLES, Sample};

/// In USD; a naira wallet gets a hundred times as much, because a share pays 100 NGN.
const MONEY_OF_A_PERSON: i64 = 100_000;
const MONEY_OF_THE_HOUSE: i64 = 1_000_000;
const POOL: i64 = 10_000;
/// Resting orders per side of each book, a cent apart.
const LEVELS: u8 = 4;

#[derive(Debug, thiserror::Error)]
pub(super) enum StageError {
    #[error("the demo could not be built: {0}")]
    Submit(#[from] SubmitError),
    #[error("the demo could not be built: {0}")]
    People(#[from] PeopleError),
    #[error("the demo could not be built: {what}: {reject:?}")]
    Refused { what: &'static str, reject: Reject },
    #[error("the demo could not be built: {0} is not there")]
    Missing(&'static str),
}

pub(super) fn build(app: &App) -> Result<Vec<Person>, StageError> {
    let house = UserId::new(0);
    for currency in Currency::ALL {
        credit(app, house, currency, MONEY_OF_THE_HOUSE, "house")?;
    }
    let people = NAMES.iter().map(|name| person(app, name)).collect::<Result<Vec<_>, _>>()?;
    for sample in SAMPLES {
        event(app, sample, &people)?;
    }
    linked::build(app, &people)?;
    Ok(people)
}

fn person(app: &App, name: &str) -> Result<Person, StageError> {
    let (email, password) = (email(name), password(app, name));
    let address = Address::normalised(&email);
    let hash = app.access().people().address_hash(&address);
    let known = app.reading().state().directory().find_by_address(hash);
    if known.is_none() {
        let id = UserId::new(Uuid::now_v7().as_u128());
        let person = server::people::Person::new(&address, Some(passwords::hash(&password)));
        let row = app.access().people().write_blocking(id, &person)?;
        let create = Command::CreateUser(CreateUser {
            id,
            address: hash,
            tag: Text::from(name),
            row: row.id,
            expires_at: row.expires_at,
        });
        submit(app, Actor::System, "a user", create)?;
    }
    let (user, version) = {
        let exchange = app.reading().state();
        let index = exchange.directory().find_by_address(hash);
        let record = exchange.directory().user(index.ok_or(StageError::Missing("a user"))?);
        (record.id, record.password_version)
    };
    for currency in Currency::ALL {
        credit(app, user, currency, MONEY_OF_A_PERSON, name)?;
    }
    let key = match first_key(app, user) {
        Some(key) => key,
        None => make_key(app, user, version)?,
    };
    let secret_key = app.access().keyring().secret(key.id, key.generation).expose().to_owned();
    let public_key = key.public_key.to_string();
    Ok(Person { email, user, key: key.id, generation: key.generation, public_key, secret_key, password })
}

fn first_key(app: &App, user: UserId) -> Option<exchange::identity::ApiKey> {
    let exchange = app.reading().state();
    let index = exchange.directory().find(user)?;
    exchange.directory().user(index).keys.first().cloned()
}

/// Creates a key as its owner would: with a session. The session's token is not kept, so the session is ended at once.
fn make_key(app: &App, user: UserId, version: u32) -> Result<exchange::identity::ApiKey, StageError> {
    let session = SessionId::new(Uuid::now_v7().as_u128());
    let open = Command::OpenSession(OpenSession {
        user,
        password_version: version,
        id: session,
        token_hash: Hash32::new(random_bytes()),
        device: Text::from("demo"),
    });
    submit(app, Actor::System, "a session", open)?;
    let create = Command::CreateApiKey(CreateApiKey {
        id: KeyId::new(Uuid::now_v7().as_u128()),
        name: Text::from("demo"),
        public_key: Text::from(api::signing::public_key(&random_bytes())),
    });
    let made = submit(app, Actor::Session { session }, "an API key", create)?;
    submit(app, Actor::Session { session }, "the end of a session", Command::EndSession)?;
    match made {
        Reply::ApiKey(key) => Ok(key),
        _ => Err(StageError::Missing("an API key")),
    }
}

/// A reference is accepted once, so a second start does not pay again.
fn credit(app: &App, user: UserId, currency: Currency, dollars: i64, name: &str) -> Result<(), StageError> {
    let reference = format!("demo {name} {}", currency.code());
    if app.reading().state().has_reference(&reference) {
        return Ok(());
    }
    let (amount, reference) = (Money::whole(dollars * currency.base()), Text::from(reference));
    submit(
        app,
        Actor::System,
        "money",
        Command::CreditWallet(CreditWallet { user, currency, amount, reference }),
    )?;
    Ok(())
}

pub(super) fn event(app: &App, sample: &Sample, people: &[Person]) -> Result<(), StageError> {
    let (event, engine, markets) = match find(app, sample) {
        Some(found) => found,
        None => {
            submit(app, Actor::System, "an event", Command::CreateEvent(sample.event(app.now())))?;
            find(app, sample).ok_or(StageError::Missing("an event"))?
        }
    };
    if status(app, event) == Some(Status::Draft) {
        if engine == Engine::Amm {
            for (market, (_, cents)) in markets.iter().zip(sample.markets) {
                seed(app, *market, *cents)?;
            }
        }
        submit(app, Actor::System, "an open event", Command::OpenEvent(OpenEvent { event }))?;
    }
    if engine == Engine::Clob && status(app, event) == Some(Status::Open) {
        for (market, (_, cents)) in markets.iter().zip(sample.markets) {
            for currency in Currency::ALL {
                fill_book(app, *market, currency, *cents, people)?;
            }
        }
    }
    Ok(())
}

fn find(app: &App, sample: &Sample) -> Option<(EventId, Engine, Vec<MarketId>)> {
    let exchange = app.reading().state();
    let catalogue = exchange.catalogue();
    let event = catalogue.event(catalogue.find_event_by_slug(sample.slug)?);
    let markets = event.markets.iter().map(|market| catalogue.market(*market).id).collect();
    Some((event.id, event.engine, markets))
}

fn status(app: &App, event: EventId) -> Option<Status> {
    let exchange = app.reading().state();
    let catalogue = exchange.catalogue();
    Some(catalogue.event(catalogue.find_event(event)?).status)
}

fn seed(app: &App, market: MarketId, cents: u8) -> Result<(), StageError> {
    let price = Price::clamp(i64::from(cents));
    for currency in Currency::ALL {
        let is_seeded = {
            let exchange = app.reading().state();
            let index = exchange.catalogue().find_market(market).ok_or(StageError::Missing("a market"))?;
            exchange.catalogue().listing(ListingIndex::new(index, currency)).pool().is_some()
        };
        if !is_seeded {
            let amount = Money::whole(POOL * currency.base());
            submit(
                app,
                Actor::System,
                "a pool",
                Command::SeedPool(SeedPool { market, currency, amount, price }),
            )?;
        }
    }
    Ok(())
}

/// Places orders of the people with bots around a price, in an unused book.
pub(super) fn fill_book(
    app: &App,
    market: MarketId,
    currency: Currency,
    cents: u8,
    people: &[Person],
) -> Result<(), StageError> {
    let is_used = {
        let exchange = app.reading().state();
        let index = exchange.catalogue().find_market(market).ok_or(StageError::Missing("a market"))?;
        exchange.catalogue().listing(ListingIndex::new(index, currency)).orders > 0
    };
    if is_used {
        return Ok(());
    }
    for level in 1..=LEVELS {
        let makers = people.iter().skip(WITHOUT_BOT).cycle().skip(usize::from(level));
        // A bid for NO is an ask for YES, so no shares are needed.
        let bids = [(0, cents.saturating_sub(level)), (1, 100 - cents.saturating_add(level))];
        for ((outcome, price), maker) in bids.into_iter().zip(makers) {
            let quantity = Shares::new(i64::from(level) * 50 * 10_000);
            let price = Price::clamp(i64::from(price));
            let order = bid(app.now(), OutcomeId::of(market, outcome), currency, price, quantity);
            submit(app, maker.actor(), "a resting order", Command::PlaceOrder(order))?;
        }
    }
    Ok(())
}

/// A limit order to buy. It cancels its owner's older orders that it would cross, so that no book of the demo is crossed.
pub(super) fn bid(
    now: Time,
    outcome: OutcomeId,
    currency: Currency,
    price: Price,
    quantity: Shares,
) -> NewOrder {
    NewOrder {
        id: OrderId::new(id_at(now.micros()).as_u128()),
        outcome,
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency,
        sizing: Sizing::Quantity(quantity),
        price: Some(price),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::CancelOldest,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

pub(super) fn submit(
    app: &App,
    actor: Actor,
    what: &'static str,
    command: Command,
) -> Result<Reply, StageError> {
    let answer = app.writing().sequencer().submit_blocking(Request { actor, idempotency: None, command })?;
    answer.result.map_err(|reject| StageError::Refused { what, reject })
}
