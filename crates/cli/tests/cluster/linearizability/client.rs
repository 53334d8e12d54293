//! Concurrent clients of three nodes that write and read registers: the terms of an order, and the money of a wallet.
//! They record what they were answered and when.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use serde_json::Value;
use stage::drill::operation::{Money, Operation, Places, Terms, units};

use super::checker::{Action, Event};
use crate::crowd::{Answer, Ask};
use crate::drill::ask;
use crate::nodes::Node;

pub(super) const DOLLARS: Money = Money { code: "USD", base: 1 };
/// Millionths of a dollar.
const DOLLAR: i64 = 1_000_000;
/// Two persons, because an order holds money of its owner's wallet.
const ORDERS_OF: usize = 0;
const WALLET_OF: usize = 1;

/// How a client makes its reads current or keeps them in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Uses any node. Its reads wait for the highest sequence that any client has seen: they are current.
    Current,
    /// Uses any node. Its reads wait for the highest sequence that it has seen itself.
    Session,
    /// Uses one node, and its reads wait for nothing.
    Settled,
}

/// A value that clients write and read.
#[derive(Clone, Debug)]
pub(super) enum Register {
    /// An open order: the value is its price and size.
    Order(String),
    /// The free money of a person.
    Wallet,
}

/// The registers of one history with the initial values, and what the clients share.
pub(super) struct History<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) places: &'a Places,
    pub(super) record: &'a Value,
    pub(super) registers: Vec<(Register, i64)>,
    clock: AtomicU64,
    /// The highest sequence in any answer.
    highest: AtomicU64,
    /// Numbers the values that are written, from 1.
    written: AtomicU64,
    events: Mutex<Vec<(usize, Event)>>,
    /// Begins the names of this history's requests.
    name: String,
}

impl<'a> History<'a> {
    pub(super) fn new(nodes: &'a [Node], places: &'a Places, record: &'a Value, name: String) -> History<'a> {
        History {
            nodes,
            places,
            record,
            registers: Vec::new(),
            clock: AtomicU64::new(1),
            highest: AtomicU64::new(0),
            written: AtomicU64::new(1),
            events: Mutex::new(Vec::new()),
            name,
        }
    }

    /// The operations at a register.
    pub(super) fn events(&self, register: usize) -> Vec<Event> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.iter().filter(|(of, _)| *of == register).map(|(_, event)| *event).collect()
    }

    /// Waits until every node has applied everything that was answered so far.
    pub(super) fn wait_until_seen(&self) {
        let sequence = self.highest.load(Ordering::Acquire);
        for node in self.nodes {
            let has_seen =
                |address: String| ask(&address, "/health", Some(sequence)).map(|(status, _)| status);
            let complaint = || format!("a node does not reach {sequence}: {}", node.log());
            patience::until(complaint, || node.address().and_then(has_seen) == Some(200));
        }
    }

    fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::AcqRel)
    }

    /// Other terms than all before.
    fn fresh_terms(&self) -> Terms {
        let number = self.written.fetch_add(1, Ordering::AcqRel) as i64;
        Terms { cents: number % 3 + 1, shares: 100 + number / 3 }
    }

    fn request(&self, operation: &Operation, key: &str) -> Ask {
        let (method, path, body) = operation.request(self.places, DOLLARS);
        let is_of_wallet = matches!(operation, Operation::Mint(_) | Operation::Burn(_));
        let person = if is_of_wallet { WALLET_OF } else { ORDERS_OF };
        let text =
            |name: &str| self.record["users"][person][name].as_str().expect("a person with keys").to_owned();
        let ask = Ask::new(method, path).body(body).signed(&text("publicKey"), &text("secretKey"));
        ask.header("Idempotency-Key", key)
    }
}

pub(super) struct Client<'a> {
    number: usize,
    manner: Manner,
    history: &'a History<'a>,
    rng: Rng,
    /// The highest sequence in an answer to this client.
    seen: u64,
    serial: u64,
}

/// The end of a write.
enum Written {
    Answered(Answer),
    /// The client gave up an attempt that may have been carried out.
    Unknown,
    /// The client gave up after an answer that nothing was written.
    Nothing,
}

