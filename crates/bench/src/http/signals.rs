//! `bench signals`: the processor time that metrics, the access log and traces add to a request.
//!
//! Three nodes in one process take turns with the same load. The first has two turns, without signals and with metrics
//! and the access log: two nodes would differ by a few percent for their place in memory alone. The others have traces
//! of one request in a hundred and of every request. Turns form pairs, and every second pair runs backwards. The times of
//! the load and of the collector do not count.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use server::signals::access_lines::{AccessLines, LineFormat};
use server::signals::traces::{self, TraceError, TraceExport, TraceSettings};
use tokio::runtime::{Builder, Runtime};
use tracing::level_filters::LevelFilter;

use crate::Problem;
use crate::generator::Generator;
use crate::processor::Spent;
use crate::requests::{Reads, Script, Singles};
use crate::rows::{Goal, Rows};
use crate::stage::{Served, Stage};
use crate::times::{median, micros};

use super::CONNECTIONS;

const PAIRS: u32 = 5;
const SECONDS: u32 = 80;
/// Signatures are valid for 300 seconds.
const SECONDS_MAX: u32 = 200;
const PAIRS_MAX: u32 = 50;
const COLLECTOR: &str = "collector";
/// How long the log's thread waits for a line before it looks whether to end.
const LOG_PATIENCE: Duration = Duration::from_millis(200);

pub(crate) const HELP: &str = "\
Measure the processor time that metrics, the access log and traces add to a request.

Usage: bench-http signals [--pairs N] [--seconds N]

  --pairs N     alternating pairs, default 5, at most 50
  --seconds N   approximate duration, default 80, at most 200
";

/// What a node does beside its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// No metrics and no lines.
    Silent,
    /// Metrics and a line for each request, as `bellwether serve` has them.
    Usual,
    /// Also traces of some requests.
    SomeTraced,
    AllTraced,
}

const VARIANTS: [Variant; 4] = [Variant::Silent, Variant::Usual, Variant::SomeTraced, Variant::AllTraced];
/// The part of the requests that each node traces.
const SAMPLES: [Option<f64>; 3] = [None, Some(0.01), Some(1.0)];
/// Their places in `VARIANTS`: a variant and what it is compared with.
const COMPARED: [(usize, usize, &str, Goal); 3] = [
    (1, 0, "metrics and access log / without", Goal::AtMost(1.03)),
    (2, 1, "traces of 1 % / without", Goal::Unset),
    (3, 1, "traces of all / without", Goal::Unset),
];

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Silent => "without signals",
            Variant::Usual => "metrics and access log",
            Variant::SomeTraced => "and traces of 1 %",
            Variant::AllTraced => "and traces of all",
        }
    }

    /// The place of its node in `SAMPLES`.
    fn node(self) -> usize {
        match self {
            Variant::Silent | Variant::Usual => 0,
            Variant::SomeTraced => 1,
            Variant::AllTraced => 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    pairs: u32,
    seconds: u32,
}

impl Options {
    fn read(arguments: &[String]) -> Option<Options> {
        let mut options = Options { pairs: PAIRS, seconds: SECONDS };
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--pairs" => options.pairs = value.parse().ok()?,
                [name, value] if name == "--seconds" => options.seconds = value.parse().ok()?,
                _ => return None,
            }
        }
        let is_bounded =
            (1..=PAIRS_MAX).contains(&options.pairs) && (1..=SECONDS_MAX).contains(&options.seconds);
        is_bounded.then_some(options)
    }
}

/// Runs the benchmark. `None` if the arguments are invalid.
pub(crate) fn run(arguments: &[String]) -> Option<Result<(), Problem>> {
    Options::read(arguments).map(measure)
}

