//! Announced terms: every room that shows a market sends a message when they are announced, changed, withdrawn or applied,
//! and when their market ends.

use exchange::command::{ChangeTerms, CloseTrading, Command, ResolveMarket, Target};
use exchange::id::MarketId;
use exchange::numbers::{FeeRate, Money, PerCurrency};
use exchange::order::Outcome;
use serde_json::{Value, json};
use stage::node::get;

use crate::hall::Hall;
use crate::reader::Reader;

const PATH: &str = "/ws/v1/markets";
const HOUR: i64 = 3_600;

/// A reader of each room that shows the stage's book.
struct Rooms {
    hall: Hall,
    prices: Reader,
    dollars: Reader,
    naira: Reader,
}

/// What the rooms show in dollars, and in naira: the announced terms.
type Shown = [Option<Value>; 2];

impl Rooms {
    async fn enter() -> Rooms {
        let hall = Hall::open().await;
        let (market, event) = (hall.stage.book.market, hall.stage.book.event);
        let message = json!({"type": "subscribe", "channel": "prices", "eventId": event});
        let mut prices = hall.subscribed(PATH, message).await;
        prices.acknowledged(&format!("prices:{event}")).await;
        let changes = async |currency: &str| {
            let message = json!({
                "type": "subscribe", "channel": "changes", "marketIds": [market], "currency": currency,
            });
            let mut reader = hall.subscribed(PATH, message).await;
            reader.acknowledged(&format!("changes:{market}:{currency}")).await;
            reader
        };
        let (dollars, naira) = (changes("USD").await, changes("NGN").await);
        let mut rooms = Rooms { hall, prices, dollars, naira };
        assert_eq!(rooms.told([2.0, 1.0], 100.0).await, [None, None], "the state at first");
        rooms
    }

    fn market(&self) -> MarketId {
        MarketId::new(self.hall.stage.book.market.as_u128())
    }

    /// Sets a fee in hundredths of a per cent, and the least order in dollars.
    async fn set(&self, basis_points: u16, least_usd: i64) {
        let fee_rate = FeeRate::new(basis_points);
        assert!(fee_rate.is_some(), "a fee");
        let order_min = PerCurrency { usd: Some(Money::new(least_usd * 1_000_000)), ngn: None };
        let change = ChangeTerms { market: self.market(), fee_rate, order_min };
        self.hall.stage.operate(Command::ChangeTerms(change)).await;
    }

    /// The next message of each room. All must show the same announced terms, and those of `changes` the present ones.
    async fn told(&mut self, [fee, least_usd]: [f64; 2], least_ngn: f64) -> Shown {
        let sequence = self.hall.stage.seq();
        let price = self.prices.next().await;
        let listings = &price["data"]["markets"][0]["listings"];
        let announced = [0, 1].map(|place: usize| listings[place].get("announcedTerms").cloned());
        let deltas = [self.dollars.next().await, self.naira.next().await];
        for message in [&price, &deltas[0], &deltas[1]] {
            assert_eq!(message["sequence"], json!(sequence), "{message}");
        }
        for ((delta, least), announced) in deltas.iter().zip([least_usd, least_ngn]).zip(&announced) {
            let mut terms = json!({"feePercentage": number(fee), "minimumOrderAmount": number(least)});
            if let Some(announced) = announced {
                terms["announcedTerms"] = announced.clone();
            }
            assert_eq!(delta["data"]["terms"], terms, "{delta}");
        }
        announced
    }

    /// The announced terms of the event's market over HTTP, in each currency.
    async fn read(&self) -> Shown {
        let event = self.hall.stage.book.event;
        let read = async |currency: &str| {
            let path = format!("/v1/pm/events/{event}?currency={currency}");
            let event = self.hall.stage.ask(get(&path)).await.expect(200);
            event["markets"][0].get("announcedTerms").cloned()
        };
        [read("USD").await, read("NGN").await]
    }

    /// Makes due timers fire: they do before the next request.
    async fn pass_an_hour(&self) {
        self.hall.stage.clock.advance_seconds(HOUR);
        self.hall.stage.operate(Command::Tick).await;
    }
}

