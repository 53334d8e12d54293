//! The state of the market, from stream messages alone: book, trades, prices, status, own orders, and the connections.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use client::Message;
use client::models::OrderData;
use serde_json::Value;

use super::Outcome;
use super::feed::{Endpoint, Note};
use super::target::{Target, printable};

/// Trades kept for display.
const TRADES_MAX: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) price: String,
    pub(super) quantity: String,
}

impl Level {
    /// For bars only.
    pub(super) fn weight(&self) -> f64 {
        self.quantity.parse().unwrap_or_default()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trade {
    /// The taker's side.
    pub(super) side: String,
    pub(super) outcome: String,
    pub(super) quantity: String,
    pub(super) price: String,
    pub(super) currency: String,
    /// Time of day, UTC.
    pub(super) at: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) id: String,
    pub(super) side: String,
    pub(super) outcome: String,
    pub(super) price: String,
    pub(super) remaining: String,
    pub(super) filled: String,
    pub(super) currency: String,
    pub(super) status: String,
    pub(super) cause: String,
}

/// A change made by a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ViewChange {
    Connected(Endpoint),
    Lost(Endpoint, String, Duration),
    Book,
    Traded(Trade),
    Status,
    Prices,
    Order(Order),
    /// The exchange refused one of our messages.
    Refused(String),
}

#[derive(Debug)]
pub(super) struct View {
    pub(super) target: Target,
    pub(super) depth: usize,
    pub(super) bids: Vec<Level>,
    pub(super) asks: Vec<Level>,
    /// Newest first.
    pub(super) trades: VecDeque<Trade>,
    pub(super) status: String,
    /// YES and NO.
    pub(super) prices: [String; 2],
    pub(super) orders: BTreeMap<String, Order>,
    /// The lost connections, each with the reason.
    pub(super) lost: Vec<(Endpoint, String)>,
    /// The last refusal or failed read since a connection began.
    pub(super) refused: Option<String>,
    /// Orders that ended since the connection began. The response with open orders may be older and must not restore them.
    closed: BTreeSet<String>,
    /// A book trade arrives twice, from the taker's side first. The sequence of a trade whose second message is still due.
    half_told: Option<u64>,
}

impl View {
    pub(super) fn new(target: Target, depth: usize) -> View {
        let waiting = || "waiting".to_owned();
        let mut lost = vec![(Endpoint::Market, waiting())];
        lost.extend(target.has_key().then(|| (Endpoint::Own, waiting())));
        View {
            target,
            depth,
            bids: Vec::new(),
            asks: Vec::new(),
            trades: VecDeque::new(),
            status: String::new(),
            prices: Default::default(),
            orders: BTreeMap::new(),
            lost,
            refused: None,
            closed: BTreeSet::new(),
            half_told: None,
        }
    }

    pub(super) fn apply(&mut self, note: Note) -> Vec<ViewChange> {
        match note {
            Note::Connected(endpoint) => {
                self.lost.retain(|(lost, _)| *lost != endpoint);
                self.refused = None;
                match endpoint {
                    Endpoint::Market => self.half_told = None,
                    // Missed changes are covered by reading the open orders again.
                    Endpoint::Own => {
                        self.orders.clear();
                        self.closed.clear();
                    }
                }
                vec![ViewChange::Connected(endpoint)]
            }
            Note::Lost(endpoint, why, wait) => {
                let why = printable(&why);
                self.lost.retain(|(lost, _)| *lost != endpoint);
                self.lost.push((endpoint, why.clone()));
                vec![ViewChange::Lost(endpoint, why, wait)]
            }
            Note::OpenOrders(orders) => {
                orders.iter().filter_map(|order| self.apply_open_orders(order)).collect()
            }
            Note::Message(message) => self.apply_message(&message),
            Note::Refused(words) => {
                let words = printable(&words);
                self.refused = Some(words.clone());
                vec![ViewChange::Refused(words)]
            }
        }
    }

    fn apply_message(&mut self, message: &Message) -> Vec<ViewChange> {
        let data = &message.data;
        match message.kind.as_str() {
            "orderbook_update" => self.apply_book(&data["orderbook"]),
            "price_update" => self.apply_prices(data),
            "buy_order" | "sell_order" => self.apply_trade(message).into_iter().collect(),
            "order_updated" => vec![self.apply_order(data)],
            _ => Vec::new(),
        }
    }

