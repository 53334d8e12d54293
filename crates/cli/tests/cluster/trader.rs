//! A trader who sends each write to any node that is up. Every write carries an idempotency key and is retried, at
//! any node, until it is answered. So the trader can compute its balances to the unit.

use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use serde_json::Value;
use stage::demo::Demo;
use stage::drill::operation::{Holdings, Money, Operation, Places, units};
use stage::drill::wire::{Answer, Wire};

use crate::beat::Beat;
use crate::nodes::Node;

const CURRENCIES: [Money; 2] = [Money { code: "USD", base: 1 }, Money { code: "NGN", base: 100 }];
/// More than all orders that can rest at once need: in whole money, for a share that pays one.
const FREE_MIN: i64 = 400;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) answered: u64,
    /// Sent more than once, because there was no answer or an answer of 409 or 503.
    pub(crate) sent_again: u64,
    /// Retried writes whose first attempt had succeeded.
    pub(crate) done_before: u64,
}

pub(crate) struct Trader {
    record: Value,
    person: usize,
    pub(crate) money: Money,
    rng: Rng,
    holdings: Holdings,
    serial: u64,
    /// The last operation, its key and its answer.
    last: Option<(Operation, String, String)>,
    pub(crate) counts: Counts,
}

impl Trader {
    /// Each person trades in both currencies at once.
    pub(crate) fn meet(demo: &Demo, number: usize, seed: u64) -> Trader {
        let (person, money) = (number / 2, CURRENCIES[number % 2]);
        let (free, held_before) = wallet(&Wire::new(demo, person), money);
        Trader {
            record: demo.json.clone(),
            person,
            money,
            rng: Rng::with_seed(seed),
            holdings: Holdings { free, held_before, ..Holdings::default() },
            serial: 0,
            last: None,
            counts: Counts::default(),
        }
    }

    /// Trades until `stop` is set; the last write is always completed.
    pub(crate) fn trade(&mut self, nodes: &[Node], places: &Places, stop: &AtomicBool, writes: &Beat) {
        while !stop.load(Ordering::Acquire) {
            self.trade_once(nodes, places);
            writes.note();
        }
    }

    pub(crate) fn trade_once(&mut self, nodes: &[Node], places: &Places) {
        let (operation, name) = self.choose();
        let answer = self.send_until_answered(nodes, places, &operation, &name);
        self.counts.answered += 1;
        self.enter(&operation, &answer.json());
        self.last = Some((operation, name, answer.text));
    }

    fn choose(&mut self) -> (Operation, String) {
        self.serial += 1;
        let name = format!("{}-{}", self.money.code, self.serial);
        loop {
            let operation = Operation::choose(&mut self.rng, &self.holdings, &name);
            // In a long drill, money that is not refunded would run out.
            let pays = matches!(operation, Operation::Take { .. } | Operation::Mint(_));
            if !pays || self.holdings.free > FREE_MIN * self.money.base * 1_000_000 {
                return (operation, name);
            }
        }
    }

    /// Trades at one node until an unexpected answer or none.
    pub(crate) fn trade_while_served(&mut self, address: &str, places: &Places) {
        let wire = Wire::to(address, &self.record, self.person);
        loop {
            let (operation, name) = self.choose();
            let (method, path, body) = operation.request(places, self.money);
            match wire.write(method, &path, &body, Some(&name)) {
                Some(answer) if answer.status == 200 => self.enter(&operation, &answer.json()),
                _ => return,
            }
        }
    }

    fn send_until_answered(
        &mut self,
        nodes: &[Node],
        places: &Places,
        operation: &Operation,
        key: &str,
    ) -> Answer {
        let (method, path, body) = operation.request(places, self.money);
        let mut is_again = false;
        let answer = patience::answer(
            || format!("no node answers {operation:?}"),
            || {
                let address = nodes[self.rng.usize(..nodes.len())].address()?;
                let wire = Wire::to(&address, &self.record, self.person);
                match wire.write(method, &path, &body, Some(key)) {
                    Some(answer) if answer.status == 200 => return Some(answer),
                    // Not accepted, or the outcome is unknown; or the node has not yet seen the end of the first attempt.
                    Some(answer) if [409, 503].contains(&answer.status) => {}
                    Some(answer) => panic!("{operation:?}: {} {}", answer.status, answer.text),
                    None => {}
                }
                is_again = true;
                None
            },
        );
        self.counts.sent_again += u64::from(is_again);
        self.counts.done_before += u64::from(answer.is_replay);
        answer
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
            Operation::Cancel { ids, .. } => self.holdings.open.retain(|id, _| !ids.contains(id)),
            Operation::Amend { orders } => self.holdings.open.extend(orders.iter().cloned()),
            Operation::Mint(whole) => self.move_sets(*whole),
            Operation::Burn(whole) => self.move_sets(-whole),
            Operation::Take { .. } => self.holdings.free -= units(&answer["order"]["amount"], 1e6),
        }
        self.holdings.free -= self.holdings.held(self.money) - before;
    }

    fn move_sets(&mut self, whole: i64) {
        self.holdings.sets += whole;
        self.holdings.free -= whole * self.money.base * 1_000_000;
    }

    /// Everything must exist once at this node too, and a repetition of the last write must get the same answer.
    pub(crate) fn check(&mut self, node: &Node, places: &Places) {
        let wire = Wire::to(&node.address().expect("a node that serves"), &self.record, self.person);
        let expected = (self.holdings.free, self.holdings.held(self.money));
        let code = self.money.code;
        assert_eq!(wallet(&wire, self.money), expected, "person {} in {code}", self.person);
        let listed = wire.read(&format!("/v1/pm/orders?status=open&size=100&currency={code}"));
        let orders = listed["orders"].as_array().expect("orders").iter();
        let named = orders.filter(|order| order["clientOrderId"].is_string());
        let mut ids: Vec<&str> = named.filter_map(|order| order["id"].as_str()).collect();
        ids.sort_unstable();
        assert!(ids.iter().eq(self.holdings.open.keys()), "{ids:?} {:?}", self.holdings.open);
        if let Some((operation, key, text)) = &self.last {
            let (method, path, body) = operation.request(places, self.money);
            let again = wire.write(method, &path, &body, Some(key)).expect("an answer");
            assert!(again.is_replay, "{operation:?}: {}", again.text);
            assert_eq!(again.text, *text, "the first answer, whichever node gave it");
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
