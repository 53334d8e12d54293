//! Events to trade on, and bodies of orders.

use exchange::catalogue::{Engine, EventDetails, EventKind, EventLink, MarketDetails, NewEvent, NewMarket};
use exchange::command::{Command, CreditWallet, OpenEvent, SeedPool};
use exchange::id::{EventId, MarketId, OutcomeId};
use exchange::identity::Actor;
use exchange::numbers::{Currency, FeeRate, Money, Price};
use exchange::text::Text;
use exchange::{Exchange, Request, order::Outcome};
use serde_json::{Value, json};
use server::app::App;
use uuid::Uuid;

use super::operate;

#[derive(Clone, Debug)]
pub struct Market {
    pub event: Uuid,
    pub market: Uuid,
    pub yes: Uuid,
    pub no: Uuid,
    pub slug: String,
}

impl Market {
    pub fn orders(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}/orders", self.event, self.market)
    }

    pub fn quote(&self) -> String {
        format!("/v1/pm/events/{}/markets/{}/quote", self.event, self.market)
    }

    pub fn mint(&self) -> String {
        format!("/v1/pm/markets/{}/mint", self.market)
    }

    pub fn burn(&self) -> String {
        format!("/v1/pm/markets/{}/burn", self.market)
    }

    pub fn watchlist(&self) -> String {
        format!("/v1/pm/events/{}/watchlist", self.event)
    }

    pub fn shown(&self) -> String {
        format!("/v1/pm/events/{}", self.event)
    }
}

/// A LIMIT order in USD that rests.
pub fn limit(outcome: Uuid, side: &str, amount: f64, price: f64) -> Value {
    json!({"side": side, "outcomeId": outcome, "amount": amount, "price": price, "type": "LIMIT"})
}

/// A MARKET order in USD.
pub fn market(outcome: Uuid, side: &str, amount: f64) -> Value {
    json!({"side": side, "outcomeId": outcome, "amount": amount, "type": "MARKET"})
}

/// A book, a pool, and a draft.
pub(super) async fn build(app: &App) -> (Market, Market, Market) {
    for (currency, amount) in [(Currency::Usd, 10_000), (Currency::Ngn, 1_000_000)] {
        let reference = Text::from(format!("house {}", currency.code()));
        let (user, amount) = (Exchange::HOUSE, Money::whole(amount));
        operate(
            app,
            Actor::System,
            Command::CreditWallet(CreditWallet { user, currency, amount, reference }),
        )
        .await;
    }
    let book = create(app, "book", Engine::Clob, true).await;
    let pool = create(app, "pool", Engine::Amm, true).await;
    let hidden = create(app, "hidden", Engine::Clob, false).await;
    (book, pool, hidden)
}

impl super::Stage {
    /// One more event with an open book.
    #[allow(dead_code, reason = "the tests of streams need many events")]
    pub async fn create_book(&self, slug: &str) -> Market {
        create(self.app(), slug, Engine::Clob, true).await
    }

    /// Open books with numbered slugs, created in groups.
    pub async fn create_books(&self, slug: &str, count: u32) {
        let create = |number| {
            let new = new_event(&format!("{slug}-{number}"), Engine::Clob);
            let open = Command::OpenEvent(OpenEvent { event: new.id });
            [Command::CreateEvent(new), open]
        };
        let requests: Vec<Request> = (0..count)
            .flat_map(create)
            .map(|command| Request { actor: Actor::System, idempotency: None, command })
            .collect();
        let sequencer = self.app().writing().sequencer().clone();
        let submit = move || {
            for group in requests.chunks(1_000) {
                for answer in sequencer.submit_all_blocking(group.to_vec()).expect("answers") {
                    answer.result.expect("an event is created and opened");
                }
            }
        };
        tokio::task::spawn_blocking(submit).await.expect("a thread");
    }
}

fn new_event(slug: &str, engine: Engine) -> NewEvent {
    let details = MarketDetails {
        title: Text::from(format!("Will the {slug} hold?")),
        fee_rate: FeeRate::new(200).expect("two percent"),
        ..MarketDetails::default()
    };
    NewEvent {
        id: EventId::new(Uuid::now_v7().as_u128()),
        slug: Text::from(format!("the-{slug}")),
        kind: EventKind::Single,
        engine,
        currencies: vec![Currency::Usd, Currency::Ngn],
        details: EventDetails {
            title: Text::from(format!("Will the {slug} hold?")),
            category: Text::from("politics"),
            ..EventDetails::default()
        },
        markets: vec![NewMarket { id: MarketId::new(Uuid::now_v7().as_u128()), details }],
        link: EventLink::None,
    }
}

async fn create(app: &App, slug: &str, engine: Engine, opened: bool) -> Market {
    let new = new_event(slug, engine);
    let (event_id, market_id) = (new.id, new.markets[0].id);
    let [event, market] = [event_id.as_u128(), market_id.as_u128()].map(Uuid::from_u128);
    operate(app, Actor::System, Command::CreateEvent(new)).await;
    if engine == Engine::Amm {
        for (currency, amount) in [(Currency::Usd, 1_000), (Currency::Ngn, 100_000)] {
            let (amount, price) = (Money::whole(amount), Price::new(50).expect("a price"));
            let seed = Command::SeedPool(SeedPool { market: market_id, currency, amount, price });
            operate(app, Actor::System, seed).await;
        }
    }
    if opened {
        operate(app, Actor::System, Command::OpenEvent(OpenEvent { event: event_id })).await;
    }
    let outcome = |side: Outcome| Uuid::from_u128(OutcomeId::of(market_id, side as u64).as_u128());
    let (yes, no) = (outcome(Outcome::Yes), outcome(Outcome::No));
    Market { event, market, yes, no, slug: format!("the-{slug}") }
}

/// Two trades on the book. After a minute a MINT of 100 at 0.40: Alice's YES rests, Bob takes with NO. Ten minutes
/// later Alice offers 50 at 0.45, and a minute after that Bob buys YES for 10 USD. Returns the orders, in order.
pub async fn traded(stage: &super::Stage) -> [String; 4] {
    let id = |order: Value| order["id"].as_str().expect("an id").to_owned();
    let (alice, bob, book) = (&stage.alice.key, &stage.bob.key, &stage.book);
    let first = stage.place(alice, book, &limit(book.yes, "BUY", 40.0, 0.40)).await;
    stage.clock.advance_seconds(60);
    let second = stage.place(bob, book, &limit(book.no, "BUY", 60.0, 0.60)).await;
    stage.clock.advance_seconds(600);
    let sale = json!({"side": "SELL", "outcomeId": book.yes, "quantity": 50, "price": 0.45, "type": "LIMIT"});
    let third = stage.place(alice, book, &sale).await;
    stage.clock.advance_seconds(60);
    let fourth = stage.place(bob, book, &market(book.yes, "BUY", 10.0)).await;
    [id(first), id(second), id(third), id(fourth)]
}
