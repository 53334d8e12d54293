//! A small exchange for these tests. Names replace ids, in requests and in output.

use api::json::{self, WriteJson};
use api::response::Order;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, SeedPool,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::Actor;
use exchange::index::{EventIndex, UserIndex};
use exchange::numbers::{Currency, FeeRate, Money, Price};
use exchange::order::{OrderRecord, Outcome};
use exchange::reject::Reject;
use exchange::reply::Reply;
use exchange::text::Text;
use exchange::time::{Span, Time};
use exchange::{Exchange, Request};
use server::view;
use uuid::Uuid;

/// 2026-01-01T00:00:00Z.
pub const START: Time = Time::from_seconds(1_767_225_600);

#[derive(Debug)]
pub struct Stage {
    pub exchange: Exchange,
    pub now: Time,
    /// Ids with what they are shown as.
    names: Vec<(Uuid, String)>,
}

impl Stage {
    pub fn new() -> Stage {
        Stage { exchange: Exchange::new(), now: START, names: Vec::new() }
    }

    /// Alice and Bob with 1,000 USD and 100,000 NGN; the market `rain` on a book and `snow` on a pool, fee 2 %.
    pub fn usual() -> Stage {
        let mut stage = Stage::new();
        stage.user("alice");
        stage.user("bob");
        stage.open_event("rain", Engine::Clob);
        stage.open_event("snow", Engine::Amm);
        stage
    }

    pub fn system(&mut self, command: Command) -> Reply {
        let request = Request { actor: Actor::System, idempotency: None, command };
        self.exchange
            .apply(self.now, &request)
            .expect("a request of this build")
            .expect("the stage is set by commands that pass")
    }

    pub fn by(&mut self, user: &str, command: Command) -> Result<Reply, Reject> {
        self.now = self.now + Span::seconds(1);
        let actor = Actor::Key { key: KeyId::new(id(&format!("{user}/key"))), generation: 0 };
        self.exchange
            .apply(self.now, &Request { actor, idempotency: None, command })
            .expect("a request of this build")
    }

