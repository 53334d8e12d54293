//! One of many concurrent callers. It computes its balances to the unit, and has at most one unanswered request when
//! the process dies.

use std::fmt;

use fastrand::Rng;
use serde_json::Value;
use stage::demo::Demo;
use stage::drill::operation::{Holdings, Money, Operation, Places, Terms, units};
use stage::drill::wire::{Answer, Wire};

const CURRENCIES: [Money; 2] = [Money { code: "USD", base: 1 }, Money { code: "NGN", base: 100 }];
/// Answered requests with a key that are repeated after the next start.
const ASKED_AGAIN_MAX: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) answered: u64,
    with_key: u64,
    /// Unanswered requests, by outcome.
    sent_again: u64,
    done: u64,
    not_done: u64,
    replayed: u64,
    looked_at: u64,
}

/// A request as it was sent.
struct Sent {
    operation: Operation,
    key: Option<String>,
}

pub(super) struct Caller {
    person: usize,
    money: Money,
    rng: Rng,
    holdings: Holdings,
    serial: u64,
    unanswered: Option<Sent>,
    answered: Vec<(Sent, String)>,
    /// Orders that this life closed, and how.
    closed: Vec<(String, &'static str)>,
    pub(super) counts: Counts,
}

impl Caller {
    /// Each person trades in both currencies at once.
    pub(super) fn meet(demo: &Demo, number: usize, seed: u64) -> Caller {
        let (person, money) = (number / 2, CURRENCIES[number % 2]);
        let (free, held_before) = wallet(&Wire::new(demo, person), money);
        Caller {
            person,
            money,
            rng: Rng::with_seed(seed),
            holdings: Holdings { free, held_before, ..Holdings::default() },
            serial: 0,
            unanswered: None,
            answered: Vec::new(),
            closed: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Sends requests until the process is gone.
    pub(super) fn trade(&mut self, demo: &Demo, places: &Places) {
        let wire = Wire::new(demo, self.person);
        loop {
            self.serial += 1;
            let name = format!("{}-{}", self.money.code, self.serial);
            let operation = Operation::choose(&mut self.rng, &self.holdings, &name);
            let sent = Sent { operation, key: self.rng.bool().then_some(name) };
            match self.send(&wire, places, &sent) {
                Some(answer) => self.take(sent, &answer),
                None => {
                    self.unanswered = Some(sent);
                    return;
                }
            }
        }
    }

    fn send(&self, wire: &Wire, places: &Places, sent: &Sent) -> Option<Answer> {
        let (method, path, body) = sent.operation.request(places, self.money);
        wire.write(method, &path, &body, sent.key.as_deref())
    }

    /// An answer is a promise: from here on the effect must exist.
    fn take(&mut self, sent: Sent, answer: &Answer) {
        assert_eq!(answer.status, 200, "{:?}: {}", sent.operation, answer.text);
        self.counts.answered += 1;
        self.counts.with_key += u64::from(sent.key.is_some());
        self.enter(&sent.operation, &answer.json());
        if sent.key.is_some() {
            self.answered.push((sent, answer.text.clone()));
        }
    }

    /// Applies the effect of an operation to the expected holdings.
    fn enter(&mut self, operation: &Operation, answer: &Value) {
        let before = self.holdings.held(self.money);
        match operation {
            Operation::Place { orders, as_batch } => {
                for (index, (_, terms)) in orders.iter().enumerate() {
                    let order = if *as_batch { &answer["results"][index]["order"] } else { &answer["order"] };
                    let id = order["id"].as_str().unwrap_or_else(|| panic!("an order in {answer}"));
                    self.holdings.open.insert(id.to_owned(), *terms);
                }
            }
            Operation::Cancel { ids, .. } => {
                for id in ids {
                    self.holdings.open.remove(id);
                    self.closed.push((id.clone(), "cancelled"));
                }
            }
            Operation::Amend { orders } => self.holdings.open.extend(orders.iter().cloned()),
            Operation::Mint(whole) => self.move_sets(*whole),
            Operation::Burn(whole) => self.move_sets(-whole),
            Operation::Take { .. } => {
                let order = &answer["order"];
                self.holdings.free -= units(&order["amount"], 1e6);
                self.closed.push((order["id"].as_str().expect("an id").to_owned(), "filled"));
            }
        }
        self.holdings.free -= self.holdings.held(self.money) - before;
        let failed = answer["summary"]["failed"].as_u64();
        assert!(failed.is_none_or(|failed| failed == 0), "{operation:?}: {answer}");
    }

    fn move_sets(&mut self, whole: i64) {
        self.holdings.sets += whole;
        self.holdings.free -= whole * self.money.base * 1_000_000;
    }

    /// After a start: resolves unanswered requests, then checks that every effect exists exactly once.
    pub(super) fn check(&mut self, demo: &Demo, places: &Places, thoroughly: bool) {
        let wire = Wire::new(demo, self.person);
        match self.unanswered.take() {
            Some(sent) if sent.key.is_some() => self.send_again(&wire, places, sent),
            Some(sent) => self.find_out(&wire, &sent.operation),
            None => {}
        }
        let again = self.answered.len().saturating_sub(ASKED_AGAIN_MAX);
        for (sent, text) in self.answered.split_off(again) {
            let answer = self.send(&wire, places, &sent).expect("an answer");
            assert!(answer.is_replay, "{:?} under {:?} is known: {}", sent.operation, sent.key, answer.text);
            assert_eq!(answer.text, text, "a replay is the first answer");
            self.counts.replayed += 1;
        }
        self.answered.clear();
        assert_eq!(
            wallet(&wire, self.money),
            (self.holdings.free, self.holdings.held(self.money)),
            "nothing was lost or done twice for person {} in {}",
            self.person,
            self.money.code
        );
        self.look_at_orders(&wire, thoroughly);
    }

    /// Repeats the request under the same key: one effect.
    fn send_again(&mut self, wire: &Wire, places: &Places, sent: Sent) {
        let first = self.send(wire, places, &sent).expect("an answer");
        let second = self.send(wire, places, &sent).expect("an answer");
        assert!(second.is_replay, "{:?}: {}", sent.operation, second.text);
        assert_eq!(second.text, first.text, "a replay is the first answer");
        self.counts.sent_again += 1;
        self.counts.done += u64::from(first.is_replay);
        self.counts.not_done += u64::from(!first.is_replay);
        self.take(sent, &first);
    }

    /// Without a key only a read can show whether it was done. A batch was done whole or not at all.
    fn find_out(&mut self, wire: &Wire, operation: &Operation) {
        let by_name = |name: &String| {
            let mut found = wire.read(&format!("/v1/pm/orders?clientOrderId={name}"));
            let orders = found["orders"].as_array_mut().expect("orders");
            assert!(orders.len() <= 1, "{name} is there {} times", orders.len());
            orders.pop()
        };
        let by_id = |id: &String| wire.read(&format!("/v1/pm/orders/{id}"));
        let (done, answer) = match operation {
            Operation::Place { orders, as_batch } => {
                let found: Vec<_> = orders.iter().map(|(name, _)| by_name(name)).collect();
                let done: Vec<bool> = found.iter().map(Option::is_some).collect();
                let results: Vec<Value> =
                    found.iter().map(|order| serde_json::json!({"order": order})).collect();
                let answer =
                    if *as_batch { serde_json::json!({"results": results}) } else { results[0].clone() };
                (done, answer)
            }
            Operation::Cancel { ids, .. } => {
                let is_cancelled = |id| by_id(id)["status"] == "cancelled";
                (ids.iter().map(is_cancelled).collect(), Value::Null)
            }
            Operation::Amend { orders } => {
                let is_amended = |(id, terms): &(String, Terms)| Terms::of(&by_id(id)) == *terms;
                (orders.iter().map(is_amended).collect(), Value::Null)
            }
            Operation::Mint(_) | Operation::Burn(_) => {
                let (free, _) = wallet(wire, self.money);
                (vec![free != self.holdings.free], Value::Null)
            }
            Operation::Take { name, .. } => {
                let order = by_name(name);
                (vec![order.is_some()], serde_json::json!({"order": order}))
            }
        };
        assert!(done.iter().all(|item| *item == done[0]), "{operation:?} was done by half: {done:?}");
        if done[0] {
            self.enter(operation, &answer);
            self.counts.done += 1;
        } else {
            self.counts.not_done += 1;
        }
    }

    /// Checks every order of this caller, the orders closed since the last start, and now and then that there is no
    /// other.
    fn look_at_orders(&mut self, wire: &Wire, thoroughly: bool) {
        for (id, terms) in &self.holdings.open {
            let order = wire.read(&format!("/v1/pm/orders/{id}"));
            assert_eq!((order["status"].as_str(), Terms::of(&order)), (Some("open"), *terms), "{order}");
        }
        for (id, status) in &self.closed {
            let order = wire.read(&format!("/v1/pm/orders/{id}"));
            assert_eq!(order["status"].as_str(), Some(*status), "{order}");
        }
        self.counts.looked_at += (self.holdings.open.len() + self.closed.len()) as u64;
        self.closed.clear();
        if thoroughly {
            let path = format!("/v1/pm/orders?status=open&size=100&currency={}", self.money.code);
            let listed = wire.read(&path);
            let orders = listed["orders"].as_array().expect("orders").iter();
            let mut named: Vec<&str> = orders
                .filter(|order| order["clientOrderId"].is_string())
                .filter_map(|order| order["id"].as_str())
                .collect();
            named.sort_unstable();
            assert!(named.iter().eq(self.holdings.open.keys()), "{named:?} {:?}", self.holdings.open);
        }
    }
}

/// Free and held money, in millionths.
fn wallet(wire: &Wire, money: Money) -> (i64, i64) {
    let assets = wire.read("/v1/wallet/assets");
    let mut assets = assets["assets"].as_array().expect("assets").iter();
    let asset = assets.find(|asset| asset["symbol"] == money.code).expect("a wallet");
    (units(&asset["availableBalance"], 1e6), units(&asset["pendingBalance"], 1e6))
}

impl Counts {
    pub(super) fn add(&mut self, other: &Counts) {
        self.answered += other.answered;
        self.with_key += other.with_key;
        self.sent_again += other.sent_again;
        self.done += other.done;
        self.not_done += other.not_done;
        self.replayed += other.replayed;
        self.looked_at += other.looked_at;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { answered, with_key, sent_again, done, not_done, replayed, looked_at } = self;
        writeln!(
            f,
            "{answered} answered writes ({with_key} with an idempotency key), {replayed} of them replayed"
        )?;
        writeln!(
            f,
            "{} unanswered: {done} had been done, {not_done} had not; {sent_again} of them sent again",
            done + not_done
        )?;
        write!(f, "{looked_at} orders looked at")
    }
}
