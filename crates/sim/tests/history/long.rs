//! A long day of three people and one book: a maker whose orders fill hundreds of times, a taker with more orders
//! than one chunk of anything holds, and a seller.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    CancelOrder, Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, Request,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing, TimeInForce};
use exchange::text::Text;
use exchange::time::{Span, Time};
use sim::generator::START;

use crate::history::play::Play;

pub const MAKER: UserId = UserId::new(1);
pub const TAKER: UserId = UserId::new(2);
pub const SELLER: UserId = UserId::new(3);
pub const MARKET: MarketId = MarketId::new(1);
/// The taker has no more open orders than this.
const OPEN_MAX: usize = 200;

fn request(actor: Actor, command: Command) -> Request {
    Request { actor, idempotency: None, command }
}

fn by(user: UserId, command: Command) -> Request {
    request(Actor::Key { key: KeyId::new(user.as_u128()), generation: 0 }, command)
}

/// Plays until the taker has placed `orders` orders.
pub fn play(seed: u64, restarts: usize, orders: u128) -> Play {
    let mut play = Play::new(seed, restarts);
    for opening in opening() {
        play.apply(START, &opening);
    }
    let mut now = START;
    for number in 0..orders {
        now = now + Span::seconds(play.random.between(0, 9));
        for (user, new) in rounds(&mut play, number, now) {
            play.apply(now, &by(user, Command::PlaceOrder(new)));
        }
        let open: Vec<_> = play.day.shadow.orders.values().filter(|order| order.user == 2).collect();
        if open.len() > OPEN_MAX || !open.is_empty() && play.random.chance(5) {
            let order = OrderId::new(open[play.random.below(open.len())].id);
            play.apply(now, &by(TAKER, Command::CancelOrder(CancelOrder { order })));
        }
    }
    play
}

/// The orders of one round: the maker's quote when it is used up, then the taker, now and then the seller.
fn rounds(play: &mut Play, number: u128, now: Time) -> Vec<(UserId, NewOrder)> {
    let id = OrderId::new(1_000_000 + number * 4);
    let mut placed = Vec::new();
    let has_quote = play.day.shadow.orders.values().any(|order| order.user == 1);
    if !has_quote {
        let id = OrderId::new(id.as_u128() + 1);
        placed.push((MAKER, limit(id, Outcome::No, Side::Buy, 50, Shares::whole(2_000))));
    }
    let size = Shares::new(play.random.between(20_000, 40_000));
    let name = play.random.chance(3).then(|| Text::from(format!("c{}", play.random.below(5))));
    let plain = limit(id, Outcome::Yes, Side::Buy, 50, size);
    let taken = match play.random.below(20) {
        0..=13 => plain,
        14 => NewOrder {
            time_in_force: Some(TimeInForce::Fok),
            sizing: Sizing::Quantity(Shares::whole(9_000)),
            ..plain
        },
        15 => NewOrder { kind: OrderKind::Market, price: None, ..plain },
        16 => NewOrder {
            time_in_force: Some(TimeInForce::Gtd),
            expires_at: Some(now + Span::seconds(play.random.between(1, 900))),
            ..limit(id, Outcome::Yes, Side::Buy, 30, Shares::whole(10))
        },
        _ => limit(id, Outcome::Yes, Side::Buy, 20, Shares::whole(10)),
    };
    placed.push((TAKER, NewOrder { client_order_id: name, ..taken }));
    if play.random.chance(10) {
        let id = OrderId::new(id.as_u128() + 2);
        placed.push((SELLER, limit(id, Outcome::Yes, Side::Sell, 20, Shares::whole(1))));
    }
    placed
}

fn limit(id: OrderId, outcome: Outcome, side: Side, cents: u8, size: Shares) -> NewOrder {
    NewOrder {
        id,
        outcome: OutcomeId::of(MARKET, outcome as u64),
        side,
        kind: OrderKind::Limit,
        currency: Currency::Usd,
        sizing: Sizing::Quantity(size),
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

fn opening() -> Vec<Request> {
    let system = |command| request(Actor::System, command);
    let mut requests: Vec<_> = [MAKER, TAKER, SELLER].into_iter().flat_map(person).collect();
    let fee_rate = FeeRate::new(200).unwrap_or_default();
    let event = EventId::new(1);
    requests.push(system(Command::CreateEvent(NewEvent {
        id: event,
        slug: Text::from("long"),
        kind: EventKind::Single,
        engine: Engine::Clob,
        currencies: vec![Currency::Usd],
        details: EventDetails {
            title: Text::from("It"),
            category: Text::from("test"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket {
            id: MARKET,
            details: MarketDetails { title: Text::from("Will it?"), fee_rate, ..MarketDetails::default() },
        }],
        link: EventLink::None,
    })));
    requests.push(system(Command::OpenEvent(OpenEvent { event })));
    let amount = Money::whole(5_000);
    let (id, currency) = (OperationId::new(1), Currency::Usd);
    requests.push(by(SELLER, Command::MintSets(MintSets { id, market: MARKET, currency, amount })));
    requests
}

fn person(user: UserId) -> Vec<Request> {
    let (number, session) = (user.as_u128(), SessionId::new(user.as_u128()));
    let reference = Text::from(format!("start {number}"));
    let system = |command| request(Actor::System, command);
    assert_ne!(user, Exchange::HOUSE, "the house is there already");
    vec![
        system(Command::CreateUser(CreateUser {
            id: user,
            address: Hash32::of(&format!("{number}@example.com")),
            tag: Text::from(format!("user{number}")),
            row: RowId::new(number),
            expires_at: Time::NEVER,
        })),
        system(Command::OpenSession(OpenSession {
            user,
            password_version: 0,
            id: session,
            token_hash: Hash32::of(&number.to_string()),
            device: Text::from("device"),
        })),
        request(
            Actor::Session { session },
            Command::CreateApiKey(CreateApiKey {
                id: KeyId::new(number),
                name: Text::from("key"),
                public_key: Text::from(format!("pk_{number}")),
            }),
        ),
        system(Command::CreditWallet(CreditWallet {
            user,
            currency: Currency::Usd,
            amount: Money::whole(90_000),
            reference,
        })),
    ]
}