/// As the messages print it: whole numbers without a point.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

fn announced(fee: f64, least: f64, from: &str) -> Option<Value> {
    Some(json!({"feePercentage": number(fee), "minimumOrderAmount": number(least), "from": from}))
}

#[tokio::test]
async fn terms_are_sent_when_they_are_announced_changed_and_applied() {
    let mut rooms = Rooms::enter().await;
    rooms.set(950, 7).await;
    let at_one = "2030-01-01T01:00:00Z";
    let expected = [announced(9.5, 7.0, at_one), announced(9.5, 100.0, at_one)];
    assert_eq!(rooms.told([2.0, 1.0], 100.0).await, expected);
    assert_eq!(rooms.read().await, expected, "as over HTTP");

    // Other terms a minute later: another fee, at another time.
    rooms.hall.stage.clock.advance_seconds(60);
    rooms.set(400, 7).await;
    let later = "2030-01-01T01:01:00Z";
    let expected = [announced(4.0, 7.0, later), announced(4.0, 100.0, later)];
    assert_eq!(rooms.told([2.0, 1.0], 100.0).await, expected);
    assert_eq!(rooms.read().await, expected);

    rooms.pass_an_hour().await;
    assert_eq!(rooms.told([4.0, 7.0], 100.0).await, [None, None], "they apply");
    assert_eq!(rooms.read().await, [None, None]);
}

#[tokio::test]
async fn terms_that_are_withdrawn_disappear() {
    let mut rooms = Rooms::enter().await;
    rooms.set(900, 1).await;
    assert!(rooms.told([2.0, 1.0], 100.0).await[0].is_some());
    rooms.set(200, 1).await;
    assert_eq!(rooms.told([2.0, 1.0], 100.0).await, [None, None]);
    // A lower fee applies at once. `price_update` has no terms but announced ones, so only `changes` shows it.
    rooms.set(150, 1).await;
    let delta = rooms.dollars.next().await;
    assert_eq!(delta["data"]["terms"], json!({"feePercentage": 1.5, "minimumOrderAmount": 1}));
}

#[tokio::test]
async fn terms_that_are_announced_end_with_their_market() {
    let mut rooms = Rooms::enter().await;
    rooms.set(900, 1).await;
    assert!(rooms.told([2.0, 1.0], 100.0).await[1].is_some());
    let (stage, market) = (&rooms.hall.stage, rooms.market());
    stage.operate(Command::CloseTrading(CloseTrading { target: Target::Market(market) })).await;
    for reader in [&mut rooms.prices, &mut rooms.dollars, &mut rooms.naira] {
        let closed = reader.next().await;
        assert!(closed["data"].get("terms").is_none(), "closing changes no terms: {closed}");
    }
    let resolve = ResolveMarket { market, outcome: Outcome::Yes };
    rooms.hall.stage.operate(Command::ResolveMarket(resolve)).await;
    assert_eq!(rooms.told([2.0, 1.0], 100.0).await, [None, None]);
    assert_eq!(rooms.read().await, [None, None]);
}

#[tokio::test]
async fn a_reader_that_comes_later_gets_what_is_announced() {
    let rooms = Rooms::enter().await;
    rooms.set(900, 3).await;
    let (market, event) = (rooms.hall.stage.book.market, rooms.hall.stage.book.event);
    let expected = announced(9.0, 3.0, "2030-01-01T01:00:00Z");
    let message = json!({"type": "subscribe", "channel": "prices", "eventId": event});
    let mut reader = rooms.hall.subscribed(PATH, message).await;
    reader.acknowledged(&format!("prices:{event}")).await;
    let shown = reader.next().await;
    assert_eq!(shown["data"]["markets"][0]["listings"][0].get("announcedTerms"), expected.as_ref());
    let message = json!({"type": "subscribe", "channel": "changes", "marketIds": [market]});
    let mut reader = rooms.hall.subscribed(PATH, message).await;
    reader.acknowledged(&format!("changes:{market}:USD")).await;
    let shown = reader.next().await;
    assert_eq!(shown["data"]["terms"].get("announcedTerms"), expected.as_ref());
}
