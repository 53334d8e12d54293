//! A small world for tests: an exchange, people with money and keys, events, and a manual clock.
//!
//! Names map to ids: `id("alice")` is the same everywhere. Every request goes through `apply`, and all invariants are
//! checked after it.

#![allow(dead_code, reason = "each test file uses its part")]

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::change::Change;
use exchange::command::{
    ApprovePasswordReset, Command, CreateApiKey, CreateOperator, CreateUser, CreditWallet, MintSets,
    OpenEvent, OpenSession, Request, RequestPasswordReset, SeedPool, UpgradeRules,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OperatorId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::{Actor, Role};
use exchange::index::{ListingIndex, UserIndex};
use exchange::invariants;
use exchange::numbers::{Currency, FeeRate, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, OrderRecord, Outcome, SelfTrade, Side, Sizing};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};

/// The id of a name.
pub fn id(name: &str) -> u128 {
    let hash = Hash32::of(name);
    let id = u128::from_be_bytes(hash.as_bytes()[..16].try_into().expect("16 bytes"));
    // Version 8 is for ids that are derived from others.
    if EventId::new(id).is_derived() { id ^ (1 << 76) } else { id }
}

/// The hash of a person's email address, as commands carry it.
pub fn address(name: &str) -> Hash32 {
    Hash32::of(&format!("{name}@example.com"))
}

/// 2026-01-01T00:00:00Z, when every test begins.
pub const START: Time = Time::from_seconds(1_767_225_600);

#[derive(Clone, Debug)]
pub struct World {
    pub exchange: Exchange,
    pub now: Time,
    operations: u32,
}

impl Default for World {
    fn default() -> World {
        World::new()
    }
}

impl World {
    /// A world under the newest rules.
    pub fn new() -> World {
        World::under_rules(Exchange::RULES_VERSION)
    }

    /// A world whose journal has upgraded to these rules, and not further.
    pub fn under_rules(version: u32) -> World {
        let mut world = World::under_first_rules();
        world.system(Command::UpgradeRules(UpgradeRules { version })).expect("newer rules");
        world
    }

    /// A world whose journal has not upgraded its rules yet.
    pub fn under_first_rules() -> World {
        World { exchange: Exchange::new(), now: START, operations: 0 }
    }

    /// Moves the clock; nothing happens before the next request.
    pub fn wait(&mut self, span: Span) {
        self.now = self.now + span;
    }

    pub fn apply(&mut self, actor: Actor, command: Command) -> Result<Reply, Reject> {
        self.request(&Request { actor, idempotency: None, command })
    }

    pub fn request(&mut self, request: &Request) -> Result<Reply, Reject> {
        let result = self.exchange.apply(self.now, request).expect("a request of this build");
        invariants::check_all(&self.exchange).unwrap_or_else(|broken| panic!("after {request:?}: {broken}"));
        result
    }

    /// As the node or an operator.
    pub fn system(&mut self, command: Command) -> Result<Reply, Reject> {
        self.apply(Actor::System, command)
    }

    /// As a user by API key.
    pub fn by(&mut self, user: &str, command: Command) -> Result<Reply, Reject> {
        self.apply(key_of(user), command)
    }

    /// As a user by session.
    pub fn in_session(&mut self, user: &str, command: Command) -> Result<Reply, Reject> {
        self.apply(Actor::Session { session: SessionId::new(id(&format!("{user}/session"))) }, command)
    }

