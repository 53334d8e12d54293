//! The measured servers: a node in a temporary folder with users, keys and markets, and the floor, both with the same
//! serving code on one runtime.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::signing::SigningKey;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, Request,
};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OperationId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money};
use exchange::order::Outcome;
use exchange::text::Text;
use exchange::time::Time;
use server::app::App;
use server::http::admission::Admission;
use server::http::serving;
use server::limits::Rate;
use server::limits::Rates;
use server::node::Node;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::Problem;

const USERS: u128 = 256;
const MARKETS: u128 = 8;
/// Too high to be reached, but still charged.
const PLENTY: Rate = Rate::per_second(100_000_000);

/// A trader.
#[derive(Debug)]
pub struct User {
    pub public_key: String,
    pub key: SigningKey,
}

/// A market to trade in.
#[derive(Debug)]
pub struct Market {
    pub event: String,
    /// The path of its orders.
    pub orders: String,
    pub yes: String,
    /// The paths of its book and its ticker.
    pub hot: [String; 2],
    /// All trades of one user in it: found by scanning a whole list.
    pub wide: String,
}

impl Market {
    pub fn of(event: EventId, market: MarketId, user: UserId) -> Market {
        let yes = OutcomeId::of(market, Outcome::Yes as u64).to_string();
        Market {
            event: format!("/v1/pm/events/{event}"),
            orders: format!("/v1/pm/events/{event}/markets/{market}/orders"),
            hot: [
                format!("/v1/pm/books?outcomeId={yes}"),
                format!("/v1/pm/markets/{market}/ticker?outcome=YES"),
            ],
            wide: format!("/v1/pm/trades?size=100&userId={user}&marketId={market}"),
            yes,
        }
    }
}

/// A node with its users and markets.
#[derive(Debug)]
pub struct Stage {
    pub node: Node,
    pub users: Arc<Vec<User>>,
    pub markets: Vec<Market>,
}

impl Stage {
    pub fn build(folder: &Path) -> Result<Stage, Problem> {
        let node = Node::builder(folder).rates(rates()).start()?;
        let (users, markets) = populate(&node.app)?;
        Ok(Stage { node, users, markets })
    }

    /// Waits until history has stored everything.
    pub fn settle(&self) -> Result<(), Problem> {
        let seq = self.node.app.reading().state().seq();
        settle(&self.node, seq)
    }
}

/// Limits that are charged but never reached.
pub fn rates() -> Rates {
    Rates { read: PLENTY, write: PLENTY, public: PLENTY }
}