impl<'a> Client<'a> {
    pub(super) fn new(history: &'a History<'a>, number: usize, manner: Manner, seed: u64) -> Client<'a> {
        Client { number, manner, history, rng: Rng::with_seed(seed), seen: 0, serial: 0 }
    }

    /// A random write or read of a random register.
    pub(super) fn act(&mut self) {
        let register = self.rng.usize(..self.history.registers.len());
        if self.rng.bool() { self.change(register) } else { self.read(register) }
    }

    /// A random write, recorded unless nothing was written.
    pub(super) fn change(&mut self, register: usize) {
        let (operation, action) = match &self.history.registers[register].0 {
            Register::Order(id) => {
                let terms = self.history.fresh_terms();
                (Operation::Amend { orders: vec![(id.clone(), terms)] }, Action::Write(value_of(terms)))
            }
            Register::Wallet => {
                let whole = self.rng.i64(1..=3);
                match self.rng.bool() {
                    true => (Operation::Mint(whole), Action::Add(-whole * DOLLAR)),
                    false => (Operation::Burn(whole), Action::Add(whole * DOLLAR)),
                }
            }
        };
        // The wallet outlives the history: a write with an unknown outcome could arrive in the next one.
        let may_give_up = !matches!(self.history.registers[register].0, Register::Wallet);
        let called = self.history.now();
        let answered = match self.write(&operation, may_give_up) {
            Written::Answered(answer) => {
                let failed = &answer.body["summary"]["failed"];
                assert!(failed.is_null() || failed == 0, "{}", answer.body);
                Some(self.history.now())
            }
            Written::Unknown => None,
            Written::Nothing => return,
        };
        self.record(register, Event { client: self.number, called, answered, action });
    }

    /// A read, recorded with the claim that the client's manner makes.
    pub(super) fn read(&mut self, register: usize) {
        let called = self.history.now();
        let value = self.value(register);
        let action = match self.manner {
            Manner::Current => Action::Read(value),
            Manner::Session | Manner::Settled => Action::SessionRead(value),
        };
        let answered = Some(self.history.now());
        self.record(register, Event { client: self.number, called, answered, action });
    }

    /// Places an order with terms that no other write has, and returns it as a register.
    pub(super) fn place(&mut self) -> (Register, i64) {
        let terms = self.history.fresh_terms();
        let name = format!("{}-{}", self.history.name, self.serial);
        let operation = Operation::Place { orders: vec![(name, terms)], as_batch: false };
        let Written::Answered(answer) = self.write(&operation, false) else { panic!("it is not given up") };
        let id = answer.body["order"]["id"].as_str().expect("an order").to_owned();
        (Register::Order(id), value_of(terms))
    }

    /// Any other write, until it is answered.
    pub(super) fn write_surely(&mut self, operation: &Operation) {
        assert!(matches!(self.write(operation, false), Written::Answered(_)), "it is not given up");
    }

    /// The value of a register, until a node answers.
    fn value(&mut self, register: usize) -> i64 {
        let register = self.history.registers[register].0.clone();
        self.value_of(&register)
    }

    pub(super) fn value_of(&mut self, register: &Register) -> i64 {
        let (path, person) = match register {
            Register::Order(id) => (format!("/v1/pm/orders/{id}"), ORDERS_OF),
            Register::Wallet => ("/v1/wallet/assets".to_owned(), WALLET_OF),
        };
        let public = self.history.record["users"][person]["publicKey"].as_str().expect("a person with keys");
        let ask = Ask::new("GET", path).header("X-Public-Key", public);
        // Read after the operation has begun, so that everything answered before is below it.
        let ask = match self.manner {
            Manner::Current => ask.at_or_after(self.history.highest.load(Ordering::Acquire)),
            Manner::Session => ask.at_or_after(self.seen),
            Manner::Settled => ask,
        };
        patience::answer("no node answers", || match self.send(&ask) {
            Some(answer) if answer.status == 200 => Some(shown(register, &answer.body)),
            // The node is behind, starts or ends.
            None | Some(Answer { status: 503, .. }) => None,
            Some(answer) => panic!("{register:?}: {} {}", answer.status, answer.body),
        })
    }

    /// Sends a write, under one key, until it is answered or, if the client may, given up.
    fn write(&mut self, operation: &Operation, may_give_up: bool) -> Written {
        self.serial += 1;
        let key = format!("{}-{}-{}", self.history.name, self.number, self.serial);
        let mut is_unknown = false;
        patience::answer(
            || format!("no node answers {operation:?}"),
            || {
                match self.send(&self.history.request(operation, &key)) {
                    Some(answer) if answer.status == 200 => return Some(Written::Answered(answer)),
                    // Of this attempt nothing was written.
                    Some(Answer { status: 503, body, .. }) if body["outcome"] != "unknown" => {}
                    None | Some(Answer { status: 409 | 503, .. }) => is_unknown = true,
                    Some(answer) => panic!("{operation:?}: {} {}", answer.status, answer.body),
                }
                let gives_up = may_give_up && self.rng.u8(..) < 64;
                gives_up.then_some(if is_unknown { Written::Unknown } else { Written::Nothing })
            },
        )
    }

    /// Sends a request to a node of the client's choice. None: there is no answer.
    fn send(&mut self, ask: &Ask) -> Option<Answer> {
        let nodes = self.history.nodes;
        let node = match self.manner {
            Manner::Settled => &nodes[self.number % nodes.len()],
            Manner::Current | Manner::Session => &nodes[self.rng.usize(..nodes.len())],
        };
        let answer = ask.try_send(&node.address()?)?;
        if answer.status == 200 {
            let sequence = answer.written_at();
            self.seen = self.seen.max(sequence);
            self.history.highest.fetch_max(sequence, Ordering::AcqRel);
        }
        Some(answer)
    }

    fn record(&self, register: usize, event: Event) {
        let mut events = self.history.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push((register, event));
    }
}

/// An order's terms as one number.
fn value_of(terms: Terms) -> i64 {
    terms.shares * 10 + terms.cents
}

/// The value of a register in a response.
fn shown(register: &Register, body: &Value) -> i64 {
    match register {
        Register::Order(_) => value_of(Terms::of(body)),
        Register::Wallet => {
            let mut assets = body["assets"].as_array().expect("assets").iter();
            let asset = assets.find(|asset| asset["symbol"] == DOLLARS.code).expect("a wallet");
            units(&asset["availableBalance"], 1e6)
        }
    }
}
