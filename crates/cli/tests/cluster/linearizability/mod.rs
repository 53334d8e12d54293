//! Concurrent clients of three nodes: one order of all writes must explain their answers, while connections to the log
//! are cut, nodes are killed and a node is isolated.
//!
//! `checker` decides whether there is such an order, `client` writes and reads. `cargo xtask soak linearizability` runs
//! a thousand histories; the tests run a few, and find planted violations.

mod checker;
mod client;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use pgtest::{Proxy, Server};
use serde_json::Value;
use stage::drill::operation::Operation;
use stage::drill::plan::Plan;

use crate::drill::{NODES, Stopping, wait_until_ready};
use crate::nodes::{Node, Venue};
use checker::{Action, Event, check};
use client::{Client, History, Manner, Register};

const HISTORIES: u64 = 12;
const ORDERS: usize = 2;
/// At most 6 times 16 operations at a register.
const OPERATIONS: usize = 16;
const MANNERS: [Manner; 6] =
    [Manner::Current, Manner::Current, Manner::Session, Manner::Session, Manner::Settled, Manner::Settled];
/// The number of the client that prepares and ends a history.
const HOST: usize = 99;
const TELL_EVERY: u64 = 25;
/// The size of a few appends: a cut falls anywhere in one of the next.
const CUT_AFTER_BYTES_MAX: u32 = 6_000;
/// Complete sets to burn, in whole money.
const SETS: i64 = 5_000;

/// A disturbance during a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// Connections of nodes to the log are cut, again and again.
    Cuts,
    /// A node is killed and started again.
    Kill,
    /// A node is cut off from the log without noticing, and goes on serving reads.
    Isolation,
}

/// Those of the first histories, so that each run has all.
const FIRST_FAULTS: [Fault; 4] = [Fault::None, Fault::Cuts, Fault::Kill, Fault::Isolation];

impl Fault {
    /// The fault of a history. The first histories have each fault in turn.
    fn of_history(number: u64, rng: &mut Rng) -> Fault {
        let chosen = Fault::choose(rng);
        let first = usize::try_from(number).ok().and_then(|number| FIRST_FAULTS.get(number));
        first.copied().unwrap_or(chosen)
    }

    fn choose(rng: &mut Rng) -> Fault {
        match rng.u8(..100) {
            ..20 => Fault::None,
            20..70 => Fault::Cuts,
            70..97 => Fault::Kill,
            _ => Fault::Isolation,
        }
    }

    /// Disturbs the nodes until `stop` is set, and heals them.
    fn inflict(self, nodes: &[Node], proxies: &[Proxy], stop: &AtomicBool, rng: &mut Rng) {
        let number = rng.usize(..NODES);
        match self {
            Fault::None => {}
            Fault::Cuts => {
                while !stop.load(Ordering::Acquire) {
                    proxies[rng.usize(..NODES)].cut_after(rng.u32(..CUT_AFTER_BYTES_MAX));
                    patience::let_run(Duration::from_millis(rng.u64(1..20)));
                }
                proxies.iter().for_each(Proxy::cancel_cut);
            }
            Fault::Kill => {
                patience::let_run(Duration::from_millis(rng.u64(..50)));
                nodes[number].kill();
                assert!(nodes[number].start(), "it comes back: {}", nodes[number].log());
            }
            Fault::Isolation => {
                proxies[number].isolate();
                patience::let_run(Duration::from_millis(rng.u64(100..3_000)));
                proxies[number].restore();
            }
        }
    }
}

/// Three nodes, each behind a proxy to the log.
struct Stage {
    _server: Server,
    proxies: Vec<Proxy>,
    nodes: Vec<Node>,
    venue: Venue,
    record: Value,
}

impl Stage {
    fn open() -> Stage {
        let server = Server::start(&[]);
        let database = server.create_database();
        let proxies: Vec<Proxy> = (0..NODES).map(|_| Proxy::start(server.port())).collect();
        let (venue, record) = Venue::build(&server.url(&database), |demo| demo.json.clone());
        let nodes: Vec<Node> = proxies.iter().map(|proxy| venue.node(&proxy.url(&database))).collect();
        nodes.iter().for_each(|node| assert!(node.start(), "{}", node.log()));
        Stage { _server: server, proxies, nodes, venue, record }
    }