    /// A user with a session and one API key, generation 0.
    pub fn user(&mut self, name: &str) {
        let user = UserId::new(id(name));
        self.system(Command::CreateUser(CreateUser {
            id: user,
            address: address(name),
            tag: Text::from(name),
            row: RowId::new(id(&format!("{name}/row"))),
            expires_at: self.now + Span::minutes(5),
        }))
        .expect("a new user");
        let open_session = Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: SessionId::new(id(&format!("{name}/session"))),
            token_hash: Hash32::of(&format!("{name}/token")),
            device: Text::from("device"),
        });
        self.system(open_session).expect("a session");
        let create_key = Command::CreateApiKey(CreateApiKey {
            id: KeyId::new(id(&format!("{name}/key"))),
            name: Text::from("first"),
            public_key: Text::from(format!("pk_{name}")),
        });
        self.in_session(name, create_key).expect("a key");
    }

    /// Creates an operator with a role.
    pub fn operator(&mut self, name: &str, role: Role) {
        let (id, token_hash) = (OperatorId::new(id(name)), Hash32::of(name));
        self.system(Command::CreateOperator(CreateOperator { id, name: Text::from(name), role, token_hash }))
            .expect("an operator");
    }

    /// A password reset whose token is named, requested and approved.
    pub fn approved_reset(&mut self, user: &str, token: &str) {
        let (user, token_hash) = (UserId::new(id(user)), Hash32::of(token));
        self.system(Command::RequestPasswordReset(RequestPasswordReset {
            user,
            token_hash,
            code: Text::from("AB12CD"),
            network: Hash32::of("home"),
            address: None,
        }))
        .expect("a request");
        self.system(Command::ApprovePasswordReset(ApprovePasswordReset { user, token_hash }))
            .expect("an approval");
    }

    /// As an operator.
    pub fn run_by(&mut self, operator: &str, command: Command) -> Result<Reply, Reject> {
        self.apply(Actor::Operator { operator: OperatorId::new(id(operator)) }, command)
    }

    /// A user with money.
    pub fn rich_user(&mut self, name: &str, usd: Money, ngn: Money) {
        self.user(name);
        self.credit(name, Currency::Usd, usd);
        self.credit(name, Currency::Ngn, ngn);
    }

    pub fn credit(&mut self, name: &str, currency: Currency, amount: Money) {
        if amount > Money::ZERO {
            let reference = Text::from(format!("credit {}", self.exchange.seq()));
            let user = if name == "house" { Exchange::HOUSE } else { UserId::new(id(name)) };
            self.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference }))
                .expect("a credit");
        }
    }

    /// An open event in both currencies; the markets are named, the event is named `{first market}/event`.
    pub fn event(&mut self, kind: EventKind, engine: Engine, fee: u16, markets: &[&str]) {
        self.draft(kind, engine, fee, markets);
        let event = event_of(markets[0]);
        if engine == Engine::Amm {
            for currency in Currency::ALL {
                self.credit("house", currency, Money::whole(10_000 * markets.len() as i64 * currency.base()));
            }
            for market in markets {
                self.seed_both(market);
            }
        }
        self.system(Command::OpenEvent(OpenEvent { event })).expect("an open event");
    }

    fn seed_both(&mut self, market: &str) {
        for currency in Currency::ALL {
            let seed = Command::SeedPool(SeedPool {
                market: market_id(market),
                currency,
                amount: Money::whole(10_000 * currency.base()),
                price: price(50),
            });
            self.system(seed).expect("a seeded pool");
        }
    }

    pub fn draft(&mut self, kind: EventKind, engine: Engine, fee: u16, markets: &[&str]) {
        let new = new_event(kind, engine, fee, markets);
        self.system(Command::CreateEvent(new)).expect("a new event");
    }

    /// One open CLOB market.
    pub fn clob(&mut self, market: &str, fee: u16) {
        self.event(EventKind::Single, Engine::Clob, fee, &[market]);
    }

    /// One open AMM market, seeded with 10,000 sets at 0.50 in each currency.
    pub fn amm(&mut self, market: &str, fee: u16) {
        self.event(EventKind::Single, Engine::Amm, fee, &[market]);
    }

    pub fn next_operation(&mut self) -> OperationId {
        self.operations += 1;
        OperationId::new(u128::from(self.operations))
    }

    pub fn mint(
        &mut self,
        user: &str,
        market: &str,
        currency: Currency,
        amount: Money,
    ) -> Result<Reply, Reject> {
        let operation = self.next_operation();
        self.by(
            user,
            Command::MintSets(MintSets { id: operation, market: market_id(market), currency, amount }),
        )
    }

    pub fn place(&mut self, user: &str, new: NewOrder) -> Result<OrderRecord, Reject> {
        match self.by(user, Command::PlaceOrder(new))? {
            Reply::Order(order) => Ok(order.record),
            other => panic!("an order is answered by an order, not {other:?}"),
        }
    }

    pub fn changes(&self) -> &[Change] {
        self.exchange.changes()
    }

    pub fn user_index(&self, name: &str) -> UserIndex {
        let user = if name == "house" { Exchange::HOUSE } else { UserId::new(id(name)) };
        self.exchange.directory().find(user).expect("a known user")
    }

    pub fn listing_index(&self, market: &str, currency: Currency) -> ListingIndex {
        let market = self.exchange.catalogue().find_market(market_id(market)).expect("a known market");
        ListingIndex::new(market, currency)
    }

    pub fn free(&self, user: &str, currency: Currency) -> Money {
        self.exchange.ledger().wallet(self.user_index(user), currency).free
    }

    pub fn held(&self, user: &str, currency: Currency) -> Money {
        self.exchange.ledger().wallet(self.user_index(user), currency).held
    }
}

pub fn new_event(kind: EventKind, engine: Engine, fee: u16, markets: &[&str]) -> NewEvent {
    let market = |name: &&str| NewMarket {
        id: market_id(name),
        details: MarketDetails {
            title: Text::from(*name),
            fee_rate: FeeRate::new(fee).expect("a fee rate"),
            ..MarketDetails::default()
        },
    };
    NewEvent {
        id: event_of(markets[0]),
        slug: Text::from(format!("{}-event", markets[0])),
        kind,
        engine,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(markets[0]),
            category: Text::from("test"),
            ..EventDetails::default()
        },
        markets: markets.iter().map(market).collect(),
        link: EventLink::None,
    }
}

/// A GTC limit order.
pub fn limit(
    name: &str,
    market: &str,
    outcome: Outcome,
    side: Side,
    quantity: Shares,
    cents: u8,
) -> NewOrder {
    NewOrder {
        id: OrderId::new(id(name)),
        outcome: outcome_id(market, outcome),
        side,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(quantity),
        price: Price::new(cents),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

/// A MARKET order for an amount of money.
pub fn market_order(name: &str, market: &str, outcome: Outcome, side: Side, amount: Money) -> NewOrder {
    NewOrder {
        kind: OrderKind::Market,
        price: None,
        sizing: Sizing::Amount(amount),
        ..limit(name, market, outcome, side, Shares::ZERO, 0)
    }
}

pub fn key_of(user: &str) -> Actor {
    Actor::Key { key: KeyId::new(id(&format!("{user}/key"))), generation: 0 }
}

pub fn event_of(market: &str) -> EventId {
    EventId::new(id(&format!("{market}/event")))
}

pub fn market_id(market: &str) -> MarketId {
    MarketId::new(id(market))
}

pub fn outcome_id(market: &str, outcome: Outcome) -> OutcomeId {
    OutcomeId::of(market_id(market), outcome as u64)
}

pub fn price(cents: u8) -> Price {
    Price::new(cents).expect("a price")
}
