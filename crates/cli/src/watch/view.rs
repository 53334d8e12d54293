//! The state of the market, from stream messages alone: book, trades, prices, status, own orders, and the connections.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

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
    /// Orders that ended since the connection began. The response with open orders may be older and must not restore them.
    closed: BTreeSet<String>,
    /// A book trade arrives twice, from the taker's side first. The sequence of a trade whose second message is still due.
    half_told: Option<u64>,
}

impl View {
    pub(super) fn new(target: Target, depth: usize) -> View {
        let waiting = || "waiting".to_owned();
        let mut lost = vec![(Endpoint::Market, waiting())];
        lost.extend(target.public_key.is_some().then(|| (Endpoint::Own, waiting())));
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
            closed: BTreeSet::new(),
            half_told: None,
        }
    }

    pub(super) fn apply(&mut self, note: Note) -> Vec<ViewChange> {
        match note {
            Note::Connected(endpoint) => {
                self.lost.retain(|(lost, _)| *lost != endpoint);
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
        }
    }

    fn apply_message(&mut self, message: &Value) -> Vec<ViewChange> {
        let data = &message["data"];
        match message["type"].as_str() {
            Some("orderbook_update") => self.apply_book(&data["orderbook"]),
            Some("price_update") => self.apply_prices(data),
            Some("buy_order" | "sell_order") => self.apply_trade(message).into_iter().collect(),
            Some("order_updated") => vec![self.apply_order(data)],
            Some("error") => vec![ViewChange::Refused(text(&data["message"]))],
            _ => Vec::new(),
        }
    }

    fn apply_book(&mut self, book: &Value) -> Vec<ViewChange> {
        if book["outcomeId"] != *self.target.outcome_id {
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
        let Some(market) = markets.find(|market| market["id"] == *self.target.market) else {
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
    fn apply_trade(&mut self, message: &Value) -> Option<ViewChange> {
        let order = &message["data"]["order"];
        let sequence = message["sequence"].as_u64();
        if order["engine"] == "CLOB" {
            if self.half_told.is_some() && self.half_told == sequence {
                self.half_told = None;
                return None;
            }
            self.half_told = sequence;
        }
        let millis = message["timestamp"].as_i64().unwrap_or_default();
        let trade = Trade {
            side: text(&order["type"]),
            outcome: text(&order["outcomeLabel"]),
            quantity: text(&order["quantity"]),
            price: text(&order["price"]),
            currency: text(&order["currency"]),
            at: time_of_day(millis),
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
    fn apply_open_orders(&mut self, told: &Value) -> Option<ViewChange> {
        let id = text(&told["id"]);
        if self.orders.contains_key(&id) || self.closed.contains(&id) {
            return None;
        }
        let order = Order {
            id: id.clone(),
            side: text(&told["side"]),
            outcome: text(&told["outcomeLabel"]),
            price: text(&told["price"]),
            remaining: text(&told["remainingSize"]),
            filled: text(&told["filledSize"]),
            currency: text(&told["currency"]),
            status: if told["filledSize"].as_f64() > Some(0.0) { "PARTIAL_FILLED" } else { "OPEN" }
                .to_owned(),
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
    use serde_json::json;

    use super::*;

    pub(crate) fn target() -> Target {
        Target {
            url: "http://127.0.0.1:1".to_owned(),
            public_key: Some("pk".to_owned()),
            event: "e".to_owned(),
            market: "m".to_owned(),
            outcome: Outcome::Yes,
            outcome_id: "yes".to_owned(),
            currency: "USD".to_owned(),
            title: "Rain?".to_owned(),
            labels: ["Wet".to_owned(), "Dry".to_owned()],
        }
    }

    fn message(value: Value) -> Note {
        Note::Message(value)
    }

    pub(crate) fn fill(sequence: u64, side: &str, engine: &str) -> Note {
        message(json!({
            "type": if side == "BUY" { "buy_order" } else { "sell_order" }, "sequence": sequence,
            "timestamp": 3_661_000,
            "data": {"order": {"type": side, "outcomeLabel": "Wet", "quantity": 5, "price": 0.4, "currency": "USD", "engine": engine}},
        }))
    }

    pub(crate) fn book(outcome: &str) -> Note {
        let level = |price: f64, quantity: u32| json!({"price": price, "quantity": quantity, "total": 1});
        message(json!({"type": "orderbook_update", "data": {"orderbook": {
            "outcomeId": outcome, "bids": [level(0.4, 100), level(0.39, 50)], "asks": [level(0.45, 20)],
        }}}))
    }

    fn order(status: &str) -> Note {
        message(
            json!({"type": "order_updated", "data": {"cause": "PLACED", "order": {"id": "o", "status": status}}}),
        )
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
        assert_eq!(view.apply(order("OPEN")).len(), 1);
        assert_eq!(view.orders.len(), 1);
        view.apply(order("FILLED"));
        assert_eq!(view.apply(Note::OpenOrders(vec![json!({"id": "o"}), json!({"id": "p"})])).len(), 1);
        assert_eq!(view.orders.keys().collect::<Vec<_>>(), ["p"]);
        view.apply(Note::Connected(Endpoint::Own));
        assert!(view.orders.is_empty(), "what was missed is read again");
    }

    #[test]
    fn status_and_prices_are_shown_on_change_and_control_characters_are_removed() {
        let mut view = View::new(target(), 10);
        let prices = |status: &str| {
            message(json!({"type": "price_update", "data": {"markets": [
                {"id": "other"}, {"id": "m", "status": status, "prices": {"YES": 0.4, "NO": 0.6}},
            ]}}))
        };
        assert_eq!(view.apply(prices("open")), [ViewChange::Status, ViewChange::Prices]);
        assert_eq!(view.apply(prices("open")), []);
        assert_eq!(view.apply(prices("pau\u{1b}[2Jsed")), [ViewChange::Status]);
        assert_eq!(view.status, "pau[2Jsed");
    }
}
