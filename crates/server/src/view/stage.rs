//! A small exchange with a busy trader, for the tests of this crate.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, Request,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;

pub(crate) const START: Time = Time::from_seconds(1_767_225_600);
pub(crate) const MARKETS: u128 = 75;
/// Open orders of the busy trader: one in each market.
pub(crate) const BUSY_ORDERS: u64 = MARKETS as u64;
pub(crate) const TRADERS: u128 = 3;

pub(crate) fn apply(exchange: &mut Exchange, actor: Actor, command: Command) {
    let request = Request { actor, idempotency: None, command };
    let decision = exchange.apply(START, &request).expect("a request of this build");
    decision.expect("the command is accepted");
}

pub(crate) const fn key(trader: u128) -> Actor {
    Actor::Key { key: KeyId::new(trader), generation: 0 }
}

fn system(exchange: &mut Exchange, command: Command) {
    apply(exchange, Actor::System, command);
}

/// The trader with number 1 has an open order and a position in each market.
pub(crate) fn busy_exchange() -> (Exchange, UserIndex) {
    let mut exchange = Exchange::new();
    (1..=TRADERS).for_each(|trader| add_trader(&mut exchange, trader));
    (1..=MARKETS).for_each(|market| add_market(&mut exchange, market));
    for market in 1..=MARKETS {
        apply(&mut exchange, key(1), Command::PlaceOrder(buy(market, market, Outcome::Yes, 30, 10)));
    }
    for market in 1..=MARKETS {
        apply(&mut exchange, key(1), mint(market, market));
    }
    let user = exchange.directory().find(UserId::new(1)).expect("the trader");
    (exchange, user)
}

pub(crate) fn mint(id: u128, market: u128) -> Command {
    let (id, market) = (OperationId::new(id), MarketId::new(market));
    Command::MintSets(MintSets { id, market, currency: Currency::Usd, amount: Money::whole(10) })
}

pub(crate) fn buy(id: u128, market: u128, outcome: Outcome, price: i64, shares: i64) -> NewOrder {
    NewOrder {
        id: OrderId::new(id),
        outcome: OutcomeId::of(MarketId::new(market), outcome as u64),
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(Shares::whole(shares)),
        price: Some(Price::clamp(price)),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

fn add_trader(exchange: &mut Exchange, trader: u128) {
    let (id, session) = (UserId::new(trader), SessionId::new(trader));
    system(
        exchange,
        Command::CreateUser(CreateUser {
            id,
            address: Hash32::of(&format!("address {trader}")),
            tag: Text::from(format!("trader{trader}")),
            row: RowId::new(trader),
            expires_at: Time::NEVER,
        }),
    );
    let (token_hash, device) = (Hash32::of(&format!("token {trader}")), Text::from("test"));
    system(
        exchange,
        Command::OpenSession(OpenSession { user: id, password_version: 0, id: session, token_hash, device }),
    );
    let (name, public_key) = (Text::from("test"), Text::from(format!("pk_live_{trader:032x}")));
    let create = Command::CreateApiKey(CreateApiKey { id: KeyId::new(trader), name, public_key });
    apply(exchange, Actor::Session { session }, create);
    let (currency, reference) = (Currency::Usd, Text::from(format!("stake {trader}")));
    // More than a test spends, however long it trades.
    let amount = Money::whole(1_000_000_000);
    system(exchange, Command::CreditWallet(CreditWallet { user: id, currency, amount, reference }));
}

fn add_market(exchange: &mut Exchange, market: u128) {
    let event = EventId::new(market);
    let new = NewEvent {
        id: event,
        slug: Text::from(format!("event-{market}")),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(format!("Event {market}")),
            category: Text::from("politics"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket {
            id: MarketId::new(market),
            details: MarketDetails { title: Text::from("Will it?"), ..MarketDetails::default() },
        }],
        link: EventLink::None,
    };
    system(exchange, Command::CreateEvent(new));
    system(exchange, Command::OpenEvent(OpenEvent { event }));
}