    /// A history with fresh orders and the wallet.
    fn begin(&self, name: String) -> History<'_> {
        let mut history = History::new(&self.nodes, &self.venue.places, &self.record, name);
        let registers: Vec<(Register, i64)> = {
            let mut host = Client::new(&history, HOST, Manner::Current, 0);
            let mut registers: Vec<_> = (0..ORDERS).map(|_| host.place()).collect();
            registers.push((Register::Wallet, host.value_of(&Register::Wallet)));
            registers
        };
        history.registers = registers;
        // A settled client waits for nothing, so its node must have the orders.
        history.wait_until_seen();
        history
    }

    /// Cancels the orders of a history.
    fn end(&self, history: &History<'_>) {
        let ids = history.registers.iter().filter_map(|(register, _)| match register {
            Register::Order(id) => Some(id.clone()),
            Register::Wallet => None,
        });
        let mut host = Client::new(history, HOST + 1, Manner::Current, 0);
        host.write_surely(&Operation::Cancel { ids: ids.collect(), as_batch: true });
    }

    /// Runs the clients of one history. Returns the number of operations.
    fn run(&self, history: &History<'_>, fault: Fault, rng: &mut Rng) -> usize {
        let seeds: Vec<u64> = MANNERS.iter().map(|_| rng.u64(..)).collect();
        let (stop, mut fault_rng) = (AtomicBool::new(false), rng.fork());
        thread::scope(|scope| {
            let inflicting = || fault.inflict(&self.nodes, &self.proxies, &stop, &mut fault_rng);
            scope.spawn(inflicting);
            let stopping = Stopping(&stop);
            let clients = MANNERS.iter().zip(&seeds).enumerate().map(|(number, (manner, seed))| {
                scope.spawn(move || {
                    let mut client = Client::new(history, number, *manner, *seed);
                    (0..OPERATIONS).for_each(|_| client.act());
                })
            });
            let clients: Vec<_> = clients.collect();
            clients.into_iter().for_each(|client| client.join().expect("a client that was answered"));
            drop(stopping);
        });
        (0..history.registers.len()).map(|register| history.events(register).len()).sum()
    }
}

/// Checks every register of a history.
fn check_all(history: &History<'_>) -> Result<(), String> {
    for (number, (register, initial)) in history.registers.iter().enumerate() {
        check(*initial, &history.events(number)).map_err(|violation| format!("{register:?}: {violation}"))?;
    }
    Ok(())
}

#[test]
fn one_order_of_all_writes_explains_what_clients_saw_through_three_nodes() {
    let plan = Plan::from_environment(HISTORIES);
    let (stage, mut rng) = (Stage::open(), Rng::with_seed(plan.seed));
    let first = stage.begin("first".to_owned());
    Client::new(&first, HOST + 2, Manner::Current, 0).write_surely(&Operation::Mint(SETS));
    stage.end(&first);
    let (mut histories, mut operations) = (0, 0);
    while !plan.is_over(histories) {
        let fault = Fault::of_history(histories, &mut rng);
        let history = stage.begin(format!("h{histories}"));
        operations += stage.run(&history, fault, &mut rng);
        if let Err(violation) = check_all(&history) {
            panic!("history {histories} under {fault:?}: {violation}");
        }
        stage.end(&history);
        histories += 1;
        if histories % TELL_EVERY == 0 {
            println!("{histories} histories, {operations} operations, no violation");
        }
    }
    println!("{histories} histories, {operations} operations, no violation");
    wait_until_ready(&stage.nodes, 0);
}

#[test]
fn the_first_four_histories_have_each_fault_whatever_the_seed() {
    for seed in 0..8 {
        let mut rng = Rng::with_seed(seed);
        let faults: Vec<Fault> = (0..4).map(|number| Fault::of_history(number, &mut rng)).collect();
        assert_eq!(faults, FIRST_FAULTS);
    }
}

/// A node that is cut off from the log serves stale reads. The documents say so: only a read that waits for a sequence
/// is current.
#[test]
fn a_stale_read_of_an_isolated_node_and_a_write_that_was_lost_are_found() {
    let stage = Stage::open();
    let history = stage.begin("planted".to_owned());
    let settled = NODES - 1;
    // A settled client uses the node of its number.
    let mut reader = Client::new(&history, settled, Manner::Settled, 1);
    reader.read(0);
    stage.proxies[settled].isolate();
    let mut writer = Client::new(&history, 0, Manner::Settled, 2);
    writer.change(0);
    reader.read(0);
    let stale = history.events(0);
    check(history.registers[0].1, &stale).expect("a settled client may read the past");

    let [first, written, last] = stale.as_slice() else { panic!("{stale:?}") };
    let value = |event: &Event| match event.action {
        Action::SessionRead(value) => value,
        action => panic!("{action:?}"),
    };
    assert_eq!(value(first), value(last), "the isolated node has not seen the write");
    let current = Event { action: Action::Read(value(last)), ..*last };
    let violation = check(history.registers[0].1, &[*first, *written, current]).expect_err("a stale read");
    assert!(violation.contains("no order of these operations"), "{violation}");

    // A read that waits gets no answer from the isolated node, and the current value from another one.
    stage.proxies[settled].restore();
    let mut waiting = Client::new(&history, NODES, Manner::Current, 3);
    waiting.read(0);
    let whole = history.events(0);
    check(history.registers[0].1, &whole).expect("the write is seen");
    let lost: Vec<Event> =
        whole.iter().filter(|event| !matches!(event.action, Action::Write(_))).copied().collect();
    check(history.registers[0].1, &lost).expect_err("a value that nobody wrote");
    let mut overwritten = whole.clone();
    let answered = whole.iter().filter_map(|event| event.answered).max().expect("answers");
    let again = |called: u64, action| Event { client: 7, called, answered: Some(called + 1), action };
    let Action::Read(seen) = whole[3].action else { panic!("{whole:?}") };
    overwritten.extend([again(answered + 1, Action::Write(1)), again(answered + 3, Action::Read(seen))]);
    check(history.registers[0].1, &overwritten).expect_err("an answered write that was lost");
}
