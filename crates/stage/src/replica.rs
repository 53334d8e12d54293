//! A market or an account rebuilt from `changes` alone, by the recipe in docs/streams.md, and the REST answers that
//! it must equal at their sequence. Each mismatch is a fault with its reason, so that a test can recognise a planted
//! bug.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub type Fault = String;

/// The state of a client that reads one room.
#[derive(Clone, Debug)]
pub struct Replica {
    room: String,
    pub sequence: Option<u64>,
    /// Up to here nothing else has changed.
    pub head: u64,
    state: State,
    samples: Vec<Sample>,
    pub judged: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    /// `status`, `prices`, `terms`, `lastTrade`, `resolution`: replaced whole.
    parts: BTreeMap<String, Value>,
    /// Cents to ten-thousandths of a share.
    bids: BTreeMap<i64, i64>,
    asks: BTreeMap<i64, i64>,
    orders: BTreeMap<String, Value>,
    /// Orders that ended since the snapshot, and those that had ended before, once that is known.
    closed: BTreeMap<String, Value>,
    ended_before: Option<BTreeSet<String>>,
    wallets: BTreeMap<String, (i64, i64)>,
    /// By outcome and currency: balance, available, cost.
    positions: BTreeMap<(String, String), (i64, i64, i64)>,
}

/// A REST answer that was given at a sequence.
#[derive(Clone, Debug)]
struct Sample {
    sequence: u64,
    answer: Answer,
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// `/v1/pm/books` of both outcomes, YES first, and how much a share pays.
    Books(Value, i64),
    /// The market inside its event.
    Market(Value),
    /// `/v1/pm/events/{eventId}/resolution`, and the market that counts.
    Resolution(Value, String),
    /// Open orders that `/v1/pm/orders` lists under one status.
    Orders(Value, &'static str),
    /// The newest orders of `/v1/pm/orders`, in any state.
    History(Value),
    Wallets(Value),
    Portfolio(Value),
}

pub fn units(value: &Value, scale: f64) -> i64 {
    (value.as_f64().unwrap_or_else(|| panic!("{value} is no number")) * scale).round() as i64
}

fn cents(value: &Value) -> i64 {
    units(value, 100.0)
}

fn shares(value: &Value) -> i64 {
    units(value, 1e4)
}

fn money(value: &Value) -> i64 {
    units(value, 1e6)
}

fn rows<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

impl Replica {
    pub fn new(room: &str) -> Replica {
        let (state, samples) = (State::default(), Vec::new());
        Replica { room: room.to_owned(), sequence: None, head: 0, state, samples, judged: 0 }
    }

    /// Applies a message of the room.
    pub fn feed(&mut self, message: &Value) -> Result<(), Fault> {
        if message["room"] != *self.room {
            return Err(format!("another room: {message}"));
        }
        let number =
            |key: &str| message[key].as_u64().ok_or_else(|| format!("{key} is not there in {message}"));
        match message["type"].as_str() {
            Some("snapshot") => self.begin(number("sequence")?, message),
            Some("delta") => self.advance(number("sequence")?, number("previousSequence")?, message),
            Some("heartbeat") => self.beat(number("sequence")?, number("head")?),
            _ => Err(format!("no message of a room: {message}")),
        }
    }

    fn begin(&mut self, sequence: u64, message: &Value) -> Result<(), Fault> {
        if message.get("previousSequence").is_some() {
            return Err(format!("a snapshot that follows something: {message}"));
        }
        if self.sequence.is_some_and(|known| known > sequence) {
            return Err(format!("a snapshot of {sequence} after {:?}", self.sequence));
        }
        // Samples between the two sequences can no longer be checked.
        self.samples.retain(|sample| sample.sequence >= sequence);
        self.state = State::default();
        self.state.apply(&message["data"]);
        self.sequence = Some(sequence);
        self.head = self.head.max(sequence);
        Ok(())
    }

    fn advance(&mut self, sequence: u64, previous: u64, message: &Value) -> Result<(), Fault> {
        if self.sequence != Some(previous) || sequence <= previous {
            return Err(format!("{previous} to {sequence} does not follow {:?}", self.sequence));
        }
        // The state so far holds up to the request before this one.
        self.judge_up_to(sequence - 1)?;
        let before = self.state.clone();
        self.state.apply(&message["data"]);
        let data = &message["data"];
        let is_event = ["trades", "orders", "fills"].iter().any(|key| rows(data, key).next().is_some());
        if self.state == before && !is_event {
            return Err(format!("a delta that changes nothing: {message}"));
        }
        self.sequence = Some(sequence);
        self.head = self.head.max(sequence);
        Ok(())
    }