    fn apply_book(&mut self, book: &Value) -> Vec<ViewChange> {
        if book["outcomeId"] != self.target.outcome_id.to_string() {
            return Vec::new();
        }
        let levels = |side: &str| -> Vec<Level> {
            let level =
                |level: &Value| Level { price: text(&level["price"]), quantity: text(&level["quantity"]) };
            book[side].as_array().into_iter().flatten().map(level).collect()
        };
        (self.bids, self.asks) = (levels("bids"), levels("asks"));
        vec![ViewChange::Book]
    }

    fn apply_prices(&mut self, event: &Value) -> Vec<ViewChange> {
        let mut markets = event["markets"].as_array().into_iter().flatten();
        let id = self.target.market.to_string();
        let Some(market) = markets.find(|market| market["id"] == id) else {
            return Vec::new();
        };
        let status = match market["resolvedOutcome"].as_str() {
            Some(outcome) => format!("{}, {}", text(&market["status"]), printable(outcome)),
            None => text(&market["status"]),
        };
        let prices = [text(&market["prices"]["YES"]), text(&market["prices"]["NO"])];
        let mut happened = Vec::new();
        if self.status != status {
            self.status = status;
            happened.push(ViewChange::Status);
        }
        if self.prices != prices {
            self.prices = prices;
            happened.push(ViewChange::Prices);
        }
        happened
    }

    /// None for the second message of a trade, from the maker's side.
    fn apply_trade(&mut self, message: &Message) -> Option<ViewChange> {
        let order = &message.data["order"];
        if order["engine"] == "CLOB" {
            if self.half_told == Some(message.sequence) {
                self.half_told = None;
                return None;
            }
            self.half_told = Some(message.sequence);
        }
        let trade = Trade {
            side: text(&order["type"]),
            outcome: text(&order["outcomeLabel"]),
            quantity: text(&order["quantity"]),
            price: text(&order["price"]),
            currency: text(&order["currency"]),
            at: time_of_day(message.timestamp),
        };
        self.trades.push_front(trade.clone());
        self.trades.truncate(TRADES_MAX);
        Some(ViewChange::Traded(trade))
    }

    fn apply_order(&mut self, data: &Value) -> ViewChange {
        let told = &data["order"];
        let order = Order {
            id: text(&told["id"]),
            side: text(&told["side"]),
            outcome: text(&told["outcomeLabel"]),
            price: text(&told["price"]),
            remaining: text(&told["remainingQuantity"]),
            filled: text(&told["filledQuantity"]),
            currency: text(&told["currency"]),
            status: text(&told["status"]),
            cause: text(&data["cause"]),
        };
        if matches!(order.status.as_str(), "OPEN" | "PARTIAL_FILLED") {
            self.orders.insert(order.id.clone(), order.clone());
        } else {
            self.orders.remove(&order.id);
            self.closed.insert(order.id.clone());
        }
        ViewChange::Order(order)
    }

    /// An order of the initial response, unless a message has updated it since.
    fn apply_open_orders(&mut self, told: &OrderData) -> Option<ViewChange> {
        let id = told.id.to_string();
        if self.orders.contains_key(&id) || self.closed.contains(&id) {
            return None;
        }
        let order = Order {
            id: id.clone(),
            side: printable(told.side.as_str()),
            outcome: printable(&told.outcome_label),
            price: told.price.to_string(),
            remaining: told.remaining_size.to_string(),
            filled: told.filled_size.to_string(),
            currency: printable(told.currency.as_str()),
            status: if told.filled_size.is_zero() { "OPEN" } else { "PARTIAL_FILLED" }.to_owned(),
            cause: "RESTING".to_owned(),
        };
        self.orders.insert(id, order.clone());
        Some(ViewChange::Order(order))
    }

    pub(super) fn outcome_label(&self) -> &str {
        match self.target.outcome {
            Outcome::Yes => &self.target.labels[0],
            Outcome::No => &self.target.labels[1],
        }
    }
}

/// A number as written, a string without control characters, or an empty string.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => printable(text),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn time_of_day(millis: i64) -> String {
    let seconds = millis.div_euclid(1_000).rem_euclid(86_400);
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
pub(super) mod tests {
    use client::{Client, Currency, Uuid};
    use serde_json::json;

    use super::*;

    pub(crate) fn target() -> Target {
        let client = Client::builder("http://127.0.0.1:1").public_key("pk").build().expect("a client");
        Target {
            client,
            event: Uuid::nil(),
            market: Uuid::nil(),
            outcome: Outcome::Yes,
            outcome_id: Uuid::from_u128(1),
            currency: Currency::Usd,
            title: "Rain?".to_owned(),
            labels: ["Wet".to_owned(), "Dry".to_owned()],
        }
    }