fn measure(options: Options) -> Result<(), Problem> {
    let folder = tempfile::tempdir()?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name("worker").build()?;
    let collector = collect()?;
    let mut nodes = Vec::new();
    for (index, sample) in SAMPLES.into_iter().enumerate() {
        let folder = folder.path().join(index.to_string());
        nodes.push(MeasuredNode::start(&runtime, &folder, sample, collector)?);
    }
    let mut rows = Rows::default();
    for kind in [Kind::Orders, Kind::Reads] {
        // Two kinds, with a short warm-up of each.
        let turn =
            Duration::from_secs(options.seconds.into()) / (2 * VARIANTS.len() as u32 * (options.pairs + 1));
        let costs = run_pairs(&mut nodes, kind, options.pairs, turn)?;
        print(kind, &costs, &mut rows);
    }
    let mut stopping = Vec::new();
    for node in nodes {
        stopping.push(node.stop_serving(&runtime)?);
    }
    runtime.shutdown_timeout(Duration::from_secs(5));
    stopping.into_iter().try_for_each(StoppingNode::end)?;
    rows.print();
    Ok(())
}

/// The processor time of each variant in each pair, in microseconds per request.
type Costs = [Vec<f64>; VARIANTS.len()];

fn run_pairs(nodes: &mut [MeasuredNode], kind: Kind, pairs: u32, turn: Duration) -> Result<Costs, Problem> {
    let mut costs = Costs::default();
    // The first pair is a warm-up.
    for pair in 0..=pairs {
        let mut order: Vec<usize> = (0..VARIANTS.len()).collect();
        if pair % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let node = &mut nodes[VARIANTS[at].node()];
            node.stage.node.app.switch_signals(VARIANTS[at] != Variant::Silent);
            let cost = node.turn(kind, if pair == 0 { turn / 2 } else { turn })?;
            if pair > 0 {
                costs[at].push(cost);
            }
        }
    }
    Ok(costs)
}

fn print(kind: Kind, costs: &Costs, rows: &mut Rows) {
    println!("\n{}: processor time per request, without that of the load", kind.title());
    for (variant, costs) in VARIANTS.into_iter().zip(costs) {
        let shown: Vec<String> = costs.iter().map(|cost| format!("{cost:.2}")).collect();
        println!("  {:<24}{:>8.2} us   pairs {}", variant.name(), median(costs), shown.join(" "));
    }
    for (this, other, name, goal) in COMPARED {
        let ratios: Vec<f64> =
            costs[this].iter().zip(&costs[other]).map(|(this, other)| this / other).collect();
        println!("  {name}: median ratio {:.4}", median(&ratios));
        let goal = if kind == Kind::Orders { goal } else { Goal::Unset };
        rows.add(&format!("{}: {name}", kind.title()), median(&ratios), "", goal);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Orders,
    Reads,
}

impl Kind {
    fn title(self) -> &'static str {
        match self {
            Kind::Orders => "Single orders",
            Kind::Reads => "Hot reads",
        }
    }
}

struct MeasuredNode {
    stage: Stage,
    served: Served,
    next_key: u64,
    log: Log,
    traces: Option<TraceExport>,
}

impl MeasuredNode {
    fn start(
        runtime: &Runtime,
        folder: &Path,
        sample: Option<f64>,
        collector: SocketAddr,
    ) -> Result<MeasuredNode, Problem> {
        let stage = Stage::build(folder)?;
        let app = &stage.node.app;
        let lines = Arc::new(AccessLines::new(LineFormat::Text, LevelFilter::INFO, true));
        app.signals().log_accesses(lines.clone());
        let log = Log::start(lines, &folder.join("access.log"))?;
        let mut traces = None;
        if let Some(sample) = sample {
            let settings = TraceSettings::new(&format!("http://{collector}"), sample)?;
            match traces::start(&settings) {
                Ok((sampler, export)) => {
                    app.signals().export_traces(sampler);
                    traces = Some(export);
                }
                Err(TraceError::NotBuilt) => {
                    println!("This build exports no traces: their rows mean nothing.")
                }
                Err(error) => return Err(error.into()),
            }
        }
        let served = Served::start_node(runtime, app)?;
        Ok(MeasuredNode { stage, served, next_key: 1 << 32, log, traces })
    }