    fn beat(&mut self, sequence: u64, head: u64) -> Result<(), Fault> {
        if self.sequence != Some(sequence) {
            return Err(format!("the room is at {sequence}, the reader at {:?}", self.sequence));
        }
        if head < sequence {
            return Err(format!("a head of {head} behind {sequence}"));
        }
        self.reach(head)
    }

    /// Nothing else has changed up to `head`.
    pub fn reach(&mut self, head: u64) -> Result<(), Fault> {
        self.head = self.head.max(head);
        self.judge_up_to(self.head)
    }

    /// Keeps an answer until the replica reaches its sequence. Ignores an answer from before the replica's sequence.
    pub fn expect(&mut self, sequence: u64, answer: Answer) {
        if self.sequence.is_none_or(|known| known <= sequence) {
            self.samples.push(Sample { sequence, answer });
        }
    }

    pub fn waiting(&self) -> usize {
        self.samples.len()
    }

    fn judge_up_to(&mut self, head: u64) -> Result<(), Fault> {
        let Some(known) = self.sequence else { return Ok(()) };
        let (due, later) =
            std::mem::take(&mut self.samples).into_iter().partition(|sample| sample.sequence <= head);
        self.samples = later;
        let due: Vec<Sample> = due;
        for Sample { sequence, answer } in due {
            assert!(sequence >= known, "an answer of {sequence} was kept past {known}");
            self.state.equals(&answer).map_err(|why| format!("at {sequence}, from {known}: {why}"))?;
            self.judged += 1;
        }
        Ok(())
    }
}

impl State {
    /// Applies a snapshot to an empty state, or a delta to the current one.
    fn apply(&mut self, data: &Value) {
        for key in ["status", "prices", "terms", "lastTrade", "resolution"] {
            if let Some(part) = data.get(key) {
                self.parts.insert(key.to_owned(), part.clone());
            }
        }
        for (key, side) in [("bids", &mut self.bids), ("asks", &mut self.asks)] {
            for level in rows(data, key) {
                side.insert(cents(&level["price"]), shares(&level["quantity"]));
            }
            side.retain(|_, quantity| *quantity != 0);
        }
        for changed in rows(data, "orders") {
            let order = &changed["order"];
            if matches!(order["status"].as_str(), Some("open" | "partial_filled")) {
                self.orders.insert(word(&order["id"]), order.clone());
            } else {
                self.orders.remove(order["id"].as_str().unwrap_or_default());
                self.closed.insert(word(&order["id"]), order.clone());
            }
        }
        for wallet in rows(data, "wallets") {
            self.wallets.insert(word(&wallet["currency"]), balances(wallet));
        }
        for held in rows(data, "positions") {
            let key = (word(&held["outcomeId"]), word(&held["currency"]));
            match position(held) {
                (0, ..) => drop(self.positions.remove(&key)),
                holding => drop(self.positions.insert(key, holding)),
            }
        }
    }

    fn equals(&mut self, answer: &Answer) -> Result<(), Fault> {
        match answer {
            Answer::Books(books, base) => self.equals_books(books, *base),
            Answer::Market(market) => self.equals_market(market),
            Answer::Resolution(resolution, market) => self.equals_resolution(resolution, market),
            Answer::Orders(orders, status) => {
                let mine = self.orders.iter().filter(|(_, order)| order["status"] == *status);
                let mine: BTreeMap<String, Value> =
                    mine.map(|(id, order)| (id.clone(), order.clone())).collect();
                let listed =
                    rows(orders, "orders").map(|order| (word(&order["id"]), order.clone())).collect();
                same("orders", &mine, &listed)
            }
            Answer::History(orders) => self.equals_history(orders),
            Answer::Wallets(wallets) => {
                let listed = rows(wallets, "assets").map(|asset| (word(&asset["symbol"]), balances(asset)));
                same("wallets", &self.wallets, &listed.collect())
            }
            Answer::Portfolio(portfolio) => {
                let listed = rows(portfolio, "outcomeBalances")
                    .map(|held| ((word(&held["outcomeId"]), word(&held["currency"])), position(held)));
                same("positions", &self.positions, &listed.collect())
            }
        }
    }

