//! A node with a listener, and two users who trade with each other: each trade is one message in the taker's room.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, Request,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::Actor;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;
use server::http::serving;
use server::limits::Rate;
use server::limits::Rates;
use server::node::Node;
use server::streams::StreamSettings;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::Problem;

const EVENT: EventId = EventId::new(1);
const MARKET: MarketId = MarketId::new(2);
const MAKER: u128 = 0;
const TAKER: u128 = 1;
/// All readers connect from one address at the same time.
const PLENTY: Rate = Rate::per_second(100_000_000);
/// Shares per trade.
const LOT: i64 = 4;
/// Trades that one resting order can fill.
const LOTS_RESTING: u64 = 10_000;

pub(crate) struct Stage {
    node: Node,
    pub(crate) address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    orders: u128,
    /// Trades that the resting orders can still fill.
    resting: u64,
}

impl Stage {
    pub(crate) fn build(runtime: &Runtime, folder: &Path) -> Result<Stage, Problem> {
        let rates = Rates { read: PLENTY, write: PLENTY, public: PLENTY };
        let node = Node::builder(folder).rates(rates).start()?;
        let an_hour = Duration::from_secs(3_600);
        node.app.streams().configure(StreamSettings {
            connections_per_network_max: 100_000,
            connections_max: 100_000,
            // The readers never send anything, so pings and idle timeouts are disabled.
            ping_after: an_hour,
            idle_max: an_hour,
            ..StreamSettings::default()
        });
        let _inside = runtime.enter();
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let router = server::routes::router(node.app.clone());
        let serving = runtime.spawn(serving::serve(TcpListener::from_std(listener)?, router, stopping));
        let stage = Stage { node, address, stop, serving, orders: 0, resting: 0 };
        stage.add_market()?;
        stage.add_user(MAKER)?;
        stage.add_user(TAKER)?;
        Ok(stage)
    }

    /// The subscription to the taker's trades.
    pub(crate) fn subscription() -> String {
        format!(r#"{{"type":"subscribe","channel":"user_trades","userId":"{}"}}"#, user_id(TAKER))
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.node.app.streams().dropped()
    }

    pub(crate) fn connections(&self) -> u64 {
        self.node.app.streams().connections()
    }

    /// Submits this many trades at once; returns when the last one is decided.
    pub(crate) fn trade(&mut self, count: u64) -> Result<(), Problem> {
        if self.resting < count {
            self.rest()?;
        }
        self.resting -= count;
        let requests = (0..count).map(|_| self.order(TAKER, Side::Buy, LOT)).collect();
        self.decide(requests)
    }

    fn rest(&mut self) -> Result<(), Problem> {
        self.orders += 1;
        let amount = Money::whole(LOT * i64::try_from(LOTS_RESTING)?);
        let mint = Command::MintSets(MintSets {
            id: OperationId::new(self.orders),
            market: MARKET,
            currency: Currency::Usd,
            amount,
        });
        let mint = Request { actor: actor(MAKER), idempotency: None, command: mint };
        let sell = self.order(MAKER, Side::Sell, LOT * i64::try_from(LOTS_RESTING)?);
        self.decide(vec![mint, sell])?;
        self.resting += LOTS_RESTING;
        Ok(())
    }

    fn order(&mut self, user: u128, side: Side, shares: i64) -> Request {
        self.orders += 1;
        let order = NewOrder {
            id: OrderId::new(7 << 96 | self.orders),
            outcome: OutcomeId::of(MARKET, Outcome::Yes as u64),
            side,
            kind: OrderKind::Limit,
            currency: Currency::Usd,
            sizing: Sizing::Quantity(Shares::whole(shares)),
            price: Price::new(50),
            time_in_force: None,
            post_only: false,
            self_trade: SelfTrade::default(),
            max_slippage: None,
            expires_at: None,
            client_order_id: None,
            path: None,
        };
        Request { actor: actor(user), idempotency: None, command: Command::PlaceOrder(order) }
    }

    fn decide(&self, requests: Vec<Request>) -> Result<(), Problem> {
        for answer in self.node.app.writing().sequencer().submit_all_blocking(requests)? {
            answer.result.map_err(|reject| format!("the stage was refused: {reject:?}"))?;
        }
        Ok(())
    }

    fn system(&self, command: Command) -> Result<(), Problem> {
        self.decide(vec![Request { actor: Actor::System, idempotency: None, command }])
    }

    fn add_market(&self) -> Result<(), Problem> {
        let title = Text::from("Will the messages arrive?");
        self.system(Command::CreateEvent(NewEvent {
            id: EVENT,
            slug: Text::from("arrive"),
            kind: EventKind::Single,
            engine: Engine::Clob,
            currencies: vec![Currency::Usd],
            details: EventDetails {
                title: title.clone(),
                category: Text::from("bench"),
                ..EventDetails::default()
            },
            markets: vec![NewMarket {
                id: MARKET,
                details: MarketDetails { title, ..MarketDetails::default() },
            }],
            link: EventLink::None,
        }))?;
        self.system(Command::OpenEvent(OpenEvent { event: EVENT }))
    }

    fn add_user(&self, index: u128) -> Result<(), Problem> {
        let (id, session) = (user_id(index), SessionId::new(4 << 96 | index));
        let (address, tag) =
            (Hash32::of(&format!("{index}@example.com")), Text::from(format!("user{index}")));
        self.system(Command::CreateUser(CreateUser {
            id,
            address,
            tag,
            row: RowId::new(id.as_u128()),
            expires_at: Time::NEVER,
        }))?;
        let (token_hash, device) = (Hash32::of(&format!("token {index}")), Text::from("bench"));
        self.system(Command::OpenSession(OpenSession {
            user: id,
            password_version: 0,
            id: session,
            token_hash,
            device,
        }))?;
        let create = Command::CreateApiKey(CreateApiKey {
            id: key_id(index),
            name: Text::from("bench"),
            public_key: Text::from(format!("pk_live_{index:032x}")),
        });
        self.decide(vec![Request { actor: Actor::Session { session }, idempotency: None, command: create }])?;
        self.system(Command::CreditWallet(CreditWallet {
            user: id,
            currency: Currency::Usd,
            amount: Money::whole(500_000_000),
            reference: Text::from(format!("stake {index}")),
        }))
    }

    pub(crate) fn end(self, runtime: Runtime) -> Result<(), Problem> {
        // A closed receiver means that the server has already ended.
        let _ = self.stop.send(true);
        runtime.block_on(self.serving)?;
        runtime.shutdown_timeout(Duration::from_secs(5));
        let stopped = self.node.stop()?;
        if stopped.live != stopped.replayed {
            return Err("the journal does not give the state that was served".into());
        }
        println!("\nStopped at sequence {}: the journal gives the same state.", stopped.seq);
        Ok(())
    }
}

const fn user_id(index: u128) -> UserId {
    UserId::new(3 << 96 | index)
}

const fn key_id(index: u128) -> KeyId {
    KeyId::new(5 << 96 | index)
}

const fn actor(index: u128) -> Actor {
    Actor::Key { key: key_id(index), generation: 0 }
}
