//! A contestant: nodes with their listeners, on one log, with the users and markets of the stage.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use load::Problem;
use load::filling::give_key;
use load::stage::{Market, Served, User, populate, rates, settle};
use server::node::Node;
use server::shared_log::SharedLogSettings;
use tokio::runtime::Runtime;

const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(1);

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// The database of its log, if that is in PostgreSQL.
    pub(crate) database: Option<String>,
    pub(crate) users: Arc<Vec<User>>,
    pub(crate) markets: Vec<Market>,
    nodes: Vec<Node>,
    served: Vec<Served>,
}

/// The progress of a contestant's log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) commands: u64,
    /// Frames that each node has appended.
    pub(crate) frames: Vec<u64>,
}

impl Progress {
    pub(crate) fn since(mut self, before: &Progress) -> Progress {
        self.commands -= before.commands;
        self.frames.iter_mut().zip(&before.frames).for_each(|(frames, before)| *frames -= before);
        self
    }

    pub(crate) fn add(&mut self, other: &Progress) {
        self.commands += other.commands;
        self.frames.resize(other.frames.len(), 0);
        self.frames.iter_mut().zip(&other.frames).for_each(|(frames, more)| *frames += more);
    }
}

impl Contestant {
    /// One node with a file journal.
    pub(crate) fn alone(runtime: &Runtime, name: &'static str, folder: &Path) -> Result<Contestant, Problem> {
        let node = Node::builder(folder).rates(rates()).start()?;
        Contestant::with(runtime, name, None, vec![node])
    }

    /// Nodes that share a log.
    pub(crate) fn sharing(
        runtime: &Runtime,
        name: &'static str,
        folder: &Path,
        (database, settings): (String, &SharedLogSettings),
        nodes: usize,
    ) -> Result<Contestant, Problem> {
        let start = |index: usize| -> Result<Node, Problem> {
            let folder = folder.join(index.to_string());
            give_key(&folder)?;
            Ok(Node::builder(&*folder).shared_log(settings).rates(rates()).start()?)
        };
        let nodes = (0..nodes).map(start).collect::<Result<Vec<_>, _>>()?;
        Contestant::with(runtime, name, Some(database), nodes)
    }

    fn with(
        runtime: &Runtime,
        name: &'static str,
        database: Option<String>,
        nodes: Vec<Node>,
    ) -> Result<Contestant, Problem> {
        let (users, markets) = populate(&nodes[0].app)?;
        let serve = |node: &Node| Served::start(runtime, server::routes::router(node.app.clone()));
        let served = nodes.iter().map(serve).collect::<Result<Vec<_>, _>>()?;
        let contestant = Contestant { name, database, users, markets, nodes, served };
        contestant.settle()?;
        Ok(contestant)
    }

    pub(crate) fn addresses(&self) -> Vec<SocketAddr> {
        self.served.iter().map(|served| served.address).collect()
    }

    /// Waits until every node has applied and stored everything, so that no work is left for the next turn.
    pub(crate) fn settle(&self) -> Result<(), Problem> {
        let patience = Instant::now() + PATIENCE;
        let seqs = || self.nodes.iter().map(|node| node.app.reading().state().seq());
        let seq = seqs().max().unwrap_or(0);
        while seqs().any(|reached| reached < seq) {
            if Instant::now() > patience {
                return Err(format!("{}: a node did not catch up", self.name).into());
            }
            thread::sleep(LOOK_EVERY);
        }
        self.nodes.iter().try_for_each(|node| settle(node, seq))
    }

    pub(crate) fn progress(&self) -> Progress {
        let frames = self.nodes.iter().map(|node| node.app.writing().sequencer().writer_status().frames());
        Progress { commands: self.nodes[0].app.reading().state().seq(), frames: frames.collect() }
    }

    /// Stops it and checks that all nodes reached the same state.
    pub(crate) fn end(self, runtime: &Runtime) -> Result<(), Problem> {
        for served in self.served {
            served.end(runtime)?;
        }
        let mut ends = Vec::new();
        for node in self.nodes {
            let stopped = node.stop()?;
            ends.extend([(stopped.seq, stopped.live), (stopped.seq, stopped.replayed)]);
        }
        if ends.iter().any(|end| *end != ends[0]) {
            return Err(format!("{}: its nodes ended in different states", self.name).into());
        }
        println!("  {}: sequence {}, one state at every node and in the log", self.name, ends[0].0);
        Ok(())
    }
}
