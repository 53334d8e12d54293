//! A small initial state: two books with uncrossed quotes of three makers, two pools, and a trader with money.

use exchange::Exchange;
use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{
    Command, CreateApiKey, CreateUser, CreditWallet, MintSets, OpenEvent, OpenSession, Request, SeedPool,
};
use exchange::id::{
    EventId, Hash32, KeyId, MarketId, OperationId, OrderId, OutcomeId, RowId, SessionId, UserId,
};
use exchange::identity::Actor;
use exchange::index::UserIndex;
use exchange::numbers::{Currency, FeeRate, Money, Price, Shares};
use exchange::order::{NewOrder, OrderKind, Outcome, SelfTrade, Side, Sizing};
use exchange::text::Text;
use exchange::time::Time;

use crate::generator::START;
use crate::random::Random;

pub const BOOKS: [u128; 2] = [1, 2];
pub const POOLS: [u128; 2] = [3, 4];
const MAKERS: u128 = 3;
const TRADER: u128 = 9;

#[derive(Clone, Debug)]
pub struct Arena {
    pub exchange: Exchange,
    pub trader: UserIndex,
    pub now: Time,
}

impl Arena {
    pub fn new(random: &mut Random) -> Arena {
        let mut arena = Arena { exchange: Exchange::new(), trader: UserIndex::HOUSE, now: START };
        for currency in Currency::ALL {
            arena.credit(Exchange::HOUSE, currency, 100_000);
        }
        for person in (1..=MAKERS).chain([TRADER]) {
            arena.person(person);
        }
        for market in BOOKS {
            arena.event(market, Engine::Clob, random);
            arena.quotes(market, random);
        }
        for market in POOLS {
            arena.event(market, Engine::Amm, random);
        }
        let trader = arena.exchange.directory().find(UserId::new(TRADER));
        assert!(trader.is_some(), "the trader was created above");
        Arena { trader: trader.unwrap_or(UserIndex::HOUSE), ..arena }
    }

    /// A request of the trader.
    pub fn request(&self, command: Command) -> Request {
        Request { actor: key(TRADER), idempotency: None, command }
    }

    /// Sets up the arena; every command must be accepted.
    fn apply(&mut self, actor: Actor, command: Command) {
        let result = self
            .exchange
            .apply(self.now, &Request { actor, idempotency: None, command })
            .expect("a request of this build");
        assert!(result.is_ok(), "no command of the setup is refused: {result:?}");
    }

    fn credit(&mut self, user: UserId, currency: Currency, whole: i64) {
        let reference = Text::from(format!("{user} {}", currency.code()));
        let amount = Money::whole(whole * currency.base());
        self.apply(Actor::System, Command::CreditWallet(CreditWallet { user, currency, amount, reference }));
    }

    fn person(&mut self, number: u128) {
        let (user, session) = (UserId::new(number), SessionId::new(number));
        let text = |text: String| Text::from(text);
        self.apply(
            Actor::System,
            Command::CreateUser(CreateUser {
                id: user,
                address: Hash32::of(&format!("{number}@example.com")),
                tag: text(format!("user{number}")),
                row: RowId::new(number),
                expires_at: Time::NEVER,
            }),
        );
        let token_hash = Hash32::of(&number.to_string());
        let device = Text::from("device");
        self.apply(
            Actor::System,
            Command::OpenSession(OpenSession { user, password_version: 0, id: session, token_hash, device }),
        );
        self.apply(
            Actor::Session { session },
            Command::CreateApiKey(CreateApiKey {
                id: KeyId::new(number),
                name: Text::from("key"),
                public_key: text(format!("pk_{number}")),
            }),
        );
        for currency in Currency::ALL {
            self.credit(user, currency, if number == TRADER { 300 } else { 5_000 });
        }
    }

    fn event(&mut self, number: u128, engine: Engine, random: &mut Random) {
        let (event, market) = (EventId::new(number), MarketId::new(number));
        let fee_rate = FeeRate::new(random.one_of([0, 0, 1, 100, 200, 1_000])).unwrap_or_default();
        let details = MarketDetails { title: Text::from("Will it?"), fee_rate, ..MarketDetails::default() };
        self.apply(
            Actor::System,
            Command::CreateEvent(NewEvent {
                id: event,
                slug: Text::from(format!("event-{number}")),
                kind: EventKind::Single,
                engine,
                currencies: Currency::ALL.to_vec(),
                details: EventDetails {
                    title: Text::from("It"),
                    category: Text::from("test"),
                    ..EventDetails::default()
                },
                markets: vec![NewMarket { id: market, details }],
                link: EventLink::None,
            }),
        );
        if engine == Engine::Amm {
            for currency in Currency::ALL {
                // Rounding matters most in tiny pools.
                let amount = match random.below(3) {
                    0 => Money::new(random.between(200, 20_000) * 100 * currency.base()),
                    _ => Money::whole(random.between(1, 500) * currency.base()),
                };
                let price = Price::clamp(random.between(10, 90));
                self.apply(Actor::System, Command::SeedPool(SeedPool { market, currency, amount, price }));
            }
        }
        self.apply(Actor::System, Command::OpenEvent(OpenEvent { event }));
    }

    /// Asks above the middle, bids below it, half of them as the complementary order.
    fn quotes(&mut self, market: u128, random: &mut Random) {
        let middle = random.between(3, 97);
        for currency in Currency::ALL {
            for maker in 1..=MAKERS {
                let amount = Money::whole(400 * currency.base());
                let id = OperationId::new(market * 100 + maker);
                let market = MarketId::new(market);
                self.apply(key(maker), Command::MintSets(MintSets { id, market, currency, amount }));
            }
            for number in 0..12 {
                let ask = random.chance(50);
                let away = 1 + random.between(0, 6);
                let yes_price = if ask { middle + away } else { middle - away };
                if !(1..=99).contains(&yes_price) {
                    continue;
                }
                let id = market * 1_000 + number * 2 + currency as u128;
                let maker = 1 + random.below(MAKERS as usize) as u128;
                let new = quote(id, market, currency, ask, yes_price, random);
                self.apply(key(maker), Command::PlaceOrder(new));
            }
        }
    }
}

fn quote(
    id: u128,
    market: u128,
    currency: Currency,
    ask: bool,
    yes_price: i64,
    random: &mut Random,
) -> NewOrder {
    let (outcome, side) = match (ask, random.chance(50)) {
        (true, true) => (Outcome::Yes, Side::Sell),
        (true, false) => (Outcome::No, Side::Buy),
        (false, true) => (Outcome::Yes, Side::Buy),
        (false, false) => (Outcome::No, Side::Sell),
    };
    let own_price = Price::clamp(yes_price);
    // Odd sizes; a few are so small that only a SELL may have them.
    let least = if side == Side::Buy { 1_000_000 } else { 1 };
    let most = least + random.one_of([2, 300, 200_000]);
    NewOrder {
        id: OrderId::new(id),
        outcome: OutcomeId::of(MarketId::new(market), outcome as u64),
        side,
        kind: OrderKind::Limit,
        currency,
        sizing: Sizing::Quantity(Shares::new(random.between(least, most))),
        price: Some(outcome.yes_price(own_price)),
        time_in_force: None,
        post_only: true,
        self_trade: SelfTrade::Skip,
        max_slippage: None,
        expires_at: None,
        client_order_id: None,
        path: None,
    }
}

fn key(number: u128) -> Actor {
    Actor::Key { key: KeyId::new(number), generation: 0 }
}