/// Waits until a node's history has stored everything up to a sequence.
pub fn settle(node: &Node, seq: u64) -> Result<(), Problem> {
    let patience = Instant::now() + Duration::from_secs(60);
    while node.app.reading().history().stored() < seq {
        if Instant::now() > patience {
            return Err("history did not catch up".into());
        }
        // Store the rest now instead of waiting for a larger batch.
        node.app.reading().history().hurry(seq);
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

/// Creates users and markets.
pub fn populate(app: &App) -> Result<(Arc<Vec<User>>, Vec<Market>), Problem> {
    let mut requests = Vec::new();
    for index in 0..MARKETS {
        add_market(&mut requests, index)?;
    }
    for index in 0..USERS {
        add_user(&mut requests, index);
    }
    for answer in app.writing().sequencer().submit_all_blocking(requests)? {
        answer.result.map_err(|reject| format!("the stage cannot be created: {reject:?}"))?;
    }
    let users = (0..USERS).map(|index| User {
        public_key: public_key(index),
        key: SigningKey::new(&app.access().keyring().secret(key_id(index), 0)),
    });
    let markets = (0..MARKETS).map(|index| Market::of(event_id(index), market_id(index), user_id(index)));
    Ok((Arc::new(users.collect()), markets.collect()))
}

fn ask(requests: &mut Vec<Request>, actor: Actor, command: Command) {
    requests.push(Request { actor, idempotency: None, command });
}

const fn event_id(index: u128) -> EventId {
    EventId::new(1 << 96 | index)
}

const fn market_id(index: u128) -> MarketId {
    MarketId::new(2 << 96 | index)
}

const fn user_id(index: u128) -> UserId {
    UserId::new(3 << 96 | index)
}

const fn key_id(index: u128) -> KeyId {
    KeyId::new(5 << 96 | index)
}

fn public_key(index: u128) -> String {
    format!("pk_live_{index:032x}")
}

fn add_market(requests: &mut Vec<Request>, index: u128) -> Result<(), Problem> {
    let event = event_id(index);
    let details = MarketDetails {
        title: Text::from(format!("Will number {index} come in?")),
        rules: Text::from("It comes in when the clerk says so. Otherwise it does not."),
        fee_rate: FeeRate::new(100).ok_or("no such fee")?,
        ..MarketDetails::default()
    };
    let new = NewEvent {
        id: event,
        slug: Text::from(format!("number-{index}")),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails {
            title: Text::from(format!("Will number {index} come in?")),
            category: Text::from("bench"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: market_id(index), details }],
        link: EventLink::None,
    };
    ask(requests, Actor::System, Command::CreateEvent(new));
    ask(requests, Actor::System, Command::OpenEvent(OpenEvent { event }));
    Ok(())
}

fn add_user(requests: &mut Vec<Request>, index: u128) {
    let (id, session, key) = (user_id(index), SessionId::new(4 << 96 | index), key_id(index));
    let (address, tag) =
        (Hash32::of(&format!("user{index}@example.com")), Text::from(format!("user{index}")));
    ask(
        requests,
        Actor::System,
        Command::CreateUser(CreateUser {
            id,
            address,
            tag,
            row: RowId::new(id.as_u128()),
            expires_at: Time::NEVER,
        }),
    );
    let (token_hash, device) = (Hash32::of(&format!("token {index}")), Text::from("bench"));
    let open =
        Command::OpenSession(OpenSession { user: id, password_version: 0, id: session, token_hash, device });
    ask(requests, Actor::System, open);
    let (name, public_key) = (Text::from("bench"), Text::from(public_key(index)));
    ask(
        requests,
        Actor::Session { session },
        Command::CreateApiKey(CreateApiKey { id: key, name, public_key }),
    );
    let (currency, reference) = (Currency::Usd, Text::from(format!("stake {index}")));
    let amount = Money::whole(10_000_000);
    ask(
        requests,
        Actor::System,
        Command::CreditWallet(CreditWallet { user: id, currency, amount, reference }),
    );
    for market in 0..MARKETS {
        // Shares to sell, so that every order can be funded.
        let mint = Command::MintSets(MintSets {
            id: OperationId::new(6 << 96 | index << 32 | market),
            market: market_id(market),
            currency,
            amount: Money::whole(100_000),
        });
        ask(requests, Actor::Key { key, generation: 0 }, mint);
    }
}

/// A router with its own listener.
#[derive(Debug)]
pub struct Served {
    pub address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Served {
    pub fn start(runtime: &Runtime, router: axum::Router) -> Result<Served, Problem> {
        let _inside = runtime.enter();
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let task = runtime.spawn(serving::serve(TcpListener::from_std(listener)?, router, stopping));
        Ok(Served { address, stop, task })
    }

    /// The public listener of a node, as `bellwether serve` runs it.
    pub fn start_node(runtime: &Runtime, app: &Arc<App>) -> Result<Served, Problem> {
        let _inside = runtime.enter();
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let (listener, router) = (TcpListener::from_std(listener)?, server::routes::router(app.clone()));
        let (timeouts, admission) = (serving::Timeouts::default(), Arc::new(Admission::unlimited()));
        let serving =
            serving::serve_with_lanes(listener, app.clone(), router, timeouts, admission, stopping)?;
        let task = runtime.spawn(serving);
        Ok(Served { address, stop, task })
    }

    pub fn end(self, runtime: &Runtime) -> Result<(), Problem> {
        // A closed receiver means that the server has already ended.
        let _ = self.stop.send(true);
        Ok(runtime.block_on(self.task)?)
    }
}
