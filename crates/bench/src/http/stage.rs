//! What is measured: a node in a temporary folder with users, keys and markets, and the floor, both behind the same
//! serving code on one runtime.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::signing::SigningKey;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, Request};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OperationId, OutcomeId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money};
use exchange::order::Outcome;
use exchange::text::Text;
use server::app::{App, Rates};
use server::http::serving;
use server::limits::Rate;
use server::node::Node;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::Problem;

const USERS: u128 = 256;
const MARKETS: u128 = 8;
/// High enough not to be met, and charged all the same.
const PLENTY: Rate = Rate::per_second(100_000_000);

/// One who trades.
#[derive(Debug)]
pub(crate) struct User {
    pub(crate) public_key: String,
    pub(crate) key: SigningKey,
}

/// One that is traded in.
#[derive(Debug)]
pub(crate) struct Market {
    pub(crate) event: String,
    /// The path of its orders.
    pub(crate) orders: String,
    pub(crate) yes: String,
    /// Its book and its ticker.
    pub(crate) hot: [String; 2],
    /// Everything that one user traded in it: found by going through a whole list.
    pub(crate) wide: String,
}

/// A node with its people.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) node: Node,
    pub(crate) users: Arc<Vec<User>>,
    pub(crate) markets: Vec<Market>,
}

impl Stage {
    pub(crate) fn build(folder: &Path) -> Result<Stage, Problem> {
        let rates = Rates { read: PLENTY, write: PLENTY, public: PLENTY };
        let node = Node::start(folder, rates, |_, _| {})?;
        let app = &node.app;
        let mut markets = Vec::new();
        for index in 0..MARKETS {
            markets.push(add_market(app, index)?);
        }
        let mut users = Vec::new();
        for index in 0..USERS {
            users.push(add_user(app, index)?);
        }
        Ok(Stage { node, users: Arc::new(users), markets })
    }

    /// Waits until history and the follower have done what they owe.
    pub(crate) fn settle(&self) -> Result<(), Problem> {
        let patience = Instant::now() + Duration::from_secs(60);
        let seq = self.node.app.shared.read().seq();
        while self.node.app.history.stored() < seq {
            if Instant::now() > patience {
                return Err("history does not catch up".into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

fn decide(app: &App, actor: Actor, command: Command) -> Result<(), Problem> {
    let request = Request { actor, idempotency: None, command };
    let answer = app.sequencer.submit_blocking(request)?;
    answer.result.map(drop).map_err(|reject| format!("the stage cannot be set: {reject:?}").into())
}

fn add_market(app: &App, index: u128) -> Result<Market, Problem> {
    let (event, market) = (EventId::new(1 << 96 | index), MarketId::new(2 << 96 | index));
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
        markets: vec![NewMarket { id: market, details }],
        link: EventLink::None,
    };
    decide(app, Actor::System, Command::CreateEvent(new))?;
    decide(app, Actor::System, Command::OpenEvent { event })?;
    let yes = OutcomeId::of(market, Outcome::Yes as u64).to_string();
    Ok(Market {
        event: format!("/v1/pm/events/{event}"),
        orders: format!("/v1/pm/events/{event}/markets/{market}/orders"),
        hot: [format!("/v1/pm/books?outcomeId={yes}"), format!("/v1/pm/markets/{market}/ticker?outcome=YES")],
        wide: format!("/v1/pm/trades?size=100&userId={}&marketId={market}", user_id(index)),
        yes,
    })
}

fn user_id(index: u128) -> UserId {
    UserId::new(3 << 96 | index)
}

fn add_user(app: &App, index: u128) -> Result<User, Problem> {
    let (id, session, key) = (user_id(index), SessionId::new(4 << 96 | index), 5 << 96 | index);
    let (email, tag) = (Text::from(format!("user{index}@example.com")), Text::from(format!("user{index}")));
    decide(app, Actor::System, Command::CreateUser { id, email, tag, password_hash: None })?;
    let (token_hash, device) = (Hash32::of(&format!("token {index}")), Text::from("bench"));
    let open = Command::OpenSession { user: id, password_version: 0, id: session, token_hash, device };
    decide(app, Actor::System, open)?;
    let (public_key, key) = (format!("pk_live_{index:032x}"), KeyId::new(key));
    let (name, public) = (Text::from("bench"), Text::from(public_key.as_str()));
    decide(app, Actor::Session { session }, Command::CreateApiKey { id: key, name, public_key: public })?;
    let (currency, reference) = (Currency::Usd, Text::from(format!("stake {index}")));
    let amount = Money::whole(10_000_000);
    decide(app, Actor::System, Command::CreditWallet { user: id, currency, amount, reference })?;
    for market in 0..MARKETS {
        // Shares to sell, so that every order can be funded.
        let mint = Command::MintSets {
            id: OperationId::new(6 << 96 | index << 32 | market),
            market: MarketId::new(2 << 96 | market),
            currency,
            amount: Money::whole(100_000),
        };
        decide(app, Actor::Key { key, generation: 0 }, mint)?;
    }
    Ok(User { public_key, key: SigningKey::new(&app.keyring.secret(key, 0)) })
}

/// A router behind a listener of its own.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Served {
    pub(crate) fn start(runtime: &Runtime, router: axum::Router) -> Result<Served, Problem> {
        let _inside = runtime.enter();
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let task = runtime.spawn(serving::serve(TcpListener::from_std(listener)?, router, stopping));
        Ok(Served { address, stop, task })
    }

    pub(crate) fn end(self, runtime: &Runtime) -> Result<(), Problem> {
        // Nobody listening any more is as good as having told them.
        let _ = self.stop.send(true);
        Ok(runtime.block_on(self.task)?)
    }
}
