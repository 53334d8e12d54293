//! A venue of any size: people with a session, an API key and money, open events of one market, and resting orders.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, OpenEvent, OpenSession, Request, UpgradeRules,
};
use exchange::id::{EventId, Hash32, KeyId, MarketId, OrderId, OutcomeId, RowId, SessionId, UserId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;

/// 2026-01-01T00:00:00Z.
pub const START: Time = Time::from_seconds(1_767_225_600);

/// The id of the `index`-th thing of a kind, with random bits as generated ids have them.
fn id(kind: &str, index: u32) -> u128 {
    let hash = Hash32::of(&format!("{kind} {index}"));
    let bytes = hash.as_bytes()[..16].try_into().expect("16 bytes");
    // Version 7: derived ids have version 8.
    (u128::from_be_bytes(bytes) & !(0xf << 76)) | (7 << 76)
}

fn apply(exchange: &mut Exchange, actor: Actor, command: Command) {
    let request = Request { actor, idempotency: None, command };
    let decision = exchange.apply(START, &request).expect("a request of this build");
    decision.unwrap_or_else(|reject| panic!("{reject:?}: {request:?}"));
}

/// Upgrades to the newest rules, which keep the most.
pub fn upgrade(exchange: &mut Exchange) {
    let version = Exchange::RULES_VERSION;
    apply(exchange, Actor::System, Command::UpgradeRules(UpgradeRules { version }));
}

/// Adds the `index`-th person: an account with a session, an API key and money in two currencies.
pub fn add_person(exchange: &mut Exchange, index: u32) {
    let (user, session) = (UserId::new(id("user", index)), SessionId::new(id("session", index)));
    let create = CreateUser {
        id: user,
        address: Hash32::of(&format!("person{index}@example.com")),
        tag: Text::from(format!("Person{index}")),
        row: RowId::new(id("row", index)),
        expires_at: Time::NEVER,
    };
    apply(exchange, Actor::System, Command::CreateUser(create));
    let open = OpenSession {
        user,
        password_version: 0,
        id: session,
        token_hash: Hash32::of(&format!("token {index}")),
        device: Text::from("Firefox on Linux"),
    };
    apply(exchange, Actor::System, Command::OpenSession(open));
    let key = CreateApiKey {
        id: KeyId::new(id("key", index)),
        name: Text::from("trading bot"),
        public_key: Text::from(format!("pk_live_{:032x}", id("public key", index))),
    };
    apply(exchange, Actor::Session { session }, Command::CreateApiKey(key));
    for currency in Currency::ALL {
        let reference = Text::from(format!("deposit {index} {}", currency.code()));
        let amount = Money::whole(100_000 * currency.base());
        apply(
            exchange,
            Actor::System,
            Command::CreditWallet(CreditWallet { user, currency, amount, reference }),
        );
    }
}

/// Adds the `index`-th event: one market in two currencies, open, with texts of usual length.
pub fn add_event(exchange: &mut Exchange, index: u32) {
    let event = EventId::new(id("event", index));
    let details = MarketDetails {
        title: Text::from(format!("Will candidate {index} win the election?")),
        rules: Text::from(format!(
            "Resolves YES if the electoral commission declares candidate {index} the winner, otherwise NO."
        )),
        fee_rate: FeeRate::new(200).expect("2 %"),
        ..MarketDetails::default()
    };
    let new = NewEvent {
        id: event,
        slug: Text::from(format!("will-candidate-{index}-win-the-election")),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: Currency::ALL.to_vec(),
        details: EventDetails {
            title: Text::from(format!("Will candidate {index} win the election?")),
            description: Text::from("The next general election, decided by the official final count."),
            category: Text::from("politics"),
            image_url: Text::from(format!("https://example.com/images/candidate-{index}.png")),
            hashtags: vec![Text::from("election"), Text::from("politics")],
            closing_date: Some(Time::from_seconds(1_800_000_000)),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: market(index), details }],
        link: EventLink::None,
    };
    apply(exchange, Actor::System, Command::CreateEvent(new));
    apply(exchange, Actor::System, Command::OpenEvent(OpenEvent { event }));
}

fn market(index: u32) -> MarketId {
    MarketId::new(id("market", index))
}

/// Rests the `index`-th order among so many people and events. Orders are spread out: until every person has an order
/// on every listing, each order is the first of its owner on its listing. All of them buy, half YES and half NO, over
/// 20 prices, so that none trades.
pub fn add_order(exchange: &mut Exchange, index: u32, people: u32, events: u32) {
    let (person, round) = (index % people, index / people);
    let spread = u64::from(person) * 31 + u64::from(round) / 2;
    let currency = Currency::ALL[(round % 2) as usize];
    let outcome = Outcome::BOTH[((person + round / 2) % 2) as usize];
    let market = market((spread % u64::from(events)) as u32);
    rest(exchange, index, person, market, outcome, currency);
}

/// Rests the `index`-th order, of a given person on a given event.
pub fn add_further_order(exchange: &mut Exchange, index: u32, person: u32, event: u32) {
    rest(exchange, index, person, market(event), Outcome::BOTH[(index % 2) as usize], Currency::Usd);
}

fn rest(
    exchange: &mut Exchange,
    index: u32,
    person: u32,
    market: MarketId,
    outcome: Outcome,
    currency: Currency,
) {
    let new = NewOrder {
        id: OrderId::new(id("order", index)),
        outcome: OutcomeId::of(market, outcome as u64),
        side: Side::Buy,
        kind: OrderKind::Limit,
        currency,
        sizing: Sizing::Quantity(Shares::whole(10)),
        price: Price::new(30 + (id("price", index) % 20) as u8),
        time_in_force: None,
        post_only: false,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    };
    apply(
        exchange,
        Actor::Key { key: KeyId::new(id("key", person)), generation: 0 },
        Command::PlaceOrder(new),
    );
}