    /// Every order that ended was sent in its final state. The first history read shows the orders that ended before
    /// the snapshot.
    fn equals_history(&mut self, orders: &Value) -> Result<(), Fault> {
        let is_open = |order: &&Value| matches!(order["status"].as_str(), Some("open" | "partial_filled"));
        let closed = rows(orders, "orders").filter(|order| !is_open(order));
        let (told, untold): (Vec<&Value>, Vec<&Value>) =
            closed.partition(|order| self.closed.contains_key(&word(&order["id"])));
        for order in told {
            same("a closed order", &self.closed[&word(&order["id"])], order)?;
        }
        let untold: BTreeSet<String> = untold.into_iter().map(|order| word(&order["id"])).collect();
        let before = self.ended_before.get_or_insert_with(|| untold.clone());
        match untold.difference(before).next() {
            Some(id) => Err(format!("the end of {id} was not sent")),
            None => Ok(()),
        }
    }

    /// Both outcomes: NO mirrors YES.
    fn equals_books(&self, books: &Value, base: i64) -> Result<(), Fault> {
        let total = |(price, quantity): (i64, i64)| (price, quantity, price * quantity * base);
        let turned = |(price, quantity): (i64, i64)| (100 - price, quantity);
        let list = |levels: &BTreeMap<i64, i64>| levels.clone().into_iter().collect::<Vec<_>>();
        let (bids, asks) = (list(&self.bids), list(&self.asks));
        let yes =
            [bids.iter().rev().copied().map(total).collect(), asks.iter().copied().map(total).collect()];
        let no: [Vec<_>; 2] = [
            asks.iter().copied().map(turned).map(total).collect(),
            bids.iter().rev().copied().map(turned).map(total).collect(),
        ];
        for (name, mine, book) in [("YES", yes, &books[0]), ("NO", no, &books[1])] {
            for (side, mine) in ["bids", "asks"].into_iter().zip(mine) {
                let level = |level: &Value| {
                    (cents(&level["price"]), shares(&level["quantity"]), money(&level["total"]))
                };
                let listed: Vec<(i64, i64, i64)> = rows(book, side).map(level).collect();
                same(&format!("{name} {side}"), &mine, &listed)?;
            }
        }
        let last = &self.parts.get("lastTrade").cloned().unwrap_or_default();
        same("last price", &last["price"], &books[0]["lastTradedPrice"])?;
        same("last side", &last["side"], &books[0]["lastTradedSide"])
    }

    fn equals_market(&self, market: &Value) -> Result<(), Fault> {
        same("status", &self.parts["status"], &market["status"])?;
        for key in ["outcome1Price", "outcome2Price", "yesBuyPrice", "noBuyPrice"] {
            same(key, &self.parts["prices"][key], &market[key])?;
        }
        for key in ["feePercentage", "minimumOrderAmount", "announcedTerms"] {
            same(key, &self.parts["terms"][key], &market[key])?;
        }
        let resolved = self.parts["resolution"]["resolvedOutcome"].as_str().unwrap_or_default();
        same("resolved", &resolved, &market["resolvedOutcome"].as_str().unwrap_or_default())
    }

    fn equals_resolution(&self, resolution: &Value, market: &str) -> Result<(), Fault> {
        let mine = &self.parts["resolution"];
        same("proposal", &mine["proposal"], &resolution["proposal"])?;
        let last = rows(resolution, "verdicts").last().cloned().unwrap_or_default();
        same("verdict", &mine["lastVerdict"], &last)?;
        let market = rows(resolution, "markets").find(|row| row["marketId"] == *market);
        let market = market.ok_or_else(|| format!("no such market in {resolution}"))?;
        same("payout", &mine["yesPayout"], &market["yesPayout"])?;
        same("settled", &mine["settledAt"], &market["settledAt"])
    }
}

fn balances(wallet: &Value) -> (i64, i64) {
    (money(&wallet["availableBalance"]), money(&wallet["pendingBalance"]))
}

fn position(held: &Value) -> (i64, i64, i64) {
    (shares(&held["balance"]), shares(&held["availableBalance"]), money(&held["cost"]))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, mine: &T, listed: &T) -> Result<(), Fault> {
    if mine == listed { Ok(()) } else { Err(format!("{what}: {mine:?} rebuilt, {listed:?} read")) }
}