    pub fn user(&mut self, name: &str) {
        let (user, session) = (UserId::new(id(name)), SessionId::new(id(&format!("{name}/session"))));
        self.name(user.as_u128(), name);
        self.system(Command::CreateUser(CreateUser {
            id: user,
            address: Hash32::of(&format!("{name}@example.com")),
            tag: Text::from(name),
            row: RowId::new(user.as_u128()),
            expires_at: Time::NEVER,
        }));
        let (token_hash, device) = (Hash32::of(name), Text::from("device"));
        self.system(Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: session,
            token_hash,
            device,
        }));
        let (key, public_key) = (KeyId::new(id(&format!("{name}/key"))), Text::from(format!("pk_{name}")));
        self.name(key.as_u128(), &format!("{name}/key"));
        let command = Command::CreateApiKey(CreateApiKey { id: key, name: Text::from("first"), public_key });
        let request = Request { actor: Actor::Session { session }, idempotency: None, command };
        self.exchange.apply(self.now, &request).expect("a request of this build").expect("a key");
        for currency in Currency::ALL {
            self.credit(user, currency, Money::whole(1_000 * currency.base()));
        }
    }

    fn credit(&mut self, user: UserId, currency: Currency, amount: Money) {
        let reference = Text::from(format!("credit {}", self.exchange.seq()));
        self.system(Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
    }

    /// A draft with one market, named like it.
    pub fn draft(&mut self, market: &str, engine: Engine, currencies: &[Currency]) {
        self.name(event_id(market).as_u128(), &format!("{market}/event"));
        self.name(market_id(market).as_u128(), market);
        self.name(outcome_id(market, Outcome::Yes).as_u128(), &format!("{market} YES"));
        self.name(outcome_id(market, Outcome::No).as_u128(), &format!("{market} NO"));
        let details = MarketDetails {
            title: Text::from(format!("Will there be {market}?")),
            rules: Text::from("As the weather office says."),
            fee_rate: FeeRate::new(200).expect("2 %"),
            ..MarketDetails::default()
        };
        self.system(Command::CreateEvent(NewEvent {
            id: event_id(market),
            slug: Text::from(format!("{market}-on-friday")),
            kind: EventKind::Single,
            engine,
            currencies: currencies.to_vec(),
            details: EventDetails {
                title: Text::from(format!("{market} on Friday")),
                category: Text::from("weather"),
                subcategory: Text::from(if market == "rain" { "wet" } else { "cold" }),
                hashtags: vec![Text::from(market)],
                closing_date: Some(START + Span::days(1)),
                ..EventDetails::default()
            },
            markets: vec![NewMarket { id: market_id(market), details }],
            link: EventLink::None,
        }));
    }

    /// An open event in both currencies; a pool has 1,000 sets at 0.50.
    pub fn open_event(&mut self, market: &str, engine: Engine) {
        self.draft(market, engine, &Currency::ALL);
        if engine == Engine::Amm {
            for currency in Currency::ALL {
                let amount = Money::whole(1_000 * currency.base());
                self.credit(Exchange::HOUSE, currency, amount);
                let price = Price::new(50).expect("a price");
                self.system(Command::SeedPool(SeedPool {
                    market: market_id(market),
                    currency,
                    amount,
                    price,
                }));
            }
        }
        self.system(Command::OpenEvent(OpenEvent { event: event_id(market) }));
    }

    /// Places an order from a request body; `order` is its id's name, and `{rain YES}` is replaced by an outcome's
    /// id.
    pub fn place(
        &mut self,
        user: &str,
        order: &str,
        market: &str,
        body: &str,
    ) -> Result<OrderRecord, Reject> {
        let body = self.ids_in(body);
        let request = api::read::read(body.as_bytes()).expect("a readable order");
        let path = view::command::path(uuid(event_id(market).as_u128()), uuid(market_id(market).as_u128()));
        let id = self.order_id(order);
        match self.by(user, view::command::place_order(id, path, &request))? {
            Reply::Order(order) => Ok(order.record),
            other => panic!("an order is answered by an order, not {other:?}"),
        }
    }

    /// A GTC limit order.
    pub fn limit(
        &mut self,
        user: &str,
        order: &str,
        terms: &str,
        quantity: &str,
        price: &str,
    ) -> OrderRecord {
        let (side, outcome) = terms.split_once(' ').expect("side and outcome");
        let body = format!(
            r#"{{"side":"{side}","outcomeId":"{{rain {outcome}}}","quantity":{quantity},"type":"LIMIT","price":{price}}}"#
        );
        self.place(user, order, "rain", &body).expect("an order that passes")
    }

    /// An order of either engine as the API shows it.
    pub fn shown(&self, record: &OrderRecord) -> Order<'static> {
        view::order::owned_record(view::order::instrument(&self.exchange, record), record)
    }

    pub fn mint(&mut self, user: &str, market: &str, currency: Currency, amount: i64) -> Reply {
        let operation = OperationId::new(id(&format!("operation {}", self.exchange.seq())));
        self.name(operation.as_u128(), "operation");
        let (market, amount) = (market_id(market), Money::whole(amount));
        self.by(user, Command::MintSets(MintSets { id: operation, market, currency, amount }))
            .expect("a mint")
    }

    pub fn order_id(&mut self, name: &str) -> OrderId {
        self.name(id(name), name);
        OrderId::new(id(name))
    }

    pub fn user_index(&self, name: &str) -> UserIndex {
        self.exchange.directory().find(UserId::new(id(name))).expect("a known user")
    }

    pub fn event_index(&self, market: &str) -> EventIndex {
        self.exchange.catalogue().find_event(event_id(market)).expect("a known event")
    }

    pub fn name(&mut self, id: u128, name: &str) {
        self.names.push((uuid(id), name.to_owned()));
    }

    /// The text with names in braces replaced by ids.
    pub fn ids_in(&self, text: &str) -> String {
        self.names
            .iter()
            .fold(text.to_owned(), |text, (id, name)| text.replace(&format!("{{{name}}}"), &id.to_string()))
    }

    /// JSON as it is sent, with names instead of ids.
    pub fn show(&self, value: &impl WriteJson) -> String {
        let json = json::pretty(&json::to_vec(value));
        self.names.iter().fold(json, |json, (id, name)| json.replace(&id.to_string(), &format!("{{{name}}}")))
    }
}

/// The id of a name.
pub fn id(name: &str) -> u128 {
    u128::from_be_bytes(Hash32::of(name).as_bytes()[..16].try_into().expect("16 bytes"))
}

pub fn uuid(id: u128) -> Uuid {
    Uuid::from_u128(id)
}

pub fn event_id(market: &str) -> EventId {
    EventId::new(id(&format!("{market}/event")))
}

pub fn market_id(market: &str) -> MarketId {
    MarketId::new(id(market))
}

pub fn outcome_id(market: &str, outcome: Outcome) -> OutcomeId {
    OutcomeId::of(market_id(market), outcome as u64)
}