    fn message(kind: &str, data: Value) -> Note {
        let (kind, room) = (kind.to_owned(), String::new());
        Note::Message(Message { kind, room, sequence: 1, timestamp: 3_661_000, data })
    }

    pub(crate) fn fill(sequence: u64, side: &str, engine: &str) -> Note {
        let kind = if side == "BUY" { "buy_order" } else { "sell_order" };
        let order = json!({"type": side, "outcomeLabel": "Wet", "quantity": 5, "price": 0.4, "currency": "USD", "engine": engine});
        let Note::Message(made) = message(kind, json!({"order": order})) else { unreachable!() };
        Note::Message(Message { sequence, ..made })
    }

    /// The book of YES or NO.
    pub(crate) fn book(outcome: &str) -> Note {
        let level = |price: f64, quantity: u32| json!({"price": price, "quantity": quantity, "total": 1});
        let id = Uuid::from_u128(if outcome == "yes" { 1 } else { 2 });
        message(
            "orderbook_update",
            json!({"orderbook": {
                "outcomeId": id, "bids": [level(0.4, 100), level(0.39, 50)], "asks": [level(0.45, 20)],
            }}),
        )
    }

    fn order(id: Uuid, status: &str) -> Note {
        message("order_updated", json!({"cause": "PLACED", "order": {"id": id, "status": status}}))
    }

    /// An order of the answer with open orders.
    fn resting(id: Uuid) -> OrderData {
        let at = "2026-01-01T00:00:00Z";
        let order = json!({
            "id": id, "eventId": id, "marketId": id, "outcomeId": id, "outcome": "YES", "outcomeLabel": "Wet",
            "side": "BUY", "orderType": "LIMIT", "timeInForce": "GTC", "status": "open", "price": 0.4, "amount": 4,
            "size": 10, "filledSize": 0, "remainingSize": 10, "quantity": 0, "avgFillPrice": 0, "fee": 0,
            "currency": "USD", "postOnly": false, "stpMode": "SKIP", "createdAt": at, "updatedAt": at,
        });
        serde_json::from_str(&order.to_string()).expect("an order")
    }

    #[test]
    fn only_the_book_of_the_chosen_outcome_is_taken() {
        let mut view = View::new(target(), 10);
        assert_eq!(view.apply(book("no")), []);
        assert_eq!(view.apply(book("yes")), [ViewChange::Book]);
        assert_eq!((view.bids.len(), view.asks[0].price.as_str()), (2, "0.45"));
    }

    #[test]
    fn a_book_trade_is_shown_once_and_every_pool_trade() {
        let mut view = View::new(target(), 10);
        let told = [(7, "BUY"), (7, "SELL"), (7, "BUY"), (7, "SELL"), (8, "SELL"), (8, "BUY")]
            .map(|(sequence, side)| view.apply(fill(sequence, side, "CLOB")).len());
        assert_eq!(told, [1, 0, 1, 0, 1, 0]);
        assert_eq!([9, 9].map(|sequence| view.apply(fill(sequence, "BUY", "AMM")).len()), [1, 1]);
        assert_eq!(view.trades[0].at, "01:01:01");
    }

    #[test]
    fn an_order_that_ended_does_not_come_back_by_an_older_answer() {
        let mut view = View::new(target(), 10);
        let [ended, other] = [1, 2].map(Uuid::from_u128);
        assert_eq!(view.apply(order(ended, "OPEN")).len(), 1);
        assert_eq!(view.orders.len(), 1);
        view.apply(order(ended, "FILLED"));
        assert_eq!(view.apply(Note::OpenOrders(vec![resting(ended), resting(other)])).len(), 1);
        assert_eq!(view.orders.keys().collect::<Vec<_>>(), [&other.to_string()]);
        view.apply(Note::Connected(Endpoint::Own));
        assert!(view.orders.is_empty(), "what was missed is read again");
    }

    #[test]
    fn status_and_prices_are_shown_on_change_and_control_characters_are_removed() {
        let mut view = View::new(target(), 10);
        let prices = |status: &str| {
            let market = json!({"id": Uuid::nil(), "status": status, "prices": {"YES": 0.4, "NO": 0.6}});
            message("price_update", json!({"markets": [{"id": Uuid::max()}, market]}))
        };
        assert_eq!(view.apply(prices("open")), [ViewChange::Status, ViewChange::Prices]);
        assert_eq!(view.apply(prices("open")), []);
        assert_eq!(view.apply(prices("pau\u{1b}[2Jsed")), [ViewChange::Status]);
        assert_eq!(view.status, "pau[2Jsed");
    }
}