    /// The processor time per request of one turn, in microseconds.
    fn turn(&mut self, kind: Kind, time: Duration) -> Result<f64, Problem> {
        self.next_key += 1 << 32;
        let (users, markets) = (&self.stage.users, &self.stage.markets);
        let mut script: Box<dyn Script> = match kind {
            Kind::Orders => Box::new(Singles::new(users, markets, CONNECTIONS, self.next_key)),
            Kind::Reads => {
                let paths = markets.iter().flat_map(|market| [&market.event, &market.hot[0], &market.hot[1]]);
                Box::new(Reads::new(paths.cloned()))
            }
        };
        let mut generator = Generator::connect(self.served.address, CONNECTIONS)?;
        let before = Spent::now();
        let load = generator.closed(&mut *script, time)?;
        self.stage.settle()?;
        let spent = Spent::now().since(&before).without(&[main_thread()?.as_str(), COLLECTOR]);
        load.check()?;
        Ok(micros(spent.total()) / load.answers as f64)
    }

    fn stop_serving(self, runtime: &Runtime) -> Result<StoppingNode, Problem> {
        let MeasuredNode { stage, served, log, traces, .. } = self;
        served.end(runtime)?;
        Ok(StoppingNode { stage, log, traces })
    }
}

/// A node that no longer serves.
struct StoppingNode {
    stage: Stage,
    log: Log,
    traces: Option<TraceExport>,
}

impl StoppingNode {
    fn end(self) -> Result<(), Problem> {
        if let Some(traces) = self.stage.node.app.signals().traces() {
            println!("\nTraces: {:?}", traces.counters().outcomes());
        }
        self.log.end()?;
        self.stage.node.stop()?;
        if let Some(traces) = self.traces {
            traces.finish();
        }
        Ok(())
    }
}

/// The name of the main thread, which sends the load.
fn main_thread() -> io::Result<String> {
    Ok(fs::read_to_string("/proc/self/comm")?.trim().to_owned())
}

/// The thread that writes the access log to a file.
struct Log {
    lines: Arc<AccessLines>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<u64>>,
}

impl Log {
    fn start(lines: Arc<AccessLines>, path: &Path) -> io::Result<Log> {
        let (mut file, stop) = (File::create(path)?, Arc::new(AtomicBool::new(false)));
        let (written, stopping) = (lines.clone(), stop.clone());
        let work = move || {
            let mut dropped = 0;
            while !stopping.load(Ordering::Acquire) {
                dropped += written.write_waiting(LOG_PATIENCE, &mut file)?;
            }
            Ok(dropped)
        };
        let thread = thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok(Log { lines, stop, thread })
    }

    fn end(self) -> Result<(), Problem> {
        self.lines.flush(Duration::from_secs(5));
        self.stop.store(true, Ordering::Release);
        let dropped = self.thread.join().map_err(|_| "the log's thread ended in a panic")??;
        if dropped > 0 {
            println!("{dropped} lines of the access log were dropped");
        }
        Ok(())
    }
}

/// A collector that accepts everything. Its threads end with the process.
fn collect() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let named = || thread::Builder::new().name(COLLECTOR.to_owned());
    named().spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection ends when its exporter does.
            let _ = named().spawn(move || answer(&stream));
        }
    })?;
    Ok(address)
}

fn answer(mut stream: &TcpStream) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        io::copy(&mut reader.by_ref().take(length), &mut io::sink())?;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn pairs_and_seconds_are_bounded() {
        let read = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Options::read(&words)
        };
        assert_eq!(read(""), Some(Options { pairs: 5, seconds: 80 }));
        assert_eq!(read("--pairs 1 --seconds 4"), Some(Options { pairs: 1, seconds: 4 }));
        for line in ["--pairs 0", "--pairs 51", "--seconds 0", "--seconds 201", "--pairs", "--only read"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
